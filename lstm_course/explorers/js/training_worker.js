// The web worker of training.js: it trains, update by update, and posts results. Between updates it
// reads the page's messages:
//   { log: [queries, titles, title] }  once;
//   { start: { kind, m, n, seed, settings }, id }  begins a run with these settings;
//   { going: true or false },  { step: true },  { query }.

const SIZE = 256; // pairs per minibatch
const MOST = 150_000; // pairs per run: 15 epochs, as in lstm_edu.train, of the page's 10,000 pairs
const SEARCHES = 200, RANKED = 3000; // number of held-out queries, number of titles to rank
const LOOKING = 4; // at most 1 / LOOKING of the time is spent on evaluation

/** @type {any} */
let log, ranked, held, batchesRanked, batchHeld; // made from the log, the same in every run
/** @type {any} */
let now = null, query = "", going = false; // the current run, the page's query, whether to train on

/** @type {(log: [string[], string[], number[]]) => void} */
function useLog([queries, all, title]) {
  const titles = all.slice(0, 1 + Math.max(...title)); // the log's titles come first
  log = { ...logOf(queries, titles, title), titles };
  const random = randomOf(0), [pairs, some] = heldOut(log, SEARCHES, random);
  const clicked = new Set(some.flatMap((q) => [...log.clicked[q]]));
  const others = shuffled(titles.keys(), random).filter((k) => !clicked.has(k));
  held = some;
  log.pairs = pairs;
  ranked = [...clicked, ...others].slice(0, RANKED);
  batchesRanked = [];
  for (let k = 0; k < ranked.length; k += 500)
    batchesRanked.push(sideBySide(log.texts.document, ranked.slice(k, k + 500), log.columns));
  batchHeld = sideBySide(log.texts.query, held, log.columns);
}

/** @type {(start: {n: number | "batch"}, random: () => number) => Generator<Examples>} */
function* minibatchesOf({ n }, random) {
  for (;;) yield* epochOf(log, log.pairs, SIZE, n, random);
}

/** @type {(id: number, start: any) => void} */
function beginRun(id, start) {
  const { kind, m, seed, settings } = start, random = randomOf(seed);
  const run = startOf(kind, m, firstWeights(kind, m, log, random), settings);
  now = { id, start, run, minibatches: minibatchesOf(start, random), pairs: 0, seconds: 0 };
  Object.assign(now, { cost: 0, guess: 0, since: 0, due: 0 });
  lookNow();
}

function takeUpdate() {
  const started = performance.now(), examples = now.minibatches.next().value;
  const { cost, guess } = update(now.run, examples), n = examples.pairs.query.length;
  now.cost += cost;
  now.guess += guess;
  now.since += n;
  now.pairs += n;
  now.seconds += (performance.now() - started) / 1000;
}

// Evaluate the model: its cost since the last evaluation, nDCG, and results for the page's query.
function lookNow() {
  const started = performance.now(), { run } = now, { model } = run, { m } = model;
  const d = new Float64Array(ranked.length * m);
  batchesRanked.forEach((batch, k) => d.set(readAll(model, run.document.mean, batch)[0], 500 * k * m));
  const [unit] = unitRows(d, m), q = unitRows(readAll(model, run.query.mean, batchHeld)[0], m)[0];
  now.titles = unit;
  if (now.since) now.last = [now.cost / now.since, now.guess / now.since];
  const [cost, guess] = now.last ?? [null, null];
  const isDone = now.pairs >= MOST, isLost = cost !== null && !Number.isFinite(cost);
  if (isDone || isLost) going = false;
  const { id, pairs, seconds } = now;
  postMessage({ id, pairs, seconds, updates: run.k, cost, guess, ndcg: meanNdcg(q, unit, m), going, isDone, isLost, ...answer() });
  Object.assign(now, { cost: 0, guess: 0, since: 0 });
  now.due = performance.now() + (LOOKING - 1) * (performance.now() - started);
}

// Compute nDCG@10 of the held-out queries' clicked titles; ties share their ranks, as in Python.
/** @type {(q: Float64Array, unit: Float64Array, m: number) => number} */
function meanNdcg(q, unit, m) {
  const place = new Map(ranked.map((title, k) => [title, k])), all = ranked.map((_, k) => k);
  const upTo = [0];
  for (let k = 0; k < 10; k++) upTo.push(upTo[k] + 1 / Math.log2(k + 2));
  /** @type {(n: number) => number} */
  const most = (n) => upTo[Math.min(n, 10)];
  let total = 0;
  held.forEach((query, k) => {
    const R = cosinesOf(q, k * m, unit, all, m), own = [...log.clicked[query]];
    for (const title of own) {
      let above = 0, equal = 0;
      const mine = R[place.get(title)];
      for (const x of R) x > mine ? above++ : x === mine && equal++;
      if (equal) total += (most(above + equal) - most(above)) / equal / most(own.length);
    }
  });
  return total / held.length;
}

// Return the ten best titles for the page's query, and the cells' states after each of its words.
/** @type {() => {query: string, words: string[], best: Ranked, states: Record<string, number[][]>}} */
function answer() {
  const { run, start } = now, { m } = start, words = wordsOf(query).slice(0, 12);
  const columns = words.map((word) => letterTrigrams(word).map((one) => log.column.get(one)).filter((k) => k >= 0));
  const batch = { starts: [0, words.length], token: words.map((_, k) => k), words: columns };
  const [y, tape] = readAll(run.model, run.query.mean, batch), [unit] = unitRows(y, m);
  const isKnown = columns.some((some) => some.length);
  const R = cosinesOf(unit, 0, now.titles, ranked.map((_, k) => k), m);
  const best = [...R.keys()].sort((a, b) => R[b] - R[a]).slice(0, isKnown ? 10 : 0);
  /** @type {(all: Floats) => number[][]} */
  const statesOf = (all) => words.map((_, t) => Array.from(all.slice(t * m, (t + 1) * m)));
  return {
    query,
    words,
    best: best.map((k) => [R[k], log.titles[ranked[k]]]),
    states: Object.fromEntries(Object.entries(tape).map(([name, all]) => [name, statesOf(all)])),
  };
}

let waits = false;

function work() {
  waits = false;
  if (!going) return;
  takeUpdate();
  if (performance.now() >= now.due || now.pairs >= MOST) lookNow();
  goOn();
}

// Schedule the next update with a timer, so that the page's messages are read first.
function goOn() {
  if (going && !waits) {
    waits = true;
    setTimeout(work);
  }
}

onmessage = ({ data }) => {
  if (data.log) useLog(data.log);
  if (data.query !== undefined) query = data.query;
  if (data.start) beginRun(data.id, data.start);
  if (data.going !== undefined) going = data.going && now.pairs < MOST;
  if (data.step) takeUpdate();
  if (data.step || data.going === false) lookNow();
  else if (data.query !== undefined && !data.start && now) postMessage({ id: now.id, ...answer() });
  goOn();
};
