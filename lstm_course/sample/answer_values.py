"""What an answer of the questions' set says, read by the wordings that it was written from."""

import functools
import re

from lstm_edu._util import arguments
from lstm_edu._util.files import InputError

from .questions import Fact, read_words


def fact_of(answer):
    """The fact that an answer gives.

    Parameters
    ----------
    answer : str
        As `lstm_course.sample.questions.answer` writes them.

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
    """The name of a place, and its kind as the word file has it."""
    called = parts[f"{slot}_kind"]
    return parts[f"{slot}_name"], _kinds()[called]


@functools.cache
def _kinds():
    """The kind of a place by what answers call it."""
    kinds = read_words()["kinds"].items()
    return {name: kind for kind, called in kinds for name in called.split(" > ")[1].split(" | ")}


@functools.cache
def _wordings():
    """Of every answer, what is asked about and the pattern of its text."""
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
