"""Tests of the record of checks, which is written only with consent and never causes an error."""

import json
import os
import types

import pytest

from lstm_course import checks
from lstm_course.engine import record, slips
from lstm_course.engine.report import Wrong

RIGHT = checks.check_let_in.solution
ROW = checks.check_let_in.slips[0]


def secret_of_anna(i, yg):
    raise ValueError("secret_of_anna")


def unwritten(i, yg):
    raise NotImplementedError


def fails(check, answer):
    with pytest.raises(Wrong):
        check(answer)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    record._last.clear()
    return tmp_path


def tried():
    """Check a wrong answer, one that raises an error, an unwritten one, and the right one."""
    fails(checks.check_let_in, slips.slipped(RIGHT, *ROW[1:]))
    fails(checks.check_let_in, secret_of_anna)
    fails(checks.check_let_in, unwritten)
    checks.check_let_in(slips.slipped(RIGHT, "np", "(np)"))


def test_nothing_is_written_before_consent_or_after_its_withdrawal(folder, monkeypatch, capsys):
    before = dict(os.environ)
    tried()
    assert not list(folder.iterdir()) and record.FILE not in capsys.readouterr().out
    checks.share(True)
    assert "checks.share(False)" in capsys.readouterr().out
    fails(checks.check_let_in, secret_of_anna)
    assert len(record.read(record.FILE)) == 1 and len(list(folder.iterdir())) == 1
    checks.share(False)
    tried()
    assert not list(folder.iterdir()) and os.environ == before
    checks.share(True)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")  # nbgrader's runs aren't recorded
    tried()
    assert not record.read(record.FILE)


def test_record_contains_only_exercise_try_number_minutes_and_mistake(folder, monkeypatch, capsys):
    # a course may hand out an empty record, so the first check prints a notice
    (folder / record.FILE).touch()
    clock = iter([0, 90, 150])
    monkeypatch.setattr(record, "time", types.SimpleNamespace(monotonic=lambda: next(clock)))
    tried()
    assert capsys.readouterr().out.count(record.NOTICE) == 1
    expected = [(1, 0, ROW[0]), (2, 1.5, "the code raised an error"), (3, 2.5, None)]
    text = (folder / record.FILE).read_text(encoding="utf-8")
    wanted = [dict(zip(record.FIELDS, ("let_in", *line))) for line in expected]
    assert list(map(json.loads, text.splitlines())) == record.read(record.FILE) == wanted
    assert "anna" not in text.lower() and "def" not in text

    record._last.clear()  # as in a new process, whose first check must add no time
    clock = iter([9000, 9060])
    tried_again = [checks.check_let_in(slips.slipped(RIGHT, "np", "(np)")) for _ in range(2)]
    found = [(line["try"], line["minutes"]) for line in record.read(record.FILE)[3:]]
    assert found == [(4, 2.5), (5, 3.5)] and len(tried_again) == 2


@pytest.mark.parametrize("check", ["check_three_bugs", "check_own_two_words"])
def test_unusual_checks_record_the_mistake_that_their_message_names(check, folder):
    """Use a check of planted bugs, whose first message names no mistake, and one without inputs."""
    checks.share(True)
    check = getattr(checks, check)
    row = check.slips[0]
    for _ in range(2):
        fails(check, slips.slipped(check.solution, *row[1:]))
    found = [line["slip"] for line in record.read(record.FILE)]
    assert found[-1].endswith(row[0]) and found[0] in (Wrong.kind, found[-1]), found
    assert (found[0] == Wrong.kind) == (check.__name__ == "check_three_bugs")


def test_check_works_if_record_is_damaged_or_unwritable(folder, monkeypatch, capsys):
    path = folder / record.FILE
    path.write_bytes(b'\xff{"exercise"\n[]\n{"exercise": "let_in", "try": 1, "minutes": NaN}\n')
    tried()
    assert [line["try"] for line in record.read(path)] == [1, 2, 3]
    path.unlink()
    path.mkdir()  # a folder in place of the file, so that not even root can write it
    tried()
    checks.share(True)
    checks.share(False)
    assert capsys.readouterr().out.count("can't be changed here") == 2 and path.is_dir()
    path.rmdir()

    def full(*_):
        raise OSError("no space left")

    checks.share(True)
    monkeypatch.setattr(record.json, "dumps", full)
    tried()
    assert path.read_text(encoding="utf-8") == "\n"
