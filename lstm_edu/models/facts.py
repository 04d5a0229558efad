"""What there is to say of a model, for `repr` and for ``lstm-edu info``."""

DIGESTS = "data", "start"  # among the settings: of the log, and of the weights before


def facts(model):
    """Describe a model.

    Parameters
    ----------
    model : DualEncoder or AlignedEncoder

    Returns
    -------
    dict of str
        By what they are about.
    """
    said = {
        "model": type(model).__name__,
        "cell": repr(model.cell),
        "size": f"{model.query.cell.size} numbers a {'word' if model.relevance.words else 'text'}",
        "letter trigrams": f"{model.hashing.size:,} ({model.hashing.rule})",
        "parameters": f"{model.n_parameters:,} of {model.dtype.name}, both sides together",
        "training": trained(model),
    }
    settings, history = (model.training.get(name, {}) for name in ("settings", "history"))
    told = {k: v for k, v in settings.items() if k not in DIGESTS and v is not None}
    if told:
        said["settings"] = ", ".join(f"{name} {value}" for name, value in told.items())
    for name, what in (("cost", "last cost"), ("held_out", "best held-out nDCG@10")):
        if history.get(name):
            values = history[name]
            said[what] = f"{max(values) if name == 'held_out' else values[-1]:.4f}"
    return said


def trained(model):
    """Say in a few words how long a model has been trained."""
    if not model.training:
        return "none"
    n = len(model.training.get("history", {}).get("cost", ()))
    epochs = "1 epoch" if n == 1 else f"{n} epochs"
    return epochs if model.training.get("finished") else f"{epochs}, not finished"


def brief(model):
    """A model in one line."""
    return (
        f"{type(model).__name__}({model.cell!r}, {model.hashing.size:,} letter trigrams, "
        f"{model.n_parameters:,} parameters, training: {trained(model)})"
    )
