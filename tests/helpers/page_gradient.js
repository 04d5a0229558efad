// Gradients and updates computed in Node by the page's scripts, for test_page_gradient.py.

// Return cost and gradient of each case; matrices have a row per input.
const gradients = (cases) => {
  const array = ({ data, width }) => {
    const numbers = Float64Array.from(data);
    return width ? { data: numbers, width, start: 0, size: width } : numbers;
  };
  const params = (side) => Object.fromEntries(Object.entries(side).map(([k, w]) => [k, array(w)]));
  const empty = (p) => Object.fromEntries(Object.entries(p).map(([k, w]) => [
    k, w.data ? { ...w, data: w.data.map(() => 0) } : w.map(() => 0)]));
  const plain = (g) => Object.fromEntries(
    Object.entries(g).map(([k, w]) => [k, Array.from(w.data ?? w)]));
  return cases.map(({ kind, size, query, document, texts, gamma }) => {
    const p = [params(query), params(document)], G = p.map(empty);
    const model = { size, step: STEPS[kind] };
    const L = texts.map((text) => text.map((word) => new Map(word)));
    const states = L.map((l, k) => read(model, p[k ? 1 : 0], l));
    const [q, ...D] = states.map((all) => all.at(-1).y);
    const { cost, dq, dD } = costAndErrors(q, D, gamma);
    [dq, ...dD].forEach((v, k) => BACK[kind](p[k ? 1 : 0], L[k], states[k], v, G[k ? 1 : 0]));
    return { cost, query: plain(G[0]), document: plain(G[1]) };
  });
};

// Return cost and norms of each update in float64, then in float32.
const updates = ({ queries, titles, clicks, kind, m, weights, settings, batches }) => {
  const log = logOf(queries, titles, clicks);
  const start = Object.fromEntries(
    Object.entries(weights).map(([name, w]) => [name, Float64Array.from(w)]));
  return [Float64Array, Float32Array].map((Numbers) => {
    const run = startOf(kind, m, start, settings, Numbers);
    return batches.map(({ pairs, unclicked }) => {
      const { cost, norms } = update(run, examplesOf(log, pairs, unclicked));
      return [cost, ...norms];
    });
  });
};
