"""Write the pages that judge the paper's claims: python -m book.build.claims.

The pages are notebooks/claims.md and the part of benchmarks/README.md on Table IV. Their templates,
claims.md and table_iv.md in this folder, have placeholders in braces for numbers and verdicts.
Their values are computed from benchmarks/results/, as specified in claims.toml. The verdicts on
Table IV are also stored in benchmarks/results/verdicts.json, for lessons and pages.
"""

import json
import tomllib
from types import SimpleNamespace

import numpy as np
from scipy import stats

from book.build import HERE, RESULTS, ROOT, read, replace_part, stored, table_iv, write
from lstm_edu.ranking.statistics import holm

PAGE = ROOT / "notebooks" / "claims.md"
README = ROOT / "benchmarks" / "README.md"
NAMES = tomllib.loads(read(HERE / "claims.toml"))
DECIDE = NAMES["decide"]  # the intervals that decide each verdict


def verdict(low, high):
    """Return the verdict on whether a difference is positive, given its interval's ends."""
    return "holds" if low > 0 else "reversed" if high < 0 else "open"


def of_interval(answer):
    """Format a mean and interval computed by `experiment.over_trainings`."""
    form = "+.1f" if abs(answer["mean"]) > 1 else "+.3f"
    mean, *ends = (format(answer[end], form) for end in ("mean", "low", "high"))
    return "{} ({} to {})".format(mean, *(end.lstrip("+") for end in ends))


def controls():
    """Return the results with random words (RNN, LSTM, difference), by their names in claims.md."""
    found, words = stored("controls"), "{} random words, the same in each epoch, {}"
    return {name: found[words.format(*how)] for name, how in NAMES["controls"].items()}


def answers():
    """Return results of experiments with five training runs, keyed by their names in claims.md."""
    asked = stored("claims_asked")["asked"]
    found = {name: asked[question] for name, question in NAMES["asked"].items()}
    found |= {name: runs["LSTM - RNN"] for name, runs in controls().items()}
    gains = stored("negatives")["points of all of the minibatch above 4 drawn"]
    for name, log in (("sample", "sample, as it is"), ("msrd", "msrd, as many pairs")):
        gain = gains[log]["judged"]  # in points of nDCG@10
        found[f"titles_{name}"] = gain | {end: gain[end] / 100 for end in ("mean", "low", "high")}
    return found


def of_asked():
    """Return values for claims.md: formatted results, the ends of their intervals, verdicts."""
    means = "{RNN[mean]:.3f}, {LSTM[mean]:.3f}"
    found = {f"{name}_of": means.format(**runs) for name, runs in controls().items()}
    for name, answer in answers().items():
        if "mean" in answer:
            low, high, text = answer["low"], answer["high"], of_interval(answer)
        else:  # the answer has one fraction per training run
            low, high = min(answer["by_seed"]), max(answer["by_seed"])
            digits = 2 if high < 0.01 else 1 if high < 0.2 else 0
            text = " to ".join(f"{100 * end:.{digits}f}" for end in (low, high)) + " %"
        found |= {name: text, f"{name}_low": low, f"{name}_high": high}
        found[f"{name}_verdict"] = verdict(low, high)
    return found


def p_of(answer):
    """Compute the two-sided p value implied by a result's 95 % interval."""
    n = len(answer["by_seed"]) - 1
    half = (answer["high"] - answer["low"]) / 2
    return float(2 * stats.t.sf(abs(answer["mean"]) / half * stats.t.ppf(0.975, n), n))


def corrected(verdicts):
    """Return whether each verdict survives Holm's correction over all deciding intervals.

    Parameters
    ----------
    verdicts : dict
        Verdicts by name with the suffix "_verdict". Open verdicts need no correction.

    Returns
    -------
    dict
        "yes", "no" or "–" (no correction needed), by name with the suffix "_corrected"; and the
        number of intervals, as "n_corrected".
    """
    found = answers()
    names = [name for deciding in DECIDE.values() for name in deciding]
    p = dict(zip(names, holm([p_of(found[name]) for name in names])))
    survives = {}
    for name, deciding in DECIDE.items():
        yes = "yes" if max(p[one] for one in deciding) < 0.05 else "no"
        survives[f"{name}_corrected"] = "–" if verdicts[f"{name}_verdict"] == "open" else yes
    return survives | {"n_corrected": len(names)}


def held_out(group, setting, *values):
    """Return the mean held-out nDCG@10 in settings.json for each value of a setting."""
    runs_at = {run["changed"][setting]: run["runs"] for run in stored("settings")["groups"][group]}
    return [np.mean([run["held_out"][-1] for run in runs_at[value]]) for value in values]


def of_training():
    """Return the numbers of claims.md that come from curves.json and settings.json."""
    curves = stored("curves")
    last = [np.array(curves["models"][name]["cost"])[:, -1] for name in ("LSTM", "RNN")]
    costs = [f"{cost.mean():.4f} ({cost.min():.4f} to {cost.max():.4f})" for cost in last]
    variances = [
        np.var([run["held_out"][-1] for run in changed["runs"]], ddof=1)
        for group in stored("settings")["groups"].values()
        for changed in group
        if len(changed["runs"]) > 1
    ]
    mu = held_out("mu", "momentum", 0.0, 0.9)
    scaled = held_out("mu, step (1 - mu) / 0.1 as large", "momentum", 0.0, 0.9)
    pair = "{:.3f} and {:.3f}".format
    return {
        "epochs": curves["epochs"],
        "seeds": curves["seeds"],
        "lstm_cost": costs[0],
        "rnn_cost": costs[1],
        "worst": last[0].max(),
        "best": last[1].min(),
        "mu": pair(*mu),
        "mu_scaled": pair(*scaled),
        "schedule": pair(*held_out("mu", "momentum", "schedule", 0.9)),
        "nesterov": min(mu[1] - mu[0], scaled[1] - scaled[0]),
        "spread": 1.96 * np.sqrt(2 / 3 * np.mean(variances)),
        "printed": "{:.3f} against {:.3f}".format(*held_out("method", "method", "printed", "bptt")),
    }


def judged(numbers):
    """Return the verdicts that depend on several intervals, keyed by name."""
    n = SimpleNamespace(**numbers)
    rules = {
        "rnn_before": (n.rnn_before_high < 0.1, "holds"),
        "rnn_after": (n.rnn_after_low > 0.1, "reversed"),
        "lstm": (min(n.lstm_before_low, n.lstm_after_low) > 0.5, "holds"),
        "words": (min(n.words_5_low, n.words_10_low) > 0, "holds"),
        "forget": (n.forget_low > 0, "reversed"),
        "peepholes": (max(n.diagonal_low, n.full_low) > 0, "reversed"),
        "curves": (n.worst < n.best, "holds"),
        "nesterov": (n.nesterov > n.spread, "holds"),
        "topic": (n.topic_low > n.turned_high, "holds"),
    }
    found = {f"{name}_verdict": word if so else "open" for name, (so, word) in rules.items()}
    return found | {"held_verdict": verdict(-n.held_high, -n.held_low)}


def page():
    """Return the text of notebooks/claims.md, with its template filled in."""
    numbers = of_asked() | of_training()
    numbers |= judged(numbers) | table_iv.of_claims()
    numbers |= corrected(numbers)
    return read(HERE / "claims.md").format(**numbers)


def part():
    """Return the section of benchmarks/README.md on Table IV, with its template filled in."""
    return read(HERE / "table_iv.md").format(**table_iv.of_readme())


if __name__ == "__main__":
    write(RESULTS / "verdicts.json", json.dumps(table_iv.verdicts(), indent=1) + "\n")
    write(PAGE, page())
    replace_part(README, "table iv", part())
