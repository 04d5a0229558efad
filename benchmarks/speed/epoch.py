"""An epoch at the paper's scale: 200,000 pairs, 50,000 letter trigrams, 96 cells,
minibatches of 1,024, n = 4, the paper's setting.

    python -m benchmarks.speed.epoch [--optimizer adam] [--json [benchmarks/results/epoch.json]]

The whole way through `lstm_edu.train`, from a synthetic log of texts (`paper_scale`). Its reading,
texts to numbers, is once a training and told apart; the texts come one by one, as from a file.
Memory is the whole process's at its peak.
"""

import time

import lstm_edu
from lstm_edu.training.settings import OPTIMIZERS
from lstm_tools.table_iv import memory

from . import paper_scale


def measure(n_pairs, epochs, optimizer="nesterov"):
    """The figures."""
    scale = paper_scale.SCALES["paper"]
    pairs = paper_scale.pairs(n_pairs, scale.n_trigrams)
    model = lstm_edu.DualEncoder(
        lstm_edu.LSTM(scale.n_cells), paper_scale.hashing(scale.n_trigrams)
    )
    settings = lstm_edu.PAPER | {"n_negatives": scale.n_negatives, "optimizer": optimizer}
    if optimizer == "adam":
        settings["momentum"] = None
    others, start = paper_scale.Others(), time.perf_counter()
    history = lstm_edu.train(
        model,
        pairs,
        epochs=epochs,
        batch_size=scale.batch_size,
        **settings,
    )
    whole = time.perf_counter() - start
    return {
        "pairs": n_pairs,
        "parameters": model.n_parameters,
        "epoch_s": round(min(history["seconds"]), 2),
        "epochs_s": [round(s, 2) for s in history["seconds"]],
        "reading_s": round(whole - sum(history["seconds"]), 2),
        "peak_mb": memory.peak_megabytes(),
        "others_share": others.share(),
        "cost": [round(cost, 4) for cost in history["cost"]],
    }


def table(found):
    """The figures as text."""
    f = found["epoch"]
    return (
        f"{f['pairs']:,} pairs, {f['parameters'] / 1e6:.1f} million parameters: "
        f"an epoch in {f['epoch_s']} s after {f['reading_s']} s of reading, "
        f"{memory.in_words(f['peak_mb'])}"
    )


if __name__ == "__main__":
    parser = paper_scale.parser(__doc__)
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="nesterov")
    args = parser.parse_args()
    found = {"epoch": measure(args.pairs, args.epochs, args.optimizer)}
    paper_scale.report(found, table(found), args.json)
