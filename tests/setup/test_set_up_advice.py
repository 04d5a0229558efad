"""What to do when pip fails, by what it says."""

import re

import pytest
from course_module import NO_NAME, course

NO_PIN = (
    "ERROR: Ignored the following versions that require a different python version: 2.4.6 "
    "Requires-Python >=3.11,<3.15\nERROR: Could not find a version that satisfies the requirement "
    "numpy==2.4.6 (from versions: 1.26.4)\nERROR: No matching distribution found for numpy==2.4.6\n"
)


@pytest.mark.parametrize(
    "said, folder, expected",
    [
        (NO_NAME, None, r"network did not answer.*HTTPS_PROXY.*fetch FOLDER"),
        ("ReadTimeoutError: Read timed out.", None, "network did not answer"),
        ("ProxyError('Cannot connect to proxy.')", None, "HTTPS_PROXY"),
        ("SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", None, "PIP_CERT"),
        (NO_PIN, None, r"another Python than .*3\.11 to 3\.14"),
        (NO_PIN, "stick", "stick does not hold what this Python .*fetch stick"),
        ("ERROR: OSError: [Errno 28] No space left on device", None, "disk is full"),
        ("OSError: [WinError 112] There is not enough space on the disk", None, "disk is full"),
        ("ERROR: Failed building wheel for gensim", None, r"no ready-made file .*3\.11 to 3\.14"),
        ("PermissionError: [WinError 5] Access is denied: 'python.exe'", None, "another program"),
        ("[Errno 30] Read-only file system: 'course/.venv'", None, "yours to write"),
    ],
)
def test_what_to_do_when_pip_fails(said, folder, expected):
    told = course.advice(said, folder)
    assert re.search(expected, told) and "\n" not in told


def test_of_anything_else_it_says_nothing():
    assert course.advice("ERROR: something else") is None
