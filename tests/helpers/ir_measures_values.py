"""Makes tests/helpers/ir_measures.json: what ir-measures, which has to be installed, says of ties.

python tests/helpers/ir_measures_values.py
"""

import itertools
import json
import pathlib
import random
from importlib.metadata import version

FILE = pathlib.Path(__file__).with_name("ir_measures.json")
DEPTHS = 1, 3, 10
GAINS = {"linear": {}, "exponential": {"gains": {g: 2**g - 1 for g in range(1, 5)}}}


def judged_and_ranked(seed=0):
    """Qrels and a run with few different scores: judged below 0, not judged, judged and not ranked,
    nothing relevant, nothing ranked.
    """
    rng, qrels, run = random.Random(seed), {}, {}
    for k in range(8):
        docids = [f"d{rng.randrange(1000):03}" for _ in range(14)]
        qrels[f"q{k}"] = {docid: rng.choice([-1, 0, 0, 1, 2, 3, 4]) for docid in docids[:9]}
        ranked = rng.sample(docids, 7)
        run[f"q{k}"] = {docid: rng.choice([0.1, 0.3, 0.5, 0.7]) for docid in ranked}
    qrels["nothing_relevant"] = dict.fromkeys(run["q0"], 0)
    run["nothing_relevant"] = run["q0"]
    qrels["nothing_ranked"] = qrels["q1"]
    return qrels, run


def values(qrels, run):
    """nDCG as ir-measures has it: ``{kind: {qid: {depth: value}}}``."""
    import ir_measures

    found = {}
    for kind, gains in GAINS.items():
        measures = {ir_measures.nDCG(**gains) @ k: str(k) for k in DEPTHS}
        found[kind] = {qid: {} for qid in qrels}
        for value in ir_measures.iter_calc(list(measures), qrels, run):
            found[kind][value.query_id][measures[value.measure]] = value.value
    return found


def orders(ranked):
    """Every order that the scores allow, as scores without ties."""
    by_score = itertools.groupby(sorted(ranked, key=ranked.get), key=ranked.get)
    groups = [list(itertools.permutations(group)) for _, group in by_score]
    for order in itertools.product(*groups):
        yield {docid: float(k) for k, docid in enumerate(itertools.chain(*order))}


def means_over_orders(qrels, run):
    """The mean of `values` over `orders`, each query's own."""
    found = {kind: {} for kind in GAINS}
    for qid, grades in qrels.items():
        some = [values({qid: grades}, {qid: order}) for order in orders(run.get(qid, {}))]
        for kind in GAINS:
            found[kind][qid] = {
                str(k): sum(value[kind][qid][str(k)] for value in some) / len(some) for k in DEPTHS
            }
    return found


if __name__ == "__main__":
    qrels, run = judged_and_ranked()
    packages = "ir-measures", "pytrec_eval-terrier"
    made = {
        "made": "python tests/helpers/ir_measures_values.py",
        "by": {name: version(name) for name in packages},
        "qrels": qrels,
        "run": run,
        "means_over_orders": means_over_orders(qrels, run),
    }
    FILE.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8", newline="\n")
