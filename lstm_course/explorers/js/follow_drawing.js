// The drawings of follow.js: the backward pass as boxes and arrows, the gradient check as a table,
// the chain of errors as bars. The style is that of drawing.js.

// the place of each box: its depth, in steps back from y(2), and its lane, across the direction of
// the arrows; arrows to boxes not listed are computed but not drawn
/** @type {Record<string, Record<string, number[]>>} */
const PLACES = {
  RNN: {
    ...{ "y(2)": [0, 0], "z(2)": [1.3, 0], "y(1)": [2.6, 0], "z(1)": [3.9, 0] },
    ...{ r: [2, 2], w: [3.3, 2] },
  },
  LSTM: Object.fromEntries(
    [2, 1].flatMap((t) => [
      [`y(${t})`, [6 - 3 * t, 1]],
      [`c(${t})`, [7 - 3 * t, 0]],
      ...["₃", "₄", "₁"].map((k, lane) => [`z${k}(${t})`, [8 - 3 * t, lane + 1.05]]),
    ]),
  ),
};
/** @type {Record<string, string>} */
const ERROR = { RNN: "δ", LSTM: "dc" };
// the reason why errors shrink or grow from word to word, with numbers for T words and this scale
/** @type {Record<string, (T: number, scale: number) => string>} */
const WHY = {
  RNN: (T, scale) => {
    const [r, slope] = stepBack(T, scale);
    return (
      `RNN: a step back multiplies δ by r (1 − y²), on average by ${number(r)} × ${number(slope)} = ${number(r * slope)}, signs aside. ` +
      "A larger r pushes y towards ±1, where 1 − y² is nearly 0: from four words on, no scale reaches 1."
    );
  },
  LSTM: () =>
    "LSTM: a step back passes on all of dc, through c, and adds what comes through y. Here that mostly takes away, " +
    "because Wrec₄ is negative: only with × 0 does all of it arrive.",
};
const WIDE = 690; // pixels; with less room the arrows lead downwards
const HALF = 31; // half a box's width, in pixels
/** @type {(name: string) => string} */
const boxOf = (name) => name.split(" of ")[0];
/** @type {(x: number, y: number, text: string, of?: string) => SVGElement} */
const centred = (x, y, text, of = "") =>
  svg("text", { x, y, "text-anchor": "middle", class: of }, text);

// Compute the positions of all boxes, and the errors known after the passed arrows.
/** @type {(kind: string, state: {arrows: Arrow[], gone: Set<number>, passed: number}, isNarrow: boolean) => Layout} */
function laidOut(kind, { arrows, gone, passed }, isNarrow) {
  const places = PLACES[kind], error = errorsBy(arrows, gone, passed);
  const [deep, lanes] = [0, 1].map((k) => Math.max(...Object.values(places).map((at) => at[k])));
  /** @type {(name: string) => number[]} */
  const at = (name) => {
    const [depth, lane] = places[boxOf(name)];
    if (isNarrow) return [41 + 79 * lane, 34 + 104 * depth];
    return [44 + (600 / deep) * (deep - depth), 36 + 92 * lane];
  };
  /** @type {(box: string) => string[]} */
  const sharesOf = (box) => Object.keys(error).filter((name) => boxOf(name) === box);
  /** @type {(name: string) => number} */
  const halfOf = (name) => 14 + 7 * Math.max(1, sharesOf(boxOf(name)).length); // half a box's height
  const size = isNarrow ? [82 + 79 * lanes, 68 + 104 * deep] : [WIDE, 68 + 92 * lanes];
  return { places, error, at, sharesOf, halfOf, size };
}

// Draw the computation as boxes with backward arrows; with `moves`, a dot moves along the last
// passed arrow.
/** @type {(kind: string, state: any, how: {isNarrow: boolean, moves: boolean}) => SVGElement} */
function graphOf(kind, state, { isNarrow, moves }) {
  const { arrows, gone, passed, asking } = state, layout = laidOut(kind, state, isNarrow);
  const { places, error, size } = layout;
  /** @type {Record<string, number>} */
  const met = {}; // number of arrows so far, by pair of boxes
  const drawn = arrows.flatMap((arrow, k) => {
    const [from, to, , , isLeftOut] = arrow;
    if (!(boxOf(to) in places)) return [];
    const both = `${boxOf(from)} ${boxOf(to)}`, nth = (met[both] = (met[both] ?? -1) + 1);
    const is = isLeftOut || gone.has(k) ? "crossed" : k < passed ? "passed" : "";
    return arrowOf(arrow, layout, { is, k, nth, isLast: moves && k === passed - 1 });
  });
  /** @type {(name: string) => boolean} */
  const isDone = (name) =>
    name !== asking && !arrows.slice(passed).some(([, to]) => to === name);
  const boxes = Object.keys(places).map((box) => boxOn(box, layout, asking, isDone));
  const known = Object.keys(error).filter((name) => boxOf(name) in places && isDone(name));
  const said = known.map((name) => `${name} ${number(error[name], 3)}`).join(", ");
  const [width, height] = size, viewBox = `0 0 ${size.join(" ")}`;
  const about = { viewBox, role: "img", "aria-label": `Errors so far: ${said}` };
  return svg("svg", { width, height, ...about }, svg("defs", {}, arrowhead()), ...drawn, ...boxes);
}

/** @type {(box: string, layout: Layout, asking: string | null, isDone: (name: string) => boolean) => SVGElement} */
function boxOn(box, { at, error, sharesOf, halfOf }, asking, isDone) {
  const [x, y] = at(box), half = halfOf(box), width = 2 * HALF;
  const lines = sharesOf(box).map((name) => (isDone(name) ? number(error[name], 3) : "?"));
  return svg(
    "g",
    { class: box === asking ? "asking" : "" },
    svg("rect", { x: x - HALF, y: y - half, width, height: 2 * half, rx: 6 }),
    centred(x, y - half + 16, box, "name"),
    ...lines.map((line, k) => centred(x, y - half + 32 + 16 * k, line, "error")),
  );
}

// Draw the nth arrow between two boxes, shifted aside so that it doesn't cover the earlier ones.
/** @type {(arrow: Arrow, layout: Layout, how: {is: string, k: number, nth: number, isLast: boolean}) => SVGElement} */
function arrowOf([from, to, name, factor], { at, error, halfOf }, { is, k, nth, isLast }) {
  const [x0, y0] = at(from), [dx, dy] = at(to).map((x, j) => x - at(from)[j]);
  const aside = (15 * nth) / Math.hypot(dx, dy);
  /** @type {(part: number) => number[]} */
  const point = (part) => [x0 + part * dx - aside * dy, y0 + part * dy + aside * dx];
  /** @type {(box: string) => number} */
  const edge = (box) => Math.min((HALF + 3) / Math.abs(dx), (halfOf(box) + 3) / Math.abs(dy));
  const first = edge(from), last = 1 - edge(to), start = point(first), end = point(last);
  // keep labels from overlapping
  const isFar = dy < -150 || (dx < -150 && dy > 9);
  const part = is === "crossed" || Math.abs(dy) < 9 ? 0.5 : isFar ? 0.2 : nth ? 0.88 : k % 2 ? 0.36 : 0.6;
  const [x, y] = point(first + (last - first) * part);
  const label = { crossed: name, passed: number(error[from] * factor, 3) }[is] ?? `× ${name}`;
  const line = svg("path", { d: `M${start}L${end}`, "marker-end": "url(#follow-head)" });
  const parts = [line, centred(x, y + (is === "crossed" ? -12 : 4), label)];
  if (is === "crossed")
    parts.push(svg("path", { class: "cross", d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14` }));
  if (isLast) parts.push(dotFrom(start, end));
  return svg("g", { class: `arrow ${is} ${isLast ? "last" : ""}` }, ...parts);
}

// Draw the moving dot at the arrow's end; animate it unless the user prefers reduced motion.
/** @type {(start: number[], end: number[]) => SVGElement} */
function dotFrom(start, end) {
  const dot = svg("circle", { r: 6, cx: end[0], cy: end[1] });
  const translate = start.map((x, j) => `${x - end[j]}px`).join(" ");
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
    dot.animate([{ translate }, { translate: "0 0" }], { duration: 700, easing: "ease-in-out" });
  return dot;
}

function arrowhead() {
  const size = { markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse" };
  const head = svg("path", { d: "M0 0L7 3.5L0 7z" });
  return svg("marker", { id: "follow-head", ...size, refX: 6, refY: 3.5, orient: "auto" }, head);
}

/** @type {(check: {rows: Checked[], off: number}) => string} */
function inWords({ rows, off }) {
  const wrong = rows.filter((row) => row.wrong), n = rows.length;
  if (!wrong.length) return `✓ Gradient check: nudged, all ${n} weights say the same as the arrows.`;
  /** @type {(row: Checked) => number} */
  const distance = ({ found, right }) => Math.abs(found - right);
  const { name, found, right } = wrong.reduce((a, b) => (distance(b) > distance(a) ? b : a));
  return (
    `✗ Gradient check: ${wrong.length} of ${n} derivatives ${wrong.length > 1 ? "are" : "is"} wrong, ` +
    `and the gradient is off by ${number(100 * off, 1)} % of its length. Furthest off is ${name}'s: ${number(found, 4)} ` +
    `instead of ${number(right, 4)}.`
  );
}

/** @type {(rows: Checked[]) => Element} */
function checkTable(rows) {
  const head = ["weight", "by the arrows", "by a nudge"];
  const body = rows.map(({ name, found, right, wrong }) => {
    const cells = [number(found, 4) + (wrong ? " ✗" : ""), number(right, 4)];
    const all = cells.map((x) => element("td", {}, x));
    const first = element("th", { scope: "row" }, name);
    return element("tr", { class: wrong ? "wrong" : "" }, first, ...all);
  });
  const names = element("tr", {}, ...head.map((x) => element("th", { scope: "col" }, x)));
  return element("table", {}, element("thead", {}, names), element("tbody", {}, ...body));
}

// Draw the errors of each kind as bars, word by word, relative to the last word's error.
/** @type {(kinds: string[], parts: number[][], width: number) => Element} */
function barsOver(kinds, parts, width) {
  const T = parts[0].length, left = 34, step = (width - left) / T, high = 70;
  const limit = Math.max(1, ...parts.flat().map(Math.abs));
  const x = (t) => left + (t + 0.5) * step, y = (value) => high + 10 - (high * value) / limit;
  const wide = Math.min(26, (0.8 * step) / kinds.length);
  const bars = parts.flatMap((values, k) =>
    values.map((value, t) => {
      const [top, bottom] = [y(Math.max(value, 0)), y(Math.min(value, 0))];
      const place = { x: x(t) + (k - kinds.length / 2) * wide, y: top };
      return svg("rect", { class: kinds[k], ...place, width: wide, height: bottom - top });
    }),
  );
  const axis = [1, 0, -1].flatMap((value) => [
    svg("path", { class: "axis", d: `M${left} ${y(value)}H${width}` }),
    svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, number(value, 0)),
  ]);
  const names = parts[0].map((_, t) => centred(x(t), 2 * high + 28, `${t + 1}`));
  const list = kinds.map((kind, k) => `${kind} ${parts[k].map((part) => number(part, 3)).join(", ")}`);
  const said = `Errors from the first word to the last: ${list.join("; ")}`;
  const about = { width, height: 2 * high + 36, role: "img", "aria-label": said };
  const legend = kinds.map((kind) => element("span", { class: kind }, `${ERROR[kind]} of the ${kind}`));
  const caption = [...legend, "word by word, as a part of the last word's"];
  const drawn = svg("svg", about, ...axis, ...bars, ...names);
  return element("figure", {}, element("figcaption", {}, ...caption), drawn);
}
