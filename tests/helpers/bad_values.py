"""Bad argument values that functions must refuse, and the parameters that may accept them."""

import decimal
import enum
import functools

import numpy as np
import scipy.sparse
from public_calls import JUDGED

from lstm_edu import DualEncoder


class Whole(int):
    """A subclass of int."""


class Text(str):
    """A subclass of str."""


class Loud:
    """An object whose repr is long and contains terminal colour codes."""

    def __repr__(self):
        return "\x1b[31m\n\u2028" + "loud " * 100_000


class Mute:
    """An object whose repr raises an error."""

    def __repr__(self):
        raise RuntimeError("no repr")


class Size(enum.IntEnum):
    """An enumeration, whose members are also integers."""

    SMALL = 3


# Values that functions must refuse unless GOOD lists them. Each is a Python expression, or a
# function that returns the value, so that each call gets a new object.
LITERAL = """
    None|True|False|0|-1|2|2.5|-0.5|1e300|1e-300|10**400|10**5000|nan|inf|-inf|1j|[None]|[5]|[b'ab']
    ['ab', None]|[[]]|[[None]]|[['ab', 5]]|['ab']|[('ab',)]|[('ab', 'ba', 'c')]|[{'ab', 'ba'}]|[-1]
    [2.5]|['1']|{'q1': None}|{'q1': {'d1': None}}|{'q1': {'d1': nan}}|{'q1': {'d1': '1'}}
    {'q1': {'d1': True}}
"""
NUMBERS_OF = {"nan": float("nan"), "inf": float("inf")}
JUDGED_OF = {
    "a grade of -5": {"grades": [1, -5]},
    "a grade of 2.5": {"grades": [1, 2.5]},
    "a grade of 101": {"grades": [101, 0]},
    "a grade too few": {"grades": [1]},
    "a text": {"titles": "ab"},
}
BAD = {
    name: functools.partial(eval, name, NUMBERS_OF)
    for name in (part.strip() for line in LITERAL.strip().split("\n") for part in line.split("|"))
}
BAD |= {
    "longdouble 1e400": lambda: np.longdouble("1e4000"),
    "Decimal": lambda: decimal.Decimal("0.5"),
    "0-d array": lambda: np.array(3),
    "array of NaN": lambda: np.array([[np.nan, 1.0], [1.0, 2.0]]),
    "array of inf": lambda: np.array([[np.inf, 1.0], [1.0, 2.0]]),
    "array of complex": lambda: np.array([[1j, 1.0], [1.0, 2.0]]),
    "array of bool": lambda: np.array([[True, False], [True, True]]),
    "array of objects": lambda: np.array([[None, 1], [1, 2]], object),
    "array of huge": lambda: np.array([[1e200, 1.0], [1.0, 2.0]]),
    "sparse": lambda: scipy.sparse.csr_array(np.eye(2)),
    "3-d": lambda: np.zeros((2, 2, 2)),
    "other size": lambda: np.zeros((2, 7)),
    "nonsense": lambda: "nonsense",
    "empty text": lambda: "",
    "NUL": lambda: "a\0b",
    "line end": lambda: "a\nb",
    "half a letter": lambda: "\ud800",
    "bytes": lambda: b"ab",
    "empty list": list,
    "empty dict": dict,
    "object": object,
    "class": lambda: DualEncoder,
    "loud": Loud,
    "[loud]": lambda: [Loud()],
    "mute": Mute,
}
BAD |= {
    f"judged of {name}": lambda changed=changed: [JUDGED[0]._replace(**changed)]
    for name, changed in JUDGED_OF.items()
}

# Parameters (`name` or `function.name`), and the values of BAD that they accept.
WHOLE = """
    n_cells n_hidden n_outputs epochs batch_size n_negatives patience k n n_draws n_candidates most
    n_queries min_count max_words seeds search_pairs jobs
    n_iterations n_topics n_heads vector_size seed truncate n_jobs
"""
OPTIONAL = """
    average callback checkpoint workers max_words truncate patience peepholes progress momentum
    n_jobs mu n_topics sample say ndcg.judged from_ir_datasets.n_queries prompt_type explore.titles
    explore.page test train write_page.titles
    SkipThought.folder fetch.folder table_iv.sentences table_iv.skip_thought iter_corpus.split
"""
SHARES = "average held_out momentum share b from_ir_datasets.judged"
NUMBERS = "gamma step_size clip mu large tolerance prior sample k1"
TEXT = """
    text query title word compare.name url Encoder.name from_ir_datasets.name fetch.name
"""
PATH = """
    path folder checkpoint out sentences qrels
    read_qrels.queries read_qrels.documents skip_thought train test split tag explore.page
"""
TEXTS_OF = """
    texts words trigrams corpus split_msrd.judgments rank.titles score.titles explore.titles rows
    cost_and_gradient.clicked check_gradient.clicked differences.clicked error_norms.clicked
    cost_and_gradient.queries check_gradient.queries differences.queries error_norms.queries
    scores.queries forward.queries forward.titles write_page.titles
"""
LISTS_OF_TEXTS = "scores.titles unclicked"
LISTS = """
    asked cells inputs write_qrels.judgments ndcg_by_query.judgments run_of.judgments depths
    ndcg.judged reciprocal_ranks.judgments
"""
FLAGS = """
    forget_gate tied verbose progress resume overwrite with_embedding aligned skip_bad header
    ignore_identical_ids positions
"""
ARRAYS = "value expected delta y embeddings counts"
GOOD = [
    (WHOLE, ["2"]),
    ("seed truncate", ["0"]),
    ("n_jobs", ["-1"]),
    (OPTIONAL, ["None"]),
    ("train.epochs fit.epochs", ["None"]),
    (FLAGS, ["True", "False"]),
    ("among", ["True", "array of bool"]),
    ("found", ["array of bool"]),
    ("right_partners.title", ["line end"]),  # it separates two words, like a space
    (SHARES, ["0", "1e-300"]),
    (NUMBERS, ["2", "2.5", "1e-300", "1e300"]),
    ("scale", ["2", "2.5"]),
    ("clip", ["inf", "longdouble 1e400"]),
    ("large tolerance prior sample k1", ["0"]),
    (TEXT, ["nonsense", "empty text", "NUL", "line end", "half a letter"]),
    (PATH, ["nonsense"]),
    (TEXTS_OF, ["empty list", "['ab']", "['1']"]),
    (LISTS_OF_TEXTS, ["[[]]", "[('ab',)]", "[('ab', 'ba', 'c')]"]),
    (LISTS, ["empty list"]),
    ("depths ndcg.judged values differences", ["[5]"]),
    ("values differences", ["[-1]", "[2.5]"]),
    # `compare` and figures show NaN, and training checks for it after each epoch
    ("value expected delta normalise.y", ["array of NaN", "array of inf"]),
    (ARRAYS, ["array of huge", "other size", "[[]]"]),
    ("counts", ["array of NaN"]),  # NaN marks a word without a count
    ("fit descend callback say workers", ["class"]),
    ("write_run.run", ["empty dict"]),
    ("differences holm.p", ["empty list"]),
    ("differences", ["array of NaN", "array of inf"]),
    ("SkipThought.fit.pairs", ["empty list"]),  # `fit` ignores these pairs
    # mteb passes these arguments, and the encoder ignores them
    ("task_metadata hf_split hf_subset", list(BAD)),
]
