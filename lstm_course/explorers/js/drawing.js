// The figures of the reader, in SVG, in the style of lstm_course/plots/style.py. Each has an
// alternative text.

// matplotlib's Greys for gates, from 0 to 1, and its RdBu_r for signed values, from -limit to limit
const GREYS = "ffffff f0f0f0 d9d9d9 bdbdbd 969696 737373 525252 252525 000000";
const BLUE_TO_RED = "053061 2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b 67001f";
const LONGEST = 24, LONGEST_TITLE = 300; // maximum number of characters shown of a word, of a title
// letters of right-to-left scripts, and characters that set a text's direction
const FROM_THE_RIGHT = /[\u0590-\u08ff\u200f\u202a-\u202e\ufb1d-\ufdff\ufe70-\ufefc]/;

const MAPS = [GREYS, BLUE_TO_RED].map((map) =>
  map.split(" ").map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16))),
);

// Return the colour of a value from 0 to 1.
/** @type {(map: number[][], value: number) => string} */
function colour(map, value) {
  const place = Math.max(0, Math.min(1, value)) * (map.length - 1), k = Math.floor(place);
  const next = map[Math.min(k + 1, map.length - 1)];
  return `rgb(${map[k].map((x, j) => Math.round(x + (place - k) * (next[j] - x)))})`;
}

/** @type {(value: number, limit: number) => string} */
const ofState = (value, limit) => colour(MAPS[1], 0.5 + value / limit / 2);

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, any>} attributes @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** @type {(tag: string, attributes?: Record<string, any>, ...children: (Node | string)[]) => SVGElement} */
function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// Give a new element its attributes and children. Typed texts are inserted as text, never as HTML.
/**
 * @template {Element} E
 * @param {E} made @param {Record<string, any>} attributes @param {(Node | string)[]} children
 * @returns {E}
 */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** @type {(word: string) => string} */
const cutShort = (word) => {
  const letters = [...word];
  return letters.length <= LONGEST ? word : letters.slice(0, LONGEST - 1).join("") + "…";
};
/** @type {(words: string[]) => string} */
const textOf = (words) => {
  const text = words.map(cutShort).join(" ");
  return FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text; // isolate the text's direction
};
/** @type {(title: string) => string} */
const titleOf = (title) => (title.length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE)}…`);
/** @type {(n: number) => string} */
const many = (n) => n.toLocaleString("en");
/** @type {(x: number, digits?: number) => string} */
const number = (x, digits = 2) => x.toFixed(digits).replace("-", "−");

// Write the names of columns vertically, each with a class.
/** @type {(names: string[], classes: string[], left: number, top: number, width: number) => SVGElement[]} */
function columnNames(names, classes, left, top, width) {
  return names.map((name, k) => {
    const x = left + (k + 0.5) * width;
    const at = { x, y: top, transform: `rotate(-90 ${x} ${top})`, class: classes[k] };
    return svg("text", { ...at, "text-anchor": "end", "dominant-baseline": "central" }, cutShort(name));
  });
}

// Return a style with the height of a drawing that has vertical names below it, in the page's font
// size. `above` is the height without the names, in pixels.
/** @type {CanvasRenderingContext2D} */
let pen;
/** @type {(names: string[], above: number) => string} */
function heightWith(names, above) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = "700 100px system-ui, sans-serif";
  const most = Math.max(...names.map((name) => pen.measureText(cutShort(name)).width));
  return `height: calc(${above + 14}px + ${(most / 100).toFixed(2)}em)`;
}

// Return the colour scale's range: the values' range, or one symmetric around 0.
/** @type {(maps: Numbers[][], isSigned?: boolean) => number[]} */
function extent(maps, isSigned) {
  let low = Infinity, high = -Infinity;
  for (const column of maps.flat())
    for (const value of column) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  if (!isSigned) return [low, Math.max(high, low + 1e-9)];
  const most = Math.max(1e-9, -low, high);
  return [-most, most];
}

// Draw a map, one row per cell, one column per word or trigram: Figs. 4, 5 and 8 to 10. Gates go
// from white to black between low and high, other states from blue to red. Clearly negative values
// are marked –, to be visible in grey, too. Columns after `at` are pale.
/** @type {(what: {name: string, values: Numbers[], names: string[], classes: string[], isGate: boolean, low: number, high: number, at?: number, framed?: number | null, height: number, numbered?: boolean}) => Element} */
function heatMap({ name, values, names, classes, isGate, low, high, at = Infinity, framed = null, height, numbered }) {
  const width = Math.round(Math.max(12, Math.min(60, 240 / names.length)));
  const left = numbered ? 24 : 2, top = 6, n = values[0].length, tall = n * height;
  const wide = left + names.length * width + 2;
  // draw one path per shade instead of one rectangle per value, because there are at most 65 shades
  const shades = new Map(), marks = { "#000": "", "#fff": "" };
  values.forEach((column, t) => {
    const x = left + t * width;
    for (let j = 0; j < n; j++) {
      const value = Math.round((64 * (column[j] - low)) / (high - low)) / 64;
      const y = top + j * height, fill = colour(MAPS[isGate ? 0 : 1], value);
      shades.set(fill, `${shades.get(fill) ?? ""}M${x} ${y}h${width}v${height}h-${width}z`);
      if (!isGate && value < 0.4)
        marks[value < 0.25 ? "#fff" : "#000"] += `M${x + 0.3 * width} ${y + height / 2}h${0.4 * width}`;
    }
  });
  const parts = [...shades].map(([fill, d]) => svg("path", { d, fill }));
  const all = svg("g", { "shape-rendering": "crispEdges" }, ...parts);
  const lines = Object.entries(marks).map(([stroke, d]) => svg("path", { d, stroke }));
  const [least, most] = extent([values]);
  const said = `${name}: ${names.length} columns, ${n} cells, values from ${number(least)} to ${number(most)}`;
  const drawn = svg(
    "svg",
    { width: wide, style: heightWith(names, top + tall), role: "img", "aria-label": said },
    all,
    ...lines,
  );
  if (at < names.length) {
    const later = left + (at + 1) * width;
    drawn.append(svg("rect", { class: "later", x: later, y: top, width: wide - 2 - later, height: tall }));
  }
  drawn.append(
    svg("rect", { class: "edge", x: left, y: top, width: names.length * width, height: tall }),
    ...(framed === null ? [] : [svg("rect", { class: "now", x: left + framed * width, y: top, width, height: tall })]),
    svg("rect", { class: "row", x: left, y: top, width: names.length * width, height }),
    ...columnNames(names, classes, left, top + tall + 6, width),
  );
  for (let j = 0; numbered && j < n; j += Math.max(1, Math.floor(n / 4)))
    drawn.append(svg("text", { x: left - 4, y: top + (j + 0.5) * height, "dominant-baseline": "central", "text-anchor": "end" }, `${j}`));
  Object.assign(drawn, { place: { left, top, width, height, n, columns: names.length } });
  return element("figure", {}, element("figcaption", {}, name), drawn);
}

// Draw the most active cells as bars to the left and right of 0 (Fig. 6).
/** @type {(cells: number[], y: Numbers, limit: number, shared: Set<number>, what: string) => Element} */
function barsOf(cells, y, limit, shared, what) {
  const middle = 110, half = 70, step = 17;
  const said = cells.map((cell) => `${cell}: ${number(y[cell])}`).join(", ");
  const drawn = svg("svg", {
    width: 230,
    height: cells.length * step + 4,
    role: "img",
    "aria-label": `The most active cells of the ${what}, y(t): ${said}`,
  });
  cells.forEach((cell, k) => {
    const long = (half * Math.abs(y[cell])) / limit, x = y[cell] < 0 ? middle - long : middle;
    const fill = ofState(y[cell] < 0 ? -0.8 : 0.8, 1), top = k * step + 2;
    drawn.append(
      svg("rect", { x, y: top, width: long, height: step - 4, fill, class: "bar" }),
      svg(
        "text",
        { x: 26, y: top + 11, "text-anchor": "end", class: shared.has(cell) ? "now" : "" },
        `${cell}`,
      ),
      svg("text", { x: 226, y: top + 11, "text-anchor": "end" }, number(y[cell])),
    );
  });
  drawn.append(svg("path", { d: `M${middle} 0V${cells.length * step}`, class: "axis" }));
  return element("figure", {}, element("figcaption", {}, `most active cells of the ${what}, y(t)`), drawn);
}

// Plot the cosine after each word, as one or two curves with their values. Where the curves agree,
// the value is written once.
/** @type {(words: string[], curves: (number | null)[][], framed: number | null, side: string, at: number) => Element} */
function cosinesOf(words, curves, framed, side, at) {
  const width = Math.min(60, 250 / words.length), left = 34, tall = 150;
  const low = Math.min(0, ...curves.flat().filter((value) => value !== null));
  /** @type {(value: number) => number} */
  const y = (value) => 20 + ((1 - value) / (1 - low)) * (tall - 20);
  /** @type {(t: number) => number} */
  const x = (t) => left + (t + 0.5) * width;
  /** @type {(all: (number | null)[]) => string} */
  const curve = (all) => all.map((value, t) => `${cutShort(words[t])} ${value === null ? "none" : number(value)}`).join(", ");
  const drawn = svg("svg", {
    width: left + words.length * width + 14, // room for half of the last number
    style: heightWith(words, tall),
    role: "img",
    "aria-label": `The cosine after each word: ${curves.map(curve).join("; beside it: ")}`,
    class: side,
  });
  for (const value of [0, 1])
    drawn.append(
      svg("path", { d: `M${left} ${y(value)}h${words.length * width}`, class: "axis" }),
      svg("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, `${value}`),
    );
  curves.forEach((all, k) => {
    // the curve begins at the first known trigram
    const there = all.flatMap((value, t) => (value === null ? [] : [[value, t]]));
    const way = there.map(([value, t], n) => `${n ? "L" : "M"}${x(t)} ${y(value)}`).join("");
    drawn.append(svg("path", { d: way, class: `line ${k ? "other" : ""}` }));
    for (const [value, t] of there) {
      const isApart = k === 0 || value !== curves[0][t], below = k > 0 && value < curves[0][t];
      const place = { x: x(t), y: y(value) + (below ? 16 : -7), class: "over", "text-anchor": "middle" };
      drawn.append(svg("circle", { cx: x(t), cy: y(value), r: t === at ? 5 : 3, class: "point" }));
      const isShown = width >= 30 || t === framed || t === words.length - 1; // if there is room
      if (isShown && isApart && (k || curves.length === 1 || value === curves[1][t] || Math.abs(value - curves[1][t]) > 0.12))
        drawn.append(svg("text", place, number(value)));
    }
  });
  drawn.append(
    ...columnNames(words, words.map((_, t) => (t === framed ? "now" : "")), left, tall + 8, width),
  );
  return element("figure", {}, element("figcaption", {}, "cosine with the other text, word by word"), drawn);
}

// Make a table of how many of the most active cells each word changes by much, and of keywords
// (Tables I and II).
function keywordsOf({ words, counts, keywords }) {
  const row = (name, cells) =>
    element("tr", {}, element("th", { scope: "row" }, name), ...cells.map((x) => element("td", {}, x)));
  const way = counts.length > 1 ? ["cells of 10, left to right", "right to left"] : ["cells of 10"];
  const said = counts.map((found, k) => row(way[k], found.map((n) => (n === null ? "–" : `${n}`))));
  const head = words.map((word) => element("th", { scope: "col" }, cutShort(word)));
  return element(
    "table",
    {},
    element("caption", {}, "changed by much, and keywords"),
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "word"), ...head)),
    element("tbody", {}, ...said, row("keyword", keywords.map((yes) => (yes ? "yes" : "")))),
  );
}

// Make the key to the colours: a strip of them between the lowest and the highest value.
function scaleOf(low, high, isGate) {
  const cells = Array.from({ length: 24 }, (_, k) =>
    svg("rect", { x: 4 * k, y: 0, width: 4, height: 12, fill: colour(MAPS[isGate ? 0 : 1], k / 23) }),
  );
  const name = isGate ? "from shut to open" : "– marks what is below 0";
  const drawn = svg("svg", { width: 96, height: 12, role: "img", "aria-label": name }, ...cells);
  return [`${number(low)} `, drawn, ` ${number(high)}`];
}

// Make a table of a model's ten best titles; unlike those of titles.js, they aren't buttons.
function ranking({ name, best }) {
  const rows = best.map(([score, title]) => element("tr", {}, element("td", {}, number(score, 3)), element("td", {}, title)));
  const head = ["cosine", `best titles, ${name}`].map((x) => element("th", { scope: "col" }, x));
  return element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}
