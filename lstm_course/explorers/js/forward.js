// The forward pass: Eq. (1), Eq. (2), and the cosine of Eq. (3), with the paper's names. p has the
// parameters: W1, Wrec1, b1, ... of an LSTM, or W, Wrec, b of an RNN.

/** @type {(x: number) => number} */
const sigmoid = (x) => 0.5 * (1 + Math.tanh(0.5 * x)); // does not overflow

// Read one word by Eq. (1): from y(t-1) to y(t).
/** @type {Step} */
function rnn(p, l, { y }) {
  return { y: plus(times(p.W, l), times(p.Wrec, y), p.b).map(Math.tanh) };
}

// Read one word by Eq. (2): from y(t-1), c(t-1) to y(t), c(t). Without a forget gate f = 1. `held`
// has the values of gates that are fixed.
/** @type {Step} */
function lstm(p, l, { y, c }, held = {}) {
  const z = (k) => plus(times(p[`W${k}`], l), times(p[`Wrec${k}`], y), p[`b${k}`]);
  const yg = held.yg ?? z(4).map(Math.tanh);
  const i = held.i ?? plus(z(3), peephole(p.Wp3, c)).map(sigmoid);
  const f = held.f ?? (p.W2 ? plus(z(2), peephole(p.Wp2, c)).map(sigmoid) : c.map(() => 1));
  c = c.map((before, j) => f[j] * before + i[j] * yg[j]); // c(t) from now on
  const o = held.o ?? plus(z(1), peephole(p.Wp1, c)).map(sigmoid);
  y = c.map((now, j) => o[j] * Math.tanh(now));
  return { i, f, o, c, y, yg };
}

/** @type {Record<string, Step>} */
const STEPS = { RNN: rnn, LSTM: lstm };

// Compute the states after each word; L has the words' trigram counts.
/** @type {(model: {size: number, step: Step}, p: Params, L: Counts[]) => State[]} */
function read(model, p, L) {
  /** @type {State} */
  let state = { y: new Float64Array(model.size), c: new Float64Array(model.size) };
  return L.map((l) => (state = model.step(p, l, state)));
}

// Compute W l or Wrec y: the sum of a matrix's rows, weighted by l or y.
/** @type {(M: Matrix, l: Counts | Float64Array) => Float64Array} */
function times(M, l) {
  const sum = new Float64Array(M.size);
  l.forEach((x, row) => {
    const start = row * M.width + M.start;
    for (let j = 0; j < M.size; j++) sum[j] += x * M.data[start + j];
  });
  return sum;
}

// Add vectors to the first one in place.
/** @type {(sum: Float64Array, ...terms: Numbers[]) => Float64Array} */
function plus(sum, ...terms) {
  for (const term of terms) for (let j = 0; j < sum.length; j++) sum[j] += term[j];
  return sum;
}

// Compute W_p c for a full W_p or a diagonal one stored as a vector; 0 without W_p.
/** @type {(Wp: Float64Array | undefined, c: Float64Array) => Float64Array} */
function peephole(Wp, c) {
  if (!Wp) return c.map(() => 0);
  if (Wp.length === c.length) return c.map((x, j) => Wp[j] * x);
  return c.map((_, j) => c.reduce((sum, x, k) => sum + Wp[j * c.length + k] * x, 0));
}

// Compute the cosine of two vectors. It is 0 if one of them is zero, as for an empty text.
/** @type {(a: Numbers, b: Numbers) => number} */
function cosine(a, b) {
  let ab = 0, aa = 0, bb = 0;
  for (let j = 0; j < a.length; j++) {
    ab += a[j] * b[j];
    aa += a[j] * a[j];
    bb += b[j] * b[j];
  }
  return aa && bb ? Math.max(-1, Math.min(1, ab / Math.sqrt(aa) / Math.sqrt(bb))) : 0;
}
