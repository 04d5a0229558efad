"""Training in the page: its JavaScript, put together, and its look.

`train.js` has an update of Algorithm 1 by minibatches (lesson 06), on `forward.js` and
`backward.js`; `log.js` has the click log and draws the minibatches. `training_worker.js` runs
beside the page, and `training.js` shows what comes of it.
"""

import json

from .reader import joined, with_palette

WORKER = "text", "forward", "backward", "log", "train", "training_worker"
PAGE = "weights", "drawing", "fields", "load", "training"


def script():
    """A classic script that brings every ``<div class="training" data-folder=…>`` to life."""
    worker = json.dumps(joined(*WORKER))
    return f"(() => {{\nconst WORKER = {worker};\n{joined(*PAGE)}}})();\n"


def style():
    """The instrument's look, in light and in dark."""
    return with_palette("training")
