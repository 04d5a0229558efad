"""What each part of the package's recipe is worth: an LSTM of 96 cells trained by it, and with one
thing at a time as the paper has it, or with both sides started apart.

    python -m benchmarks.experiments.recipes sample msrd [--json benchmarks/results/recipes.json]

Each recipe takes the step that ranks best after the last epoch, among four, on a tenth of the
log's queries that are held out as hard searches. Then it is trained three times on the whole log.
Told is nDCG@10 on the judged queries, and how far each recipe is below the package's: with the
95 % interval, of queries and trainings together. All have the epochs of `lstm_edu.train`. msrd lies
in the folder that LSTM_EDU_DATA names. What the JSON holds already is not done again.
"""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np

import lstm_edu
from lstm_course.lessons import claims
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_tools.table_iv import held_out

from . import experiment as harness

SEEDS, SEARCHES = 3, 1500
OURS = "the package's"
ADAM, NESTEROV = (0.001, 0.002, 0.004, 0.008), (0.0001, 0.0004, 0.0016, 0.0064)  # steps
# the steps to choose from, whether both sides start alike, and settings of train
RECIPES = {
    OURS: (ADAM, True, {}),
    "4 unclicked titles": (ADAM, True, {"n_negatives": 4}),
    "Nesterov": (NESTEROV, True, {"optimizer": "nesterov", "momentum": "schedule", "clip": 10.0}),
    "no average": (ADAM, True, {"average": None}),
    "sides start apart": (ADAM, False, {}),
}


def trained(pairs, recipe, step_size, seed):
    """An LSTM of 96 cells, trained by a recipe."""
    _, tied, settings = RECIPES[recipe]
    hashing = lstm_edu.LetterTrigrams.fit(text for pair in pairs for text in pair)
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(96), hashing, seed, tied=tied)
    lstm_edu.train(model, pairs, step_size=step_size, seed=seed, progress=False, **settings)
    return model


def of_step(name, recipe, step_size):
    """nDCG@10 on the held-out searches."""
    pairs = lstm_edu.read_pairs(os.path.join(harness.folder_of(name), "train_pairs.tsv"))
    kept, searches = held_out.searches(pairs, most=SEARCHES, seed=0)
    model = trained(kept, recipe, step_size, seed=0)
    return round(float(lstm_edu.evaluate(model, searches)["nDCG@10"]), 4)


def judged(name, recipe, step_size, seed):
    """nDCG@10 by judged query."""
    folder = harness.folder_of(name)
    pairs = lstm_edu.read_pairs(os.path.join(folder, "train_pairs.tsv"))
    model = trained(pairs, recipe, step_size, seed)
    judgments = lstm_edu.read_judgments(os.path.join(folder, "judgments.tsv"))
    return np.round(ndcg_by_query(model, judgments, (10,))[:, 0], 4).tolist()


def fill(pool, found, tasks, function, path, figures):
    """Do what is missing of the tasks, by key; what is done is written at once."""
    missing = {pool.submit(function, *task): key for key, task in tasks.items() if key not in found}
    for future in as_completed(missing):
        found[missing[future]] = future.result()
        harness.write(path, figures, indent=None)
        print(missing[future], np.nanmean(future.result()).round(4), flush=True)


def told(runs, name):
    """By recipe, nDCG@10 and how far it is above the package's, in points."""
    rows = {}
    for recipe in RECIPES:
        by_query = np.array(
            [runs[f"{name}, {recipe}, seed {seed}"] for seed in range(SEEDS)], float
        )
        by_seed = np.nanmean(by_query, axis=1).tolist()
        rows[recipe] = {"by_query": by_query.mean(axis=0), "by_seed": by_seed}
    means = {recipe: round(float(np.nanmean(row["by_query"])), 4) for recipe, row in rows.items()}
    differences = {recipe: claims.difference(rows, recipe, OURS) for recipe in [*RECIPES][1:]}
    above = {
        recipe: {key: round(float(getattr(own, key)), 2) for key in ("mean", "low", "high")}
        for recipe, own in differences.items()
    }
    return {"nDCG@10": means, "above the package's": above}


def main():
    parser = harness.parser(__doc__, required=True)
    parser.add_argument("sets", nargs="+", choices=["sample", "msrd"])
    args = parser.parse_args()
    empty = {"held out": {}, "runs": {}, "sets": {}}
    figures = harness.stored(args.json, empty)
    figures |= {
        "command": "python -m benchmarks.experiments.recipes sample msrd",
        "date": harness.today(),
    }
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for name in args.sets:
            tasks = {
                f"{name}, {recipe}, step {step}": (name, recipe, step)
                for recipe, (steps, *_) in RECIPES.items()
                for step in steps
            }
            fill(pool, figures["held out"], tasks, of_step, args.json, figures)
            of = figures["held out"]
            tasks = {}
            for recipe, (steps, *_) in RECIPES.items():
                best = max(steps, key=lambda step: of[f"{name}, {recipe}, step {step}"])
                for seed in range(SEEDS):
                    tasks[f"{name}, {recipe}, seed {seed}"] = (name, recipe, best, seed)
            fill(pool, figures["runs"], tasks, judged, args.json, figures)
            figures["sets"][name] = told(figures["runs"], name)
            harness.write(args.json, figures, indent=None)


if __name__ == "__main__":
    main()
