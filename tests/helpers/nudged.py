"""Function that nudges initial weights, to imitate another processor's rounding."""

import os
import pathlib
import runpy

from lstm_edu.models import encoder


def nudge_models(seed):
    """Nudge the initial weights of all models in this process and its subprocesses."""
    folder = pathlib.Path(__file__).parent / "nudge"
    runpy.run_path(str(folder / "sitecustomize.py"))["nudge"](encoder, seed)
    os.environ["LSTM_EDU_NUDGE"] = str(seed)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), *filter(None, paths)])
