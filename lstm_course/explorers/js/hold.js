// Fixed gates of the query: shut, open, or at their mean over the log. The reader's state lists
// them as "i:mean,yg:shut".

/** @type {Record<string, string>} */
const HOLDS = { free: "free", shut: "shut", open: "open", mean: "mean" };
/** @type {Record<string, string>} */
const HELD = { i: "input gate i", f: "forget gate f (free: always open)", o: "output gate o", yg: "what is offered, y_g" };

/** @type {(text?: string) => Record<string, string>} */
const holdsOf = (text) => Object.fromEntries((text ?? "").split(",").map((one) => one.split(":")).filter(([name, how]) => name in HELD && how in HOLDS && how !== "free"));

// Return the values of the fixed gates, or null if no gate is fixed or the model has no means.
/** @type {(model: Model, text?: string) => State | null} */
function heldBy({ means, size }, text) {
  /** @type {Record<string, (name: string) => Float64Array>} */
  const values = { shut: () => new Float64Array(size), open: () => new Float64Array(size).fill(1), mean: (name) => Float64Array.from(means[name]) };
  const all = means ? Object.entries(holdsOf(text)) : [];
  return all.length ? Object.fromEntries(all.map(([name, how]) => [name, values[how](name)])) : null;
}

// Make the switches, one per gate; `measured` is a sentence on what lesson 08 measured with the
// input gate fixed at its mean.
/** @type {(onHold: (hold: string) => void, measured: string) => {root: Element, draw: (text: string) => void}} */
function holdPanel(onHold, measured) {
  const note = element("p", { class: "reader-note" });
  /** @type {Record<string, string>} */
  const now = {};
  const rows = Object.entries(HELD).map(([name, label]) => {
    const made = choice(label, (how) => {
      const all = Object.entries({ ...now, [name]: how }).filter(([, how]) => how !== "free");
      onHold(all.map((one) => one.join(":")).join(","));
    });
    return { name, made, root: element("div", {}, element("div", {}, label), made.root) };
  });
  const root = element("div", {}, element("div", { class: "reader-holds" }, ...rows.map((row) => row.root)), note);
  /** @type {(text: string) => void} */
  function draw(text) {
    for (const name of Object.keys(HELD)) now[name] = holdsOf(text)[name] ?? "free";
    for (const { name, made } of rows) made.show(Object.entries(HOLDS).map(([value, text]) => ({ value, text, label: value === "mean" ? "mean over the log" : null })), now[name]);
    note.textContent =
      now.yg === "shut" || now.i === "shut"
        ? "No word adds anything: every cell stays at 0, and so does every output. Nothing is left to rank by."
        : now.o === "shut"
          ? "No cell shows what it holds: every output is 0. Nothing is left to rank by."
          : now.i === "mean"
            ? `${measured} And now shut y_g.`
            : "Try to break the ranking: hold i still, at its mean, and type. Then shut y_g.";
  }
  return { root, draw };
}
