"""What set-up makes of pip's lines: how far it is, and what to do when it fails."""

import io
import re

import pytest
from course_module import NO_NAME, PIP_23, course

PIP_24 = """\
Collecting numpy>=2 (from lstm_edu==0.1.0)
  Downloading numpy-2.4.6-cp313-cp313-win_amd64.whl.metadata (62 kB)
Collecting typing_extensions>=4 (from beautifulsoup4->nbconvert)
  Using cached typing_extensions-4.16.0-py3-none-any.whl.metadata (3.0 kB)
Downloading numpy-2.4.6-cp313-cp313-win_amd64.whl (12.6 MB)
Using cached typing_extensions-4.16.0-py3-none-any.whl (45 kB)
Installing collected packages: typing_extensions, numpy
"""


def texts(output, expected):
    progress = course.Progress(expected)
    for line in output.splitlines(keepends=True):
        before = progress.text
        progress.read(line)
        if progress.text != before:
            yield progress.text


def test_progress_of_a_pip_that_fetches_what_it_finds():
    assert list(texts(PIP_23, 4)) == [
        "finding what pip builds with",
        "fetching 1 of about 4: numpy",
        "finding 2 of about 4: threadpoolctl",
        "fetching 2 of about 4: threadpoolctl (32 kB)",
        "finding 3 of about 4: nbconvert",
        "fetching 3 of about 4: nbconvert (262 kB)",
        "finding 4 of about 4: tqdm",
        "installing",
    ]


def test_progress_of_a_pip_that_fetches_in_the_end():
    assert list(texts(PIP_24, 1)) == [
        "finding 1 of about 1: numpy",
        "finding 2 of about 2: typing_extensions",  # more than were foreseen
        "fetching 1 of about 2: numpy (12.6 MB)",
        "fetching 2 of about 2: typing_extensions (45 kB)",
        "installing",
    ]


def test_progress_counts_what_has_arrived(tmp_path):
    progress = course.Progress(2)
    for line in PIP_24.splitlines():
        progress.read(line)
    progress.installed(tmp_path / "nowhere")
    assert progress.text == "installing 0 of 2"
    for name in ("Typing.Extensions-4.16.0.dist-info", "other-1.dist-info", "numpy"):
        (tmp_path / name).mkdir()
    progress.installed(tmp_path)
    assert progress.text == "installing 1 of 2"


def test_progress_says_that_the_network_does_not_answer():
    line = "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'New...'\n"
    assert list(texts(line, 9)) == ["no answer from the network, pip tries again"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_line_moves_on_a_terminal_and_is_rare_elsewhere(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    terminal, file = Terminal(), io.StringIO()
    for out in (terminal, file):
        line = course.Line(out)
        line.show("finding 1 of about 70: a-package-with-a-long-name")
        line.show("fetching")
        line.clear()
    lines = terminal.getvalue().split("\r")
    assert [len(shown) for shown in lines[1:4]] == [29, 29, 29] and not lines[3].strip()
    assert "finding 1 of" in lines[1] and lines[2].strip().endswith("fetching")
    assert not file.getvalue()
    line.last -= 20
    line.show("fetching")
    assert file.getvalue().endswith("  fetching\n")


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
        (
            "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]",
            None,
            "PIP_CERT",
        ),
        (NO_PIN, None, r"another Python than .*3\.11 to 3\.14"),
        (NO_PIN, "stick", "stick does not hold what this Python .*fetch stick"),
        (
            "ERROR: Could not install packages: OSError: [Errno 28] No space left on device",
            None,
            "disk is full",
        ),
        ("OSError: [WinError 112] There is not enough space on the disk", None, "disk is full"),
        (
            "ensurepip is not\navailable. apt install python3.11-venv",
            None,
            "apt install python3-venv",
        ),
        ("No module named venv", None, "apt install python3-venv"),
        ("ERROR: Failed building wheel for gensim", None, r"no ready-made file .*3\.11 to 3\.14"),
        ("PermissionError: [WinError 5] Access is denied: 'python.exe'", None, "another program"),
        ("ERROR: something else", None, "Try again"),
    ],
)
def test_what_to_do_when_pip_fails(said, folder, expected):
    told = course.advice(said, folder)
    assert re.search(expected, told) and "\n" not in told
