// Algorithm 1 in a page, as in lesson 06 and lstm_edu/training/algorithm_1.py: look ahead,
// gradient, clip, correct. The texts of a minibatch are read one after the other; each distinct
// word is multiplied by W once, and only the touched rows of W get a gradient.
//
// The weights are arranged as in lstm_edu: W with one row per trigram, Wrec with one row per cell,
// and b. The columns of an LSTM's gates are side by side: 1 output gate, 3 input gate, 4 y_g.
// Arrays of states have m numbers per word; `at` and `before` are the indices at which a word and
// the previous word begin. `before` is -1 at the first word, where the previous states are 0.

/** @type {Record<string, any>} */
const CELLS = {
  // `read` goes from the sum z to y(t) by Eq. (1), `back` from dy to dz by (10) and (11)
  RNN: {
    sums: 1,
    states: ["y"],
    read(m, z, { y }, at) {
      for (let j = 0; j < m; j++) y[at + j] = Math.tanh(z[j]);
    },
    back(m, { y }, at, dy, dc, dz) {
      for (let j = 0; j < m; j++) dz[j] = dy[j] * (1 - y[at + j]) * (1 + y[at + j]);
    },
  },
  // Eq. (2) without forget gate and peepholes, and (E1) to (E6)
  LSTM: {
    sums: 3,
    states: ["y", "c", "h", "o", "i", "yg"],
    read(m, z, { y, c, h, o, i, yg }, at, before) {
      for (let j = 0, k = at; j < m; j++, k++) {
        o[k] = sigmoid(z[j]);
        i[k] = sigmoid(z[m + j]);
        yg[k] = Math.tanh(z[2 * m + j]);
        c[k] = i[k] * yg[k] + (before < 0 ? 0 : c[before + j]);
        h[k] = Math.tanh(c[k]);
        y[k] = o[k] * h[k];
      }
    },
    back(m, { h, o, i, yg }, at, dy, dc, dz) {
      for (let j = 0, k = at; j < m; j++, k++) {
        dz[j] = dy[j] * h[k] * o[k] * (1 - o[k]);
        dc[j] += dy[j] * o[k] * (1 - h[k] * h[k]);
        dz[m + j] = dc[j] * yg[k] * i[k] * (1 - i[k]);
        dz[2 * m + j] = dc[j] * i[k] * (1 - yg[k] * yg[k]);
      }
    },
  },
};

// Return y after the last word of each text, and the tape: all states, for the backward pass.
/** @type {(model: any, weights: Weights, batch: Batch) => [Float64Array, Record<string, Floats>]} */
function readAll(model, { W, Wrec, b }, batch) {
  const { cell, m, Numbers } = model, { starts, token, words } = batch, width = b.length;
  const P = zeros(words.length * width); // W l + b of each distinct word
  words.forEach((columns, k) => {
    const at = k * width;
    P.set(b, at);
    for (const row of columns) for (let j = 0; j < width; j++) P[at + j] += W[row * width + j];
  });
  const tape = Object.fromEntries(cell.states.map((name) => [name, new Numbers(token.length * m)]));
  const { y } = tape, z = zeros(width), U = Float64Array.from(Wrec);
  const last = zeros((starts.length - 1) * m);
  for (let k = 0; k + 1 < starts.length; k++) {
    for (let t = starts[k]; t < starts[k + 1]; t++) {
      const before = t > starts[k] ? (t - 1) * m : -1, of = token[t] * width;
      for (let j = 0; j < width; j++) z[j] = P[of + j];
      if (before >= 0) addProduct(z, y, before, U);
      cell.read(m, z, tape, t * m, before);
    }
    const end = (starts[k + 1] - 1) * m;
    if (starts[k + 1] > starts[k]) for (let j = 0; j < m; j++) last[k * m + j] = y[end + j];
  }
  return [last, tape];
}

// Add Wrec y(t-1) to z, four rows at a time, to save loop overhead, which costs more than products.
/** @type {(z: Float64Array, y: Floats, before: number, U: Float64Array) => void} */
function addProduct(z, y, before, U) {
  const width = z.length, n = U.length;
  for (let row = 0, r = before; row < n; row += 4 * width, r += 4) {
    const a = row + width, b = a + width, c = b + width;
    const y0 = y[r], y1 = y[r + 1], y2 = y[r + 2], y3 = y[r + 3];
    for (let j = 0; j < width; j++)
      z[j] += y0 * U[row + j] + y1 * U[a + j] + y2 * U[b + j] + y3 * U[c + j];
  }
}

// Backward pass of Wrec y(t-1): dy becomes the previous word's error, (10) and (E7), and G gets the
// gradient of Wrec, (9) and (E8).
/** @type {(dy: Float64Array, dz: Float64Array, y: Floats, before: number, U: Float64Array, G: Float64Array) => void} */
function backThrough(dy, dz, y, before, U, G) {
  const width = dz.length, m = dy.length;
  for (let r = 0; r < m; r += 4) {
    const row = r * width, a = row + width, b = a + width, c = b + width;
    const y0 = y[before + r], y1 = y[before + r + 1], y2 = y[before + r + 2], y3 = y[before + r + 3];
    let s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (let j = 0; j < width; j++) {
      const d = dz[j];
      s0 += d * U[row + j];
      s1 += d * U[a + j];
      s2 += d * U[b + j];
      s3 += d * U[c + j];
      G[row + j] += y0 * d;
      G[a + j] += y1 * d;
      G[b + j] += y2 * d;
      G[c + j] += y3 * d;
    }
    dy[r] = s0;
    dy[r + 1] = s1;
    dy[r + 2] = s2;
    dy[r + 3] = s3;
  }
}

// Compute the gradient from the errors of the embeddings. W's gradient has only the touched rows.
/** @type {(model: any, weights: Weights, batch: Batch, tape: Record<string, Floats>, errors: Float64Array) => Record<string, Float64Array>} */
function backAll(model, { Wrec, b }, batch, tape, errors) {
  const { cell, m } = model, { starts, token, words, touched } = batch, width = b.length;
  const G = { W: zeros(touched.size * width), Wrec: zeros(m * width), b: zeros(width) };
  const dP = zeros(words.length * width), dz = zeros(width), dy = zeros(m), dc = zeros(m);
  const U = Float64Array.from(Wrec);
  for (let k = 0; k + 1 < starts.length; k++) {
    for (let j = 0; j < m; j++) dy[j] = errors[k * m + j];
    dc.fill(0);
    for (let t = starts[k + 1] - 1; t >= starts[k]; t--) {
      cell.back(m, tape, t * m, dy, dc, dz);
      const of = token[t] * width, before = (t - 1) * m;
      for (let j = 0; j < width; j++) dP[of + j] += dz[j];
      if (t > starts[k]) backThrough(dy, dz, tape.y, before, U, G.Wrec);
    }
  }
  words.forEach((columns, k) => {
    const at = k * width;
    for (let j = 0; j < width; j++) G.b[j] += dP[at + j];
    for (const row of columns) {
      const own = touched.get(row) * width;
      for (let j = 0; j < width; j++) G.W[own + j] += dP[at + j]; // (13)
    }
  });
  return G;
}

// Scale the rows to length 1, and return 1 / their lengths; zero rows stay 0.
/** @type {(y: Float64Array, m: number) => [Float64Array, Float64Array]} */
function unitRows(y, m) {
  const unit = y.slice(), per = zeros(y.length / m);
  for (let k = 0; k < per.length; k++) {
    let sum = 0;
    for (let j = k * m; j < (k + 1) * m; j++) sum += y[j] * y[j];
    per[k] = sum < 1e-37 ? 0 : 1 / Math.sqrt(sum);
    for (let j = k * m; j < (k + 1) * m; j++) unit[j] *= per[k];
  }
  return [unit, per];
}

// Compute the sum of Eq. (5) over all pairs, and the embeddings' errors, like costAndErrors in
// backward.js. `guess` is the cost of a model that can't distinguish titles.
/** @type {(yq: Float64Array, yd: Float64Array, m: number, pairs: Examples["pairs"], gamma: number) => {cost: number, guess: number, errors: Record<string, Float64Array>}} */
function costOfAll(yq, yd, m, { query, clicked, unclicked }, gamma) {
  const [q, perQ] = unitRows(yq, m), [d, perD] = unitRows(yd, m);
  const dq = zeros(q.length), dd = zeros(d.length), toQ = zeros(perQ.length), toD = zeros(perD.length);
  let cost = 0, guess = 0;
  for (let r = 0; r < query.length; r++) {
    const titles = [clicked[r], ...unclicked[r]], from = query[r] * m, R = cosinesOf(q, from, d, titles, m);
    let top = 0, total = 0, push = 0;
    for (const x of R) top = Math.max(top, gamma * (x - R[0]));
    const e = R.map((x) => Math.exp(gamma * (x - R[0]) - top));
    for (const x of e) total += x;
    cost += top + Math.log(total);
    guess += Math.log(titles.length);
    const dR = e.map((x) => (gamma * x) / total); // alpha of (8), without its minus sign
    for (let k = 1; k < dR.length; k++) push += dR[k];
    dR[0] = -push;
    for (let k = 0; k < titles.length; k++) {
      const to = titles[k] * m, x = dR[k];
      for (let j = 0; j < m; j++) {
        dq[from + j] += x * d[to + j];
        dd[to + j] += x * q[from + j];
      }
      toQ[query[r]] += x * R[k];
      toD[titles[k]] += x * R[k];
    }
  }
  withoutLength(dq, q, toQ, perQ, m);
  withoutLength(dd, d, toD, perD, m);
  return { cost, guess, errors: { query: dq, document: dd } };
}

// Compute the cosines of the unit row of q at `from` with the unit rows of d listed in `which`.
/** @type {(q: Float64Array, from: number, d: Float64Array, which: number[], m: number) => Float64Array} */
function cosinesOf(q, from, d, which, m) {
  const R = zeros(which.length);
  for (let k = 0; k < R.length; k++) {
    const to = which[k] * m;
    let sum = 0;
    for (let j = 0; j < m; j++) sum += q[from + j] * d[to + j];
    R[k] = sum;
  }
  return R;
}

// Convert the error of y scaled to length 1 to the error of y, by removing its part along y.
/** @type {(dy: Float64Array, unit: Float64Array, along: Float64Array, per: Float64Array, m: number) => void} */
function withoutLength(dy, unit, along, per, m) {
  for (let k = 0; k < dy.length; k++) {
    const row = Math.floor(k / m);
    dy[k] = (dy[k] - along[row] * unit[k]) * per[row];
  }
}

// Scale the gradient of one side, query or document, to the norm `most` (th_G) if it is longer.
/** @type {(G: Record<string, Float64Array>, most: number) => number} */
function clip(G, most) {
  let sum = 0;
  for (const g of Object.values(G)) for (let k = 0; k < g.length; k++) sum += g[k] * g[k];
  const norm = Math.sqrt(sum);
  if (norm > most) for (const g of Object.values(G)) for (let k = 0; k < g.length; k++) g[k] *= most / norm;
  return norm;
}

const SIDES = ["query", "document"];

// "Small random numbers": normal, with standard deviation 0.05, as in DualEncoder.
/** @type {(kind: string, m: number, log: any, random: () => number) => Weights} */
function firstWeights(kind, m, log, random) {
  const width = CELLS[kind].sums * m;
  const normal = () =>
    0.05 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  /** @type {(size: number) => Float64Array} */
  const drawn = (size) => Float64Array.from({ length: size }, normal);
  return { W: drawn(log.trigrams.length * width), Wrec: drawn(m * width), b: drawn(width) };
}

// Make a model and its training state; query and document start from the same weights.
/** @type {(kind: string, m: number, weights: Weights, settings: any, Numbers?: any) => any} */
function startOf(kind, m, weights, settings, Numbers = Float32Array) {
  /** @type {(make: (w: Floats) => any) => Record<string, any>} */
  const copy = (make) =>
    Object.fromEntries(Object.entries(weights).map(([name, w]) => [name, make(w)]));
  const side = () => ({
    weights: copy((w) => Numbers.from(w)),
    mean: copy((w) => Numbers.from(w)), // the weights' average over updates, used for ranking
    change: copy((w) => new Numbers(w.length)), // the last change by (6), or Adam's m
    square: copy((w) => new Numbers(w.length)), // Adam's v
  });
  const model = { cell: CELLS[kind], m, Numbers };
  return { model, settings, k: 0, query: side(), document: side() };
}

// Update the model; return the batch's cost, the cost of guessing, and the norms before clipping.
/** @type {(run: any, examples: Examples) => {cost: number, guess: number, norms: number[]}} */
function update(run, examples) {
  const { model, settings } = run, { optimizer, momentum, epsilon, gamma, most, average } = settings;
  const keep = Math.min(average, run.k / (run.k + 1));
  run.k++;
  if (optimizer === "nesterov")
    for (const side of SIDES) {
      const { weights, change } = run[side];
      for (const name in weights) lookAhead(weights[name], change[name], momentum);
    }
  const [[yq, tapeQ], [yd, tapeD]] = SIDES.map((side) => readAll(model, run[side].weights, examples[side]));
  const { cost, guess, errors } = costOfAll(yq, yd, model.m, examples.pairs, gamma);
  const tapes = { query: tapeQ, document: tapeD };
  const norms = SIDES.map((side) => {
    const { weights, mean, change, square } = run[side], { touched } = examples[side];
    const G = backAll(model, weights, examples[side], tapes[side], errors[side]);
    const norm = clip(G, most);
    /** @type {(w: Floats, first: Floats, second: Floats, g: Floats) => void} */
    const move = (w, first, second, g) =>
      optimizer === "adam" ? adam(w, g, first, second, run.k, epsilon) : correct(w, first, g, epsilon);
    for (const name of ["Wrec", "b"]) move(weights[name], change[name], square[name], G[name]);
    const width = weights.b.length, rowOf = (of, row) => of.subarray(row * width, (row + 1) * width);
    for (const [row, own] of touched)
      move(rowOf(weights.W, row), rowOf(change.W, row), rowOf(square.W, row), rowOf(G.W, own));
    for (const name in weights) averageOf(mean[name], weights[name], keep);
    return norm;
  });
  return { cost, guess, norms };
}

/** @type {(mean: Floats, w: Floats, keep: number) => void} */
function averageOf(mean, w, keep) {
  for (let k = 0; k < w.length; k++) mean[k] = keep * mean[k] + (1 - keep) * w[k];
}
