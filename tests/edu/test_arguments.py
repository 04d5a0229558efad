"""Every parameter of every public function against one list of bad values.

Functions and parameters are found by looking into the package: a new parameter is tested without
being named, and one without a good value in tests/helpers/public_calls.py makes a test red. A
value gives a result, or is refused in one line that names the parameter, as those of another kind
than the good one always are; NumPy's numbers and texts, and those of subclasses, work as Python's.
"""

import importlib
import inspect
import itertools
import re

import numpy as np
import pytest
from bad_values import BAD, Loud, Mute, Size, Text, Whole, must_be_refused
from public_calls import HASHING, MODEL, NEEDS, PAIRS, PUBLIC, SMALL, good_calls
from seen import seen

from lstm_edu import RNN, DualEncoder, InputError
from lstm_edu._util import arguments
from lstm_edu.table_iv.bm25 import BM25
from lstm_edu.table_iv.plsa import PLSA
from lstm_edu.table_iv.skip_thought import SkipThought
from lstm_edu.table_iv.ulm import ULM


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """Fit the rows of Table IV whose libraries are there."""
    path = tmp_path_factory.mktemp("text") / "passages.txt"
    path.write_text("ab ba\nba ab\nab ab\n\n" * 2, encoding="utf-8", newline="\n")
    rows = {"ULM": ULM(2.0), "SkipThought": SkipThought(sentences=str(path), **SMALL)}
    rows |= {"BM25": BM25(), "PLSA": PLSA(2, n_iterations=1)}
    for name, row in rows.items():
        if name not in NEEDS or importlib.util.find_spec(NEEDS[name]):
            row.fit(PAIRS)
    return rows


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Enter a folder with small files."""
    folder = tmp_path / "here"
    (folder / "beir" / "qrels").mkdir(parents=True)
    for name, content in {
        "small.tsv": "ab ba\tabc\n",
        "titles.txt": "ab ba\nabc\n",
        "judgments.tsv": "q1\tab\td1\tabc\t1\nq1\tab\td2\tba\t0\n",
        "passages.txt": "ab ba\nba ab\nab ab\n\n" * 2,
        "qrels.txt": "q1 0 d1 1\n",
        "q.tsv": "q1\tab\n",
        "d.tsv": "d1\tabc\n",
        "run.txt": "q1 Q0 d1 1 0.5 t\n",
        "beir/corpus.jsonl": '{"_id": "d1", "text": "ab"}\n{"_id": "d2", "text": "ba"}\n',
        "beir/queries.jsonl": '{"_id": "q1", "text": "ab"}\n',
        "beir/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n",
    }.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    MODEL.save(folder / "model.npz")
    monkeypatch.chdir(folder)
    return folder


TWINS = [
    (np.int8(2), 2),
    (Whole(2), 2),
    (Size.SMALL, 3),
    (np.float32(0.3), float(np.float32(0.3))),
    (np.bool_(True), True),
    (Text("batch"), "batch"),
    (np.array(["ab", "ba"]), ["ab", "ba"]),
    (np.ones((2, 2), np.longdouble), [[1.0, 1.0], [1.0, 1.0]]),
]
NONE_TOO = "epochs", "average", "progress", "train", "test"


def outcome(name, call, changed):
    """Return the result of a call and its changed arguments, comparable; or its error."""
    self, given = call if isinstance(call, tuple) else (None, call)
    if name == "training.loop.train":  # which changes it
        given = given | {"model": DualEncoder(RNN(2), HASHING)}
    given = given | changed
    function = PUBLIC[name] if self is None else getattr(self, name.split(".")[-1])
    before = {k: seen(v) for k, v in given.items()}
    try:
        found = function(**given)
        found = list(found) if inspect.isgenerator(found) else found
    except InputError as error:
        after = {k: seen(v) for k, v in given.items()}
        assert after == before, f"{name} has changed what it was given"
        return error
    after = {k: seen(v) for k, v in given.items()}
    changes = {k for k in after if after[k] != before[k]}
    assert changes <= ({"model"} if name == "training.loop.train" else set()), changes
    return seen(found), [seen(given[k]) for k in changes]


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.filterwarnings("ignore")
def test_every_parameter_against_every_bad_value(name, fitted, folder):
    for row, library in NEEDS.items():
        if f".{row}" in name:
            pytest.importorskip(library)
    call = good_calls(fitted, folder)[name]
    expected = outcome(name, call, {})
    assert not isinstance(expected, Exception), expected
    given = call[1] if isinstance(call, tuple) else call
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    named = {p.name: given.get(p.name, p.default) for p in parameters if p.kind != p.VAR_KEYWORD}
    named.pop("self", None)
    wrong = []
    for (parameter, good), value in itertools.product(named.items(), BAD):
        case = f"{parameter} {arguments.shown(value)}"
        try:
            found = outcome(name, call, {parameter: value})
        except Exception as error:
            wrong.append(f"{case}: {type(error).__name__} {error}"[:300])
            continue
        if not isinstance(found, InputError):
            is_left_out = value is None and parameter in NONE_TOO
            if must_be_refused(value, good) and not is_left_out:
                wrong.append(f"{case}: passes")
        elif not is_one_line_about(parameter, str(found), folder):
            wrong.append(f"{case}: says {str(found)[:300]!r}")
    for parameter, (value, twin) in itertools.product(named, TWINS):
        ours, twins = (outcome(name, call, {parameter: v}) for v in (value, twin))
        if not (isinstance(ours, InputError) and isinstance(twins, InputError)) and ours != twins:
            wrong.append(f"{parameter} {value!r}: not as Python's twin: {ours} {twins}"[:400])
    assert not wrong, "\n".join([name, *wrong])


def is_one_line_about(parameter, said, folder):
    """Tell whether an error names the parameter, or a file."""
    about = re.search(rf"\b{parameter}\b", said.split(": ")[0])
    a_file = said.startswith((str(folder), "nonsense"))
    return said.isprintable() and len(said) < 300 and bool(about or a_file)


def test_shows_any_value_in_one_short_line():
    for value in (Loud(), [Loud()], "a\x1b[31m\n" * 99, "\u202e\ud800", 10**5000, np.eye(99)):
        said = arguments.shown(value)
        assert said.isprintable() and len(said) < 120
    assert arguments.shown("short\n") == repr("short\n") and arguments.shown(Mute()) == "a Mute"
    assert len(arguments.shown("x" * 999)) == 60
