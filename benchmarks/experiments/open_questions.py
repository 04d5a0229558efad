"""What the open questions of lessons 07, 08, 09 and 11 ask one to train or to time: the worked
answers, at the end of these lessons' solutions, read the figures.

    python -m benchmarks.experiments.open_questions [D7 …] [--json FILE]

A letter and a lesson is a question: D7 is question D of lesson 07. Those of 07 to 09 are asked of
the sample, with the lessons' settings (Nesterov's momentum, the step sizes of
`curves_classroom.json`, both sides apart), with seed 0 where the question is not about seeds. Those
of 11 run the lesson's own cells, changed in one place. With --json, what the file has of other
questions stays.
"""

import json
import os

import numpy as np

import lstm_edu
from lstm_course.sample.query_metadata import read_needs
from lstm_edu.analysis import inspection
from lstm_edu.ranking.ndcg import ndcg_by_query
from lstm_edu.ranking.statistics import interval

from . import experiment as harness
from .curves import MOMENTUM, SEARCH_EPOCHS, SETTING

SAMPLE = lstm_edu.sample()
PAIRS = lstm_edu.read_pairs(os.path.join(SAMPLE, "train_pairs.tsv"))
JUDGMENTS = lstm_edu.read_judgments(os.path.join(SAMPLE, "judgments.tsv"))
NEEDS = read_needs(os.path.join(SAMPLE, "needs.tsv"), JUDGMENTS)
HASHING = lstm_edu.LetterTrigrams.fit(text for pair in PAIRS for text in pair)
RNN, LSTM = lstm_edu.RNN(96), lstm_edu.LSTM(32)
CELLS = {"RNN": RNN, "LSTM": LSTM, "LSTM, forget gate": lstm_edu.LSTM(24, forget_gate=True)}
STEPS = {"RNN": 0.001, "LSTM": 0.002, "LSTM, forget gate": 0.002}


def new(cell, seed=0):
    return lstm_edu.DualEncoder(cell, HASHING, seed, tied=False)


def trained(model, step_size, epochs=10, seed=0, pairs=PAIRS, **settings):
    """The cost a pair of each epoch."""
    settings = MOMENTUM | {"step_size": step_size, "epochs": epochs, "seed": seed} | settings
    return [round(cost, 4) for cost in lstm_edu.train(model, pairs, **settings)["cost"]]


def at_10(model, judgments=JUDGMENTS):
    return ndcg_by_query(model, judgments)[:, 2]


def rounded(values):
    """Mean, low and high of an interval over queries."""
    return [round(float(value), 4) for value in interval(values)]


def step_of_the_other():
    """A7: the LSTM in the paper's setting with the step size of the RNN, and with its own."""
    found = {}
    for step_size in (2.5e-5, 0.0008):
        now = SETTING | {"epochs": SEARCH_EPOCHS, "step_size": step_size, "held_out": 0.1}
        history = lstm_edu.train(new(lstm_edu.LSTM(96)), PAIRS, **now)
        found[f"{step_size:.1e}"] = [
            round(history["cost"][-1], 4),
            round(history["held_out"][-1], 4),
        ]
    return found


def other_starts(seeds=3):
    """B7: an RNN whose Wrec starts as 0.9 I, or orthogonal; errors back before, costs after."""
    found = {"ours": [], "0.9 I": [], "orthogonal": []}
    for seed in range(seeds):
        for name, runs in found.items():
            model, rng = new(RNN, seed), np.random.default_rng(seed)
            for side in (model.query, model.document):
                if name == "0.9 I":
                    side.params["Wrec"][...] = 0.9 * np.eye(96)
                elif name == "orthogonal":
                    Q = np.linalg.qr(rng.standard_normal((96, 96)))[0]
                    side.params["Wrec"][...] = Q
            left = share_left(model, 8)
            costs = trained(model, STEPS["RNN"], 5, seed)
            runs.append({"left": left, "cost": costs, "nDCG@10": round(at_10(model).mean(), 4)})
            print(" ", name, seed, runs[-1], flush=True)
    return found


def share_left(model, distance):
    """The median error so many words before the end, relative to the last word's: lesson 07's."""
    long = [pair for pair in PAIRS if len(pair[1].split()) >= 9][:400]
    titles = [title for _, title in long]
    others = [[titles[k - 1]] for k in range(len(titles))]
    queries = [query for query, _ in long]
    back, norm = inspection.error_norms(model, queries, titles, others, side="document")
    return round(float(np.median(norm[back == distance]) / np.median(norm[back == 0])), 5)


def other_seeds(seeds=(0, 1, 2)):
    """D7: the leads of lesson 07 with other seeds. D8: the gate's difference, of the same LSTMs."""
    decides = np.array([need.order_decides for need in NEEDS])
    length = np.array([len(judged.query.split()) for judged in JUDGMENTS])
    parts = {
        "all queries": length > 0,
        "1 to 3 words": length <= 3,
        "4 or 5 words": (length > 3) & (length <= 5),
        "6 words or more": length > 5,
        "order decides": decides,
        "order does not": ~decides,
    }
    leads, gates, ndcg = {}, {}, {}
    for seed in seeds:
        of = {}
        for name, cell in CELLS.items():
            model = new(cell, seed)
            trained(model, STEPS[name], 10, seed)
            of[name] = at_10(model)
            if name == "LSTM":
                gates[seed] = rounded(content_minus_filler(model, "i"))
        ndcg[seed] = {name: round(values.mean(), 4) for name, values in of.items()}
        for name, other in (("LSTM", "RNN"), ("LSTM, forget gate", "LSTM")):
            lead = of[name] - of[other]
            leads.setdefault(f"{name} - {other}", {})[seed] = {
                part: rounded(lead[mine]) for part, mine in parts.items()
            }
        print(" ", seed, ndcg[seed], gates[seed], flush=True)
    return {"D7": {"nDCG@10": ndcg, "leads": leads}, "D8": gates}


def content_minus_filler(model, gate):
    """Of each judged query with both kinds of words: the gate's mean over all cells at content
    words minus that at filler words.
    """
    found = []
    for judged, need in zip(JUDGMENTS, NEEDS):
        if {"c", "f"} <= set(need.roles):
            values = getattr(model.trace(judged.query), gate).mean(axis=1)
            found.append(values[need.roles == "c"].mean() - values[need.roles == "f"].mean())
    return np.array(found)


def longer_titles():
    """E7: ten random words behind every title, of the log and of the judgments."""
    rng, found = np.random.default_rng(0), {}
    words = np.array([word for _, title in PAIRS for word in title.split()])

    def longer(title):
        return " ".join([title, *rng.choice(words, 10)])

    pairs = [(query, longer(title)) for query, title in PAIRS]
    judgments = [j._replace(titles=[longer(title) for title in j.titles]) for j in JUDGMENTS]
    by_query = {}
    for name in ("RNN", "LSTM"):
        model = new(CELLS[name])
        costs = trained(model, STEPS[name], pairs=pairs)
        by_query[name] = at_10(model, judgments)
        found[name] = {"cost": costs, "nDCG@10": rounded(by_query[name])}
        print(" ", name, found[name], flush=True)
    return found | {"LSTM - RNN": rounded(by_query["LSTM"] - by_query["RNN"])}


def forget_gate():
    """C8: an LSTM of 32 cells with a forget gate; f at content and at filler words."""
    model = new(lstm_edu.LSTM(32, forget_gate=True))
    costs = trained(model, 0.002)
    traces = [model.trace(judged.query) for judged in JUDGMENTS]
    f = np.concatenate([trace.f for trace in traces])
    words = [word for trace in traces for word in trace.words]
    mean = f.mean(axis=1)
    often = [word for word in dict.fromkeys(words) if words.count(word) >= 5]
    by_word = {word: float(np.mean(mean[np.array(words) == word])) for word in often}
    in_order = sorted(by_word, key=by_word.get)
    return {
        "cost": costs,
        "nDCG@10": rounded(at_10(model)),
        "f, percentiles 0 1 50 99 100": np.percentile(f, [0, 1, 50, 99, 100]).round(3).tolist(),
        "content - filler": rounded(content_minus_filler(model, "f")),
        "lowest": {word: round(by_word[word], 3) for word in in_order[:6]},
        "highest": {word: round(by_word[word], 3) for word in in_order[::-1][:6]},
    }


def cells_and_topics():
    """D9: the shuffle and the rotation of lesson 09 with the 96 cells of lesson 00's model."""
    model = lstm_edu.DualEncoder(lstm_edu.LSTM(n_cells=96), HASHING, seed=0)
    lstm_edu.train(model, PAIRS, epochs=8, seed=0)
    y = model.encode_query([judged.query for judged in JUDGMENTS])
    _, topics = np.unique([need.topic for need in NEEDS], return_inverse=True)
    rng, ends = np.random.default_rng(0), [2.5, 97.5]

    def share(y):
        return inspection.topic_share(inspection.active(y, n=5), topics)

    rotations = [np.linalg.qr(rng.standard_normal((96, 96)))[0] for _ in range(500)]
    rotated = [share(y @ Q) for Q in rotations]
    shuffled = inspection.shuffled_topic_shares(inspection.active(y, n=5), topics, n_draws=500)
    counts = inspection.cells_by_topic(inspection.active(y, n=5), topics)
    used = counts.sum(axis=1) >= 5
    return {
        "share": round(float(share(y)), 4),
        "shuffled": np.percentile(shuffled, ends).round(4).tolist(),
        "rotated": np.percentile(rotated, ends).round(4).tolist(),
        "cells active in five queries or more": int(used.sum()),
        "largest share of a topic in one": round(
            float((counts[used] / counts[used].sum(axis=1, keepdims=True)).max()), 4
        ),
    }


def lesson_11(names, cells, old="", new=""):
    """Run cells of lesson 11 on these names, with one place of their text changed."""
    path = os.path.join(SAMPLE, "..", "notebooks", "11_train_at_scale.ipynb")
    with open(path, encoding="utf-8") as file:
        sources = {cell["id"]: "".join(cell["source"]) for cell in json.load(file)["cells"]}
    assert any(old in sources[f"11-{cell}"] for cell in cells)
    here = os.getcwd()
    os.chdir(os.path.dirname(path))
    try:
        for cell in cells:
            exec(sources[f"11-{cell}"].replace(old, new), names)
    finally:
        os.chdir(here)
    return names


def parts_with_fewer_cells():
    """B11: the shares of a step's parts with 96 cells and with 32, on one thread."""
    found = {}
    for m in (96, 32):
        took = lesson_11({}, STEP, "m, g, n_trigrams = 96,", f"m, g, n_trigrams = {m},")["took"]
        together = sum(took.values())
        found[m] = {part: round(ms / together, 3) for part, ms in took.items()}
        found[m]["milliseconds"] = round(together, 1)
    return found


def bytes_each_way(of, B, size):
    """What a machine needs for B pairs: touched rows, of numbers of so many bytes, the weights that
    every text needs, an embedding for a query and five titles a pair.
    """
    g, m, log_pairs = of["g"], of["m"], np.log(of["n_pairs"])
    touched = sum(np.interp(np.log(B), log_pairs, rows) for rows in of["rows"].values())
    return size * touched * g * m + 4 * (2 * (g * m * m + g * m) + 6 * B * m)


def hours(of, K, B, gigabits, kept_by_all, size):
    """An epoch of ORCAS on K machines, by the lesson's T(K, B) and a latency of 1 ms.

    With ``kept_by_all`` each machine keeps a part of the rows, and what one did alone and sent
    through one cable is shared as well. ``of`` has the names of the lesson's cells.
    """
    by, bandwidth = K if kept_by_all else 1, gigabits * 1e9 / 8
    sent = 2 * bytes_each_way(of, B / K, size) * (K - 1) / by
    network = (K > 1) * (0.001 + sent / bandwidth)
    a, b = of["ab"] - of["b"], of["b"]
    return 18e6 / B * (B * (a / K + b / by) + network) / 3600


def other_minibatches():
    """C11 and E11: an epoch on many machines where all words are as likely, and where rows and
    their gradients travel as float16; of the first also the rows that 1,024 pairs touch.
    """
    names = lesson_11({}, (*STEP, "24b", "41"))
    machines = 2 ** np.arange(7)
    found = {}
    for name, size, new in (
        ("as in the lesson", 4, "zipf(len(words), "),
        ("words drawn evenly", 4, "rng.integers(len(words), size="),
        ("float16", 2, "zipf(len(words), "),
    ):
        of = lesson_11({**names}, ("37",), "zipf(len(words), ", new)
        k = list(of["n_pairs"]).index(1024)
        found[name] = {
            "rows": {side: int(rows[k]) for side, rows in of["rows"].items()},
            "least minutes": {
                f"{title}; {B:,} pairs, {gigabits} Gbit/s": [
                    round(60 * min(line), 1),
                    int(machines[np.argmin(line)]),
                ]
                for kept_by_all, title in enumerate(KEEP)
                for B, gigabits in ((1024, 1), (1024, 10), (16_384, 1), (16_384, 10))
                for line in [[hours(of, K, B, gigabits, kept_by_all, size) for K in machines]]
            },
        }
    return found


STEP = ("03", "05", "07", "09", "09s", "11", "13", "33", "15", "17", "18")
KEEP = "one machine keeps the weights", "each keeps a part (not built)"
QUESTIONS = {
    "A7": step_of_the_other,
    "B7": other_starts,
    "D7": other_seeds,
    "E7": longer_titles,
    "C8": forget_gate,
    "D9": cells_and_topics,
    "B11": parts_with_fewer_cells,
    "C11": other_minibatches,
}


def main():
    parser = harness.parser(__doc__)
    parser.add_argument("questions", nargs="*", help=", ".join(QUESTIONS) + " (D7 answers D8, too)")
    args = parser.parse_args()
    found = harness.stored(args.json, {})
    for name in args.questions or QUESTIONS:
        print(name, flush=True)
        answer = QUESTIONS[name]()
        found |= answer if name in answer else {name: answer}
        found["date"] = harness.today()
        print(json.dumps(found[name]), flush=True)
        harness.write(args.json, found)


if __name__ == "__main__":
    main()
