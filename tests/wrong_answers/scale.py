"""Wrong answers to the exercises of notebook 11."""

import numpy as np
from wrong_answers._replaced import replaced


def counts_first_words(lengths, m, g):
    """The first word of a sentence follows none."""
    return 6 * int(lengths.sum()) * g * m * m


def one_flop_a_weight(lengths, m, g):
    """Forgets the addition."""
    return 3 * int((lengths - 1).sum()) * g * m * m


def forward_alone(lengths, m, g):
    """One of three products."""
    return 2 * int((lengths - 1).sum()) * g * m * m


def without_the_gradient(lengths, m, g):
    """Two of three products."""
    return 4 * int((lengths - 1).sum()) * g * m * m


def padded(lengths, m, g):
    """Every sentence as long as the longest."""
    return 6 * len(lengths) * int(lengths.max() - 1) * g * m * m


def one_gate(lengths, m, g):
    """Forgets the gates."""
    return 6 * int((lengths - 1).sum()) * m * m


def as_float_of_cells(lengths, m, g):
    """m weights a gate."""
    return 6 * int((lengths - 1).sum()) * g * m


def _lazy(
    w, v, batches, mus, epsilon, early=False, here=False, first=False, at_end=True, in_place=False
):
    w, v = (w, v) if in_place else (w.copy(), v.copy())
    since, P, S = np.zeros(len(w), int), np.zeros(len(mus) + 1), np.zeros(len(mus) + 1)
    P[0] = 1
    for k, (mu, (rows, slope)) in enumerate(zip(mus, batches)):
        old = P[: k + 1].copy()
        P[: k + 1] *= mu
        S[: k + 1] += old if early else P[: k + 1]
        s = since[rows]
        if first:
            v[rows] = P[s, None] * v[rows] - epsilon * slope
            w[rows] += S[s, None] * v[rows] - epsilon * slope
        else:
            w[rows] += S[s, None] * v[rows] - epsilon * slope
            v[rows] = P[s, None] * v[rows] - epsilon * slope
        P[k + 1] = 1
        since[rows] = k if here else k + 1
    if at_end:
        w += S[since, None] * v
        v *= P[since, None]
    return w, v


def adds_the_old_P(w, v, batches, mus, epsilon):
    """S before P."""
    return _lazy(w, v, batches, mus, epsilon, early=True)


def one_update_too_early(w, v, batches, mus, epsilon):
    """since is one too small."""
    return _lazy(w, v, batches, mus, epsilon, here=True)


def velocity_first(w, v, batches, mus, epsilon):
    """w takes the new velocity."""
    return _lazy(w, v, batches, mus, epsilon, first=True)


def two_bugs_left(w, v, batches, mus, epsilon):
    """One of three mended."""
    return _lazy(w, v, batches, mus, epsilon, early=True, first=True)


def forgets_who_waits(w, v, batches, mus, epsilon):
    """Nothing is brought up to date at the end."""
    return _lazy(w, v, batches, mus, epsilon, at_end=False)


def writes_into_w(w, v, batches, mus, epsilon):
    """The caller's arrays are changed."""
    return _lazy(w, v, batches, mus, epsilon, in_place=True)


def velocity_alone(w, v, batches, mus, epsilon):
    """Forgets w."""
    return _lazy(w, v, batches, mus, epsilon)[1]


def _table(
    mus,
    keeps,
    C_of=lambda a, C, before, S: a * C + (1 - a) * S,
    B_of=lambda a, B: a * B + 1 - a,
    old_P=False,
):
    P, S, A, B, C = 1.0, 0.0, 1.0, 0.0, 0.0
    for mu, a in zip(mus, keeps):
        before, old = S, P
        P = mu * P
        S = S + (old if old_P else P)
        A, B, C = a * A, B_of(a, B), C_of(a, C, before, S)
    return A, B, C


def mean_of_old_weights(mus, keeps):
    """C takes S from before the update."""
    return _table(mus, keeps, C_of=lambda a, C, before, S: a * C + (1 - a) * before)


def sums_the_old_P(mus, keeps):
    """S before P."""
    return _table(mus, keeps, old_P=True)


def never_forgets(mus, keeps):
    """B and C are not multiplied by a."""
    return _table(
        mus, keeps, C_of=lambda a, C, before, S: C + (1 - a) * S, B_of=lambda a, B: B + 1 - a
    )


def exchanged(mus, keeps):
    """a for 1 - a."""
    return _table(mus, [1 - a for a in keeps])


def without_velocity(mus, keeps):
    """As if rows stood still."""
    A = float(np.prod(keeps))
    return A, 1 - A, 0.0


def adds_all_of_w(mus, keeps):
    """1 for 1 - a."""
    return _table(mus, keeps, C_of=lambda a, C, before, S: a * C + S, B_of=lambda a, B: a * B + 1)


def _search(most, seconds):
    times = [seconds(K) for K in range(1, most + 1)]
    return int(np.argmin(times)) + 1, min(times)


def sends_to_itself(most, B, a, b, bytes_each_way, bandwidth):
    """K messages instead of K - 1."""
    return _search(most, lambda K: a * B / K + b * B + 2 * K * bytes_each_way(B / K) / bandwidth)


def one_way(most, B, a, b, bytes_each_way, bandwidth):
    """Forgets the way back."""
    return _search(most, lambda K: a * B / K + b * B + (K - 1) * bytes_each_way(B / K) / bandwidth)


def rows_of_the_whole(most, B, a, b, bytes_each_way, bandwidth):
    """Each machine gets all touched rows."""
    return _search(most, lambda K: a * B / K + b * B + 2 * (K - 1) * bytes_each_way(B) / bandwidth)


def shares_all(most, B, a, b, bytes_each_way, bandwidth):
    """Divides what the first machine does alone."""
    return _search(
        most, lambda K: a * B / K + b * B / K + 2 * (K - 1) * bytes_each_way(B / K) / bandwidth
    )


def one_cable_each(most, B, a, b, bytes_each_way, bandwidth):
    """As if the messages did not share a cable."""
    return _search(
        most, lambda K: a * B / K + b * B + 2 * (K > 1) * bytes_each_way(B / K) / bandwidth
    )


def no_network(most, B, a, b, bytes_each_way, bandwidth):
    """Forgets the bytes."""
    return _search(most, lambda K: a * B / K + b * B)


def takes_all(most, B, a, b, bytes_each_way, bandwidth):
    """Does not look for the least."""
    return most, a * B / most + b * B + 2 * (most - 1) * bytes_each_way(B / most) / bandwidth


def counts_from_zero(most, B, a, b, bytes_each_way, bandwidth):
    """The place in the list for the number of machines."""
    K, seconds = _search(
        most, lambda K: a * B / K + b * B + 2 * (K - 1) * bytes_each_way(B / K) / bandwidth
    )
    return K - 1, seconds


FLOPS = """
def recurrent_flops(lengths, m, g):
    return 6 * int((lengths - 1).sum()) * g * m * m
"""

LAZY = """
def lazy_updates(w, v, batches, mus, epsilon):
    w, v, since = w.copy(), v.copy(), np.zeros(len(w), int)
    P, S = np.ones(len(mus) + 1), np.zeros(len(mus) + 1)
    for k, (mu, (rows, g)) in enumerate(zip(mus, batches)):
        P[:k + 1] *= mu
        S[:k + 1] += P[:k + 1]
        s = since[rows]
        w[rows] += S[s, None] * v[rows] - epsilon * g
        v[rows] = P[s, None] * v[rows] - epsilon * g
        since[rows] = k + 1
    w += S[since, None] * v
    v *= P[since, None]
    return w, v
"""

MEAN_TABLE = """
def mean_table(mus, keeps):
    P, S = 1.0, 0.0
    A, B, C = 1.0, 0.0, 0.0
    for mu, a in zip(mus, keeps):
        P = mu * P
        S = S + P
        A, B, C = a * A, a * B + 1 - a, a * C + (1 - a) * S
    return A, B, C
"""

MACHINES = """
def best_machines(most, B, a, b, bytes_each_way, bandwidth):
    seconds = []
    for K in range(1, most + 1):
        sent = 2 * (K - 1) * bytes_each_way(B / K)
        seconds.append(a * B / K + b * B + sent / bandwidth)
    K = int(np.argmin(seconds)) + 1
    return K, seconds[K - 1]
"""


WRONG = {
    "check_recurrent_flops": [
        counts_first_words,
        one_flop_a_weight,
        forward_alone,
        without_the_gradient,
        padded,
        one_gate,
        as_float_of_cells,
        *replaced(
            FLOPS,
            ("int((lengths - 1).sum())", "int(lengths.sum() - 1)"),
            ("int((lengths - 1).sum())", "int((lengths + 1).sum())"),
            ("int((lengths - 1).sum())", "int(lengths.max() - 1)"),
            ("int((lengths - 1).sum())", "int((lengths - 1).mean())"),
            ("int((lengths - 1).sum())", "int(lengths[1:].sum())"),
            ("g * m * m", "(g * m) ** 2"),
            ("g * m * m", "(g + 1) * m * m"),
            ("return 6", "return 12"),
            ("return 6", "return 1"),
        ),
    ],
    "check_lazy_updates": [
        adds_the_old_P,
        one_update_too_early,
        velocity_first,
        two_bugs_left,
        forgets_who_waits,
        writes_into_w,
        velocity_alone,
        *replaced(
            LAZY,
            ("P[:k + 1] *= mu", "P *= mu"),
            ("S[:k + 1] += P[:k + 1]", "S[:k + 1] = P[:k + 1]"),
            ("S[:k + 1] += P[:k + 1]", "S[:k] += P[:k]"),
            ("P[:k + 1] *= mu", "P[:k] *= mu"),
            ("since[rows] = k + 1", "since[rows] += 1"),
            ("since[rows] = k + 1", "since[:] = k + 1"),
            ("since[rows] = k + 1", "pass"),
            ("P[s, None] * v[rows] - epsilon * g", "v[rows] - epsilon * g"),
            ("P[s, None] * v[rows] - epsilon * g", "mu * v[rows] - epsilon * g"),
            ("S[s, None] * v[rows] - epsilon * g", "S[s, None] * v[rows]"),
            ("S[s, None] * v[rows] - epsilon * g", "S[s, None] * v[rows] + epsilon * g"),
            ("S[s, None] * v[rows] - epsilon * g", "P[s, None] * v[rows] - epsilon * g"),
            ("S[s, None] * v[rows] - epsilon * g", "S[s, None] * (v[rows] - epsilon * g)"),
            ("    w += S[since, None] * v\n", ""),
            ("    v *= P[since, None]\n", ""),
            (
                "    w += S[since, None] * v\n    v *= P[since, None]\n",
                "    v *= P[since, None]\n    w += S[since, None] * v\n",
            ),
        ),
    ],
    "check_mean_table": [
        mean_of_old_weights,
        sums_the_old_P,
        never_forgets,
        exchanged,
        without_velocity,
        adds_all_of_w,
        *replaced(
            MEAN_TABLE,
            ("A, B, C = a * A, a * B + 1 - a, a", "a * A, a * B + 1 - a, a"),
            ("a * B + 1 - a", "B + 1 - a"),
            ("a * B + 1 - a", "a * B + (1 - a) * A"),
            ("(1 - a) * S", "(1 - a) * P"),
            ("(1 - a) * S", "(1 - a) * mu"),
            ("(1 - a) * S", "S"),
            ("a * C + (1 - a) * S", "a * (C + (1 - a) * S)"),
            ("a * C + (1 - a) * S", "a * C - (1 - a) * S"),
            ("A, B, C = a * A", "A, B, C = A + a"),
            ("A, B, C = a * A", "A, B, C = a"),
            ("return A, B, C", "return C, B, A"),
            ("        A, B, C = a", "        B, C, A = a"),
        ),
    ],
    "check_best_machines": [
        sends_to_itself,
        one_way,
        rows_of_the_whole,
        shares_all,
        one_cable_each,
        no_network,
        takes_all,
        counts_from_zero,
        *replaced(
            MACHINES,
            ("range(1, most + 1)", "range(2, most + 1)"),
            ("range(1, most + 1)", "range(1, most)"),
            ("range(1, most + 1)", "range(1, most + 2)"),
            ("np.argmin(seconds)) + 1", "np.argmax(seconds)) + 1"),
            ("np.argmin(seconds)) + 1", "np.argmin(seconds))"),
            ("return K, seconds[K - 1]", "return seconds[K - 1], K"),
            ("return K, seconds[K - 1]", "return K"),
            ("return K, seconds[K - 1]", "return K, seconds[K - 1] / B"),
            ("bytes_each_way(B / K)", "bytes_each_way(B // K)"),
            ("bytes_each_way(B / K)", "bytes_each_way(B * K)"),
            ("bytes_each_way(B / K)", "bytes_each_way(1 / K)"),
            ("a * B / K", "a * B // K"),
            ("a * B / K", "a * B"),
            ("+ b * B", ""),
            ("+ b * B", "+ b"),
            ("/ bandwidth", "* bandwidth"),
            ("/ bandwidth", "/ (8 * bandwidth)"),
            ("(K - 1) * bytes", "(K + 1) * bytes"),
        ),
    ],
}
