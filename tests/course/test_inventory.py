"""Tests of the concept inventory: the numbers in its choices, and a class's scores."""

import csv

import numpy as np
import pytest
from conftest import ROOT

from lstm_course.questions import inventory
from lstm_edu import letter_trigrams
from lstm_edu._util.files import InputError

e = np.exp
# keyed by item: the right result, then the result of the mistake behind each wrong choice
NUMBERS = {
    "gates": [0.8 + 0.25 * -0.4, 0.25 * -0.4, 0.75 * 0.8 + 0.25 * -0.4, 0.8 - 0.4],
    "paths": [0.2 - 2 * 0.3 + 3 * 0.4, 3 * 0.4, 0.2 - 0.3 + 0.4, 2 * 0.2 - 3 * 0.3],
    "momentum": [1 - 0.2 - 0.08, 1 - 0.2 - 0.1, 0.8 - 0.2 - 0.08, 1 - 0.2 - 0.1 * 1.2],
    "control": [(4 + 2 + 1) / 24, (4 + 2 + 1) / 32, 1 / 8, (4 + 2 + 1) / 8],
    "negatives": [0.3, 0.3 / 0.4, 0.3 + 0.1, 0.3 / 0.6],
    "clicks": [54 / 300 / 0.25, 54 / 300, 54 / 300 * 3, 54 / 300 * 0.25],
    "ndcg": [1 / 3, 1, 1 / 2, 1 / (3 + 1 / np.log2(3))],
}


@pytest.mark.parametrize("name", NUMBERS)
def test_each_wrong_choice_is_the_number_its_mistake_produces(name):
    printed = [float(choice.replace("−", "-")) for choice, *_ in inventory.ITEMS[name]["answers"]]
    assert np.allclose(printed, NUMBERS[name], atol=0.005)


def test_choices_of_hashing_item_are_trigram_counts_and_shares():
    found = letter_trigrams("bananana")
    counts = np.array([found.count("ana"), found.count("nan")])
    choices = [choice for choice, *_ in inventory.ITEMS["hashing"]["answers"]]
    assert choices[0] == "{} and {}".format(*counts)
    assert choices[3] == "{}/{n} and {}/{n}".format(*counts, n=len(found))


def test_choices_of_temperature_and_vanishing_items_match_computed_numbers():
    texts = [choice for choice, *_ in inventory.ITEMS["temperature"]["answers"]]
    behind, ahead = np.log(1 + e([-1, -2])), np.log(1 + e([1, 2]))
    losses = [behind, ahead, (-1, -2), behind / np.log(2)]
    printed = [f"from {a:.2f} to {b:.2f}".replace("-", "−") for a, b in losses]
    assert texts == printed
    factors = 1.5 * np.array([1 - 0.6**2, 0.6 * 0.4, 1 - np.tanh(0.6) ** 2, 1])
    texts = [choice for choice, *_ in inventory.ITEMS["vanishing"]["answers"]]
    assert texts == [f"it is multiplied by {factor:.2f}" for factor in factors]


def test_items_have_four_choices_and_reasons_based_on_known_mistakes():
    assert len(inventory.ITEMS) == 12
    for asked in inventory.ITEMS.values():
        assert len({choice for choice, *_ in asked["answers"]}) == 4
        assert all(why.endswith(".") for _, why, *_ in asked["answers"])
        assert (ROOT / "notebooks" / f"{asked['lesson']}.ipynb").exists()
        for _, _, *slip in asked["answers"]:
            table = ROOT / "lstm_course" / "exercises" / f"{slip[0]}.toml" if slip else None
            assert not slip or slip[1] in table.read_text(encoding="utf-8"), slip
        assert {len(row) for row in asked["answers"][1:]} == {4}


def written(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["student", *inventory.ITEMS], *rows])
    return path


def test_scores_of_three_students_agree_with_hand_computation(tmp_path):
    """Check shares, gains and discrimination. Student d lacks the first test and must not count."""
    right = [asked["answers"][0][0] for asked in inventory.ITEMS.values()]
    wrong = [asked["answers"][1][0] for asked in inventory.ITEMS.values()]
    before = [["a", *["0"] * 12], ["b", *["1"] * 6, *[""] * 6], ["c", *["1"] * 6, *["0"] * 6]]
    after = [["a", *["1"] * 3, *wrong[3:]], ["b", *right[:9], *["0"] * 3], ["c", *right]]
    after += [["d", *["1"] * 12]]
    both = [written(tmp_path / f"{k}.csv", rows) for k, rows in enumerate([before, after])]
    scores = inventory.scored(*map(inventory.read_answers, both))
    assert scores["n_students"] == 3
    assert [scores["before"], scores["after"]] == pytest.approx([1 / 3, 2 / 3])
    mean, low, high = scores["gain"]
    assert (
        mean == pytest.approx(1 / 3) and low == pytest.approx(0.25) and high == pytest.approx(0.5)
    )
    assert scores["normalised"] == pytest.approx(0.5)
    assert scores["difficulty"][1].tolist() == pytest.approx([1] * 3 + [2 / 3] * 6 + [1 / 3] * 3)
    assert scores["gains"][6:9] == pytest.approx(np.array([[2 / 3, 0, 1]] * 3))
    # for items 3 to 8: each student's number of other right answers, and whether this one is right
    others = [3, 8, 11], [0, 1, 1]
    expected = np.corrcoef(*others)[0, 1]
    assert np.isnan(scores["discrimination"][:3]).all()
    assert scores["discrimination"][3:9] == pytest.approx(expected)


@pytest.mark.parametrize(
    "rows, message",
    [
        ([["a", "x", *["1"] * 11]], r"line 2: hashing is 'x'; allowed are 0, 1 or the text"),
        ([["a", *["1"] * 12], ["a", *["1"] * 12]], "line 3: student 'a'; each needs"),
        ([[" ", *["1"] * 12]], "line 2: student ''; each needs"),
    ],
)
def test_bad_answers_are_refused_with_line_number(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        inventory.read_answers(written(tmp_path / "a.csv", rows))


def test_refuses_file_that_lacks_items_and_files_without_common_students(tmp_path):
    (tmp_path / "a.csv").write_text("student,gates\na,1\n", encoding="utf-8")
    with pytest.raises(InputError, match="without the columns clicks, control, hashing"):
        inventory.read_answers(tmp_path / "a.csv")
    with pytest.raises(InputError, match="no student is in both files"):
        inventory.scored({}, {})
