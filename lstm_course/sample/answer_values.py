"""Parser of generated answers: finds the fact that an answer states."""

import functools
import re

from lstm_edu._util.files import InputError

from .questions import Fact, read_words


def fact_of(answer):
    """Parse a generated answer, and return the fact that it states.

    Parameters
    ----------
    answer : str
        A sentence from `lstm_course.sample.questions.answer`.

    Returns
    -------
    Fact

    Raises
    ------
    InputError
        The text matches no wording of the word file.
    """
    for about, wording in _wordings():
        found = wording.fullmatch(answer)
        if found:
            parts = found.groupdict()
            slots = [slot for slot in "nm" if f"{slot}_name" in parts]
            places = ((parts[f"{slot}_name"], _kinds()[parts[f"{slot}_kind"]]) for slot in slots)
            return Fact(about, tuple(places), parts["v"])
    raise InputError(f"answer: {answer!r} matches no wording of places.toml")


@functools.cache
def _kinds():
    """Map each name of a kind of place in answers to that kind's key in places.toml."""
    kinds = read_words()["kinds"].items()
    return {name: kind for kind, called in kinds for name in called.split(" > ")[1].split(" | ")}


@functools.cache
def _wordings():
    """List a (subject, regular expression) pair for every wording of an answer."""
    words = read_words()
    slots = {
        f"{{{slot}}}": rf"the (?P<{slot}_name>{'|'.join(words['names'])}) "
        rf"(?P<{slot}_kind>{'|'.join(_kinds())})"
        for slot in "nm"
    }
    patterns = []
    for about, file in words["facts"].items():
        values = {"{v}": f"(?P<v>{'|'.join(file['values'])})"}
        for wording in file["answer"]:
            for slot, pattern in (slots | values).items():
                wording = wording.replace(slot, pattern)
            patterns.append((about, re.compile(wording)))
    return patterns
