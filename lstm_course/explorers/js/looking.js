// Data for the reader's figure of a query and a title, as plain lists; drawing.js draws it.
// lstm_course/explorers/looking.py computes the same data, for models too large for a page.

const MANY = 24; // maximum number of words to read; for trigrams of a word it is 2 * MANY
const ACTIVE = 10, LARGE = 0.2, SHARE = 0.4; // as in lstm_edu/analysis/inspection.py

// Return the cells with the largest |y|, most active first.
/** @type {(y: Numbers, n?: number) => number[]} */
function mostActive(y, n = ACTIVE) {
  const size = Array.from(y, Math.abs);
  return [...size.keys()].sort((a, b) => size[b] - size[a]).slice(0, n);
}

// Count the most active cells that each word changes by much. The first word changes every cell
// and is not counted.
/** @type {(ys: Float64Array[]) => (number | null)[]} */
function assigned(ys) {
  const last = ys.at(-1), cells = mostActive(last);
  const bound = (LARGE * cells.reduce((sum, j) => sum + Math.abs(last[j]), 0)) / cells.length;
  return ys.map((y, t) =>
    t ? cells.filter((j) => Math.abs(y[j] - ys[t - 1][j]) > bound).length : null,
  );
}

// Compute the data of a query or title, the `side`, read up to word `at` (the last word if null).
// Word `inside` (`at` if missing) is read letter trigram by letter trigram.
/** @type {(model: Model, side: Side, text: string, at: number | null, inside?: number) => any} */
function sideOf(model, side, text, at, inside) {
  const all = wordsOf(text).slice(0, model.max_words), words = all.slice(0, MANY);
  if (!words.length) return { words, n_words: 0 };
  const cut = words.map((word) => letterTrigrams(word));
  const L = cut.map((trigrams) => counted(trigrams, model.column));
  const p = model[side], states = read(model, p, L);
  at = Math.min(at ?? words.length - 1, words.length - 1);
  inside = Math.min(inside ?? at, words.length - 1);
  const trigrams = cut[inside].slice(0, 2 * MANY);
  const before = inside ? states[inside - 1] : { y: states[0].y.map(() => 0), c: states[0].y.map(() => 0) };
  const within = trigrams.map((_, k) =>
    model.step(p, counted(trigrams.slice(0, k + 1), model.column), before),
  );
  const counts = assigned(states.map((state) => state.y));
  return {
    words,
    n_words: all.length,
    at,
    known: L.map((l) => l.size > 0),
    values: byName(states),
    active: mostActive(states[at].y),
    counts: [counts],
    keywords: counts.map((count) => count !== null && count > SHARE * ACTIVE),
    trigrams,
    trigrams_known: trigrams.map((trigram) => model.column.has(trigram)),
    within: byName(within),
  };
}

/** @type {(states: State[]) => Record<string, Float64Array[]>} */
function byName(states) {
  return Object.fromEntries(
    Object.keys(states[0]).map((name) => [name, states.map((state) => state[name])]),
  );
}

// Return the n titles with the largest cosines. Rounded embeddings select 6 n candidates, which the
// model then reads for their exact cosines.
/** @type {(model: Model, titles: string[], yq: Numbers, n?: number) => Ranked} */
function bestTitles(model, titles, yq, n = 10) {
  const near = new Float64Array(titles.length), { vectors, lengths, size } = model;
  for (let k = 0; k < near.length; k++) {
    for (let j = 0; j < size; j++) near[k] += yq[j] * vectors[k * size + j];
    near[k] /= lengths[k];
  }
  const bound = near.slice().sort().at(-6 * n) ?? -Infinity;
  return titles
    .filter((_, k) => near[k] >= bound)
    .map((title) => /** @type {any[]} */ ([cosine(yq, embedded(model, title)), title]))
    .sort((a, b) => b[0] - a[0])
    .slice(0, n);
}

// Return a title's embedding, cached because the next keystrokes find the same titles.
/** @type {(model: Model, title: string) => Numbers} */
function embedded(model, title) {
  if (!model.met.has(title)) model.met.set(title, embeddingOf(model, title));
  return model.met.get(title);
}

/** @type {(model: Model, title: string) => Numbers} */
function embeddingOf(model, title) {
  const words = wordsOf(title).slice(0, model.max_words);
  const L = words.map((word) => counted(letterTrigrams(word), model.column));
  return read(model, model.document, L).at(-1)?.y ?? new Float64Array(model.size);
}

// Compute the figure's data. t and s are the indices of the last words to read of the query and of
// the title, hold lists the query's fixed gates (hold.js), and within is the index of the query's
// word to read letter trigram by letter trigram.
/** @type {(model: Model, asked: Asked, titles?: string[] | null) => Seen} */
function look(model, { query, title, t, s, hold, within }, titles) {
  const held = heldBy(model, hold), still = held && { ...model, step: (p, l, state) => model.step(p, l, state, held) };
  const q = sideOf(still ?? model, "query", query, t, within), d = sideOf(model, "document", title, s);
  const [yq, yd] = [q, d].map((side) => side.words.length && side.values.y[side.at]);
  // whether a text has a known trigram up to word t, and fixed gates don't make its output 0
  /** @type {(side: SideSeen, t?: number) => boolean} */
  const isRead = (side, t = side.at) =>
    side.words.length > 0 && side.known.slice(0, t + 1).some(Boolean) && (!held || side.values.y[t].some(Boolean));
  for (const [side, other, y] of [[q, d, yd], [d, q, yq]])
    side.cosines = isRead(other) && side.words.length
      ? side.values.y.map((one, t) => (isRead(side, t) ? cosine(one, y) : null)) // none without a known trigram
      : [];
  /** @type {(name: string) => boolean} */
  const open = (name) => [q, d].some((side) => side.values?.[name].some((x) => x.some((v) => v < 1)));
  return {
    name: model.name,
    states: model.states,
    gates: model.gates,
    // omit a gate that is always open, such as f of a model without forget gate
    drawn: Object.keys(model.states).filter(
      (name) => model.drawn.includes(name) || (model.gates.includes(name) && open(name)),
    ),
    query: q,
    document: d,
    best: titles && model.vectors ? (isRead(q) ? bestTitles(model, titles, yq) : []) : null,
  };
}
