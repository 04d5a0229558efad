"""Exercise for lesson 10b: choose a setting on held-out clicks.

On the first input, every known mistake gives a different result, so that the check's message names
the mistake that was made.
"""

import numpy as np

from lstm_edu.readers import Judged

from ..engine import slips
from ..engine.calling import call
from ..engine.report import Wrong
from ..engine.shown import message


def _logs():
    """Make the check's inputs: logs with artificial models.

    A model's measure depends on its setting, on the queries, on how often the queries occur in its
    training pairs, and on all training pairs.
    """
    choices = [[0.3, 10.0, 1.0, 3.0], [(100, 0.1), (200, 0.1), (100, 0.0)], [100.0, 1.0], [7.0]]
    choices.append([2.0, 1.0, 0.5, 0.25, 8.0])
    inputs = [(settings, seed, 0.0) for seed, settings in enumerate(choices, start=20)]
    # add two logs with negative measures, which are nearly equal in the second log
    inputs += [(choices[0], 8, -4.0), (choices[1], 20, -4.0, 1e-4)]
    inputs += [(choices[4], 10, None)]  # add a log where all settings tie
    return [_log(*each) for each in inputs]


def _log(settings, seed, level, apart=1.0):
    """Make the arguments of `choose`: a log with two held-out and two judged queries.

    One pair occurs twice in the log.
    """
    rng = np.random.default_rng(seed)
    # the first three queries are similar; one of the last three is also judged
    queries = ["auto loan", "auto loan rates", "Auto Loan", *(f"q{k}" for k in range(3))]
    pairs = [(queries[k], f"t{j}") for k in range(6) for j in sorted({k, (k + 1) % 6})]
    pairs = [pairs[k] for k in rng.permutation(len(pairs))]
    weight = {pair: rng.uniform(0.5, 1.5) for pair in pairs}
    held = []
    for query in (queries[k] for k in rng.permutation(6)[:2]):
        clicked = [title for asked, title in pairs if asked == query]
        titles = [*clicked, "t7", "t8"]
        held.append(Judged(query, query, titles, titles, [1] * len(clicked) + [0, 0]))
    pairs += [pair for pair in pairs if pair[0] not in (held[0].query, held[1].query)][:1]
    titles = ["t1", "t2", "t9"]
    known = next(query for query in queries[:2:-1] if query not in [s.query for s in held])
    judgments = [Judged(asked, asked, titles, titles, [2, 0, 1]) for asked in ("new", known)]
    keys = list(map(repr, settings))
    asked = [search.query for search in [*held, *judgments]]
    worth = {(key, query): rng.uniform(0.2, 0.8) for key in keys for query in asked}
    memory, more = ({key: rng.uniform(0.01, 0.2) for key in keys} for _ in range(2))
    if level is None:
        worth, memory = dict.fromkeys(worth, 0.5), dict.fromkeys(memory, 0.1)
        level, more = 0.0, dict.fromkeys(more, 0.1)

    def fit(setting, pairs):
        known = [query for query, _ in pairs]
        return repr(setting), known, sum(weight[query, title] for query, title in pairs)

    def measure(model, searches):
        key, known, size = model
        of_each = [worth[key, s.query] + memory[key] * known.count(s.query) for s in searches]
        return float(level + apart * (np.mean(of_each) + 0.1 * more[key] * size))

    given = {"settings": settings, "fit": fit, "measure": measure, "pairs": pairs}
    return given | {"held": held, "judgments": judgments}


def _read_once(function):
    """Raise `Wrong` if the student's function measures on the judged queries more than once."""
    given, reads = _log([0.3, 10.0, 1.0, 3.0], 0, 0.0), []
    measure = given["measure"]

    def counting(model, searches):
        reads.append([search.query for search in searches])
        return measure(model, searches)

    call(WHAT, function, given | {"measure": counting})
    n = reads.count([search.query for search in given["judgments"]])
    if n > 1:
        reason = "measure on them once, when the setting is chosen: who sees more may choose by it"
        first = f"{WHAT}: right, but the judgments are read {n} times."
        shown = {name: given[name] for name in ("settings", "held", "judgments")}
        raise Wrong(message(first, shown, f"{n} calls of measure", "1 call with them", [reason]))
    return 0


WHAT = "best, on_held, on_judged"


@slips.check(WHAT, _logs, then=_read_once)
def choose(settings, fit, measure, pairs, held, judgments):
    """Choose a setting on held-out searches, and measure it on judged ones.

    Returns
    -------
    best : one of settings
    on_held : float
        The best setting's measure on the held-out searches.
    on_judged : float
        The measure of a ranker with this setting, trained on all pairs.
    """
    asked = {search.query for search in held}
    kept = [pair for pair in pairs if pair[0] not in asked]
    found = [measure(fit(setting, kept), held) for setting in settings]
    best = settings[np.argmax(found)]
    return best, max(found), measure(fit(best, pairs), judgments)
