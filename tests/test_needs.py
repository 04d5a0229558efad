"""What is known of the judged queries, by names; a bad line is named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from lstm_course.sample import synthetic
from lstm_course.sample.query_metadata import read_needs
from lstm_edu import read_judgments, sample
from lstm_edu.data.readers import Judged

JUDGED = [Judged("q1", "the ab ba", [], [], []), Judged("q2", "abc", [], [], [])]
FIRST = "q1\tfood\tinformational\t0\t1\tf c c"
SECOND = "q2\tmoney\tnavigational\t1\t0\tc"


def written(folder, *lines):
    path = folder / "needs.tsv"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    return path


def test_by_names_and_in_the_order_of_the_judgments(tmp_path):
    first, second = read_needs(written(tmp_path, SECOND, FIRST), JUDGED)
    assert first[:5] == ("q1", "food", "informational", False, True)
    assert second[:5] == ("q2", "money", "navigational", True, False)
    assert first.roles.tolist() == ["f", "c", "c"] and second.roles.tolist() == ["c"]


BAD_LINES = [
    ("q1\tfood\tinformational\t0\t1", "5 column(s); expected 6: qid <TAB> topic <TAB> kind"),
    ("q1\t \tinformational\t0\t1\tf c c", "the topic is empty"),
    ("q1\tfood\tinformational\tyes\t1\tf c c", "misspelled 'yes'; must be 0 or 1"),
    ("q1\tfood\tinformational\t0\t2\tf c c", "order decides '2'; must be 0 or 1"),
    ("q1\tfood\tinformational\t0\t1\tf c", "roles 'f c'; must be c or f for each of the 3"),
    ("q1\tfood\tinformational\t0\t1\tf c x", "roles 'f c x'; must be c or f for each of"),
    ("q3\tfood\tinformational\t0\t1\tf c c", "qid 'q3' is not judged"),
    (SECOND, "qid 'q2' has two lines"),
]


@pytest.mark.parametrize("line, said", BAD_LINES)
def test_a_bad_line_is_named(tmp_path, line, said):
    path = written(tmp_path, SECOND, line)
    with refused() as error:
        read_needs(path, JUDGED)
    assert str(error.value).startswith(f"{path}:2: {said}")


def test_a_query_without_a_line_is_named(tmp_path):
    with refused("needs.tsv: has no line for the judged query 'q1'"):
        read_needs(written(tmp_path, SECOND), JUDGED)


def test_of_the_sample_it_is_what_its_maker_knew():
    judgments = read_judgments(sample() / "judgments.tsv")
    known = read_needs(sample() / "needs.tsv", judgments)
    made = synthetic.generate(seed=0).needs
    assert [(*need[:5], " ".join(need.roles)) for need in known] == [tuple(row) for row in made]


@given(st.permutations(range(400)))
def test_the_order_of_the_lines_does_not_matter(tmp_path_factory, order):
    judgments = read_judgments(sample() / "judgments.tsv")
    lines = (sample() / "needs.tsv").read_text(encoding="utf-8").splitlines()
    path = written(tmp_path_factory.mktemp("needs"), *(lines[k] for k in order))
    for one, other in zip(
        read_needs(path, judgments), read_needs(sample() / "needs.tsv", judgments), strict=True
    ):
        assert one[:5] == other[:5] and np.array_equal(one.roles, other.roles)
