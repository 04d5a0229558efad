"""Wrong answers for the checks of `lstm_course/exercises/algorithm_1.py`."""

import numpy as np
from wrong_answers._replaced import replaced


def _algorithm_1(restart=False, here=False, clip="gradient"):
    def algorithm_1(Lambda, batches, gradient_at, mu, epsilon, th_G):
        change = 0 * Lambda
        for epoch in batches:
            change = 0 * change if restart else change
            for batch in epoch:
                gradient = gradient_at(Lambda if here else Lambda + mu * change, batch)
                if clip == "gradient":
                    gradient = gradient * min(1, th_G / np.linalg.norm(gradient))
                if clip == "always":
                    gradient = gradient * th_G / np.linalg.norm(gradient)
                change = mu * change - epsilon * gradient
                if clip == "change":
                    change = change * min(1, th_G / np.linalg.norm(change))
                Lambda = Lambda + change
        return Lambda

    algorithm_1.__doc__ = (
        f"Some of the bugs are left: restart {restart}, gradient at Lambda {here}, clipped {clip}."
    )
    return algorithm_1


def stops_after_an_epoch(Lambda, batches, gradient_at, mu, epsilon, th_G):
    """The return is indented too far."""
    change = 0 * Lambda
    for epoch in batches:
        for batch in epoch:
            gradient = gradient_at(Lambda + mu * change, batch)
            change = mu * change - epsilon * gradient * min(1, th_G / np.linalg.norm(gradient))
            Lambda = Lambda + change
        return Lambda


ALGORITHM_1 = """
def algorithm_1(Lambda, batches, gradient_at, mu, epsilon, th_G):
    change = 0 * Lambda
    for epoch in batches:
        for batch in epoch:
            gradient = gradient_at(Lambda + mu * change, batch)
            gradient = gradient * min(1, th_G / np.linalg.norm(gradient))
            change = mu * change - epsilon * gradient
            Lambda = Lambda + change
    return Lambda
"""


WRONG = {
    "check_algorithm_1": [
        _algorithm_1(restart=True),
        _algorithm_1(here=True),
        _algorithm_1(clip="change"),
        _algorithm_1(clip=None),
        _algorithm_1(clip="always"),
        _algorithm_1(True, True, "change"),
        stops_after_an_epoch,
        *replaced(
            ALGORITHM_1,
            ("for epoch in batches", "for epoch in batches[::-1]"),
            ("for batch in epoch", "for batch in epoch[::-1]"),
            ("for batch in epoch", "for batch in epoch[1:]"),
            ("mu * change - epsilon", "mu * change + epsilon"),
            ("Lambda = Lambda + change", "Lambda = Lambda - change"),
            ("Lambda = Lambda + change", "Lambda + change"),
            ("change = 0 * Lambda", "change = Lambda"),
            ("min(1,", "max(1,"),
            ("th_G / np.linalg.norm(gradient)", "np.linalg.norm(gradient) / th_G"),
            ("change = mu * change - epsilon", "change = -epsilon"),
            ("change = mu * change - epsilon", "change = change - epsilon"),
            ("- epsilon * gradient", "- gradient"),
            ("gradient_at(Lambda + mu * change", "gradient_at(Lambda + change"),
            ("            Lambda = Lambda + change", "        Lambda = Lambda + change"),
        ),
    ],
}
