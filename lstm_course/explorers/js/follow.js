// The backward pass, one arrow at a time; where arrows meet, the user types the sum of their
// errors. Below it, the same chain of errors over longer texts, as bars. arrows.js computes the
// numbers.

/** @type {Record<string, [string, string]>} */
const MODES = {
  exact: ["exact", "All errors are there."],
  printed: ["as printed", "Here nobody adds at y(1), and two shares there skip a gate's slope."],
  bug: ["a bug of yours", "Cross out an arrow, and look at the check."],
};
/** @type {(x: number) => string} */
const inProduct = (x) => (x < 0 ? `(${number(x, 3)})` : number(x, 3));
let instruments = 0;

/** @type {(legend: string, ...parts: Node[]) => HTMLFieldSetElement} */
const fieldset = (legend, ...parts) =>
  element("fieldset", {}, element("legend", {}, legend), ...parts);

/** @type {(root: Element) => void} */
function follow(root) {
  const id = `follow-${instruments++}`, { graph, bars } = root.dataset;
  /** @type {Part[]} */
  const parts = [graph ? byHand(graph, id) : null, overWords(bars.split(" "), id)].filter(Boolean);
  const start = () => parts.forEach((part) => part.start());
  const python = pythonPart(() => parts.map((part) => part.lines()).reverse().join("\n"));
  for (const event of ["input", "click"]) // they reach the root after the part has handled them
    root.addEventListener(event, ({ target }) => !(/** @type {any} */ (target).closest(".python")) && python.draw());
  root.classList.add("mathjax_ignore", "tex2jax_ignore");
  root.replaceChildren(...parts.map((part) => part.root), button("Start again", start), python.root);
  start();
  new ResizeObserver(() => parts.forEach((part) => part.draw())).observe(root);
}

// ---- two words, one arrow at a time
/** @type {(kind: string, id: string) => Part} */
function byHand(kind, id) {
  /** @type {any} */
  const state = {};
  const arrows = () => arrowsOf(kind, state.mode === "printed");
  const gone = () => (state.mode === "bug" ? state.gone : new Set());
  /** @type {(arrow: Arrow) => boolean} */
  const isDrawn = ([, to]) => boxOf(to) in PLACES[kind];
  const all = arrows(), nDrawn = () => arrows().filter(isDrawn).length;
  // the terms that arrive at a box in the exact backward pass, with their sources
  /** @type {(box: string) => [string, number][]} */
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
  // not a form, because a sandboxed frame may refuse to submit it; preventDefault keeps the Enter
  // key from pressing the button that gets the focus
  const ask = element("div", { class: "follow-ask" }, label, sum, button("Is it?", compare), show);
  sum.addEventListener("keydown", (event) => event.key === "Enter" && !event.isComposing && (event.preventDefault(), compare()));
  function compare() {
    const typed = Number(sum.value.trim().replace("−", "-").replace(",", ".") || NaN);
    const wrong = Number.isNaN(typed) ? "Type a number." : whyWrong(meetingAt(state.asking), typed);
    if (wrong) said.textContent = wrong;
    else reveal("Right:");
  }
  const modes = Object.keys(MODES).filter((mode) => mode !== "printed" || kind === "LSTM");
  const radios = modes.map((value) => {
    const radio = element("input", { type: "radio", name: `${id}-mode`, value });
    radio.addEventListener("change", () => finish(MODES[(state.mode = value)][1]));
    return element("label", {}, radio, MODES[value][0]);
  });
  const crosses = all
    .filter(isDrawn)
    .map(([from, to], k) => button(`${from} → ${to}`, () => cross(k)));
  const bug = fieldset("cross out", ...crosses);
  const finishAll = button("All the way", () => finish(MODES[state.mode][1]));
  const head = element("div", { class: "follow-row" });
  head.append(fieldset("gradient", ...radios), back, finishAll);
  const root = element("div", {}, head, said, ask, picture, bug, verdict, table);

  function start() {
    Object.assign(state, { mode: "exact", passed: 0, asking: null, gone: new Set() });
    radios[0].firstChild.checked = true;
    say("The result is y(2), and its own error is 1. Send it back.");
  }

  /** @type {(text: string, moves?: boolean) => void} */
  function say(text, moves = false) {
    // when all drawn arrows are passed, pass the arrows to weights, too, which aren't drawn
    if (state.passed >= nDrawn()) state.passed = arrows().length;
    said.textContent = text;
    draw(moves);
  }

  /** @type {(text: string) => void} */
  function finish(text) {
    Object.assign(state, { passed: nDrawn(), asking: null });
    say(text);
  }

  function send() {
    if (state.asking) return sum.focus();
    if (state.passed >= nDrawn()) return;
    const [from, to, name, factor] = all[state.passed++], error = errorsBy(all)[from];
    const meeting = meetingAt(to), later = all.slice(state.passed);
    const isLast = !later.some((arrow) => arrow[1] === to);
    if (isLast && meeting.length > 1 && to in PLACES[kind]) state.asking = to;
    const values = meeting.map(([, value]) => number(value, 3)).join(", ");
    const many = meeting.length === 2 ? "Two" : "Three";
    label.textContent = `${many} arrows meet at ${to}: ${values}. Its error?`;
    sum.value = "";
    const product = `${inProduct(error)} × ${inProduct(factor)} = ${number(error * factor, 3)}`;
    say(`d${from} × ${name} = ${product}, to ${to}`, true);
    if (state.asking) sum.focus();
  }

  /** @type {(how: string) => void} */
  function reveal(how) {
    const terms = meetingAt(state.asking), total = terms.reduce((sum, [, x]) => sum + x, 0);
    const added = terms.map(([, x]) => inProduct(x)).join(" + ");
    const text = `${how} d${state.asking} = ${added} = ${number(total, 3)}`;
    state.asking = null;
    say(text);
    back.focus();
  }

  /** @type {(k: number) => void} */
  function cross(k) {
    if (!state.gone.delete(k)) state.gone.add(k);
    const gone = crosses.filter((_, k) => state.gone.has(k)).map((one) => one.textContent);
    finish(gone.length ? `Crossed out: ${gone.join(", ")}.` : MODES.bug[1]);
  }

  /** @type {(moves?: boolean) => void} */
  function draw(moves) {
    const isEnd = state.passed === arrows().length && !state.asking;
    const given = { ...state, arrows: arrows(), gone: gone() }, isNarrow = root.clientWidth < WIDE;
    picture.replaceChildren(graphOf(kind, given, { isNarrow, moves }));
    ask.hidden = !state.asking;
    if (!state.asking) label.textContent = "";
    for (const one of [back, finishAll]) one.setAttribute("aria-disabled", `${isEnd}`);
    bug.hidden = state.mode !== "bug";
    crosses.forEach((one, k) => one.setAttribute("aria-pressed", `${state.gone.has(k)}`));
    const found = isEnd ? check(kind, errorsBy(arrows(), gone())) : null;
    verdict.textContent = found ? inWords(found) : "";
    verdict.className = found?.rows.some((row) => row.wrong) ? "wrong" : "";
    table.replaceChildren(...(found ? [checkTable(found.rows)] : []));
  }

  // Write the drawn arrows in Python, except exact ones, whose errors pythonOfErrors computes.
  const lines = () => (state.mode === "exact" ? "" : pythonOfArrows(arrows(), gone()));

  return { root, start, draw, lines };
}

// ---- longer texts: the chain of errors as bars, relative to the last word's
/** @type {(kinds: string[], id: string) => Part} */
function overWords(kinds, id) {
  const said = element("p", { role: "status" }), picture = element("div");
  const words = slider(`${id}-words`, "words", { min: 2, max: 12, step: 1 }, () => draw());
  const scale = slider(`${id}-scale`, "recurrent weights", { min: 0, max: 2, step: 0.1 }, () => draw());
  const asked = element("div", { class: "follow-row" }, words.both, scale.both), why = element("div");
  const root = element("div", {}, asked, said, picture, why);

  function start() {
    words.input.value = 12;
    scale.input.value = 1;
    draw();
  }

  function draw() {
    const T = Number(words.input.value), s = Number(scale.input.value), times = ` × ${number(s, 1)}`;
    words.value.textContent = ` ${T}`;
    scale.value.textContent = times;
    scale.input.setAttribute("aria-valuetext", times);
    const parts = kinds.map((kind) => partsOf(kind, T, s));
    /** @type {(x: number) => string} */
    const part = (x) => (Math.abs(x) >= 5e-4 ? number(x, 3) : x ? "less than 0.001" : "nothing");
    const of = kinds.map((kind, k) => `${part(parts[k][0])} (${ERROR[kind]}, ${kind})`).join(" and ");
    said.textContent = `Of the last word's error, word 1 of ${T} gets ${of}.`;
    picture.replaceChildren(barsOver(kinds, parts, Math.max(240, Math.min(WIDE, root.clientWidth))));
    why.replaceChildren(...kinds.map((kind) => element("p", {}, WHY[kind](T, s))));
  }

  const lines = () => pythonOfErrors(kinds, Number(words.input.value), Number(scale.input.value));

  return { root, start, draw, lines };
}

for (const root of document.querySelectorAll(".follow[data-bars]")) follow(root);
