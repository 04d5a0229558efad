// Lines of Python that compute the numbers of follow.js: derivatives by autograd, and the errors
// that the drawn arrows give.

// cells of one dimension; e(t) is added to the quantity whose error is drawn as a bar, so that the
// derivative with respect to e(t) is that error
/** @type {Record<string, string>} */
const IN_PYTHON = {
  RNN: `def RNN(w, l, e):
    y = 0.0
    for t in range(len(l)):
        y = np.tanh(w[0] * l[t] + w[1] * y + e[t])  # (1)
    return y
`,
  LSTM: `def sigmoid(x):
    return 1 / (1 + np.exp(-x))

def LSTM(w, l, e):
    y = c = 0.0
    for t in range(len(l)):
        yg = np.tanh(w[0] * l[t] + w[1] * y)  # (2)
        i, o = sigmoid(w[2] * l[t] + w[3] * y), sigmoid(w[4] * l[t] + w[5] * y)
        c = c + i * yg + e[t]
        y = o * np.tanh(c)
    return y
`,
};

/** @type {(kinds: string[], T: number, scale: number) => string} */
const pythonOfErrors = (kinds, T, scale) => `import autograd.numpy as np
from autograd import grad

${kinds.map((kind) => IN_PYTHON[kind]).join("\n")}
T, scale, l = ${T}, ${scale}, np.array([1, 0.5] * 6)
for cell, w in [${kinds.map((kind) => `(${kind}, ${literal(Object.values(WEIGHTS[kind]))})`).join(", ")}]:
    w = np.array(w)  # ${kinds.map((kind) => Object.values(CALLED[kind]).join(", ")).join("; ")}
    print(grad(cell)(w, l[:2], np.zeros(2)))  # the derivatives of y(2)
    error = grad(cell, 2)(w * np.tile([1, scale], len(w) // 2), l[:T], np.zeros(T))
    print(error / error[-1])`;

/** @type {(arrows: Arrow[], gone: Set<number>) => string} */
function pythonOfArrows(arrows, gone) {
  const rows = arrows.map(([from, to, , factor, isOut], k) => `    ${literal([from, to, isOut || gone.has(k) ? 0 : factor])},`);
  return `
arrows = [
${rows.join("\n")}
]
error = {"y(2)": 1}
for start, end, factor in arrows:
    error[end] = error.get(end, 0) + error[start] * factor
print(error)`;
}
