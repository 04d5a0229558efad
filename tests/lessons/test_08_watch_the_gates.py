"""Lesson 08: what it says of the gates of its trained model."""

from trained import *

CLAIMS = [
    Claim(
        "at filler words the offer is smaller, in percent",
        lambda n: n.less["offer |y_g|"][0],
        mean=-57,
        sd=2,
        below=-40,
        broken=(("08-32", '"y_g"', '"i"'),),
    ),
]
