// Follow the error: one arrow after the other, and where arrows meet one says the sum; then the
// same chain of errors over longer texts, as bars. The numbers are those of arrows.js.

// boxes: how far back, and in which lane; arrows to others are reckoned with and not drawn
const PLACES = {
  RNN: { "y(2)": [0, 0], "z(2)": [1.3, 0], "y(1)": [2.6, 0], "z(1)": [3.9, 0], r: [2, 2], w: [3.3, 2] },
  LSTM: Object.fromEntries(
    [2, 1].flatMap((t) => [
      [`y(${t})`, [6 - 3 * t, 1]],
      [`c(${t})`, [7 - 3 * t, 0]],
      ...["₃", "₄", "₁"].map((k, lane) => [`z${k}(${t})`, [8 - 3 * t, lane + 1.05]]),
    ]),
  ),
};
const ERROR = { RNN: "δ", LSTM: "dc" };
const MODES = {
  exact: ["exact", "All errors are there."],
  printed: ["as printed", "As printed, nobody adds at y(1), and two shares there skip a gate's slope."],
  bug: ["a bug of yours", "Cross out an arrow, and look at the check."],
};
const NARROW = 690; // pixels, below which the way back leads downwards
const boxOf = (name) => name.split(" of ")[0];
const inProduct = (x) => (x < 0 ? `(${number(x, 3)})` : number(x, 3));
let instruments = 0;

function button(text, press, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
}

const fieldset = (legend, ...parts) =>
  element("fieldset", {}, element("legend", {}, legend), ...parts);

function follow(root) {
  const id = `follow-${instruments++}`, { graph, bars } = root.dataset;
  const parts = [graph && byHand(graph, id), overWords(bars.split(" "), id)].filter(Boolean);
  const start = () => parts.forEach((part) => part.start());
  root.classList.add("mathjax_ignore", "tex2jax_ignore");
  root.replaceChildren(...parts.map((part) => part.root), button("Start again", start));
  start();
  new ResizeObserver(() => parts.forEach((part) => part.draw())).observe(root);
}

// ---- two words, one arrow after the other
function byHand(kind, id) {
  const state = {};
  const arrows = () => arrowsOf(kind, state.mode === "printed");
  const gone = () => (state.mode === "bug" ? state.gone : new Set());
  const isDrawn = ([, to]) => boxOf(to) in PLACES[kind];
  const all = arrows(), nDrawn = () => arrows().filter(isDrawn).length;
  // what arrives at a box of the exact way back, and from where
  const meetingAt = (box) => {
    const error = errorsBy(all);
    return all.filter(([, to]) => to === box).map(([from, , , x]) => [from, error[from] * x]);
  };

  const said = element("p", { class: "follow-said", role: "status" }), picture = element("div");
  const back = button("Back one arrow", send, { class: "first" }), table = element("div");
  const verdict = element("p", { role: "status" });
  const label = element("label", { for: `${id}-sum` });
  const sum = element("input", { id: `${id}-sum`, type: "text", autocomplete: "off", size: 6 });
  const show = button("Show it", () => reveal("It is"));
  const ask = element("form", {}, label, sum, element("button", {}, "Is it?"), show);
  ask.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = Number(sum.value.trim().replace("−", "-").replace(",", ".") || NaN);
    const wrong = Number.isNaN(typed) ? "Type a number." : whyWrong(meetingAt(state.asking), typed);
    if (wrong) said.textContent = wrong;
    else reveal("Right:");
  });
  const modes = Object.keys(MODES).filter((mode) => mode !== "printed" || kind === "LSTM");
  const radios = modes.map((value) => {
    const radio = element("input", { type: "radio", name: `${id}-mode`, value });
    radio.addEventListener("change", () => finish(MODES[(state.mode = value)][1]));
    return element("label", {}, radio, MODES[value][0]);
  });
  const crosses = all.filter(isDrawn).map(([from, to], k) => button(`${from} → ${to}`, () => cross(k)));
  const bug = fieldset("cross out", ...crosses);
  const finishAll = button("All the way", () => finish(MODES[state.mode][1]));
  const head = element("div", { class: "follow-row" }, fieldset("gradient", ...radios), back, finishAll);
  const root = element("div", {}, head, said, ask, picture, bug, verdict, table);

  function start() {
    Object.assign(state, { mode: "exact", passed: 0, asking: null, gone: new Set() });
    radios[0].firstChild.checked = true;
    say("The result is y(2), and its own error is 1. Send it back.");
  }

  function say(text, moves = false) {
    if (state.passed >= nDrawn()) state.passed = arrows().length; // the weights, too
    said.textContent = text;
    draw(moves);
  }

  function finish(text) {
    Object.assign(state, { passed: nDrawn(), asking: null });
    say(text);
  }

  function send() {
    if (state.asking) return sum.focus();
    if (state.passed >= nDrawn()) return;
    const [from, to, name, factor] = all[state.passed++], error = errorsBy(all)[from];
    const meeting = meetingAt(to), isLast = !all.slice(state.passed).some((arrow) => arrow[1] === to);
    if (isLast && meeting.length > 1 && to in PLACES[kind]) state.asking = to;
    const values = meeting.map(([, value]) => number(value, 3)).join(", ");
    const many = meeting.length === 2 ? "Two" : "Three";
    label.textContent = `${many} arrows meet at ${to}: ${values}. Its error?`;
    sum.value = "";
    const product = `${inProduct(error)} × ${inProduct(factor)} = ${number(error * factor, 3)}`;
    say(`d${from} × ${name} = ${product}, to ${to}`, true);
    if (state.asking) sum.focus();
  }

  function reveal(how) {
    const terms = meetingAt(state.asking), total = terms.reduce((sum, [, x]) => sum + x, 0);
    const added = terms.map(([, x]) => inProduct(x)).join(" + ");
    const text = `${how} d${state.asking} = ${added} = ${number(total, 3)}`;
    state.asking = null;
    say(text);
    back.focus();
  }

  function cross(k) {
    if (!state.gone.delete(k)) state.gone.add(k);
    finish(state.gone.size ? `Crossed out: ${state.gone.size}.` : MODES.bug[1]);
  }

  function draw(moves) {
    const isEnd = state.passed === arrows().length && !state.asking;
    const given = { ...state, arrows: arrows(), gone: gone(), moves, isNarrow: root.clientWidth < NARROW };
    picture.replaceChildren(graphOf(kind, given));
    ask.hidden = !state.asking;
    for (const one of [back, finishAll]) one.setAttribute("aria-disabled", `${isEnd}`);
    bug.hidden = state.mode !== "bug";
    crosses.forEach((one, k) => one.setAttribute("aria-pressed", `${state.gone.has(k)}`));
    const found = isEnd && check(kind, errorsBy(arrows(), gone()));
    verdict.textContent = found ? inWords(found) : "";
    verdict.className = found.rows?.some((row) => row.wrong) ? "wrong" : "";
    table.replaceChildren(...(found ? [checkTable(found.rows)] : []));
  }

  return { root, start, draw };
}

function inWords({ rows, off }) {
  const wrong = rows.filter((row) => row.wrong), n = rows.length;
  if (!wrong.length) return `✓ Gradient check: nudged, all ${n} weights say the same as the arrows.`;
  const distance = ({ found, right }) => Math.abs(found - right);
  const { name, found, right } = wrong.reduce((a, b) => (distance(b) > distance(a) ? b : a));
  return (
    `✗ Gradient check: ${wrong.length} of ${n} derivatives are wrong, and the gradient is off by ` +
    `${number(100 * off, 0)} % of its length. Furthest off is ${name}'s: ${number(found, 3)} instead ` +
    `of ${number(right, 3)}.`
  );
}

function checkTable(rows) {
  const head = ["weight", "by the arrows", "by a nudge"].map((x) => element("th", { scope: "col" }, x));
  const body = rows.map(({ name, found, right, wrong }) => {
    const cells = [number(found, 3) + (wrong ? " ✗" : ""), number(right, 3)];
    const first = element("th", { scope: "row" }, name);
    return element("tr", { class: wrong ? "wrong" : "" }, first, ...cells.map((x) => element("td", {}, x)));
  });
  return element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
}

// The computation as boxes, and against it the arrows; the last one that was passed has its dot.
function graphOf(kind, { arrows, gone, passed, asking, moves, isNarrow }) {
  const places = PLACES[kind], deep = Math.max(...Object.values(places).map(([depth]) => depth));
  const wide = Math.max(...Object.values(places).map(([, lane]) => lane)), error = errorsBy(arrows, gone, passed);
  const at = ([depth, lane]) =>
    isNarrow ? [41 + 79 * lane, 34 + 104 * depth] : [44 + (600 / deep) * (deep - depth), 34 + 84 * lane];
  const [width, height] = isNarrow ? [82 + 79 * wide, 68 + 104 * deep] : [690, 68 + 84 * wide];
  const boxes = Object.keys(places).map((name) => {
    const [x, y] = at(places[name]), shares = Object.keys(error).filter((one) => boxOf(one) === name);
    const isDone = (one) => one !== asking && !arrows.slice(passed).some(([, to]) => to === one);
    const lines = shares.map((one) => (isDone(one) ? number(error[one], 3) : "?"));
    const half = 21 + 7 * Math.max(0, lines.length - 1);
    const text = (line, k, of) =>
      svg("text", { x, y: y - half + 16 + 16 * k, "text-anchor": "middle", class: of }, line);
    return svg(
      "g",
      { class: name === asking ? "asking" : "" },
      svg("rect", { x: x - 31, y: y - half, width: 62, height: 2 * half, rx: 6 }),
      text(name, 0, "name"),
      ...lines.map((line, k) => text(line, k + 1, "error")),
    );
  });
  const met = {};
  const drawn = arrows.flatMap(([from, to, name, factor, isOut], k) => {
    if (!(boxOf(to) in places)) return [];
    const [x0, y0] = at(places[boxOf(from)]), [x1, y1] = at(places[boxOf(to)]);
    const dx = x1 - x0, dy = y1 - y0, long = Math.hypot(dx, dy);
    const edge = Math.min(34 / Math.abs(dx), 25 / Math.abs(dy)); // where it leaves the box
    const nth = (met[[boxOf(from), boxOf(to)]] = (met[[boxOf(from), boxOf(to)]] ?? -1) + 1);
    const [aside, along] = [-(nth * 15 * dy) / long, (nth * 15 * dx) / long];
    const point = (part) => [x0 + part * dx + aside, y0 + part * dy + along];
    const [start, end] = [point(edge), point(1 - edge)];
    const isCrossed = isOut || gone.has(k), isPassed = k < passed && !isCrossed;
    const part = isCrossed ? 0.5 : nth ? 0.25 : k % 2 ? 0.36 : 0.6; // labels keep out of each other's way
    const [x, y] = point(edge + (1 - 2 * edge) * part);
    const label = isPassed ? number(error[from] * factor, 3) : `× ${name}`;
    const arrow = svg("path", { d: `M${start}L${end}`, "marker-end": "url(#follow-head)" });
    const parts = [arrow, svg("text", { x, y: y + (isCrossed ? -12 : 4), "text-anchor": "middle" }, label)];
    if (isCrossed) parts.push(svg("path", { class: "cross", d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14` }));
    if (moves && k === passed - 1) {
      const dot = svg("circle", { r: 6, cx: end[0], cy: end[1] }), by = start.map((s, j) => `${s - end[j]}px`);
      if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
        dot.animate([{ translate: by.join(" ") }, { translate: "0 0" }], { duration: 700, easing: "ease-in-out" });
      parts.push(dot);
    }
    const is = isCrossed ? "crossed" : isPassed ? "passed" : "";
    return svg("g", { class: `arrow ${is} ${moves && k === passed - 1 ? "last" : ""}` }, ...parts);
  });
  const known = Object.entries(error).filter(([name]) => boxOf(name) in places && name !== asking);
  const inWords = known.map(([name, x]) => `${name} ${number(x, 3)}`).join(", ");
  const head = svg("path", { d: "M0 0L7 3.5L0 7z" });
  const marker = svg("marker", { id: "follow-head", markerWidth: 7, markerHeight: 7, refX: 6, refY: 3.5, orient: "auto", markerUnits: "userSpaceOnUse" }, head);
  const about = { role: "img", "aria-label": `Errors so far: ${inWords}` };
  return svg("svg", { width, height, ...about }, svg("defs", {}, marker), ...drawn, ...boxes);
}

// ---- longer texts: the chain of errors as bars, each as a part of the last word's
function overWords(kinds, id) {
  const said = element("p", { role: "status" }), picture = element("div");
  const slider = (name, about, start) => {
    const input = element("input", { id: `${id}-${name}`, type: "range", ...about });
    const value = element("output", { for: input.id });
    input.addEventListener("input", () => draw());
    return { input, value, start, both: element("div", {}, element("label", { for: input.id }, name, value), input) };
  };
  const words = slider("words", { min: 2, max: 12, step: 1 }, 2);
  const isAlone = kinds.length === 1; // the RNN of lesson 04, which calls its weight r
  const scale = slider(isAlone ? "r" : "recurrent weights", { min: 0, max: 2, step: 0.1 }, 1);
  const root = element("div", {}, element("div", { class: "follow-row" }, words.both, scale.both), said, picture);

  function start() {
    for (const one of [words, scale]) one.input.value = one.start;
    draw();
  }

  function draw() {
    const T = Number(words.input.value), s = Number(scale.input.value);
    words.value.textContent = ` ${T}`;
    scale.value.textContent = isAlone ? ` = ${number(s * WEIGHTS.RNN.Wrec)}` : ` × ${number(s, 1)}`;
    scale.input.setAttribute("aria-valuetext", scale.value.textContent);
    const parts = kinds.map((kind) => {
      const errors = chainOf(kind, T, s);
      return errors.map((error) => error / errors.at(-1));
    });
    const part = (x) => (Math.abs(x) >= 5e-4 ? number(x, 3) : x ? "less than 0.001" : "nothing");
    const of = kinds.map((kind, k) => `${part(parts[k][0])} (${ERROR[kind]}, ${kind})`).join(" and ");
    said.textContent = `Of the last word's error, word 1 of ${T} gets ${of}.`;
    picture.replaceChildren(barsOver(kinds, parts, Math.max(300, Math.min(690, root.clientWidth))));
  }

  return { root, start, draw };
}

function barsOver(kinds, parts, width) {
  const T = parts[0].length, left = 34, step = (width - left) / T, high = 70, limit = Math.max(1, ...parts.flat().map(Math.abs));
  const y = (value) => high + 10 - (high * value) / limit;
  const bars = parts.flatMap((values, k) =>
    values.map((value, t) => {
      const wide = Math.min(26, (0.8 * step) / kinds.length), x = left + (t + 0.5) * step + (k - kinds.length / 2) * wide;
      const [top, bottom] = [y(Math.max(value, 0)), y(Math.min(value, 0))];
      return svg("rect", { class: kinds[k], x, y: top, width: wide, height: bottom - top });
    }),
  );
  const axis = [1, 0, -1].flatMap((value) => [
    svg("path", { class: "axis", d: `M${left} ${y(value)}H${width}` }),
    svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, number(value, 0)),
  ]);
  const names = parts[0].map((_, t) =>
    svg("text", { x: left + (t + 0.5) * step, y: 2 * high + 28, "text-anchor": "middle" }, `${t + 1}`),
  );
  const list = kinds.map((kind, k) => `${kind} ${parts[k].map((x) => number(x, 3)).join(", ")}`);
  const about = { role: "img", "aria-label": `Errors from the first word to the last: ${list.join("; ")}` };
  const legend = kinds.map((kind) => element("span", { class: kind }, `${ERROR[kind]} of the ${kind}`));
  const caption = element("figcaption", {}, ...legend, "word by word, as a part of the last word's");
  return element("figure", {}, caption, svg("svg", { width, height: 2 * high + 36, ...about }, ...axis, ...bars, ...names));
}

for (const root of document.querySelectorAll(".follow[data-bars]")) follow(root);
