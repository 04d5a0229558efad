"""Measure the effect of each part of the package's training recipe on an LSTM of 96 cells.

    python -m benchmarks.experiments.recipes sample msrd [--json FILE]

Each recipe replaces one part of the package's recipe with the paper's choice, or initialises the
query and document networks independently. Of four step sizes it uses the one that ranks best, after
the last epoch, on hard searches made from a held-out tenth of the log's queries. Then the LSTM is
trained three times on the whole log, with the default number of epochs. The figures are nDCG@10 on
the judged queries, and each recipe's lead over the package's recipe, with 95 % intervals over
queries and runs.
"""

import numpy as np

import lstm_edu
from lstm_course.lessons import claims

from . import experiment

OURS, SEEDS = "the package's", range(3)
ADAM, NESTEROV = (0.001, 0.002, 0.004, 0.008), (0.0001, 0.0004, 0.0016, 0.0064)  # their step sizes
# maps a recipe to its candidate step sizes and its settings for `experiment.trained`
RECIPES = {
    OURS: (ADAM, {}),
    "4 unclicked titles": (ADAM, {"n_negatives": 4}),
    "Nesterov": (NESTEROV, {"optimizer": "nesterov", "momentum": "schedule", "clip": 10.0}),
    "no average": (ADAM, {"average": None}),
    "sides start apart": (ADAM, {"tied": False}),
}


def trained(pairs, recipe, step_size, seed=0):
    """Train an LSTM of 96 cells with a recipe."""
    settings = RECIPES[recipe][1] | {"step_size": step_size}
    return experiment.trained(lstm_edu.LSTM(96), pairs, seed, **settings)[0]


def held_out(name, recipe, step_size):
    """Train with a recipe; compute nDCG@10 on a data set's held-out searches."""
    kept, searches = experiment.split(name, 0)
    return round(lstm_edu.evaluate(trained(kept, recipe, step_size), searches)["nDCG@10"], 4)


def judged(name, recipe, step_size, seed):
    """Train with a recipe; compute nDCG@10 per judged query of a data set."""
    _, pairs, judgments = experiment.data(name)
    model = trained(pairs, recipe, step_size, seed)
    return np.round(experiment.at_10(model, judgments), 4).tolist()


def above(runs):
    """Compare recipes, given each one's nDCG@10 as an (n_runs, n_queries) list."""
    rows = {recipe: experiment.row_of(ndcg) for recipe, ndcg in runs.items()}
    means = {recipe: np.mean(row["by_seed"]) for recipe, row in rows.items()}
    return {
        "nDCG@10": experiment.rounded(means),
        "above the package's": {
            recipe: experiment.points(claims.difference(rows, recipe, OURS))
            for recipe in RECIPES
            if recipe != OURS
        },
    }


if __name__ == "__main__":
    args = experiment.options(__doc__, ("sample", "msrd"))
    figures = {"held out": {}, "sets": {}}
    for name in args.sets:
        runs = {}
        for recipe, (steps, _) in RECIPES.items():
            values = experiment.run(held_out, [(name, recipe, step) for step in steps])
            best = steps[int(np.argmax(values))]
            runs |= experiment.by_row(judged, {recipe: (name, recipe, best)}, SEEDS)
            tried = {f"{name}, {recipe}, step {step}": v for step, v in zip(steps, values)}
            figures["held out"] |= tried
        figures["sets"][name] = above(runs)
    experiment.write(args.json, figures)
