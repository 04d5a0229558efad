"""The paper's claims about training and about what the cells do, and where to read what we found:
the list that `book/claims.py` writes the page from.
"""

from typing import NamedTuple

INTERVAL = r"(?P<mean>[-+]?[\d.]+) \((?P<low>-?[\d.]+) to (?P<high>-?[\d.]+)\)"


class Claim(NamedTuple):
    """A claim, and where to read what we found.

    ``found`` names numbers in braces: the groups of ``pattern`` in what a cell of the lesson
    printed. ``verdict`` takes these numbers, or is a word.
    """

    said: str
    found: str
    verdict: object
    lesson: str
    heading: str
    cell: str = ""
    pattern: str = ""


# what one model, one pair or one seed shows, however narrow its interval over queries
ONE = "one example"


LEARNING = [
    Claim(
        "In the RNN gradients vanish (III-B): before training",
        "{before} % of the last word's error get eight words back",
        ONE,
        "07",
        "Where do errors get to?",
        "07-18",
        r"gets (?P<before>[\d.]+)% ",
    ),
    Claim(
        "... and in a trained one",
        "{after} % get there (one small model, one seed)",
        ONE,
        "07",
        "Where do errors get to?",
        "07-18",
        r"before training and (?P<after>[\d.]+)% after",
    ),
    Claim(
        "In the LSTM they don't: it is a solution to this (III-B)",
        "{lstm_before} % of the error get eight words back before training, {lstm_after} % after",
        ONE,
        "07",
        "Where do errors get to?",
        "07-18",
        r"the LSTM (?P<lstm_before>[\d.]+)% and (?P<lstm_after>[\d.]+)%",
    ),
    Claim(
        "The LSTM captures long-term memory better (abstract, II)",
        "Where word order decides ({n} queries) a small LSTM minus an RNN of its size: "
        "nDCG@10 {mean} ({low} to {high}); on the others it is ahead (one seed)",
        ONE,
        "07",
        "Does the gap grow with length, or where order decides?",
        "07-24",
        r"Order decides: \*\*(?P<mean>[-+.\d]+)\*\* \((?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)\), "
        r"(?P<n>\d+) queries",
    ),
    Claim(
        "Forget gates are not a great help here (V)",
        "With one, at equal size, nDCG@10 {mean} ({low} to {high}) over all queries; where order "
        "decides {order} (one seed)",
        ONE,
        "07",
        "Does the gap grow with length, or where order decides?",
        "07-26c",
        r"order decides +\d+ +(?P<order>\S+)[\s\S]*all queries +\d+ +(?P<mean>\S+) +"
        r"(?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)",
    ),
    Claim("Peepholes are not that important (V)", "Not measured", "open", "02", ""),
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
        "Left out, a content word turns the embedding by a 1 − cosine of {content}, a filler word "
        "by {filler}: {mean} ({low} to {high}) apart",
        ONE,
        "08",
        "Hold the gate still",
        "08-45",
        r"gate free +(?P<content>[.\d]+) +(?P<filler>[.\d]+) +" + INTERVAL,
    ),
    Claim(
        "Input gates attenuate unimportant words (V-A1)",
        "The mean gate is lower at filler words by {mean} ({low} to {high}); it was {content} at "
        "content words",
        ONE,
        "08",
        "From two examples to all queries",
        "08-28",
        r"at \*\*(?P<content>[.\d]+)\*\* on content[\s\S]*difference of \*\*(?P<mean>[.\d]+)\*\* "
        r"\(95 % interval (?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)\)",
    ),
    Claim(
        "It is the input gates that keep useless information out (VI)",
        "With the queries' gates held still, nDCG@10 changes by {mean} ({low} to {high})",
        ONE,
        "08",
        "Hold the gate still",
        "08-43",
        r"queries' gate held +[.\d]+ +" + INTERVAL,
    ),
    Claim(
        "They are small at *accommodation*, *discount*, *reservation* (Fig. 8)",
        "Ours are below the title's median at {n} of the three, as {all} of all {words} words are",
        "open",
        "08",
        "The input gate alone (Fig. 8)",
        "08-17",
        r"median at (?P<n>\d) \(.*\); (?P<all>\d) of all (?P<words>\d) words",
    ),
    Claim(
        "Keywords activate more cells than unimportant words (Tables I, II, IX, X)",
        "A content word is assigned {mean} of ten cells more than a filler word ({low} to {high})",
        ONE,
        "09",
        'What "large enough" decides',
        "09-19",
        r"\*\*(?P<mean>[.\d]+)\*\* more \(95 % interval (?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)",
    ),
    Claim(
        "Words of one topic activate the same cell (abstract; Table III)",
        "The share of a cell's queries that is of its commonest topic is {mean}; of 32 axes turned "
        "at random it is {low} to {high}",
        ONE,
        "09",
        "Do cells line up with topics?",
        "09-36",
        r"^cells +(?P<mean>[.\d]+) +[.\d]+ to [.\d]+ +(?P<low>[.\d]+) to (?P<high>[.\d]+)",
    ),
    Claim(
        "Different words activate different cells (V-A2, Fig. 6)", "Not measured", "open", "09", ""
    ),
    Claim(
        "The LSTM's score is nearer to the grade: a Good pair (appendix C)",
        "On that pair RNN {rnn}, LSTM {lstm}",
        ONE,
        "07",
        "Scores beside grades (appendix C)",
        "07-28",
        r"Good, in the paper +(?P<rnn>[.\d]+) +(?P<lstm>[.\d]+)",
    ),
    Claim(
        "... and a Bad one",
        "On that pair RNN {rnn}, LSTM {lstm}",
        ONE,
        "07",
        "Scores beside grades (appendix C)",
        "07-28",
        r"Bad, in the paper +(?P<rnn>[.\d]+) +(?P<lstm>[.\d]+)",
    ),
    Claim(
        "... asked of all judged pairs: its scores agree better with the grades",
        "It puts {mean} ({low} to {high}) more of the pairs of titles in the right order",
        ONE,
        "07",
        "Scores beside grades (appendix C)",
        "07-32a",
        r"LSTM − RNN +" + INTERVAL,
    ),
    Claim(
        "The RNN assigns more neurons to unimportant words (Tables V to VIII)",
        "{mean} of ten more to a filler word ({low} to {high})",
        ONE,
        "07",
        "Cells for each word (Tables V to VIII)",
        "07-39",
        r"\*\*(?P<mean>[.\d]+)\*\* of ten [\s\S]*interval (?P<low>-?[.\d]+) to (?P<high>-?[.\d]+)",
    ),
    Claim(
        "Doc2Vec, as trained, is a meaningful model (appendix F)",
        "Lists of neighbours, ours and the paper's; no number could decide it",
        "open",
        "10b",
        "The nearest words (appendix F)",
    ),
]
