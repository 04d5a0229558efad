"""Wrong answers to the exercises of notebook 10b on settings and topics."""

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

EM_STEP = """
def em_step(n, P_z, P_w):
    P = P_z @ P_w
    ratio = n / np.where(n > 0, P, 1)
    new_z = P_z * (ratio @ P_w.T)
    new_w = P_w * (P_z.T @ ratio)
    return (new_z / new_z.sum(axis=1, keepdims=True),
            new_w / new_w.sum(axis=1, keepdims=True))
"""


def one_after_the_other(n, P_z, P_w):
    """P_z is overwritten before P_w is made. Told: with the new P_z"""
    P_z = P_z * ((n / np.where(n > 0, P_z @ P_w, 1)) @ P_w.T)
    P_z = P_z / P_z.sum(axis=1, keepdims=True)
    new = P_w * (P_z.T @ (n / np.where(n > 0, P_z @ P_w, 1)))
    return P_z, new / new.sum(axis=1, keepdims=True)


def words_first(n, P_z, P_w):
    """P_w is overwritten before P_z is made. Told: with the new P_w"""
    P_w = P_w * (P_z.T @ (n / np.where(n > 0, P_z @ P_w, 1)))
    P_w = P_w / P_w.sum(axis=1, keepdims=True)
    new = P_z * ((n / np.where(n > 0, P_z @ P_w, 1)) @ P_w.T)
    return new / new.sum(axis=1, keepdims=True), P_w


def _shared(n, share):
    parts = (n[:, None, :] * share).sum(axis=2), (n[:, None, :] * share).sum(axis=0)
    return tuple(part / part.sum(axis=1, keepdims=True) for part in parts)


def not_shared(n, P_z, P_w):
    """P(z|D) P(w|z) for P(z|D,w). Told: divided by its sum over the topics"""
    return _shared(n, P_z[:, :, None] * P_w)


def likeliest_topic(n, P_z, P_w):
    """As k-means does. Told: the likeliest topic gets all of it"""
    joint = P_z[:, :, None] * P_w
    return _shared(n, 1.0 * (joint == joint.max(axis=1, keepdims=True)))


def words_of_a_topic(n, P_z, P_w):
    """The topics' part of the title is left out. Told: needs P(z|D), too"""
    share = np.repeat(P_w[None], len(n), axis=0)
    return _shared(n, share / np.maximum(share.sum(axis=1, keepdims=True), 1e-300))


def shares_over_words(n, P_z, P_w):
    """The wrong axis in the E-step. Told: here over the words"""
    joint = P_z[:, :, None] * P_w
    return _shared(n, joint / np.maximum(joint.sum(axis=2, keepdims=True), 1e-300))


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
    "check_em_step": [
        one_after_the_other,
        words_first,
        not_shared,
        likeliest_topic,
        words_of_a_topic,
        shares_over_words,
        *replaced(
            EM_STEP,
            ("ratio = n /", "ratio = (n > 0) /"),
            ("n / np.where(n > 0, P, 1)", "n / P"),
            ("n / np.where(n > 0, P, 1)", "n * P"),
            ("P_z * (ratio @ P_w.T)", "ratio @ P_w.T"),
            ("P_w * (P_z.T @ ratio)", "P_z.T @ ratio"),
            ("return (new_z / new_z.sum(axis=1, keepdims=True)", "return (new_z"),
            ("new_w / new_w.sum(axis=1, keepdims=True)", "new_w"),
            ("new_w.sum(axis=1, keepdims=True)", "new_w.sum(axis=0)"),
            ("new_z.sum(axis=1, keepdims=True)", "new_z.sum()"),
            ("return (new_z / new_z.sum(axis=1, keepdims=True)", "return (P_z"),
            ("new_w / new_w.sum(axis=1, keepdims=True)", "P_w"),
            ("new_w / new_w.sum(axis=1, keepdims=True)", "new_w / np.linalg.norm(new_w)"),
        ),
    ],
}
