"""Summarise a comparison as the rows of Table IV, with intervals and tests, and format them."""

import numpy as np

from lstm_edu.ranking.ndcg import DEPTHS
from lstm_edu.ranking.statistics import holm, interval, permutation_p

# each row is compared with the best of these
BASELINES = "skip_thought doc2vec ulm bm25 plsa dssm clsm_1 clsm_3 clsm_5".split()


def summary(parts, rows):
    """Compute the rows of the result from a comparison's parts, keyed by row and seed.

    Each query's nDCG is averaged over the seeds. p comes from a paired permutation test, which
    flips the signs of the differences in nDCG@10 between a row and the best row of `BASELINES`, and
    is corrected with Holm's method for the number of rows.
    """
    fits = [(row, part) for (row, seed), part in parts.items() if seed is not None]
    runs = {row: [part for name, part in fits if name == row] for row in rows}
    values = {
        row: np.mean([part["ndcg"] for part in of_row], axis=0)
        for row, of_row in runs.items()
        if "missing" not in of_row[0]
    }
    against, corrected = against_the_best({row: ndcg[:, -1] for row, ndcg in values.items()})
    result = []
    for row, of_row in runs.items():
        if row not in values:
            result.append({"row": row, "missing": of_row[0]["missing"]})
            continue
        counted = values[row][~np.isnan(values[row]).any(axis=1)]
        means = {
            f"nDCG@{k}": dict(zip(("mean", "low", "high"), interval(column)))
            for k, column in zip(DEPTHS, counted.T)
        }
        every = [part for (name, _), part in parts.items() if name == row]
        measured = [part["memory"] for part in every if part.get("memory")]
        facts = {
            "p": corrected.get(row),
            "against": against,
            "parameters": of_row[0]["parameters"],
            "seeds": len(of_row),
            "seconds": sum(part["seconds"] for part in every),
            "memory": max(measured, default=None),
            "chosen": of_row[0]["chosen"],
        }
        at_10, at_1 = (_each(values[row], of_row, k) for k in (10, 1))
        result.append({"row": row} | means | facts | at_10 | {"at_1": at_1})
    return result


def _each(values, runs, k):
    """Return the mean nDCG@k of each training run (over queries) and each query (over runs)."""
    column = DEPTHS.index(k)
    by_seed = [np.nanmean(np.array(part["ndcg"], float)[:, column]) for part in runs]
    by_query = values[:, column].tolist()
    return {
        "by_seed": [round(float(value), 4) for value in by_seed],
        "by_query": [None if np.isnan(value) else round(value, 4) for value in by_query],
    }


def against_the_best(values):
    """Test the nDCG@10 of each row against the best row of `BASELINES`, with a permutation test.

    Parameters
    ----------
    values : dict
        (n_queries,) nDCG@10 per row; NaN for queries without a relevant title.

    Returns
    -------
    against : str or None
        The name of the best baseline.
    p : dict of float
        The p value of each other row, corrected with Holm's method.
    """
    baselines = (row for row in values if row in BASELINES)
    against = max(baselines, key=lambda row: np.nanmean(values[row]), default=None)
    tested = [row for row in values if against and row != against]
    p = holm([permutation_p(values[row] - values[against]) for row in tested])
    return against, dict(zip(tested, p))


def as_text(result):
    """Format a comparison as aligned text."""
    depths = [f"nDCG@{k} (95 %)" for k in DEPTHS]
    lines = [["row", *depths, "p", "parameters", "seconds", "MB", "chosen"]]
    lines += [_cells(row) for row in result["rows"]]
    widths = [max(map(len, column)) for column in zip(*(line for line in lines if len(line) > 2))]
    text = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
    metric = result["metric"]
    text.append(
        f"nDCG: {metric['what']}; ties {metric['ties']}; {metric['n_queries']} queries, "
        f"{metric['n_left_out']} without a relevant title left out"
    )
    against = next((row["against"] for row in result["rows"] if "missing" not in row), None)
    if against:
        text.append(f"p: permutation test of nDCG@10 against {against}, Holm's correction")
    return "\n".join(text)


def _cells(row):
    """Format a row as a list of cells, or as its name and the reason why it is missing."""
    if "missing" in row:
        return [row["row"], row["missing"]]
    return [
        row["row"],
        *("{mean:.3f} ({low:.3f}-{high:.3f})".format(**row[f"nDCG@{k}"]) for k in DEPTHS),
        "" if row["p"] is None else f"{row['p']:.4f}",
        "" if row["parameters"] is None else f"{row['parameters']:,}",
        f"{row['seconds']:.0f}",
        "not measured" if row["memory"] is None else str(row["memory"]),
        settings_text(row["chosen"]),
    ]


def settings_text(chosen):
    """Format settings as one line of names and values."""
    return ", ".join(
        f"{name} {value:g}" if isinstance(value, (int, float)) else f"{name} {value}"
        for name, value in chosen.items()
    )
