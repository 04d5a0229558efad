// A reader in Jupyter. The page computes the figure of a small model. For a large one, the page
// sets `asked`, and the kernel answers in `seen` (lstm_course/explorers/widget.py).

const CALM = 700; // milliseconds without a change after which the figure is stored

/** @type {(given: {titles: string[], weights: PackedModel, models: Record<string, string>}) => Source} */
function inThePage({ titles, weights, models }) {
  const model = unpacked(weights);
  return { models, names: Object.keys(models), look: (wanted) => wanted.map(([asked]) => look(model, asked, titles)) };
}

// Make a source that asks the kernel. Answers are ignored if a newer request has been sent.
/** @type {(model: any, models: Record<string, string>) => Source} */
function inTheKernel(model, models) {
  let n = model.get("seen").id;
  /** @type {(all?: any) => void} */
  let done = () => {};
  model.on("change:seen", () => {
    const { id, all, error } = model.get("seen");
    if (id === n) error ? done(Promise.reject(Error(error))) : done(all);
  });
  /** @type {(wanted: Wanted) => Promise<Seen[]>} */
  const asking = (wanted) => {
    model.set("asked", { ...model.get("asked"), wanted, id: ++n });
    model.save_changes();
    return new Promise((answered) => (done = answered));
  };
  return { models, names: Object.keys(models), look: asking };
}

/** @type {(view: {model: any, el: Element}) => () => void} */
function render({ model, el }) {
  const { weights, models, titles } = model.get("given"), { all } = model.get("seen");
  const root = placeIn(el, model.get("given"));
  const source = weights ? inThePage({ titles, weights, models }) : inTheKernel(model, models);
  const { wanted, id, ...start } = model.get("asked");
  let calm;
  /** @type {(state: ReaderState) => void} */
  const drawn = (state) => {
    model.set("asked", { ...model.get("asked"), ...state });
    model.save_changes();
    clearTimeout(calm);
    calm = setTimeout(() => keep(model, picture(root)), CALM);
  };
  reader(root, source, start, { drawn, first: weights ? null : all, whole: true });
  return () => clearTimeout(calm);
}

// Return the HTML of a figure for a page without a kernel: the drawing, with typed texts as text.
/** @type {(root: Element) => string} */
function picture(root) {
  /** @type {any} */
  const copy = root.cloneNode(true);
  for (const input of copy.querySelectorAll("input")) {
    const { value } = /** @type {HTMLInputElement} */ (root.querySelector(`#${input.id}`));
    input.replaceWith(element("span", {}, value || "–"));
  }
  for (const part of copy.querySelectorAll("select, button, .reader-choice, .reader-values, .reader-heard")) {
    if (part.matches(".reader-title")) part.replaceWith(part.textContent);
    else part.remove();
  }
  for (const part of copy.querySelectorAll("[tabindex], [role=application], [for], [id]"))
    for (const name of ["tabindex", "role", "for", "id"]) part.removeAttribute(name);
  for (const part of copy.querySelectorAll("[hidden], .reader-field:has(> label:last-child)"))
    part.remove();
  withoutFormulas(copy);
  return copy.innerHTML;
}

// Put characters that begin a formula into separate elements. Otherwise, on sites that remove the
// classes that switch MathJax off, MathJax would find formulas in typed texts.
/** @type {(root: Node) => void} */
function withoutFormulas(root) {
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {any[]} */
  const texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  for (const text of texts) {
    const isDrawn = text.parentNode instanceof SVGElement;
    const alone = (sign) => (isDrawn ? svg("tspan", {}, sign) : element("span", {}, sign));
    text.replaceWith(...text.data.split(/([$\\])/).map((part, k) => (k % 2 ? alone(part) : part)));
  }
}

export default { render };
