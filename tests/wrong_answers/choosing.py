"""Wrong answers for the checks of `lstm_course/exercises/choosing.py`."""

import numpy as np
from wrong_answers._replaced import replaced


def leaks_twice(settings, fit, measure, pairs, held, judgments):
    """The stub. Told: two leaks"""
    clicked = {(search.query, search.titles[0]) for search in held}
    kept = [pair for pair in pairs if pair not in clicked]
    found = [measure(fit(setting, kept), judgments) for setting in settings]
    best = settings[np.argmax(found)]
    return best, max(found), measure(fit(best, pairs), judgments)


def by_the_judgments(settings, fit, measure, pairs, held, judgments):
    """The stub's second leak alone. Told: chosen by the judgments"""
    asked = {search.query for search in held}
    kept = [pair for pair in pairs if pair[0] not in asked]
    found = [measure(fit(setting, kept), judgments) for setting in settings]
    best = settings[np.argmax(found)]
    return best, max(found), measure(fit(best, pairs), judgments)


def one_click_of_each(settings, fit, measure, pairs, held, judgments):
    """The stub's first leak alone. Told: clicked more than once"""
    clicked = {(search.query, search.titles[0]) for search in held}
    kept = [pair for pair in pairs if pair not in clicked]
    found = [measure(fit(setting, kept), held) for setting in settings]
    best = settings[np.argmax(found)]
    return best, max(found), measure(fit(best, pairs), judgments)


def all_are_judged(settings, fit, measure, pairs, held, judgments):
    """The right numbers, but every setting is held against the judgments. Told: once"""
    asked = {search.query for search in held}
    kept = [pair for pair in pairs if pair[0] not in asked]
    found = [measure(fit(setting, kept), held) for setting in settings]
    judged = [measure(fit(setting, pairs), judgments) for setting in settings]
    k = int(np.argmax(found))
    return settings[k], found[k], judged[k]


def no_titles_either(settings, fit, measure, pairs, held, judgments):
    """Takes the clicked titles out as well. Told: only the queries are held out"""
    asked = {search.query for search in held}
    titles = {pair[1] for pair in pairs if pair[0] in asked}
    kept = [pair for pair in pairs if pair[0] not in asked and pair[1] not in titles]
    found = [measure(fit(setting, kept), held) for setting in settings]
    best = settings[np.argmax(found)]
    return best, max(found), measure(fit(best, pairs), judgments)


def better_than_nothing(settings, fit, measure, pairs, held, judgments):
    """The largest so far begins at 0."""
    asked = {search.query for search in held}
    kept = [pair for pair in pairs if pair[0] not in asked]
    best, most = settings[0], 0
    for setting in settings:
        found = measure(fit(setting, kept), held)
        if found > most:
            best, most = setting, found
    return best, most, measure(fit(best, pairs), judgments)


def last_model(settings, fit, measure, pairs, held, judgments):
    """The loop's own variable is used after it. Told: the last one tried"""
    asked = {search.query for search in held}
    kept = [pair for pair in pairs if pair[0] not in asked]
    found = {setting: measure(fit(setting, kept), held) for setting in settings}
    best, setting = max(found, key=found.get), settings[-1]
    return best, found[best], measure(fit(setting, pairs), judgments)


CHOOSE = """
def choose(settings, fit, measure, pairs, held, judgments):
    asked = {search.query for search in held}
    kept = [pair for pair in pairs if pair[0] not in asked]
    found = [measure(fit(setting, kept), held) for setting in settings]
    best = settings[np.argmax(found)]
    return best, max(found), measure(fit(best, pairs), judgments)
"""


WRONG = {
    "check_choose": [
        leaks_twice,
        by_the_judgments,
        one_click_of_each,
        all_are_judged,
        no_titles_either,
        better_than_nothing,
        last_model,
        *replaced(
            CHOOSE,
            ("pair[0] not in asked", "pair[0] in asked"),
            ("pair[0] not in asked", "pair[1] not in asked"),
            ("fit(setting, kept)", "fit(setting, pairs)"),
            ("fit(setting, kept)", "fit(setting, list(set(kept)))"),
            ("fit(best, pairs)", "fit(best, kept)"),
            ("fit(best, pairs), judgments", "fit(best, pairs), held"),
            ("np.argmax(found)", "np.argmin(found)"),
            ("settings[np.argmax(found)]", "settings[0]"),
            ("settings[np.argmax(found)]", "max(settings)"),
            ("np.argmax(found)", "np.argsort(found)[-1]"),
            ("best, max(found)", "best, measure(fit(best, pairs), held)"),
            ("best, max(found)", "np.argmax(found), max(found)"),
            ("best, max(found)", "best, np.mean(found)"),
            ("best, max(found)", "max(found), best"),
            ("best, max(found), measure", "best, measure"),
        ),
    ],
}
