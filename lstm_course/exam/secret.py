"""The secret phrase of an exam, and the numbers derived from it.

All code is public, so anybody who guesses the phrase has the key. A guess costs half a second and
128 MB (scrypt), and short phrases are refused. Right answers and data are drawn from separate
numbers, so that a question's data reveal nothing about the generator that drew its answer.
"""

import getpass
import hashlib
import hmac
import pathlib
import unicodedata

from lstm_edu._util.files import InputError

SHORTEST = 20  # minimum length of a phrase in characters: five or six words
SALT = b"lstm_course.exam 1"
COST = {"n": 1 << 17, "r": 8, "p": 1, "maxmem": 1 << 28}


def ask(file=None, twice=False):
    """Read the phrase from a file, or prompt for it without echo.

    Parameters
    ----------
    file : str or path, optional
    twice : bool
        Whether to prompt twice, to detect typing errors.

    Returns
    -------
    str

    Raises
    ------
    InputError
        The phrase is too short, or the two phrases differ.
    """
    if file:
        phrase = pathlib.Path(file).read_text(encoding="utf-8")
    else:
        phrase = getpass.getpass("The exam's phrase: ")
        if twice and getpass.getpass("Once more: ") != phrase:
            raise InputError("the two phrases differ")
    phrase = " ".join(unicodedata.normalize("NFKC", phrase).split())
    if len(phrase) < SHORTEST:
        raise InputError(f"the phrase needs {SHORTEST} characters or more: six words drawn by dice")
    return phrase


def key(phrase):
    """Derive the exam's key from its phrase with scrypt, which is slow to deter guessing."""
    return hashlib.scrypt(phrase.encode("utf-8"), salt=SALT, **COST)


def number(key, *names):
    """Derive an integer below 2^256 from the key and the names."""
    drawn = hmac.digest(key, "/".join(map(str, names)).encode("utf-8"), "sha256")
    return int.from_bytes(drawn, "big")
