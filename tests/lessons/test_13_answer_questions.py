"""Tests of lesson 13: claims about its models' scores, and numbers quoted from benchmarks."""

from executed import texts_of
from quoted import not_quoted, results
from trained import *

BROKEN = (
    ("13-14", "lstm_edu.LSTM(n_cells=32)", "DSSM(64, 32)"),
    ("13-44", "return lstm.similarity", "return -lstm.similarity"),
)
FEW_PAIRS = (("13-14", "model, pairs, epochs", "model, pairs[:64], epochs"),)


def in_order(n, values):
    """Return the mean of ``values`` over the questions in which word order decides."""
    return values[n.case_of == "order"].mean()


CLAIMS = {
    "scores from the answers alone find the right answer": Claim(
        lambda n: n.control["the answers alone"].mean(), above=0.8
    ),
    "the LSTM scores above a perfect reader that ignores word order": Claim(
        lambda n: in_order(n, n.by_question["LSTM"]) - n.ceiling[0], above=0.05
    ),
    "the LSTM scores lower with shuffled words": Claim(
        lambda n: in_order(n, n.by_question["LSTM"] - n.control["words shuffled"]),
        above=0.03,
    ),
    "the LSTM is right more often than DSSM if the start is named first": Claim(
        lambda n: n.right[True][1] - n.right[True][0], above=5
    ),
    "the LSTM is almost never right if the end is named first": Claim(
        lambda n: n.right[False][1], below=4
    ),
    "the LSTM answers the questions of the case known": Claim(
        lambda n: n.by_question["LSTM"][n.case_of == "known"].mean(),
        above=0.95,
        broken=FEW_PAIRS,
    ),
    "the LSTM scores higher with the question than with its place alone": Claim(
        lambda n: (n.by_question["LSTM"] - n.control["the place alone"]).mean(),
        above=0.2,
        broken=FEW_PAIRS,
    ),
    "the LSTM answers questions with twelve new names": Claim(
        lambda n: sum(n.forbidden["LSTM"][0]) / len(n.forbidden["LSTM"][0]),
        above=0.84,
        broken=FEW_PAIRS,
    ),
}


def test_text_quotes_stored_reciprocal_ranks():
    rows = results("questions")["rows"]["MRR"]
    lstm, dssm = (f"{rows[row]['all']['mean']:.3f}"[1:] for row in ("LSTM", "DSSM"))
    said = texts_of("13_answer_questions")["13-18"]
    assert f"the stored MRR of the LSTM is {lstm}, and DSSM's {dssm} " in said


def test_text_quotes_stored_counts_of_right_answers_by_place_named_first():
    by_size = results("controls")["questions by the place named first, right and asked"]
    runs = [run for of_size in by_size.values() for run in of_size]
    starts, ends = ([run[first] for run in runs] for first in ("start", "end"))
    right = [n_right for n_right, _ in starts]
    assert list(by_size) == ["32", "64", "96"] and len(runs) == 15
    assert ends == [[0, 14]] * 15 and {asked for _, asked in starts} == {43}
    assert not not_quoted(
        "13_answer_questions",
        "in fifteen stored runs, with 32, 64 and 96 cells and five seeds each, the LSTM gets "
        f"{min(right)} to {max(right)} of the 43 right, and 0 of the 14 in every run.",
    )
