"""Wrong answers for the checks of `lstm_course/exercises/flops.py`."""

import numpy as np
from wrong_answers._replaced import replaced, said

FLOPS = """
def recurrent_flops(lengths, m, g):
    return 6 * int((lengths - 1).sum()) * g * m * m
"""


def _search(most, seconds):
    times = [seconds(K) for K in range(1, most + 1)]
    return int(np.argmin(times)) + 1, min(times)


def counts_from_zero(most, B, a, b, bytes_each_way, bandwidth):
    """The place in the list for the number of machines."""
    K, seconds = _search(
        most, lambda K: a * B / K + b * B + 2 * (K - 1) * bytes_each_way(B / K) / bandwidth
    )
    return K - 1, seconds


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
        *said(
            (
                "The first word of a sentence follows none.",
                lambda lengths, m, g: 6 * int(lengths.sum()) * g * m * m,
            ),
            (
                "Forgets the addition.",
                lambda lengths, m, g: 3 * int((lengths - 1).sum()) * g * m * m,
            ),
            (
                "One of three products.",
                lambda lengths, m, g: 2 * int((lengths - 1).sum()) * g * m * m,
            ),
            (
                "Two of three products.",
                lambda lengths, m, g: 4 * int((lengths - 1).sum()) * g * m * m,
            ),
            (
                "Every sentence as long as the longest.",
                lambda lengths, m, g: 6 * len(lengths) * int(lengths.max() - 1) * g * m * m,
            ),
            ("Forgets the gates.", lambda lengths, m, g: 6 * int((lengths - 1).sum()) * m * m),
            ("m weights a gate.", lambda lengths, m, g: 6 * int((lengths - 1).sum()) * g * m),
        ),
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
    "check_best_machines": [
        *said(
            (
                "K messages instead of K - 1.",
                lambda most, B, a, b, bytes_each_way, bandwidth: _search(
                    most, lambda K: a * B / K + b * B + 2 * K * bytes_each_way(B / K) / bandwidth
                ),
            ),
            (
                "Forgets the way back.",
                lambda most, B, a, b, bytes_each_way, bandwidth: _search(
                    most, lambda K: a * B / K + b * B + (K - 1) * bytes_each_way(B / K) / bandwidth
                ),
            ),
            (
                "Each machine gets all touched rows.",
                lambda most, B, a, b, bytes_each_way, bandwidth: _search(
                    most, lambda K: a * B / K + b * B + 2 * (K - 1) * bytes_each_way(B) / bandwidth
                ),
            ),
            (
                "Divides what the first machine does alone.",
                lambda most, B, a, b, bytes_each_way, bandwidth: _search(
                    most,
                    lambda K: (
                        a * B / K + b * B / K + 2 * (K - 1) * bytes_each_way(B / K) / bandwidth
                    ),
                ),
            ),
            (
                "As if the messages did not share a cable.",
                lambda most, B, a, b, bytes_each_way, bandwidth: _search(
                    most,
                    lambda K: a * B / K + b * B + 2 * (K > 1) * bytes_each_way(B / K) / bandwidth,
                ),
            ),
            (
                "Forgets the bytes.",
                lambda most, B, a, b, bytes_each_way, bandwidth: _search(
                    most, lambda K: a * B / K + b * B
                ),
            ),
            (
                "Does not look for the least.",
                lambda most, B, a, b, bytes_each_way, bandwidth: (
                    most,
                    a * B / most + b * B + 2 * (most - 1) * bytes_each_way(B / most) / bandwidth,
                ),
            ),
        ),
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
