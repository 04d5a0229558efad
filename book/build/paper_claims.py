"""The paper's claims about training and about what the cells do, and where to read what we found:
the list that `book/build/claims.py` writes the page from.
"""

from typing import NamedTuple


class Claim(NamedTuple):
    """A claim, and where to read what we found.

    ``found`` names numbers of `claims.of_benchmarks` in braces. ``verdict`` takes these numbers, or
    is a word.
    """

    said: str
    found: str
    verdict: object
    lesson: str
    heading: str


# what one pair of texts shows
ONE = "one example"


def above_zero(name):
    """The verdict of the interval of one question of `benchmarks/experiments/claims_asked.py`."""
    return lambda **numbers: _verdict(numbers[name + "_low"], numbers[name + "_high"])


def below_zero(name):
    """The same on the claim that it is below."""
    return lambda **numbers: _verdict(-numbers[name + "_high"], -numbers[name + "_low"])


def _verdict(low, high):
    return "holds" if low > 0 else "reversed" if high < 0 else "open"


LEARNING = [
    Claim(
        "In the RNN gradients vanish (III-B): before training",
        "{rnn_before} of the last word's error get eight words back (five seeds)",
        lambda rnn_before_high, **_: "holds" if rnn_before_high < 0.1 else "open",
        "07",
        "Where do errors get to?",
    ),
    Claim(
        "... and in a trained one",
        "{rnn_after} get there (five trainings)",
        lambda rnn_after_low, **_: "reversed" if rnn_after_low > 0.1 else "open",
        "07",
        "Where do errors get to?",
    ),
    Claim(
        "In the LSTM they don't: it is a solution to this (III-B)",
        "{lstm_before} of the error get eight words back before training, {lstm_after} after (five "
        "trainings)",
        lambda lstm_before_low, lstm_after_low, **_: (
            "holds" if min(lstm_before_low, lstm_after_low) > 0.5 else "open"
        ),
        "07",
        "Where do errors get to?",
    ),
    Claim(
        "The LSTM captures long-term memory better (abstract, II): texts of growing length",
        "nDCG@10 of an RNN, an LSTM of its size, and the difference, with so many random words "
        "behind every title: {words} (three trainings, with the steps of 0; a random order has "
        "0.393, so with 20 neither has learned)",
        lambda words_5_low, words_10_low, **_: (
            "holds" if min(words_5_low, words_10_low) > 0 else "open"
        ),
        "07",
        "Where memory does decide",
    ),
    Claim(
        "... where the order of words decides",
        "On these 120 queries {order}; on the others {no_order} (five trainings)",
        above_zero("order"),
        "07",
        "Does the gap grow with length, or where order decides?",
    ),
    Claim(
        "Forget gates are not a great help here (V)",
        "With one, at equal size, nDCG@10 {forget} over all queries, {forget_order} where order "
        "decides (five trainings)",
        lambda forget_low, **_: "reversed" if forget_low > 0 else "open",
        "07",
        "A sum forgets who came first",
    ),
    Claim(
        "Peepholes are not that important (V)",
        "With diagonal ones, at equal size, nDCG@10 {diagonal}, with full ones {full} (five "
        "trainings, each with its own step)",
        lambda diagonal_low, full_low, **_: (
            "reversed" if max(diagonal_low, full_low) > 0 else "open"
        ),
        "02",
        "",
    ),
    Claim(
        "The LSTM optimizes the cost more effectively than the RNN (Fig. 7)",
        "{curves}",
        lambda worst, best, **_: "holds" if worst < best else "open",
        "07",
        "Training curves (Fig. 7)",
    ),
    Claim(
        "Nesterov's method is effective (IV)",
        "Held-out nDCG@10 with μ = 0 and 0.9: {mu}, the same step; {mu_scaled}, the same effective "
        "step (three seeds)",
        lambda nesterov, spread, **_: "holds" if nesterov > spread else "open",
        "06",
        "What the settings do",
    ),
    Claim(
        "So is its schedule of μ (IV)",
        "Held-out nDCG@10 with the schedule and with μ = 0.9 throughout: {schedule}; one step, "
        "which was not searched for each (three seeds)",
        "open",
        "06",
        "What the settings do",
    ),
    Claim(
        "The expressions of appendices A and D are the gradient (IV)",
        "For texts of more than one word (14)-(44) are not the LSTM's gradient; held-out nDCG@10 "
        "after training with both: {printed} (three seeds)",
        "reversed",
        "05b",
        "What does not hold as printed: the whole list",
    ),
]
READING = [
    Claim(
        "The vector mainly embeds keywords (VI); valuable information is absorbed word by word "
        "(V-A1)",
        "Left out, a content word turns the embedding by a 1 − cosine that is {left_out} more than "
        "a filler word's (five trainings)",
        above_zero("left_out"),
        "08",
        "Hold the gate still",
    ),
    Claim(
        "Input gates attenuate unimportant words (V-A1)",
        "The mean gate is lower at filler words by {gate} (five trainings); it is some .4 at both",
        above_zero("gate"),
        "08",
        "From two examples to all queries",
    ),
    Claim(
        "It is the input gates that keep useless information out (VI)",
        "With the queries' gates held still, nDCG@10 changes by {held} (five trainings)",
        below_zero("held"),
        "08",
        "Hold the gate still",
    ),
    Claim(
        "They are small at *accommodation*, *discount*, *reservation* (Fig. 8)",
        "Ours are below the title's median at two of the three, as four of all nine words are",
        ONE,
        "08",
        "The paper's title (Fig. 8)",
    ),
    Claim(
        "Keywords activate more cells than unimportant words (Tables I, II, IX, X)",
        "A content word is assigned {cells} of ten cells more than a filler word (five trainings)",
        above_zero("cells"),
        "09",
        'What "large enough" decides',
    ),
    Claim(
        "Words of one topic activate the same cell (abstract; Table III)",
        "The share of a cell's queries that is of its commonest topic is {topic}; of 32 axes "
        "turned at random it is {turned} (five trainings)",
        lambda topic_low, turned_high, **_: "holds" if topic_low > turned_high else "open",
        "09",
        "Turn the axes",
    ),
    Claim(
        "Different words activate different cells (V-A2, Fig. 6)",
        "Of the cells that either activates, a word shares {shared} more with itself in other "
        "queries than with other words there (five trainings)",
        above_zero("shared"),
        "09",
        "",
    ),
    Claim(
        "The LSTM's score is nearer to the grade: a Good pair (appendix C)",
        "On that pair ours is higher than the RNN's, too",
        ONE,
        "07",
        "Two more comparisons (appendix C)",
    ),
    Claim(
        "... and a Bad one",
        "On that pair it depends on the seed which of ours is higher",
        ONE,
        "07",
        "Two more comparisons (appendix C)",
    ),
    Claim(
        "... asked of all judged pairs: its scores agree better with the grades",
        "It puts {right} more of the pairs of titles in the right order (five trainings)",
        above_zero("right"),
        "07",
        "Two more comparisons (appendix C)",
    ),
    Claim(
        "The RNN assigns more neurons to unimportant words (Tables V to VIII)",
        "Of its most active ones, 30 of 96 units against 10 of 32 cells, the share assigned to a "
        "filler word is {filler} larger (five trainings)",
        above_zero("filler"),
        "07",
        "Two more comparisons (appendix C)",
    ),
    Claim(
        "Doc2Vec, as trained, is a meaningful model (appendix F)",
        "Ours ranks above a random order by {doc2vec} points of nDCG@10 on the sample, msrd and "
        "onet (one training, and no random order query by query)",
        "open",
        "10b",
        "The paper's claim, on three sets",
    ),
]
