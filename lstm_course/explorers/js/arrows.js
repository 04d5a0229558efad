// A one-dimensional cell that reads two words, as in lessons 04 and 05a. Its backward pass is a
// list of arrows between boxes, each with a factor. In the appendix's version, errors for different
// gates aren't summed: the box "y(1) of z₃" has the part of y(1)'s error that goes on to z₃ only.

/** @type {Record<string, Record<string, number>>} */
const WEIGHTS = {
  RNN: { W: 0.8, Wrec: -1.5 },
  LSTM: { W4: 0.8, Wrec4: -1.5, W3: 1, Wrec3: 0.5, W1: 0.5, Wrec1: 1 },
};
// weights' names in the lessons
/** @type {Record<string, Record<string, string>>} */
const CALLED = {
  RNN: { W: "w", Wrec: "r" },
  LSTM: { W4: "W₄", Wrec4: "Wrec₄", W3: "W₃", Wrec3: "Wrec₃", W1: "W₁", Wrec1: "Wrec₁" },
};
/** @type {(T: number) => number[]} */
const wordsUpTo = (T) => Array.from({ length: T }, (_, t) => (t % 2 ? 0.5 : 1));

// Make parameters for forward.js and backward.js: 1 x 1 matrices, zero biases.
/** @type {(weights: Record<string, number>) => Params} */
function parametersFrom(weights) {
  /** @type {Params} */
  const p = {};
  for (const [name, w] of Object.entries(weights)) {
    p[name] = { data: Float64Array.of(w), width: 1, start: 0, size: 1 };
    if (!name.startsWith("Wrec")) p[name.replace("W", "b")] = Float64Array.of(0);
  }
  return p;
}

/** @type {(kind: string, weights: Record<string, number>, l: number[]) => State[]} */
function statesOf(kind, weights, l) {
  const L = l.map((x) => new Map([[0, x]]));
  return read({ size: 1, step: STEPS[kind] }, parametersFrom(weights), L);
}

// Compute the derivatives of y(T) by central differences.
/** @type {(kind: string, weights: Record<string, number>, l: number[], step?: number) => Record<string, number>} */
function nudged(kind, weights, l, step = 1e-5) {
  /** @type {(name: string, by: number) => number} */
  const end = (name, by) =>
    statesOf(kind, { ...weights, [name]: weights[name] + by }, l).at(-1).y[0];
  /** @type {(name: string) => number} */
  const slope = (name) => (end(name, step) - end(name, -step)) / (2 * step);
  return Object.fromEntries(Object.keys(weights).map((name) => [name, slope(name)]));
}

/** @type {(kind: string, scale: number) => Record<string, number>} */
const scaled = (kind, scale) =>
  Object.fromEntries(
    Object.entries(WEIGHTS[kind]).map(([name, w]) => [name, name.startsWith("Wrec") ? w * scale : w]),
  );

// Return delta(1), ..., delta(T) of an RNN or dc(1), ..., dc(T) of an LSTM, divided by the last.
/** @type {(kind: string, T: number, scale: number) => number[]} */
function partsOf(kind, T, scale) {
  const weights = scaled(kind, scale), l = wordsUpTo(T), L = l.map((x) => new Map([[0, x]]));
  const p = parametersFrom(weights);
  const G = parametersFrom(weights); // receives the gradient, which is not used here
  const errors = BACK[kind](p, L, statesOf(kind, weights, l), Float64Array.of(1), G);
  return errors.map(([error]) => error / errors.at(-1)[0]);
}

// Return |r| and the geometric mean of 1 - y² over the T - 1 steps back through the RNN. |r| times
// the mean, to the power of T - 1, is the size of delta(1) relative to delta(T).
/** @type {(T: number, scale: number) => number[]} */
function stepBack(T, scale) {
  const weights = scaled("RNN", scale), states = statesOf("RNN", weights, wordsUpTo(T)).slice(0, -1);
  const slopes = states.reduce((product, { y }) => product * (1 - y[0] ** 2), 1);
  return [Math.abs(weights.Wrec), slopes ** (1 / (T - 1))];
}

// List the arrows of the backward pass in an order of computation: [from, to, the factor's name,
// the factor], and whether the paper omits the arrow.
/** @type {(kind: string, asPrinted?: boolean) => Arrow[]} */
function arrowsOf(kind, asPrinted = false) {
  const w = WEIGHTS[kind], l = wordsUpTo(2);
  const [a, b] = statesOf(kind, w, l).map((state) =>
    Object.fromEntries(Object.entries(state).map(([name, x]) => [name, x[0]])),
  );
  if (kind === "RNN")
    return [
      ["y(2)", "z(2)", "1−y²", 1 - b.y ** 2],
      ["z(2)", "w", "l(2)", l[1]],
      ["z(2)", "r", "y(1)", a.y],
      ["z(2)", "y(1)", "r", w.Wrec],
      ["y(1)", "z(1)", "1−y²", 1 - a.y ** 2],
      ["z(1)", "w", "l(1)", l[0]],
    ];
  /** @type {(s: Record<string, number>) => Record<string, [string, number]>} */
  const slope = (s) => {
    const h = Math.tanh(s.c);
    return {
      1: ["h·o(1−o)", h * s.o * (1 - s.o)], // (E1), (E2)
      c: ["o(1−h²)", s.o * (1 - h * h)], // (E1), (E3)
      3: ["yg·i(1−i)", s.yg * s.i * (1 - s.i)], // (E4), (E5)
      4: ["i(1−yg²)", s.i * (1 - s.yg ** 2)],
    };
  };
  const first = slope(a), second = slope(b);
  /** @type {Arrow[]} */
  const word2 = [
    ["y(2)", "z₁(2)", ...second[1]],
    ["y(2)", "c(2)", ...second.c],
    ["c(2)", "z₃(2)", ...second[3]],
    ["c(2)", "z₄(2)", ...second[4]],
  ];
  /** @type {Arrow[]} */
  const exact = [
    ["c(2)", "c(1)", "1", 1], // (E6)
    ["z₁(2)", "y(1)", "Wrec₁", w.Wrec1], // (E7)
    ["z₃(2)", "y(1)", "Wrec₃", w.Wrec3],
    ["z₄(2)", "y(1)", "Wrec₄", w.Wrec4],
    ["y(1)", "z₁(1)", ...first[1]],
    ["y(1)", "c(1)", ...first.c],
    ["c(1)", "z₃(1)", ...first[3]],
    ["c(1)", "z₄(1)", ...first[4]],
  ];
  // (43), (44): each gate's error goes only through the gate's own Wrec to the gate's own weights,
  // and isn't summed with other gates' errors; Wrec₃ and Wrec₄ get dc without the gate's slope
  /** @type {Arrow[]} */
  const printed = [
    ["z₁(2)", "y(1) of z₁", "Wrec₁", w.Wrec1],
    ["z₃(2)", "y(1) of z₃", "Wrec₃", w.Wrec3, "left out"],
    ["z₄(2)", "y(1) of z₄", "Wrec₄", w.Wrec4, "left out"],
    ["c(2)", "y(1) of z₃", "Wrec₃", w.Wrec3],
    ["c(2)", "y(1) of z₄", "Wrec₄", w.Wrec4],
    ["y(1) of z₁", "z₁(1)", ...first[1]],
    ["c(2)", "c(1) of z₃", "1", 1],
    ["y(1) of z₃", "c(1) of z₃", ...first.c],
    ["c(2)", "c(1) of z₄", "1", 1],
    ["y(1) of z₄", "c(1) of z₄", ...first.c],
    ["c(1) of z₃", "z₃(1)", ...first[3]],
    ["c(1) of z₄", "z₄(1)", ...first[4]],
  ];
  /** @type {Arrow[]} */
  const weights = ["₁", "₃", "₄"].flatMap((k) => [
    [`z${k}(2)`, `W${k}`, "l(2)", l[1]],
    [`z${k}(1)`, `W${k}`, "l(1)", l[0]],
    [`z${k}(2)`, `Wrec${k}`, "y(1)", a.y],
  ]);
  return [...word2, ...(asPrinted ? printed : exact), ...weights];
}

// Compute the error of each box: the sum, over its incoming arrows, of the error at the arrow's
// start times the factor. Only the first n arrows count; removed or omitted arrows pass no error.
/** @type {(arrows: Arrow[], gone?: Set<number>, n?: number) => Record<string, number>} */
function errorsBy(arrows, gone = new Set(), n = arrows.length) {
  /** @type {Record<string, number>} */
  const error = { "y(2)": 1 };
  arrows.slice(0, n).forEach(([from, to, , factor, isOut], k) => {
    error[to] = (error[to] ?? 0) + (isOut || gone.has(k) ? 0 : error[from] * factor);
  });
  return error;
}

// Compare the gradient computed by arrows with central differences; return both, and their relative
// distance.
/** @type {(kind: string, error: Record<string, number>) => {rows: Checked[], off: number}} */
function check(kind, error) {
  const nudge = nudged(kind, WEIGHTS[kind], wordsUpTo(2));
  const rows = Object.entries(nudge).map(([name, right]) => {
    const found = error[CALLED[kind][name]] ?? 0;
    return { name: CALLED[kind][name], found, right, wrong: Math.abs(found - right) > 1e-6 };
  });
  /** @type {(of: (row: Checked) => number) => number} */
  const long = (of) => Math.hypot(...rows.map(of));
  return { rows, off: long(({ found, right }) => found - right) / long(({ right }) => right) };
}

// Describe the mistake in a typed sum; return "" if it is right to the three digits shown. Each term
// [from, value] may be right, forgotten, or have the wrong sign.
/** @type {(terms: [string, number][], said: number) => string} */
function whyWrong(terms, said) {
  const rounded = terms.map(([, x]) => Number(x.toFixed(3)));
  /** @type {(x: number) => boolean} */
  const is = (x) => Math.abs(x - said) < 6e-4;
  /** @type {(signs: number[]) => boolean} */
  const sum = (signs) =>
    [terms.map(([, x]) => x), rounded].some((all) =>
      is(all.reduce((total, x, k) => total + signs[k] * x, 0)),
    );
  /** @type {number[][]} */
  let ways = [[]];
  for (const _ of terms) ways = ways.flatMap((way) => [1, 0, -1].map((sign) => [...way, sign]));
  /** @type {(way: number[]) => number} */
  const slips = (way) => way.filter((sign) => sign < 1).length;
  const found = ways.sort((one, other) => slips(one) - slips(other)).find(sum);
  if (found && slips(found) === 0) return "";
  if (is(rounded.reduce((product, x) => product * x, 1)))
    return "What meets is added, not multiplied.";
  if (!found) return "That is none of their sums. Mind the signs.";
  /** @type {(sign: number) => string} */
  const named = (sign) =>
    terms.flatMap(([from], k) => (found[k] === sign ? [from] : [])).join(" and ");
  const forgotten = named(0) && `forgets what came from ${named(0)}`;
  const turned = named(-1) && `turns the sign of what came from ${named(-1)}`;
  return `That ${[forgotten, turned].filter(Boolean).join(", and ")}.`;
}
