// Each title's share of a click's gradient (lesson 03), with cosines that can be dragged.

// titles and cosines in the lesson's figure, the clicked title first
/** @type {[string, number][]} */
const TITLES = [
  ["shanghai hotels accommodation hotel in shanghai discount and reservation", 0.9456672941846396],
  ["low cost youth hostels in shanghai", 0.899227556956842],
  ["shanghai climate conditions radar and satellite", 0.7996311122119536],
  ["shanghai transit network map farepebble", 0.6389330749939717],
  ["las vegas nevada hotels accommodation hotel in las vegas nevada discount and reservation", 0.24878671664533075],
  ["boston hotels accommodation hotel in boston discount and reservation", 0.08462620128182242],
  ["acoustics of the double bass", -0.24421614055355303],
];

/** @type {(root: Element, id: string) => void} */
function push(root, id) {
  let R, gamma, n;
  const most = TITLES.length - 1;
  const gammas = slider(`${id}-gamma`, "γ =", { min: 1, max: 40 }, (x) => ((gamma = x), draw()));
  const drawn = slider(`${id}-n`, "n =", { min: 1, max: most }, (x) => ((n = x), draw()));
  const said = element("p", { role: "status" });
  const rows = TITLES.map(([title], k) => {
    /** @type {(x: number) => void} */
    const moved = (x) => ((R[k] = x), draw());
    const cosine = slider(`${id}-${k}`, title, { min: -1, max: 1, step: 0.01 }, moved);
    const name = cosine.both.querySelector("label").firstChild;
    const bar = element("span", { class: `bar ${k ? "" : "clicked"}` }), told = element("span");
    const both = element("div", { class: "bars" }, element("div", {}, bar), told);
    const row = element("div", { class: "row" }, cosine.both, both);
    return { ...cosine, title, name, bar, told, row };
  });
  root.replaceChildren(
    element("div", { class: "asked" }, gammas.both, drawn.both, button("Start again", start)),
    said,
    ...rows.map(({ row }) => row),
  );

  function start() {
    R = TITLES.map(([, r]) => r);
    gamma = gammas.input.value = 10;
    n = drawn.input.value = most;
    rows.forEach(({ input }, k) => (input.value = R[k]));
    draw();
  }

  function draw() {
    const { cost, dR } = costOfCosines(R.slice(0, n + 1), gamma), whole = Math.max(10, -dR[0]);
    gammas.value.textContent = ` ${gamma}`;
    drawn.value.textContent = ` ${n}`;
    const guess = number(Math.log(1 + n));
    const chance = `${number(100 * Math.exp(-cost), 0)} %`;
    said.textContent =
      `P of the clicked title ${chance}; cost ${number(cost)}, of a guess ${guess}. ` +
      `All pushes together: ${number(-dR[0])}.`;
    rows.forEach(({ input, value, title, name, bar, told }, k) => {
      name.textContent = k > n ? `(${title})` : title;
      value.textContent = ` ${number(R[k])}`;
      const share = `${number((100 * Math.abs(dR[k])) / gamma, 0)} % of γ`;
      const is = k > n ? "not drawn" : `${k ? "pushed" : "pulled"} ${number(Math.abs(dR[k]))}, ${share}`;
      told.textContent = is;
      bar.style.width = `${k > n ? 0 : (100 * Math.abs(dR[k])) / whole}%`;
      input.setAttribute("aria-valuetext", `cosine ${number(R[k])}, ${is}`);
    });
  }

  start();
}
