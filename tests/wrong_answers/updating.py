"""Wrong answers for the checks of `lstm_course/exercises/updating.py`."""

from wrong_answers._replaced import replaced, said


def classical(Lambda, change, gradient_at, mu, epsilon):
    """Takes the gradient where the parameters are."""
    change = mu * change - epsilon * gradient_at(Lambda)
    return Lambda + change, change


def full_look_ahead(Lambda, change, gradient_at, mu, epsilon):
    """Looks ahead by the whole last change."""
    change = mu * change - epsilon * gradient_at(Lambda + change)
    return Lambda + change, change


def climbs(Lambda, change, gradient_at, mu, epsilon):
    """The sign before the gradient."""
    change = mu * change + epsilon * gradient_at(Lambda + mu * change)
    return Lambda + change, change


def moves_twice(Lambda, change, gradient_at, mu, epsilon):
    """Stays at the look-ahead point and adds all of the new change to it."""
    ahead = Lambda + mu * change
    change = mu * change - epsilon * gradient_at(ahead)
    return ahead + change, change


def old_change_whole(Lambda, change, gradient_at, mu, epsilon):
    """mu only in the look-ahead."""
    change = change - epsilon * gradient_at(Lambda + mu * change)
    return Lambda + change, change


def change_without_momentum(Lambda, change, gradient_at, mu, epsilon):
    """Gradient descent at the look-ahead point."""
    change = -epsilon * gradient_at(Lambda + mu * change)
    return Lambda + change, change


def in_place(Lambda, change, gradient_at, mu, epsilon):
    """Right, but writes into the caller's parameters."""
    change = mu * change - epsilon * gradient_at(Lambda + mu * change)
    Lambda += change
    return Lambda, change


def change_is_forgotten(Lambda, change, gradient_at, mu, epsilon):
    """Returns the parameters alone."""
    return Lambda + mu * change - epsilon * gradient_at(Lambda + mu * change)


UPDATE = """
def update(Lambda, change, gradient_at, mu, epsilon):
    change = mu * change - epsilon * gradient_at(Lambda + mu * change)
    return Lambda + change, change
"""


LARGEST_STEP = """
def largest_step(curvature, mu):


    return (1 + 1 / (1 + 2 * mu)) / curvature
"""


WRONG = {
    "check_update": [
        classical,
        full_look_ahead,
        climbs,
        moves_twice,
        old_change_whole,
        change_without_momentum,
        in_place,
        change_is_forgotten,
        *replaced(
            UPDATE,
            ("    change = mu", "    mu"),
            ("    change = mu", "    change += mu"),
            ("Lambda + mu * change)", "Lambda - mu * change)"),
            ("Lambda + mu * change)", "mu * change)"),
            ("- epsilon * gradient_at(Lambda + mu * change)", ""),
            ("mu * change - epsilon", "-mu * change - epsilon"),
            ("- epsilon * gradient", "- (1 - mu) * epsilon * gradient"),
            ("return Lambda + change, change", "return change, Lambda + change"),
            ("return Lambda + change", "return Lambda"),
            ("return Lambda + change", "return Lambda + mu * change"),
            ("return Lambda + change, change", "return Lambda + change, mu * change"),
            (
                "- epsilon * gradient_at(Lambda + mu * change)",
                "- epsilon * gradient_at(Lambda + mu * change) ** 2",
            ),
        ),
    ],
    "check_largest_step": [
        *said(
            ("Momentum does not come in.", lambda curvature, mu: 2 / curvature),
            (
                "The limit of momentum of the older kind.",
                lambda curvature, mu: 2 * (1 + mu) / curvature,
            ),
            ("Limits the effective step.", lambda curvature, mu: 2 * (1 - mu) / curvature),
            (
                "Multiplied by the curvature.",
                lambda curvature, mu: 2 * (1 + mu) / (1 + 2 * mu) * curvature,
            ),
            (
                "The best step of gradient descent, not the largest.",
                lambda curvature, mu: 1 / curvature,
            ),
        ),
        *replaced(
            LARGEST_STEP,
            ("/ curvature", ""),
            ("1 + 2 * mu", "1 + mu"),
            ("1 + 2 * mu", "1 - 2 * mu"),
            ("(1 + 1 /", "(1 - 1 /"),
            ("(1 + 1 /", "(2 + 1 /"),
            ("(1 + 1 / (1 + 2 * mu))", "1 / (1 + 2 * mu)"),
            ("2 * mu", "3 * mu"),
            ("/ curvature", "* curvature"),
        ),
    ],
}
