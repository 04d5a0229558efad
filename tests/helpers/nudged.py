"""Models whose first weights are nudged, as another processor's rounding would do."""

import os
import pathlib
import runpy

from lstm_edu.models import encoder


def nudge_models(seed):
    """Nudge every model of this process, and of those that it starts; see helpers/nudge."""
    folder = pathlib.Path(__file__).parent / "nudge"
    runpy.run_path(str(folder / "sitecustomize.py"))["nudge"](encoder, seed)
    os.environ["LSTM_EDU_NUDGE"] = str(seed)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), *filter(None, paths)])
