"""Wrong answers to the exercises of notebook 06."""

import numpy as np
from wrong_answers._replaced import replaced


def exchanged(k, n_updates):
    """0.9 in the middle, 0.995 at both ends."""
    return 0.9 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.995


def never_slows_down(k, n_updates):
    """Forgets the last 2 %."""
    return 0.9 if k < 0.02 * n_updates else 0.995


def slow_only_at_the_end(k, n_updates):
    """Forgets the first 2 %."""
    return 0.9 if k >= 0.98 * n_updates else 0.995


def two_tenths(k, n_updates):
    """0.2 for 2 %."""
    return 0.9 if k < 0.2 * n_updates or k >= 0.8 * n_updates else 0.995


def two_updates(k, n_updates):
    """Two updates for 2 % of them."""
    return 0.9 if k < 2 or k >= n_updates - 2 else 0.995


def first_and_last(k, n_updates):
    """No update is in both."""
    return 0.9 if k < 0.02 * n_updates and k >= 0.98 * n_updates else 0.995


def momentum_without_return(k, n_updates):
    """Returns nothing."""
    0.9 if k < 0.02 * n_updates or k >= 0.98 * n_updates else 0.995


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


def by_array(gradient, threshold):
    """Each array by its own norm."""
    return {
        name: g * min(1, threshold / max(np.linalg.norm(g), 1e-300)) for name, g in gradient.items()
    }


def by_element(gradient, threshold):
    """Each element by itself."""
    return {name: np.clip(g, -threshold, threshold) for name, g in gradient.items()}


def without_root(gradient, threshold):
    """The square of the norm for the norm."""
    norm = sum((g**2).sum() for g in gradient.values())
    return {name: g * threshold / norm if norm > threshold else g for name, g in gradient.items()}


def always_scaled(gradient, threshold):
    """Short ones are lengthened."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    return {name: g * threshold / norm for name, g in gradient.items()}


def sum_of_norms(gradient, threshold):
    """Norms do not add up, their squares do."""
    norm = sum(np.linalg.norm(g) for g in gradient.values())
    return {name: g * threshold / norm if norm > threshold else g for name, g in gradient.items()}


def to_unit_length(gradient, threshold):
    """Forgets the threshold when scaling."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    return {name: g / norm if norm > threshold else g for name, g in gradient.items()}


def clips_in_place(gradient, threshold):
    """Right, but writes into the caller's arrays."""
    norm = np.sqrt(sum((g**2).sum() for g in gradient.values()))
    for g in gradient.values():
        g *= min(1, threshold / max(norm, 1e-300))
    return gradient


def never_looks(clicked, n_titles, n, rng):
    """Any titles."""
    return rng.choice(n_titles, n, replace=False)


def first_click_only(clicked, n_titles, n, rng):
    """Only one of the clicked titles is left out."""
    return rng.choice(np.setdiff1d(np.arange(n_titles), clicked[:1]), n, replace=False)


def with_replacement(clicked, n_titles, n, rng):
    """A title can come twice."""
    return rng.choice(np.setdiff1d(np.arange(n_titles), clicked), n)


def own_rng(clicked, n_titles, n, rng):
    """The same draw every time."""
    return np.random.default_rng(0).choice(
        np.setdiff1d(np.arange(n_titles), clicked), n, replace=False
    )


def global_chance(clicked, n_titles, n, rng):
    """Chance that the rng knows nothing of."""
    return np.random.permutation(np.setdiff1d(np.arange(n_titles), clicked))[:n]


def first_unclicked(clicked, n_titles, n, rng):
    """Nothing is drawn."""
    return np.setdiff1d(np.arange(n_titles), clicked)[:n]


def next_for_a_clicked(clicked, n_titles, n, rng):
    """A clicked title is replaced by the next one that is free, which so comes oftener."""
    drawn = []
    for title in rng.permutation(n_titles)[:n]:
        while title in clicked or title in drawn:
            title = (title + 1) % n_titles
        drawn.append(title)
    return np.array(drawn)


def thrown_away(clicked, n_titles, n, rng):
    """Clicked ones are thrown away after the draw, and too few are left."""
    drawn = rng.choice(n_titles, n, replace=False)
    return drawn[~np.isin(drawn, clicked)]


def from_one(clicked, n_titles, n, rng):
    """Counts the titles from 1."""
    return rng.choice(np.setdiff1d(np.arange(1, n_titles + 1), clicked), n, replace=False)


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


def of_gradient_descent(curvature, mu):
    """Momentum does not come in."""
    return 2 / curvature


def without_look_ahead(curvature, mu):
    """The limit of momentum of the older kind."""
    return 2 * (1 + mu) / curvature


def effective_step(curvature, mu):
    """Limits the effective step."""
    return 2 * (1 - mu) / curvature


def times_curvature(curvature, mu):
    """Multiplied by the curvature."""
    return 2 * (1 + mu) / (1 + 2 * mu) * curvature


def at_rest_at_once(curvature, mu):
    """The best step of gradient descent, not the largest."""
    return 1 / curvature


ADAM = """
def adam(w, m, v, g, k, epsilon, beta1=0.9, beta2=0.999, tiny=1e-8):
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g**2
    m_hat, v_hat = m / (1 - beta1**k), v / (1 - beta2**k)
    return w - epsilon * m_hat / (np.sqrt(v_hat) + tiny), m, v
"""


def _adam(right, wrong):
    """Adam with a piece of its code in the place of another."""
    assert ADAM.count(right) == 1
    names = {"np": np}
    exec(ADAM.replace(right, wrong), names)
    names["adam"].__doc__ = f"{wrong!r} for {right!r}."
    return names["adam"]


MOMENTUM = """
def momentum(k, n_updates):
    return 0.995 if 0.02 * n_updates <= k < 0.98 * n_updates else 0.9
"""

UPDATE = """
def update(Lambda, change, gradient_at, mu, epsilon):
    change = mu * change - epsilon * gradient_at(Lambda + mu * change)
    return Lambda + change, change
"""

CLIP = """
def clip(gradient, threshold):
    norm = np.sqrt(sum((g ** 2).sum() for g in gradient.values()))
    factor = threshold / norm if norm > threshold else 1.0
    return {name: g * factor for name, g in gradient.items()}
"""

DRAW = """
def draw_unclicked(clicked, n_titles, n, rng):
    unclicked = np.setdiff1d(np.arange(n_titles), clicked)
    return rng.choice(unclicked, n, replace=False)
"""

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

LARGEST_STEP = """
def largest_step(curvature, mu):


    return (1 + 1 / (1 + 2 * mu)) / curvature
"""


WRONG = {
    "check_momentum": [
        exchanged,
        never_slows_down,
        slow_only_at_the_end,
        two_tenths,
        two_updates,
        first_and_last,
        momentum_without_return,
        *replaced(
            MOMENTUM,
            ("0.02 * n_updates <= k", "0.02 * n_updates < k"),
            ("k < 0.98", "k <= 0.98"),
            (
                "0.02 * n_updates <= k < 0.98 * n_updates",
                "0.02 * n_updates < k <= 0.98 * n_updates",
            ),
            ("0.02 * n_updates <= k", "int(0.02 * n_updates) <= k"),
            ("k < 0.98 * n_updates", "k < round(0.98 * n_updates)"),
            ("0.02 * n_updates", "0.02"),
            ("k < 0.98 * n_updates", "k + 1 < 0.98 * n_updates"),
            ("k < 0.98 * n_updates", "n_updates - 1 - k >= 0.02 * n_updates"),
            (
                "0.02 * n_updates <= k < 0.98 * n_updates",
                "0.02 * n_updates <= k + 1 < 0.98 * n_updates",
            ),
            ("0.995 if", "0.95 if"),
            ("else 0.9", "else 0.0"),
        ),
    ],
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
    "check_clip": [
        by_array,
        by_element,
        without_root,
        always_scaled,
        sum_of_norms,
        to_unit_length,
        clips_in_place,
        *replaced(
            CLIP,
            ("gradient.values()", "(gradient[n] for n in ('W', 'Wrec', 'b'))"),
            ("gradient.items()", "((n, gradient[n]) for n in ('W', 'Wrec', 'b'))"),
            ("norm > threshold", "norm > threshold + 1"),
            ("norm > threshold", "norm + 1 > threshold"),
            ("norm > threshold", "norm < threshold"),
            ("if norm > threshold else 1.0", ""),
            ("threshold / norm if", "norm / threshold if"),
            ("(g ** 2).sum()", "np.abs(g).sum()"),
            ("(g ** 2).sum()", "(g ** 2).mean()"),
            ("g * factor", "g"),
            ("g * factor", "g + factor"),
            ("g * factor", "g * factor ** 2"),
            ("np.sqrt(sum(", "max(("),
        ),
    ],
    "check_draw_unclicked": [
        never_looks,
        first_click_only,
        with_replacement,
        own_rng,
        global_chance,
        first_unclicked,
        next_for_a_clicked,
        thrown_away,
        from_one,
        *replaced(
            DRAW,
            ("np.arange(n_titles)", "np.arange(n_titles - 1)"),
            ("np.arange(n_titles)", "np.arange(1, n_titles)"),
            (
                "rng.choice(unclicked, n, replace=False)",
                "np.roll(unclicked, rng.integers(len(unclicked)))[:n]",
            ),
            ("rng.choice(unclicked, n, replace=False)", "unclicked[rng.permutation(n)]"),
            ("clicked)\n", "clicked[-1:])\n"),
            (
                "rng.choice(unclicked, n, replace=False)",
                "rng.choice(unclicked, n - 1, replace=False)",
            ),
            ("rng.choice(unclicked, n, replace=False)", "rng.permutation(len(unclicked))[:n]"),
            ("np.setdiff1d(np.arange(n_titles), clicked)", "clicked"),
        ),
    ],
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
    "check_largest_step": [
        of_gradient_descent,
        without_look_ahead,
        effective_step,
        times_curvature,
        at_rest_at_once,
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
    "check_adam": [
        _adam("m / (1 - beta1**k), v / (1 - beta2**k)", "m, v"),
        _adam("m / (1 - beta1**k)", "m"),
        _adam("v / (1 - beta2**k)", "v"),
        _adam("m / (1 - beta1**k), v / (1 - beta2**k)", "m / (1 - beta1), v / (1 - beta2)"),
        _adam("    m_hat, v_hat", "    k = k + 1\n    m_hat, v_hat"),
        _adam("    m_hat, v_hat", "    k = k - 1\n    m_hat, v_hat"),
        _adam("1 - beta1**k), v / (1 - beta2**k", "1 - beta1 * k), v / (1 - beta2 * k"),
        _adam("tiny), m, v", "tiny), m_hat, v_hat"),
        _adam("beta1=0.9, beta2=0.999", "beta2=0.9, beta1=0.999"),
        _adam("g**2", "g"),
        _adam("np.sqrt(v_hat)", "v_hat"),
        _adam("np.sqrt(v_hat) + tiny", "np.sqrt(v_hat + tiny)"),
        _adam("(np.sqrt(v_hat) + tiny)", "np.sqrt(v_hat)"),
        _adam("w - epsilon", "w + epsilon"),
        _adam("epsilon * m_hat", "m_hat"),
        _adam("epsilon * m_hat", "epsilon * g"),
        _adam("(1 - beta1) * g\n", "g\n"),
        _adam("(1 - beta2) * g**2", "g**2"),
        _adam("    m = beta1 * m +", "    m *= beta1\n    m = m +"),
        _adam("w - epsilon", "-epsilon"),
        *replaced(
            ADAM,
            ("beta1 * m", "m"),
            ("beta2 * v", "v"),
            ("beta1 * m + (1 - beta1) * g", "(1 - beta1) * m + beta1 * g"),
            ("beta2 * v + (1 - beta2) * g**2", "(1 - beta2) * v + beta2 * g**2"),
            ("m / (1 - beta1**k)", "m * (1 - beta1**k)"),
            ("m / (1 - beta1**k)", "m / beta1**k"),
            ("    m = beta1 * m + (1 - beta1) * g", "    m = 0.9 * m + 0.1 * g"),
            ("+ tiny", "+ 1e-8"),
            ("/ (np.sqrt(v_hat) + tiny)", "* (np.sqrt(v_hat) + tiny)"),
            ("/ (np.sqrt(v_hat) + tiny)", ""),
            ("tiny), m, v", "tiny), v, m"),
            ("    m = beta1 * m + (1 - beta1) * g", "    beta1 * m + (1 - beta1) * g"),
            ("g**2", "abs(g)"),
            (
                "    m_hat, v_hat = m / (1 - beta1**k), v / (1 - beta2**k)",
                "    m_hat, v_hat = m / (1 - beta1**k), v / (1 - beta1**k)",
            ),
            ("np.sqrt(v_hat)", "np.sqrt(abs(m_hat))"),
            ("epsilon * m_hat", "epsilon * np.sign(m_hat)"),
        ),
    ],
}
