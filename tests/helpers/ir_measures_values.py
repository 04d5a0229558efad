"""Script that computes nDCG with ir-measures for the tied scores in ir_measures.json.

It adds the values to that file::

    python tests/helpers/ir_measures_values.py
"""

import itertools
import json
import pathlib
from importlib.metadata import version

FILE = pathlib.Path(__file__).with_name("ir_measures.json")
DEPTHS = 1, 3, 10
GAINS = {"linear": {}, "exponential": {"gains": {g: 2**g - 1 for g in range(1, 5)}}}


def values(qrels, run):
    """Compute nDCG with ir-measures; return ``{kind: {qid: {depth: value}}}``."""
    import ir_measures

    found = {}
    for kind, gains in GAINS.items():
        measures = {ir_measures.nDCG(**gains) @ k: str(k) for k in DEPTHS}
        found[kind] = {qid: {} for qid in qrels}
        for value in ir_measures.iter_calc(list(measures), qrels, run):
            found[kind][value.query_id][measures[value.measure]] = value.value
    return found


def orders(ranked):
    """Yield scores without ties, one set for each way to break the ties."""
    by_score = itertools.groupby(sorted(ranked, key=ranked.get), key=ranked.get)
    groups = [list(itertools.permutations(group)) for _, group in by_score]
    for order in itertools.product(*groups):
        yield {docid: float(k) for k, docid in enumerate(itertools.chain(*order))}


def means_over_orders(qrels, run):
    """Return each query's nDCG, averaged over all orders of its tied documents."""
    found = {kind: {} for kind in GAINS}
    for qid, grades in qrels.items():
        by_order = [values({qid: grades}, {qid: order}) for order in orders(run.get(qid, {}))]
        for kind in GAINS:
            found[kind][qid] = {
                str(k): sum(v[kind][qid][str(k)] for v in by_order) / len(by_order) for k in DEPTHS
            }
    return found


if __name__ == "__main__":
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    packages = "ir-measures", "pytrec_eval-terrier"
    stored["by"] = {name: version(name) for name in packages}
    stored["means_over_orders"] = means_over_orders(stored["qrels"], stored["run"])
    FILE.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8", newline="\n")
