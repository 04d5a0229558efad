"""The whole paper on one page, in plain NumPy; it imports nothing from the package.

    python lstm_edu/whole_paper.py [FOLDER]     # with train_pairs.tsv and judgments.tsv

Palangi et al. 2016, numbered as printed: hash words to letter trigrams, read them with an RNN (1)
or an LSTM (2), compare by cosine (3), compute the click-through cost (4)-(5) and its exact
gradient, and train by Algorithm 1 with Nesterov's momentum (6). The package computes the same
numbers faster, checks what it is given, and does all that the paper only mentions.

Shapes: N texts of at most T words, m cells, one column of W per trigram. A text is aligned at its
end, so its embedding is y at position T; `here` (N, T) is 0 where a shorter text has no word.
"""

import pathlib
import sys
from typing import NamedTuple

import numpy as np

# ---- Section III-A: letter trigrams -------------------------------------------------------------


def letter_trigrams(word):
    """Cut a word: #go, goo, ood, od# for good."""
    marked = f"#{word}#"
    return [marked[k : k + 3] for k in range(len(marked) - 2)]


class Batch(NamedTuple):
    """N texts as numbers: the words at their places, and the trigrams of each distinct word."""

    word: np.ndarray  # (N, T), which of the distinct words
    here: np.ndarray  # (N, T), 1.0 where there is a word
    row: np.ndarray  # of each trigram in the distinct words: which word has it,
    column: np.ndarray  # and which column of W it is


def hashed(texts, columns):
    """Look up the trigrams of texts; those that ``columns`` doesn't know are dropped."""
    split = [text.lower().split() for text in texts]
    number = {word: k for k, word in enumerate(dict.fromkeys(sum(split, [""])))}
    word = np.zeros((len(texts), max(map(len, split))), int)
    for n, words in enumerate(split):
        word[n, word.shape[1] - len(words) :] = [number[w] for w in words]
    known = [(k, columns[t]) for w, k in number.items() for t in letter_trigrams(w) if t in columns]
    row, column = np.array(known, int).reshape(-1, 2).T
    return Batch(word, (word > 0).astype(float), row, column)


def times_l(W, batch):
    """Compute W l(t) of every word, (N, T, m); l(t) counts the word's trigrams."""
    Wl = np.zeros((batch.word.max() + 1, len(W)))
    np.add.at(Wl, batch.row, W.T[batch.column])
    return Wl[batch.word]


def outer_l(dz, batch, n_trigrams):
    """Sum dz(t) l(t)^T over all words: the gradient of W, (m, n_trigrams)."""
    by_word = np.zeros((batch.word.max() + 1, dz.shape[2]))
    np.add.at(by_word, batch.word, dz)
    dW = np.zeros((n_trigrams, dz.shape[2]))
    np.add.at(dW, batch.column, by_word[batch.row])
    return dW.T


# ---- Reading, and the errors' way back ----------------------------------------------------------


def sigmoid(x):
    """Compute 1 / (1 + exp(-x)), without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def read_rnn(p, batch):
    """Return y at every word by (1), (N, T + 1, m), with y(0) = 0 first."""
    y = np.zeros((*np.add(batch.word.shape, (0, 1)), len(p["b"])))
    Wl = times_l(p["W"], batch)
    for t in range(Wl.shape[1]):
        z = Wl[:, t] + y[:, t] @ p["Wrec"].T + p["b"]
        y[:, t + 1] = np.tanh(z) * batch.here[:, t, None]  # (1)
    return y


def back_rnn(p, batch, y, dy):
    """Return the gradient of all parameters, from the error dy of the last word's y."""
    dz, g = np.zeros_like(y[:, 1:]), {"Wrec": 0, "b": 0}
    for t in reversed(range(dz.shape[1])):
        dz[:, t] = dy * (1 - y[:, t + 1]) * (1 + y[:, t + 1]) * batch.here[:, t, None]  # (10)-(11)
        g["Wrec"] += dz[:, t].T @ y[:, t]  # (9)
        g["b"] += dz[:, t].sum(axis=0)
        dy = dz[:, t] @ p["Wrec"]
    return g | {"W": outer_l(dz, batch, p["W"].shape[1])}  # (13)


GATES = 1, 2, 3, 4  # output gate, forget gate, input gate, y_g


def read_lstm(p, batch):
    """Return every word's y, c, o, f, i, yg by (2), each a list over t; y(0) = c(0) = 0 first.

    Without W2 there is no forget gate, f = 1; without Wp1 to Wp3 there are no peepholes: so are
    the paper's experiments.
    """
    Wl = {k: times_l(p[f"W{k}"], batch) for k in GATES if f"W{k}" in p}
    zero = np.zeros((len(batch.word), len(p["b4"])))
    tape = [(zero,) * 6]
    for t in range(batch.word.shape[1]):
        y, c, here = tape[-1][0], tape[-1][1], batch.here[:, t, None]

        def z(k, c=None):
            peephole = c @ p[f"Wp{k}"].T if f"Wp{k}" in p else 0
            return Wl[k][:, t] + y @ p[f"Wrec{k}"].T + peephole + p[f"b{k}"]

        yg = np.tanh(z(4))
        i = sigmoid(z(3, c))
        f = sigmoid(z(2, c)) if "W2" in p else np.ones_like(c)
        c = (f * c + i * yg) * here
        o = sigmoid(z(1, c))  # sees c(t)
        tape.append((o * np.tanh(c) * here, c, o, f, i, yg))
    return tape


def back_lstm(p, batch, tape, dy):
    """Return the exact gradient of all parameters, from the error dy of the last word's y.

    The appendix, (14)-(44), leaves out the terms that are marked with *; see lesson 05b.
    """
    gates = [k for k in GATES if f"W{k}" in p]
    dz = {k: np.zeros((*batch.word.shape, len(p["b4"]))) for k in gates}
    g = dict.fromkeys(p, 0.0)
    dc = np.zeros_like(dy)
    for t in reversed(range(batch.word.shape[1])):
        (y_, c_, *_), (_, c, o, f, i, yg), here = tape[t], tape[t + 1], batch.here[:, t, None]
        dy, dc, h = dy * here, dc * here, np.tanh(c)
        d = {1: dy * h * o * (1 - o)}  # (17)
        dc = dc + dy * o * (1 - h) * (1 + h)  # delta of (22), (30), (38)
        if "Wp1" in p:
            dc = dc + d[1] @ p["Wp1"]  # *
        d[3] = dc * yg * i * (1 - i)  # b_i of (22)
        d[4] = dc * i * (1 - yg) * (1 + yg)  # b_g of (38)
        if 2 in gates:
            d[2] = dc * c_ * f * (1 - f)  # b_f of (30)
        dy = sum(d[k] @ p[f"Wrec{k}"] for k in gates)  # * all gates; (43), (44) have one
        dc = dc * f  # diag(f) of (22), (30), (38)
        for k in gates:
            dz[k][:, t] = d[k]
            g[f"Wrec{k}"] += d[k].T @ y_  # (16), (21), (29), (37)
            g[f"b{k}"] += d[k].sum(axis=0)  # (20), (27), (35), (41)
            if f"Wp{k}" in p:
                g[f"Wp{k}"] += d[k].T @ (c if k == 1 else c_)  # (19), (25), (33)
                dc = dc + (d[k] @ p[f"Wp{k}"] if k != 1 else 0)  # *
    # (18), (23), (31), (39)
    return g | {f"W{k}": outer_l(dz[k], batch, p[f"W{k}"].shape[1]) for k in gates}


def read(p, batch):
    """Return the tape of either network, and the embeddings y(T), (N, m)."""
    tape = read_rnn(p, batch) if "Wrec" in p else read_lstm(p, batch)
    return tape, tape[:, -1] if "Wrec" in p else tape[-1][0]


def back(p, batch, tape, dy):
    """Return the gradient of either network."""
    return (back_rnn if "Wrec" in p else back_lstm)(p, batch, tape, dy)


# ---- The cost -----------------------------------------------------------------------------------


def unit(y):
    """Return embeddings scaled to length 1 and their lengths; zero stays zero."""
    norm = np.linalg.norm(y, axis=-1, keepdims=True)
    norm[norm == 0] = np.inf
    return y / norm, norm


def cost(yq, yd, gamma):
    """Return the loss of N pairs, (4), and its gradient by the embeddings.

    yq is (N, m), yd (N, 1 + n, m): the clicked title of each pair, then its n unclicked ones.
    """
    (q, q_norm), (d, d_norm) = unit(yq), unit(yd)
    R = np.einsum("rm,rjm->rj", q, d)  # (3)
    e = np.exp(-gamma * (R[:, :1] - R[:, 1:]))  # Delta is R(Q, D+) - R(Q, Dj-)
    l = np.log(1 + e.sum(axis=1))  # (5)
    alpha = -gamma * e / (1 + e.sum(axis=1, keepdims=True))  # (8), dl / dDelta
    dR = np.column_stack([alpha.sum(axis=1), -alpha])
    # v_Q = b c y_D - a b^3 c y_Q (15), where R = a b c; the same for D
    dyq = (np.einsum("rj,rjm->rm", dR, d) - (dR * R).sum(axis=1)[:, None] * q) / q_norm
    dyd = (dR[..., None] * q[:, None] - (dR * R)[..., None] * d) / d_norm
    return l.sum(), dyq, dyd


def cost_and_gradient(sides, queries, titles, gamma, columns):
    """Return the cost (4) of pairs and its gradient, a dictionary per side, as ``sides`` has them.

    ``titles`` has a list per query: the clicked title, then the unclicked ones.
    """
    batches = hashed(queries, columns), hashed(sum(titles, []), columns)
    (tape_q, yq), (tape_d, yd) = (read(p, batch) for p, batch in zip(sides, batches))
    L, dyq, dyd = cost(yq, yd.reshape(len(queries), -1, yd.shape[1]), gamma)
    errors = (tape_q, dyq), (tape_d, dyd.reshape(yd.shape))
    return L, [back(p, batch, *e) for p, batch, e in zip(sides, batches, errors)]


# ---- Algorithm 1 --------------------------------------------------------------------------------


def start(shapes, seed=0, scale=0.05):
    """Draw small random numbers, the same for both sides; each W is kept by its columns."""
    rng = np.random.default_rng(seed)
    p = {name: scale * rng.standard_normal(shape[::-1]).T for name, shape in shapes.items()}
    return p, {name: w.copy(order="K") for name, w in p.items()}


def lstm_shapes(m, n_trigrams, gates=(1, 3, 4)):
    """Return the shapes of the paper's experiments: no forget gate, no peepholes."""
    of_gate = {"W": (m, n_trigrams), "Wrec": (m, m), "b": (m,)}
    return {f"{name}{k}": shape for k in gates for name, shape in of_gate.items()}


def train(
    sides, pairs, columns, epochs, batch_size=256, n=4, gamma=5.0, step=1.6e-3, clip=10.0, seed=0
):
    """Train both sides in place; print the mean cost per pair of every epoch."""
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
            drawn = (all_titles[rng.integers(len(all_titles))] for _ in iter(int, 1))
            unclicked = (d for d in drawn if (query, d) not in clicked)
            queries.append(query)
            titles.append([title, *(next(unclicked) for _ in range(n))])
        done = k / (epochs * len(starts))
        mu = 0.995 if 0.02 <= done < 0.98 else 0.9
        for p, v in zip(sides, velocity):  # (6): the gradient is taken at Lambda + mu dLambda
            for name in p:
                v[name] *= mu
                p[name] += v[name]
        L, gradient = cost_and_gradient(sides, queries, titles, gamma, columns)
        for p, v, g in zip(sides, velocity, gradient):
            norm = np.sqrt(sum((w * w).sum() for w in g.values()))
            for name in p:
                change = step * g[name] * min(1, clip / norm)  # clipped, each side by itself
                v[name] -= change
                p[name] -= change  # (6)
        total += L
        if (k + 1) % len(starts) == 0:
            print(f"epoch {(k + 1) // len(starts)}: cost {total / len(pairs):.3f}", flush=True)


# ---- Evaluation ---------------------------------------------------------------------------------


def ndcg(scores, grades, k=10):
    """Compute nDCG at k: gain 2^grade - 1, discount log2(1 + rank)."""

    def dcg(grades):
        return sum((2**g - 1) / np.log2(rank + 1) for rank, g in enumerate(grades[:k], 1))

    ranked = [grades[j] for j in np.argsort(-np.array(scores), kind="stable")]
    return dcg(ranked) / dcg(sorted(grades, reverse=True))


def scores(sides, query, titles, columns):
    """Compute R(Q, D) (3) of a query with each title."""
    yq, yd = (read(p, hashed(t, columns))[1] for p, t in zip(sides, ([query], titles)))
    return unit(yd)[0] @ unit(yq)[0][0]


def main(folder, n_cells=32, epochs=5, seed=0):
    """Train on a click log, and print the mean nDCG@10 of the judged queries."""
    lines = lambda name: (folder / name).read_text(encoding="utf-8").splitlines()
    pairs = [tuple(line.split("\t")) for line in lines("train_pairs.tsv")]
    words = {word for pair in pairs for text in pair for word in text.lower().split()}
    known = sorted({t for word in words for t in letter_trigrams(word)})
    columns = {t: k for k, t in enumerate(known)}
    sides = start(lstm_shapes(n_cells, len(columns)), seed)
    train(sides, pairs, columns, epochs, seed=seed)
    judged = {}
    for line in lines("judgments.tsv"):
        _, query, _, title, grade = line.split("\t")
        judged.setdefault(query, []).append((title, int(grade)))
    found = []
    for query, rows in judged.items():
        titles, grades = zip(*rows)
        if max(grades) > 0:
            found.append(ndcg(scores(sides, query, titles, columns), grades))
    print(f"nDCG@10 {np.mean(found):.3f} of {len(found)} judged queries")


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent.parent / "data_samples"
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here)
