"""Wrong answers to the exercises of notebook 11."""

import numpy as np


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


WRONG = {
    "check_recurrent_flops": [
        counts_first_words,
        one_flop_a_weight,
        forward_alone,
        without_the_gradient,
        padded,
        one_gate,
        as_float_of_cells,
    ],
    "check_lazy_updates": [
        adds_the_old_P,
        one_update_too_early,
        velocity_first,
        two_bugs_left,
        forgets_who_waits,
        writes_into_w,
        velocity_alone,
    ],
    "check_mean_table": [
        mean_of_old_weights,
        sums_the_old_P,
        never_forgets,
        exchanged,
        without_velocity,
        adds_all_of_w,
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
    ],
}
