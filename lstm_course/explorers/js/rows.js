// The lead of one row of Table IV over another on each set, query by query (lesson 10b).

// Unpack `table_iv.js`: each query's nDCG@10 times 10,000, as a 16-bit number.
/** @type {(packed: any) => SetOfRows} */
function unpackedSet({ rows, ...own }) {
  const unpacked = Object.entries(rows).map(([name, { by_query, trainings }]) => [
    name,
    { by_query: new Uint16Array(bytesOf(by_query)), trainings },
  ]);
  return { ...own, rows: Object.fromEntries(unpacked) };
}

// Compute the lead in points, with its 95 % interval, as in lessons/claims.py.
/** @type {(set: SetOfRows, a: string, b: string) => Apart} */
function differenceOf({ rows, between }, a, b) {
  const d = Array.from(rows[a].by_query, (x, k) => (x - rows[b].by_query[k]) / 100);
  const n = d.length, trainings = [a, b].map((row) => rows[row].trainings).filter(Boolean);
  const mean = d.reduce((sum, x) => sum + x, 0) / n;
  const ofQueries = d.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1) / n;
  const ofTrainings = trainings.reduce((sum, of) => sum + between / of, 0);
  const half = 1.96 * Math.sqrt(ofQueries + ofTrainings);
  const better = d.filter((x) => x > 0).length, worse = d.filter((x) => x < 0).length;
  return { mean, low: mean - half, high: mean + half, n, better, worse };
}

/** @type {(x: number) => string} */
const signed = (x) => (x > 0 ? "+" : "") + number(x);

/** @type {(root: Element, id: string) => void} */
function rows(root, id) {
  const { sets, paper, first } = self.lstm_edu.table_iv;
  /** @type {[string, SetOfRows][]} */
  const all = Object.entries(sets).map(([name, own]) => [name, unpackedSet(own)]);
  const isCommon = (row) => all.every(([, own]) => row in own.rows);
  const common = Object.keys(all[0][1].rows).filter(isCommon);
  const selects = [0, 1].map((k) => {
    const options = common.map((row) => element("option", {}, row));
    const select = element("select", { id: `${id}-${k}` }, ...options);
    select.addEventListener("change", draw);
    return select;
  });
  const said = element("p", { role: "status" }), lines = element("div");
  const fields = selects.map((select, k) =>
    element("div", {}, element("label", { for: select.id }, ["nDCG@10 of", "minus that of"][k]), select),
  );
  const swap = button("Swap", () => choose(selects.map(({ value }) => value).reverse()));
  const again = button("Start again", () => choose(first));
  root.replaceChildren(element("div", { class: "asked" }, ...fields, swap, again), said, lines);

  function choose(two) {
    selects.forEach((select, k) => (select.value = two[k]));
    draw();
  }

  function draw() {
    const [a, b] = selects.map(({ value }) => value);
    lines.replaceChildren();
    said.textContent = "Choose two different rows.";
    if (a === b) return;
    /** @type {[string, Apart][]} */
    const found = all.map(([name, own]) => [name, differenceOf(own, a, b)]);
    said.textContent = verdictOn(found, a, b);
    if (a in paper && b in paper) found.unshift(["paper", { mean: paper[a] - paper[b] }]);
    const ends = found.flatMap(([, { mean, low = mean, high = mean }]) => [-low, high]);
    const most = Math.ceil(Math.max(5, ...ends));
    for (const [name, own] of found) {
      const words = element("p", {}, element("strong", {}, name), ` ${inNumbers(own)}`);
      const picture = intervalOf(own, most, `${name}: ${inNumbers(own)}`);
      lines.append(element("div", { class: "row" }, words, picture));
    }
  }

  choose(first);
}

/** @type {(found: [string, Apart][], a: string, b: string) => string} */
function verdictOn(found, a, b) {
  const on = (is) => found.filter(([, own]) => is(own)).map(([name]) => name).join(" and ");
  const parts = [
    [`${a} is ahead on`, on(({ low }) => low > 0)],
    [`${b} is ahead on`, on(({ high }) => high < 0)],
    ["either may be ahead on", on(({ low, high }) => low <= 0 && high >= 0)],
  ];
  return `${parts.filter(([, sets]) => sets).map((part) => part.join(" ")).join("; ")}.`;
}

/** @type {(of: Apart) => string} */
function inNumbers({ mean, low, high, n, better, worse }) {
  if (low === undefined) return `${signed(mean)} points, without interval`;
  const interval = `${signed(mean)} points (${number(low)} to ${number(high)})`;
  return `${interval}; higher for ${better} of ${n} queries, lower for ${worse}`;
}

// Draw a mean and its interval on an axis from -most to most.
/** @type {(of: Apart, most: number, said: string) => SVGElement} */
function intervalOf({ mean, low, high }, most, said) {
  const x = (value) => 150 + (140 * value) / most, isWhole = low !== undefined;
  const path = (of, d) => svg("path", { class: of, d });
  const drawn = svg("svg", { viewBox: "0 0 300 44", role: "img", "aria-label": said });
  drawn.append(path("ring", "M10 28H290"), path("now", "M150 4V28"));
  if (isWhole) drawn.append(path("whole", `M${x(low)} 18H${x(high)}M${x(low)} 12v12M${x(high)} 12v12`));
  drawn.append(svg("circle", { class: isWhole ? "mark" : "start", cx: x(mean), cy: 18, r: 5 }));
  /** @type {[number, string][]} */
  const ends = [[-most, "start"], [0, "middle"], [most, "end"]];
  for (const [value, anchor] of ends)
    drawn.append(svg("text", { x: x(value), y: 41, "text-anchor": anchor }, number(value, 0)));
  return drawn;
}
