"""Measure the effect of each part of the package's recipe on an LSTM of 96 cells.

    python -m benchmarks.experiments.recipes sample msrd [--json FILE]

Each recipe changes one part of the package's to the paper's, or starts both sides apart. It uses
the step, among four, that ranks best after the last epoch on a tenth of the log's queries, held out
as hard searches. Then it is trained three times on the whole log. The figures are nDCG@10 on the
judged queries, and each recipe's lead over the package's, with 95 % intervals over queries and
trainings. All have the epochs of `lstm_edu.train`.
"""

import numpy as np

import lstm_edu
from lstm_course.lessons import claims

from . import experiment

OURS = "the package's"
ADAM, NESTEROV = (0.001, 0.002, 0.004, 0.008), (0.0001, 0.0004, 0.0016, 0.0064)  # steps
# the steps to choose from, and settings of `experiment.trained`
RECIPES = {
    OURS: (ADAM, {}),
    "4 unclicked titles": (ADAM, {"n_negatives": 4}),
    "Nesterov": (NESTEROV, {"optimizer": "nesterov", "momentum": "schedule", "clip": 10.0}),
    "no average": (ADAM, {"average": None}),
    "sides start apart": (ADAM, {"tied": False}),
}


def held_out(name, recipe, step_size):
    """Return nDCG@10 on the held-out searches."""
    kept, searches = experiment.split(name, 0)
    settings = RECIPES[recipe][1] | {"step_size": step_size}
    model, _ = experiment.trained(lstm_edu.LSTM(96), kept, **settings)
    return round(lstm_edu.evaluate(model, searches)["nDCG@10"], 4)


def judged(name, recipe, step_size, seed):
    """Return nDCG@10 per judged query."""
    _, pairs, judgments = experiment.data(name)
    settings = RECIPES[recipe][1] | {"step_size": step_size}
    model, _ = experiment.trained(lstm_edu.LSTM(96), pairs, seed, **settings)
    return np.round(experiment.at_10(model, judgments), 4).tolist()


def above(runs):
    """Compare the recipes by their nDCG@10, (n_trainings, n_queries) each."""
    rows = {
        recipe: {"by_query": ndcg.mean(axis=0), "by_seed": np.nanmean(ndcg, axis=1).tolist()}
        for recipe, ndcg in runs.items()
    }
    found = {recipe: claims.difference(rows, recipe, OURS) for recipe in RECIPES if recipe != OURS}
    return {
        "nDCG@10": experiment.rounded({recipe: np.nanmean(ndcg) for recipe, ndcg in runs.items()}),
        "above the package's": {
            recipe: experiment.rounded(zip(("mean", "low", "high"), lead[:3]), 2)
            for recipe, lead in found.items()
        },
    }


def main():
    args = experiment.options(__doc__, ("sample", "msrd"), seeds=3)
    figures = {"held out": {}, "runs": {}, "sets": {}}
    for name in args.sets:
        runs = {}
        for recipe, (steps, _) in RECIPES.items():
            values = experiment.run(held_out, [(name, recipe, step) for step in steps])
            best = steps[int(np.argmax(values))]
            tasks = [(name, recipe, best, seed) for seed in range(args.seeds)]
            runs[recipe] = experiment.run(judged, tasks)
            of = f"{name}, {recipe}"
            figures["held out"] |= {f"{of}, step {s}": value for s, value in zip(steps, values)}
            figures["runs"] |= {f"{of}, seed {k}": run for k, run in enumerate(runs[recipe])}
        figures["sets"][name] = above({row: np.array(ndcg, float) for row, ndcg in runs.items()})
    experiment.write(args.json, figures)


if __name__ == "__main__":
    main()
