"""Check of notebook 10b: settings chosen by held-out clicks.

The first input is one for which every mistake that is known gives another answer, so that the right
one is named.
"""

import numpy as np

from lstm_edu.data.readers import Judged

from ..engine.minimize import hold
from ..engine.report import Wrong, call, passed
from ..engine.shown import message


def check_choose(function):
    """``choose(settings, fit, measure, pairs, held, judgments)``, with models made of numbers.

    What such a model is worth depends on its setting, on the queries it is asked, on how often it
    has met them in its pairs, and on all pairs that it has.
    """
    what = "best, on_held, on_judged"
    choices = [
        [0.3, 10.0, 1.0, 3.0],
        [(100, 0.1), (200, 0.1), (100, 0.0)],
        [100.0, 1.0],
        [7.0],
        [2.0, 1.0, 0.5, 0.25, 8.0],
    ]
    inputs = [(settings, seed, 0.0) for seed, settings in enumerate(choices, start=3)]
    inputs += [(choices[0], 8, -4.0), (choices[1], 9, -4.0)]  # all numbers are below 0
    inputs += [(choices[4], 10, None)]  # all settings are as good
    for settings, seed, level in inputs:
        given = _log(settings, seed, level)
        mistaken = _Choice(**given)
        told = [
            (
                "the setting is chosen by the judgments: then their number flatters it. "
                "Choose by the held-out searches, and read the judgments once, at the end",
                mistaken.by(given["judgments"]),
            ),
            (
                "the settings are compared on the judgments, with models that have met some of the "
                "held-out queries: two leaks",
                mistaken.by(given["judgments"], mistaken.first_click),
            ),
            (
                "the models to be compared have met the held-out queries: "
                "take these out of the pairs that they are trained on",
                mistaken.by(given["held"], given["pairs"]),
            ),
            (
                "a held-out query may have been clicked more than once: "
                "all its pairs must be taken out, not only that of one title",
                mistaken.by(given["held"], mistaken.first_click),
            ),
            (
                "only the queries are held out: their titles may be met with other queries",
                mistaken.by(given["held"], mistaken.without_titles),
            ),
            (
                "a pair that the log has twice counts twice: here it is there once",
                mistaken.by(given["held"], list(dict.fromkeys(mistaken.kept))),
            ),
            (
                "the other way round: the models are trained on the held-out queries alone",
                mistaken.by(given["held"], mistaken.held_alone),
            ),
            (
                "of the held-out numbers the largest is the best, not the smallest",
                mistaken.by(given["held"], pick=np.argmin),
            ),
            (
                "the first setting is taken, whatever the held-out searches say",
                mistaken.by(given["held"], pick=lambda found: 0),
            ),
            (
                "the last setting is taken, whatever the held-out searches say",
                mistaken.by(given["held"], pick=lambda found: -1),
            ),
            (
                "when the setting is chosen, nothing need be held out any more: "
                "train once again, on all pairs",
                mistaken.by(given["held"], at_last=mistaken.kept),
            ),
            (
                "on_judged is the number on the judgments; here it is on the held-out searches",
                mistaken.by(given["held"], asked=given["held"]),
            ),
            (
                "on_judged is that of a model with the best setting; here the last one tried",
                mistaken.by(given["held"], last=-1),
            ),
        ]
        right = mistaken.by(given["held"])
        told += [
            (
                "on_held is the number by which the setting was chosen: "
                "of the model that has not met these queries",
                (right[0], given["measure"](given["fit"](right[0], given["pairs"]), given["held"]))
                + right[2:],
            ),
            ("the best setting comes first, then the two numbers", (right[1], right[0], right[2])),
            ("on_held and on_judged are exchanged", (right[0], right[2], right[1])),
            ("return the setting itself, not its place", (settings.index(right[0]), *right[1:])),
        ]
        one = given | {"settings": settings[:1]}
        simpler = [
            (
                "with a single setting it is wrong already: train on the pairs of the other "
                "queries and measure on `held`; train on all pairs and measure on `judgments`",
                one,
                _Choice(**one).by(given["held"]),
            ),
            (
                "with a single setting it is right: which of several is the best? "
                "Of equals, the first",
                given,
                right,
            ),
        ]
        hold(what, function, given, right, told, simpler)
    _read_once(what, function)
    passed("check_choose", len(inputs))


def _read_once(what, function):
    """The judgments are measured once; `Wrong` if more often."""
    given, reads = _log([0.3, 10.0, 1.0, 3.0], 0, 0.0), []
    measure = given["measure"]

    def counting(model, searches):
        reads.append([search.query for search in searches])
        return measure(model, searches)

    call(what, function, given | {"measure": counting})
    n = reads.count([search.query for search in given["judgments"]])
    if n > 1:
        reason = "measure on them once, when the setting is chosen: who sees more may choose by it"
        first = f"{what}: right, but the judgments are read {n} times."
        shown = {name: given[name] for name in ("settings", "held", "judgments")}
        raise Wrong(message(first, shown, f"{n} calls of measure", "1 call with them", [reason]))


def _log(settings, seed, level):
    """What `choose` is given: a log of some queries, two of them held out, two others judged.

    One pair is there twice.
    """
    rng = np.random.default_rng(seed)
    queries = [f"q{k}" for k in range(6)]
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
    judgments = [Judged(asked, asked, titles, titles, [2, 0, 1]) for asked in ("new 1", "new 2")]
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
        return float(level + np.mean(of_each) + 0.1 * more[key] * size)

    return {
        "settings": settings,
        "fit": fit,
        "measure": measure,
        "pairs": pairs,
        "held": held,
        "judgments": judgments,
    }


class _Choice:
    """What `choose` returns, the right way, and by its mistakes."""

    def __init__(self, settings, fit, measure, pairs, held, judgments):
        self.settings, self.fit, self.measure = settings, fit, measure
        self.pairs, self.judgments = pairs, judgments
        asked = [search.query for search in held]
        titles = [t for s in held for t, grade in zip(s.titles, s.grades) if grade]
        firsts = [(search.query, search.titles[0]) for search in held]
        self.kept = [pair for pair in pairs if pair[0] not in asked]
        self.held_alone = [pair for pair in pairs if pair[0] in asked]
        self.without_titles = [pair for pair in self.kept if pair[1] not in titles]
        self.first_click = [pair for pair in pairs if pair not in firsts]

    def by(self, searches, kept=None, pick=np.argmax, at_last=None, asked=None, last=None):
        """The best setting, its number on the searches, that on the judgments."""
        kept = self.kept if kept is None else kept
        found = [self.measure(self.fit(one, kept), searches) for one in self.settings]
        at = int(pick(found))
        final = self.fit(self.settings[at if last is None else last], at_last or self.pairs)
        return self.settings[at], found[at], self.measure(final, asked or self.judgments)
