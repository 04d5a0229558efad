"""Guesses how long a comparison takes: one before it starts, a better one after each part."""

from .from_defaults import SPLITS
from .tuning import BUDGET, TRAINED

# Pairs that a row's trainings go through in a second, two rows at a time on the sample; and seconds
# that a row without a search takes there. The machine of benchmarks/README.md, 2026-11-20.
PAIRS_A_SECOND = {
    "dssm": 14_000,
    "clsm_1": 10_000,
    "clsm_3": 6_000,
    "clsm_5": 4_000,
    "rnn": 5_000,
    "lstm_32": 23_000,
    "lstm_64": 12_000,
    "lstm_96_n2": 10_000,
    "lstm_96_n4": 8_000,
    "lstm_96_n6": 7_000,
    "lstm_96_n8": 6_000,
    "bilstm_96": 4_000,
    "lstm_96_adam": 14_000,
    "lstm_best": 7_000,
    "gru": 8_000,
    "attention_96": 6_500,
    "align_96": 4_000,
    "bag_300": 40_000,
    "dssm_batch": 25_000,
    "clsm_1_batch": 15_000,
    "rnn_batch": 8_000,
    "gru_batch": 11_000,
}
SECONDS = {"skip_thought": 60, "doc2vec": 70, "ulm": 3, "bm25": 1, "plsa": 20}
DOUBT = 60  # so many seconds of work say as much about this machine as the guess does


def expected(row, what, n_pairs, epochs, search_pairs):
    """Guess the seconds that a part, a row's search or one of its seeds, will take."""
    if row in SECONDS:
        return SECONDS[row]
    whole = epochs * n_pairs
    tried = BUDGET * (epochs // 2) * min(n_pairs, search_pairs) + 2 * whole
    if TRAINED[row][1] == "batch":
        tried = 5 * SPLITS * whole
    return (tried if what == "search" else whole) / PAIRS_A_SECOND[row]


def left(thought, took, jobs):
    """Estimate the seconds that the rest of the parts may take.

    Parameters
    ----------
    thought : dict
        By part, what `expected` says, of all parts.
    took : dict
        By part, the seconds of those that are done.
    jobs : int
        Parts at a time.
    """
    rest = [seconds for part, seconds in thought.items() if part not in took]
    pace = (sum(took.values()) + DOUBT) / (sum(thought[part] for part in took) + DOUBT)
    return pace * max(sum(rest) / jobs, max(rest, default=0))


def in_words(seconds):
    """Say some seconds, as roughly as they are known."""
    if seconds < 60:
        return f"about {max(10, 10 * round(seconds / 10))} s"
    minutes = round(seconds / 60)
    return f"about {minutes} min" if minutes < 90 else f"about {minutes / 60:.1f} h"
