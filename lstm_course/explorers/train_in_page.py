"""Training in the page: its joined JavaScript, and its style sheet.

`train.js` has an update of Algorithm 1 by minibatches (lesson 06), with `forward.js` and
`backward.js`; `log.js` has the click log and draws the minibatches. `training_worker.js` trains in
a worker, and `training.js` shows the results.
"""

import json

from .reader import joined, with_palette

WORKER = "text", "forward", "backward", "log", "train", "training_worker"
PAGE = "weights", "drawing", "fields", "load", "training"


def script():
    """Return a classic script that starts every ``<div class="training" data-folder=…>``."""
    worker = json.dumps(joined(*WORKER))
    return f"(() => {{\nconst WORKER = {worker};\n{joined(*PAGE)}}})();\n"


def style():
    """Return the instrument's style sheet, light and dark."""
    return with_palette("training")
