// Suggestions for new users of the reader: four examples, and a tour of ten steps. Each sets a part
// of the reader's state, and has a text.

const PLAIN = { t: null, s: null, compare: "", swap: "", side: "query", map: "c", range: "full", hold: "" };
const HOTELS = { ...PLAIN, query: "hotels in shanghai" };
/** @type {Record<string, object>} */
const EXAMPLES = {
  "a misspelling": { ...HOTELS, compare: "swap", swap: "shanghi", range: "used" },
  "another order": { ...PLAIN, query: "flights from london to paris", compare: "order", range: "used" },
  "a filler word": { ...HOTELS, compare: "swap", t: 1, swap: "near", range: "used" },
  "an unknown word": { ...HOTELS, compare: "swap", swap: "上海", range: "used" },
};
/** @type {[object, string][]} */
const TOUR = [
  [{ ...HOTELS, map: "y", t: 0 }, "The model has read one word, and its outputs y(t) are the first column. Beside them are the ten titles that lie nearest to it."],
  [{ ...HOTELS, map: "y", t: 1 }, "It reads “in”. The second column is much like the first: a filler word moves the outputs little."],
  [{ ...HOTELS, map: "y" }, "It reads “shanghai”, and all ten titles leave for others. The last column of y(t) is the query's embedding: all that the ranking knows of it."],
  [HOTELS, "c(t) is the memory behind y(t). A word adds to it, and nothing is taken away but by a word of the opposite sign."],
  [{ ...HOTELS, map: "i" }, "i(t), the input gate, says how much of a word is let in: white would be shut, black open. All of it is nearly the same grey."],
  [{ ...HOTELS, map: "i", range: "used" }, "Now the greys are stretched over the range that the gate uses. Is “in” let in less than “hotels”? Not to the eye."],
  [{ ...HOTELS, map: "yg" }, "But look at what each word offers, y_g(t): “in” has the least to say, “shanghai” the most. What is not offered needs no gate."],
  [{ ...HOTELS, side: "document" }, "The title is read in the same way, by weights of its own. Below its map is the cosine of both texts after each of its words."],
  [{ ...HOTELS, compare: "swap", swap: "paris", range: "used" }, "Swap a word, and the map shows the change alone: none before that word. There the two cosine curves part. Titles that have come in are marked."],
  [{ ...HOTELS, hold: "i:mean", map: "i" }, "Your turn. The input gate is held at its mean: type, and see whether the ranking breaks. The page's address keeps what you see."],
];

// Make a bar with the examples, the tour, and a button that restores the state `first`. `go` takes
// a part of a state. At the tour's end, the focus returns to the button that started the tour.
/** @type {(go: (state: object, text?: string) => void, first: object) => Element} */
function tour(go, first) {
  let at = 0;
  const begin = button("A tour in ten steps", () => to(0));
  const some = Object.entries(EXAMPLES).map(([name, state]) => button(name, () => go(state)));
  const examples = element("div", { class: "reader-bar", role: "group", "aria-label": "examples" }, element("span", {}, "See what it makes of"), ...some, begin, button("Start again", () => go(first)));
  const said = element("p", { class: "reader-step", tabindex: "-1" });
  const back = button("back", () => to(Math.max(0, at - 1))), next = button("next", () => to(at + 1));
  const steps = element("div", { class: "reader-bar", role: "group", "aria-label": "tour", hidden: "" }, said, back, next, button("end", end));

  /** @type {(k: number) => void} */
  function to(k) {
    if (k === TOUR.length) return end();
    const isFirst = steps.hidden;
    at = k;
    steps.hidden = !(examples.hidden = true);
    said.textContent = `${k + 1} of ${TOUR.length}. ${TOUR[k][1]}`;
    back.setAttribute("aria-disabled", k === 0);
    next.textContent = k + 1 < TOUR.length ? "next" : "done";
    go(TOUR[k][0], said.textContent);
    if (isFirst) next.focus();
  }
  function end() {
    examples.hidden = !(steps.hidden = true);
    begin.focus();
  }
  return element("div", { class: "reader-tour" }, examples, steps);
}
