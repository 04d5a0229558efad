"""The whole paper in one file of plain NumPy, independent of the package.

    python lstm_edu/whole_paper.py [FOLDER]     # FOLDER has train_pairs.tsv and judgments.tsv

It hashes words to letter trigrams, reads them with an RNN (1) or an LSTM (2), compares texts with
the cosine (3), computes the click-through cost (4)-(5) and its exact gradient, and trains by
Algorithm 1 with Nesterov's momentum (6). Equation numbers are those of Palangi et al. 2016. The
package computes the same numbers faster, validates its input and adds features that the paper only
mentions. Tests compare this gradient with the package's, and the package's with finite differences.

Shapes: N texts of at most T words, m cells, one column of W per trigram. Vectors are rows, so
W_rec y(t) is ``y @ Wrec.T``. Texts are padded on the left, so that every embedding is y(T); `mask`
(N, T) is 0 at the padding.
"""

import pathlib
import sys
from typing import NamedTuple

import numpy as np

# ---- Section III-A: letter trigrams -------------------------------------------------------------


def letter_trigrams(word):
    """Split a word into its letter trigrams: good into #go, goo, ood and od#."""
    marked = f"#{word}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


class Batch(NamedTuple):
    """N texts as word indices, and the trigrams of each distinct word."""

    word: np.ndarray  # (N, T), the index of the distinct word; 0 is padding
    mask: np.ndarray  # (N, T), 1.0 at words, 0.0 at padding
    row: np.ndarray  # for each known trigram of each distinct word, the index of the word
    column: np.ndarray  # for each of these trigrams, its column of W


def encode(texts, columns):
    """Convert texts to a Batch, ignoring trigrams that are not in ``columns``."""
    split = [text.lower().split() for text in texts]
    # index 0, the word "", is padding
    index = {word: k for k, word in enumerate(dict.fromkeys(sum(split, [""])))}
    word = np.zeros((len(texts), max(map(len, split))), int)
    for n, words in enumerate(split):
        word[n, word.shape[1] - len(words) :] = [index[w] for w in words]
    known = [(k, columns[t]) for w, k in index.items() for t in letter_trigrams(w) if t in columns]
    row, column = np.array(known, int).reshape(-1, 2).T
    return Batch(word, (word > 0).astype(float), row, column)


def times_l(W, batch):
    """Compute W l(t) at every word as an (N, T, m) array; l(t) are the word's trigram counts."""
    Wl = np.zeros((batch.word.max() + 1, len(W)))
    np.add.at(Wl, batch.row, W.T[batch.column])  # np.add.at, because += ignores repeated indices
    return Wl[batch.word]


def outer_l(dz, batch, n_trigrams):
    """Sum dz(t) l(t)^T over all words, which gives the (m, n_trigrams) gradient of W."""
    by_word = np.zeros((batch.word.max() + 1, dz.shape[2]))
    np.add.at(by_word, batch.word, dz)
    dW = np.zeros((n_trigrams, dz.shape[2]))
    np.add.at(dW, batch.column, by_word[batch.row])
    return dW.T


# ---- Forward pass and backpropagation -----------------------------------------------------------


def sigmoid(x):
    """Compute 1 / (1 + exp(-x)) without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def forward_rnn(p, batch):
    """Compute y at every word with (1), as an (N, T + 1, m) array; index 0 is y(0) = 0."""
    N, T = batch.word.shape
    y = np.zeros((N, T + 1, len(p["b"])))
    Wl = times_l(p["W"], batch)
    for t in range(T):
        z = Wl[:, t] + y[:, t] @ p["Wrec"].T + p["b"]
        y[:, t + 1] = np.tanh(z) * batch.mask[:, t, None]  # Eq. (1)
    return y


def backward_rnn(p, batch, y, dy):
    """Compute the gradient of all parameters from dy, the gradient with respect to y(T)."""
    dz, g = np.zeros_like(y[:, 1:]), {"Wrec": 0, "b": 0}
    for t in reversed(range(dz.shape[1])):
        dz[:, t] = dy * (1 - y[:, t + 1]) * (1 + y[:, t + 1]) * batch.mask[:, t, None]  # Eq. (11)
        g["Wrec"] += dz[:, t].T @ y[:, t]  # Eq. (9)
        g["b"] += dz[:, t].sum(axis=0)  # the paper has no gradient of b
        dy = dz[:, t] @ p["Wrec"]  # Eq. (10)
    return g | {"W": outer_l(dz, batch, p["W"].shape[1])}  # Eq. (13)


GATES = 1, 2, 3, 4  # numbers of the output gate, forget gate, input gate and y_g


def forward_lstm(p, batch):
    """Compute (2) at every word; return a list of (y, c, o, f, i, yg), with zeros at t = 0.

    Without W2 there is no forget gate, f = 1; without Wp1 to Wp3 there are no peepholes, as in
    the paper's experiments.
    """
    Wl = {k: times_l(p[f"W{k}"], batch) for k in GATES if f"W{k}" in p}
    zero = np.zeros((len(batch.word), len(p["b4"])))
    tape = [(zero,) * 6]
    for t in range(batch.word.shape[1]):
        y, c, mask = tape[-1][0], tape[-1][1], batch.mask[:, t, None]

        def z(k, seen=None):
            peephole = seen @ p[f"Wp{k}"].T if f"Wp{k}" in p else 0
            return Wl[k][:, t] + y @ p[f"Wrec{k}"].T + peephole + p[f"b{k}"]

        yg = np.tanh(z(4))
        i = sigmoid(z(3, c))
        f = sigmoid(z(2, c)) if "W2" in p else np.ones_like(c)
        c = (f * c + i * yg) * mask
        o = sigmoid(z(1, c))  # sees c(t); the other gates see c(t-1)
        tape.append((o * np.tanh(c) * mask, c, o, f, i, yg))
    return tape


def backward_lstm(p, batch, tape, dy):
    """Compute the exact gradient of all parameters from dy, the gradient with respect to y(T).

    The appendix, (14)-(44), lacks the terms marked *, and in (44) the factor b of each gate; lesson
    05b (notebooks/05b_check_the_appendix.ipynb) compares the two gradients. The appendix's (22),
    (30) and (38) carry derivatives of c(t) forward; here errors go backward through the same
    factors.
    """
    gates = [k for k in GATES if f"W{k}" in p]
    dz = {k: np.zeros((*batch.word.shape, len(p["b4"]))) for k in gates}
    g = dict.fromkeys(p, 0.0)
    dc = np.zeros_like(dy)
    for t in reversed(range(batch.word.shape[1])):
        y_before, c_before, *_ = tape[t]
        _, c, o, f, i, yg = tape[t + 1]
        mask, h = batch.mask[:, t, None], np.tanh(c)
        dy, dc = dy * mask, dc * mask
        d = {1: dy * h * o * (1 - o)}  # Eq. (17)
        dc = dc + dy * o * (1 - h) * (1 + h)  # the second summand is delta in Eq. (22), (30), (38)
        if "Wp1" in p:
            dc = dc + d[1] @ p["Wp1"]  # * not in the appendix
        d[3] = dc * yg * i * (1 - i)  # b_i in Eq. (22)
        d[4] = dc * i * (1 - yg) * (1 + yg)  # b_g in Eq. (38)
        if 2 in gates:
            d[2] = dc * c_before * f * (1 - f)  # b_f in Eq. (30)
        dy = sum(d[k] @ p[f"Wrec{k}"] for k in gates)  # * Eq. (43), (44) use only gate k
        dc = dc * f  # diag(f) in Eq. (22), (30), (38)
        for k in gates:
            dz[k][:, t] = d[k]
            g[f"Wrec{k}"] += d[k].T @ y_before  # gates 1 to 4: Eq. (16), (29), (21), (37)
            g[f"b{k}"] += d[k].sum(axis=0)  # biases: Eq. (20), (35), (27), (41)
            if f"Wp{k}" in p:
                g[f"Wp{k}"] += d[k].T @ (c if k == 1 else c_before)  # Eq. (19), (33), (25)
                dc = dc + (d[k] @ p[f"Wp{k}"] if k != 1 else 0)  # * not in the appendix
    # gates 1 to 4: Eq. (18), (31), (23), (39)
    return g | {f"W{k}": outer_l(dz[k], batch, p[f"W{k}"].shape[1]) for k in gates}


def forward(p, batch):
    """Run the RNN or LSTM; return its activations (the tape) and the (N, m) embeddings y(T)."""
    if "Wrec" in p:
        y = forward_rnn(p, batch)
        return y, y[:, -1]
    tape = forward_lstm(p, batch)
    return tape, tape[-1][0]


def backward(p, batch, tape, dy):
    """Compute the gradient of the RNN or LSTM."""
    return (backward_rnn if "Wrec" in p else backward_lstm)(p, batch, tape, dy)


# ---- The cost -----------------------------------------------------------------------------------


def normalize(y):
    """Return embeddings scaled to length 1, and their lengths, infinite for zero embeddings."""
    norm = np.linalg.norm(y, axis=-1, keepdims=True)
    norm[norm == 0] = np.inf
    return y / norm, norm


def cost(yq, yd, gamma):
    """Compute the cost (4) of N pairs and its gradient with respect to the embeddings.

    yq is (N, m). yd is (N, 1 + n, m), with each pair's clicked title first, then its n unclicked
    ones.
    """
    (q, q_norm), (d, d_norm) = normalize(yq), normalize(yd)
    R = np.einsum("rm,rjm->rj", q, d)  # Eq. (3)
    e = np.exp(-gamma * (R[:, :1] - R[:, 1:]))  # Delta is R(Q, D+) - R(Q, Dj-)
    l = np.log(1 + e.sum(axis=1))  # Eq. (5)
    alpha = -gamma * e / (1 + e.sum(axis=1, keepdims=True))  # Eq. (8), dl / dDelta
    dR = np.column_stack([alpha.sum(axis=1), -alpha])  # Eq. (7); its minus sign is already in alpha
    # Eq. (15): v_Q = b c y_D - a b^3 c y_Q = (d - R q) / |y_Q|, where R = a b c; the same for D
    dyq = (np.einsum("rj,rjm->rm", dR, d) - (dR * R).sum(axis=1)[:, None] * q) / q_norm
    dyd = (dR[..., None] * q[:, None] - (dR * R)[..., None] * d) / d_norm
    return l.sum(), dyq, dyd


def cost_and_gradient(sides, queries, titles, gamma, columns):
    """Compute the summed cost (4) of pairs and its gradient, as one dict per side.

    ``titles`` has a list for each query: the clicked title, then the unclicked ones.
    """
    batches = encode(queries, columns), encode(sum(titles, []), columns)
    (tape_q, yq), (tape_d, yd) = (forward(p, batch) for p, batch in zip(sides, batches))
    L, dyq, dyd = cost(yq, yd.reshape(len(queries), -1, yd.shape[1]), gamma)
    errors = (tape_q, dyq), (tape_d, dyd.reshape(yd.shape))
    return L, [backward(p, batch, *e) for p, batch, e in zip(sides, batches, errors)]


# ---- Algorithm 1 --------------------------------------------------------------------------------


def init_params(shapes, seed=0, scale=0.05):
    """Draw small random parameters, identical on both sides.

    Each W is stored column by column, because `times_l` reads whole columns.
    """
    rng = np.random.default_rng(seed)
    p = {name: scale * rng.standard_normal(shape[::-1]).T for name, shape in shapes.items()}
    return p, {name: w.copy(order="K") for name, w in p.items()}


def lstm_shapes(m, n_trigrams, gates=(1, 3, 4)):
    """Return the shapes of an LSTM's parameters, without peepholes, as the paper trains it."""
    of_gate = {"W": (m, n_trigrams), "Wrec": (m, m), "b": (m,)}
    return {f"{name}{k}": shape for k in gates for name, shape in of_gate.items()}


def train(
    sides, pairs, columns, epochs, batch_size=256, n=4, gamma=5.0, step=1.6e-3, clip=10.0, seed=0
):
    """Train both sides in place; print the mean cost per pair during each epoch.

    n and mu have the paper's values. The paper does not give gamma, the step size or the clipping
    threshold.
    """
    rng = np.random.default_rng(seed)
    all_titles, clicked = sorted({d for _, d in pairs}), set(pairs)
    velocity = [{name: np.zeros_like(w) for name, w in p.items()} for p in sides]
    starts = range(0, len(pairs), batch_size)
    for k in range(epochs * len(starts)):
        if k % len(starts) == 0:
            order, total = rng.permutation(len(pairs)), 0.0
        first = starts[k % len(starts)]
        queries, titles = [], []
        for query, title in (pairs[r] for r in order[first : first + batch_size]):
            drawn = (all_titles[rng.integers(len(all_titles))] for _ in iter(int, 1))  # never ends
            unclicked = (d for d in drawn if (query, d) not in clicked)
            queries.append(query)
            titles.append([title, *(next(unclicked) for _ in range(n))])
        done = k / (epochs * len(starts))
        mu = 0.995 if 0.02 <= done < 0.98 else 0.9
        for p, v in zip(sides, velocity):  # Eq. (6): the gradient is taken at Lambda + mu dLambda
            for name in p:
                v[name] *= mu
                p[name] += v[name]
        L, gradient = cost_and_gradient(sides, queries, titles, gamma, columns)
        for p, v, g in zip(sides, velocity, gradient):
            norm = np.sqrt(sum((w * w).sum() for w in g.values()))
            for name in p:
                change = step * g[name] * min(1, clip / norm)  # clipped, each side separately
                v[name] -= change
                p[name] -= change  # Eq. (6)
        total += L
        if (k + 1) % len(starts) == 0:
            print(f"epoch {(k + 1) // len(starts)}: cost {total / len(pairs):.3f}", flush=True)


# ---- Evaluation ---------------------------------------------------------------------------------


def ndcg(scores, grades, k=10):
    """Compute nDCG at k: gain 2^grade - 1, discount log2(1 + rank)."""

    def dcg(ordered):
        return sum((2**g - 1) / np.log2(rank + 1) for rank, g in enumerate(ordered[:k], 1))

    ranked = [grades[j] for j in np.argsort(-np.array(scores), kind="stable")]
    return dcg(ranked) / dcg(sorted(grades, reverse=True))


def scores(sides, query, titles, columns):
    """Compute R(Q, D), Eq. (3), of a query with each title."""
    yq, yd = (forward(p, encode(t, columns))[1] for p, t in zip(sides, ([query], titles)))
    return normalize(yd)[0] @ normalize(yq)[0][0]


def main(folder, n_cells=32, epochs=5, seed=0):
    """Train on a click log, and print the mean nDCG@10 of queries with a relevant title."""

    def lines(name):
        return (folder / name).read_text(encoding="utf-8").splitlines()

    pairs = [tuple(line.split("\t")) for line in lines("train_pairs.tsv")]
    words = {word for pair in pairs for text in pair for word in text.lower().split()}
    known = sorted({t for word in words for t in letter_trigrams(word)})
    columns = {t: k for k, t in enumerate(known)}
    sides = init_params(lstm_shapes(n_cells, len(columns)), seed)
    train(sides, pairs, columns, epochs, seed=seed)
    judged = {}
    for line in lines("judgments.tsv"):
        _qid, query, _docid, title, grade = line.split("\t")
        judged.setdefault(query, []).append((title, int(grade)))
    found = []
    for query, rows in judged.items():
        titles, grades = zip(*rows)
        if max(grades) > 0:
            found.append(ndcg(scores(sides, query, titles, columns), grades))
    print(f"nDCG@10 {np.mean(found):.3f} of {len(found)} judged queries")


if __name__ == "__main__":
    sample = pathlib.Path(__file__).resolve().parent.parent / "data_samples"
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else sample)
