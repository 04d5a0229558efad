"""Reading the fact in an answer of the questions' set, by the wordings of the word file."""

import functools
import re

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError

from .questions import Fact, read_words


def fact_of(answer):
    """Return the fact that an answer gives.

    Parameters
    ----------
    answer : str
        A text by `lstm_course.sample.questions.answer`.

    Returns
    -------
    Fact

    Raises
    ------
    InputError
        No wording of the word file gives this text.
    """
    arguments.text("answer", answer)
    for about, wording in _wordings():
        found = wording.fullmatch(answer)
        if found:
            parts = found.groupdict()
            places = [_place(parts, slot) for slot in "nm" if f"{slot}_name" in parts]
            return Fact(about, tuple(places), parts["v"])
    raise InputError(f"answer: no wording gives {answer!r}")


def _place(parts, slot):
    """Return the name of a place, and its kind in the word file."""
    called = parts[f"{slot}_kind"]
    return parts[f"{slot}_name"], _kinds()[called]


@functools.cache
def _kinds():
    """Map the answers' words for kinds of places to the kinds."""
    kinds = read_words()["kinds"].items()
    return {name: kind for kind, called in kinds for name in called.split(" > ")[1].split(" | ")}


@functools.cache
def _wordings():
    """List the subject and the pattern of every wording of an answer."""
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
