// The backward pass of lessons 04 and 05a, after the forward pass of forward.js. Errors have the
// lessons' names: dy, dc, and dz for the sum inside a gate. G is the gradient, with the parameters'
// names and shapes; each word's part is added to it.

/** @type {(m: number) => Float64Array} */
const zeros = (m) => new Float64Array(m);

// Backpropagate the error v of y(T) by Eq. (10), (11); return delta(1), ...
/** @type {(p: Params, L: Counts[], states: State[], v: Float64Array, G: Params) => Float64Array[]} */
function rnnBack(p, L, states, v, G) {
  const deltas = [];
  let dy = v;
  for (let t = L.length - 1; t >= 0; t--) {
    const { y } = states[t], before = t ? states[t - 1].y : zeros(v.length);
    const delta = dy.map((d, j) => d * (1 - y[j]) * (1 + y[j]));
    dy = timesBack(p.Wrec, delta);
    addOuter(G.W, L[t], delta); // (13)
    addOuter(G.Wrec, before, delta); // (9)
    plus(G.b, delta);
    deltas.unshift(delta);
  }
  return deltas;
}

// Backpropagate by (E1) to (E9), with forget gate and peepholes if any; return dc(1), dc(2), ...
/** @type {(p: Params, L: Counts[], states: State[], v: Float64Array, G: Params) => Float64Array[]} */
function lstmBack(p, L, states, v, G) {
  const m = v.length, start = { y: zeros(m), c: zeros(m) }, errors = [];
  let dy = v, dc = zeros(m);
  for (let t = L.length - 1; t >= 0; t--) {
    const { i, f, o, c, yg } = states[t], before = t ? states[t - 1] : start;
    const h = c.map(Math.tanh);
    /** @type {Record<string, Float64Array>} */
    const dz = {};
    dz[1] = dy.map((d, j) => d * h[j] * o[j] * (1 - o[j])); // (E1), (E2)
    dc = dc.map((d, j) => d + dy[j] * o[j] * (1 - h[j] * h[j])); // (E3)
    plus(dc, peepholeBack(p.Wp1, dz[1]));
    errors.unshift(dc);
    dz[3] = dc.map((d, j) => d * yg[j] * i[j] * (1 - i[j])); // (E4), (E5)
    dz[4] = dc.map((d, j) => d * i[j] * (1 - yg[j] * yg[j]));
    if (p.W2) dz[2] = dc.map((d, j) => d * before.c[j] * f[j] * (1 - f[j]));
    dc = plus(dc.map((d, j) => d * f[j]), peepholeBack(p.Wp3, dz[3])); // (E6)
    if (p.W2) plus(dc, peepholeBack(p.Wp2, dz[2]));
    dy = zeros(m);
    for (const k in dz) {
      plus(dy, timesBack(p[`Wrec${k}`], dz[k])); // (E7)
      addOuter(G[`W${k}`], L[t], dz[k]); // (E8)
      addOuter(G[`Wrec${k}`], before.y, dz[k]);
      plus(G[`b${k}`], dz[k]);
      addPeephole(G[`Wp${k}`], dz[k], k === "1" ? c : before.c); // (E9)
    }
  }
  return errors;
}

/** @type {Record<string, typeof lstmBack>} */
const BACK = { RNN: rnnBack, LSTM: lstmBack };

// Compute Eq. (5) and its derivatives, (8), from the cosines of titles, the clicked one's first.
/** @type {(R: number[], gamma: number) => {cost: number, dR: number[]}} */
function costOfCosines(R, gamma) {
  const up = R.slice(1).map((r) => gamma * (r - R[0])), top = Math.max(0, ...up);
  const sum = up.reduce((total, x) => total + Math.exp(x - top), Math.exp(-top));
  const share = up.map((x) => Math.exp(x - top) / sum);
  const dR = [-gamma * share.reduce((total, x) => total + x, 0), ...share.map((x) => gamma * x)];
  return { cost: top + Math.log(sum), dR };
}

// Compute the cost of a query and its titles, the clicked one first, and the embeddings' errors. A
// text without an embedding has cosine 0, and no error.
/** @type {(q: Float64Array, D: Float64Array[], gamma: number) => {cost: number, dq: Float64Array, dD: Float64Array[]}} */
function costAndErrors(q, D, gamma) {
  /** @type {(y: Float64Array) => number} */
  const long = (y) => Math.sqrt(y.reduce((sum, x) => sum + x * x, 0));
  /** @type {(y: Float64Array) => Float64Array} */
  const unit = (y) => y.map((x) => x / (long(y) || 1));
  const uq = unit(q), uD = D.map(unit), R = D.map((d) => cosine(q, d));
  const { cost, dR } = costOfCosines(R, gamma);
  const dq = zeros(q.length);
  const dD = D.map((d, k) => {
    const b = long(q) ? 1 / long(q) : 0, c = long(d) ? 1 / long(d) : 0;
    if (b && c) for (let j = 0; j < dq.length; j++) dq[j] += dR[k] * b * (uD[k][j] - R[k] * uq[j]);
    return d.map((_, j) => (b ? dR[k] * c * (uq[j] - R[k] * uD[k][j]) : 0));
  });
  return { cost, dq, dD };
}

// Multiply by the transpose of W: return the error of y, given the error of W y.
/** @type {(M: Matrix, dz: Float64Array) => Float64Array} */
function timesBack(M, dz) {
  const dy = zeros(M.data.length / M.width);
  for (let row = 0; row < dy.length; row++) {
    for (let j = 0; j < M.size; j++) dy[row] += M.data[row * M.width + M.start + j] * dz[j];
  }
  return dy;
}

// Add the outer product of a matrix's input and its output's error to the matrix's gradient.
/** @type {(G: Matrix, met: Counts | Float64Array, dz: Float64Array) => void} */
function addOuter(G, met, dz) {
  met.forEach((x, row) => {
    for (let j = 0; j < G.size; j++) G.data[row * G.width + G.start + j] += x * dz[j];
  });
}

/** @type {(Wp: Float64Array | undefined, dz: Float64Array) => Float64Array} */
function peepholeBack(Wp, dz) {
  if (!Wp) return zeros(dz.length);
  if (Wp.length === dz.length) return dz.map((d, j) => Wp[j] * d);
  return dz.map((_, k) => dz.reduce((sum, d, j) => sum + Wp[j * dz.length + k] * d, 0));
}

/** @type {(G: Float64Array | undefined, dz: Float64Array, c: Float64Array) => void} */
function addPeephole(G, dz, c) {
  if (!G) return;
  const m = dz.length;
  if (G.length === m) plus(G, dz.map((d, j) => d * c[j]));
  else dz.forEach((d, j) => c.forEach((x, k) => (G[j * m + k] += d * x)));
}

// Update one array by Eq. (6), in two parts as in Python: the look-ahead, then the step.
/** @type {(w: Floats, change: Floats, mu: number) => void} */
function lookAhead(w, change, mu) {
  for (let j = 0; j < w.length; j++) w[j] += change[j] *= mu;
}

/** @type {(w: Floats, change: Floats, g: Floats, epsilon: number) => void} */
function correct(w, change, g, epsilon) {
  for (let j = 0; j < w.length; j++) {
    change[j] -= epsilon * g[j];
    w[j] -= epsilon * g[j];
  }
}

// Update one array with Adam; k counts from 1, m and v are running means of g and of g squared.
/** @type {(w: Floats, g: Floats, m: Floats, v: Floats, k: number, epsilon: number, beta1?: number, beta2?: number) => void} */
function adam(w, g, m, v, k, epsilon, beta1 = 0.9, beta2 = 0.999) {
  const first = 1 - beta1 ** k, second = 1 - beta2 ** k;
  for (let j = 0; j < w.length; j++) {
    m[j] = beta1 * m[j] + (1 - beta1) * g[j];
    v[j] = beta2 * v[j] + (1 - beta2) * g[j] * g[j];
    const mean = m[j] / first, square = v[j] / second;
    w[j] -= (epsilon * mean) / (Math.sqrt(square) + 1e-8);
  }
}
