"""Tests of `read_needs`, which reads the judged queries' metadata from needs.tsv."""

import pytest

from lstm_course.sample.query_metadata import read_needs
from lstm_edu import InputError
from lstm_edu.readers import Judged

JUDGED = [Judged("q1", "the ab ba", [], [], []), Judged("q2", "abc", [], [], [])]
FIRST = "q1\tfood\tinformational\t0\t1\tf c c"
SECOND = "q2\tmoney\tnavigational\t1\t0\tc"


def written(folder, *lines):
    """Write lines to needs.tsv in a folder, and return the file's path."""
    path = folder / "needs.tsv"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def test_read_needs_returns_metadata_in_order_of_judgments(tmp_path):
    first, second = read_needs(written(tmp_path, SECOND, FIRST), JUDGED)
    assert first[:5] == ("q1", "food", "informational", False, True)
    assert second[:5] == ("q2", "money", "navigational", True, False)
    assert first.roles.tolist() == ["f", "c", "c"] and second.roles.tolist() == ["c"]


@pytest.mark.parametrize(
    "line, said",
    [
        ("q1\tfood\tinformational\t0\t1", "5 column(s); expected 6: qid <TAB> topic <TAB> kind"),
        ("q1\tfood\tinformational\tyes\t1\tf c c", "misspelled 'yes'; must be 0 or 1"),
        ("q1\tfood\tinformational\t0\t1\tf c", "roles 'f c'; must be c or f for each of the 3"),
        ("q3\tfood\tinformational\t0\t1\tf c c", "qid 'q3' is not judged"),
        (SECOND, "qid 'q2' has two lines"),
    ],
    ids=["five columns", "flag not 0 or 1", "too few roles", "qid not judged", "qid repeated"],
)
def test_read_needs_error_reports_bad_line(tmp_path, line, said):
    path = written(tmp_path, SECOND, line)
    with pytest.raises(InputError) as error:
        read_needs(path, JUDGED)
    assert str(error.value).startswith(f"{path}:2: {said}") and "\n" not in str(error.value)


def test_read_needs_error_reports_judged_query_without_line(tmp_path):
    with pytest.raises(InputError, match="needs.tsv: has no line for the judged query 'q1'"):
        read_needs(written(tmp_path, SECOND), JUDGED)
