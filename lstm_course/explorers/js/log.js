// A click log as numbers, and its minibatches, as in lstm_edu/training/minibatches.py and
// held_out.py. A text is an array of its words' indices. A word is an array of its letter trigrams'
// columns, with repeats.

// Convert a log to numbers; `queries[r]` was followed by a click on `titles[title[r]]`.
/** @type {(queries: string[], titles: string[], title: number[]) => any} */
function logOf(queries, titles, title) {
  const words = new Map();
  /** @type {(text: string) => Int32Array} */
  const numbered = (text) =>
    Int32Array.from(wordsOf(text), (word) => {
      if (!words.has(word)) words.set(word, words.size);
      return words.get(word);
    });
  const distinct = new Map(), query = queries.map((text) => {
    if (!distinct.has(text)) distinct.set(text, distinct.size);
    return distinct.get(text);
  });
  const texts = { query: [...distinct.keys()].map(numbered), document: titles.map(numbered) };
  const cut = [...words.keys()].map((word) => letterTrigrams(word));
  const trigrams = [...new Set(cut.flat())].sort();
  const column = new Map(trigrams.map((trigram, k) => [trigram, k]));
  const clicked = texts.query.map(() => new Set()); // the titles clicked for each query
  query.forEach((q, r) => clicked[q].add(title[r]));
  const columns = cut.map((some) => Int32Array.from(some, (trigram) => column.get(trigram)));
  return { texts, query, title, clicked, trigrams, column, columns, words };
}

// Make a generator of random numbers from 0 to 1 from a seed (mulberry32).
/** @type {(seed: number) => () => number} */
function randomOf(seed) {
  let state = (seed * 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @type {(some: Iterable<number>, random: () => number) => number[]} */
function shuffled(some, random) {
  const all = Array.from(some);
  for (let k = all.length - 1; k > 0; k--) {
    const j = Math.floor((k + 1) * random());
    [all[k], all[j]] = [all[j], all[k]];
  }
  return all;
}

// Hold out queries with all their pairs; return [pairs to train on, held-out queries].
/** @type {(log: any, n: number, random: () => number) => [number[], number[]]} */
function heldOut(log, n, random) {
  const held = new Set(shuffled(log.texts.query.keys(), random).slice(0, n));
  return [[...log.query.keys()].filter((r) => !held.has(log.query[r])), [...held]];
}

// Yield an epoch's minibatches of all pairs in random order. A pair has n unclicked titles from the
// log or, for n = "batch", every title of its minibatch that was not clicked for its query.
/** @type {(log: any, pairs: number[], size: number, n: number | "batch", random: () => number) => Generator<Examples>} */
function* epochOf(log, pairs, size, n, random) {
  const order = shuffled(pairs, random), others = n === "batch" ? order.map(() => null) : drawn(log, order, n, random);
  for (let start = 0; start < order.length; start += size)
    yield examplesOf(log, order.slice(start, start + size), others.slice(start, start + size));
}

// Draw n distinct titles for each pair that were not clicked for its query: draw for all pairs, then
// again for the pairs that got a clicked or repeated title, until none is left.
/** @type {(log: any, pairs: number[], n: number, random: () => number) => number[][]} */
function drawn(log, pairs, n, random) {
  const size = log.texts.document.length, found = pairs.map(() => []);
  for (let again = [...pairs.keys()]; again.length; ) {
    for (const r of again) found[r] = Array.from({ length: n }, () => Math.floor(random() * size));
    const clicked = (r) => log.clicked[log.query[pairs[r]]];
    again = again.filter((r) => new Set(found[r]).size < n || found[r].some((title) => clicked(r).has(title)));
  }
  return found;
}

// Make a minibatch of distinct queries and titles, with the indices of each pair's query, clicked
// title and unclicked titles.
/** @type {(log: any, pairs: number[], unclicked: (number[] | null)[]) => Examples} */
function examplesOf(log, pairs, unclicked) {
  const queries = new Map(), titles = new Map();
  /** @type {(some: Counts, k: number) => number} */
  const placeIn = (some, k) => some.get(k) ?? (some.set(k, some.size), some.size - 1);
  const query = pairs.map((r) => placeIn(queries, log.query[r]));
  const clicked = pairs.map((r) => placeIn(titles, log.title[r]));
  const others = pairs.map((r, k) => {
    if (unclicked[k]) return unclicked[k].map((title) => placeIn(titles, title));
    const own = log.clicked[log.query[r]];
    return [...titles].filter(([title]) => !own.has(title)).map(([, place]) => place);
  });
  return {
    query: sideBySide(log.texts.query, [...queries.keys()], log.columns),
    document: sideBySide(log.texts.document, [...titles.keys()], log.columns),
    pairs: { query, clicked, unclicked: others },
  };
}

// Make a batch of concatenated texts: `starts` has the start of each text, `words` the distinct
// words, `token` every word's index in `words`, and `touched` the rows of W that the words need.
/** @type {(texts: Int32Array[], which: number[], columns: Int32Array[]) => Batch} */
function sideBySide(texts, which, columns) {
  const starts = [0], token = [], place = new Map();
  for (const k of which) {
    for (const word of texts[k]) {
      if (!place.has(word)) place.set(word, place.size);
      token.push(place.get(word));
    }
    starts.push(token.length);
  }
  const words = Array.from(place.keys(), (word) => columns[word]), touched = new Map();
  for (const some of words) for (const row of some) if (!touched.has(row)) touched.set(row, touched.size);
  return { starts, token, words, touched };
}
