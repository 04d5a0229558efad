"""Tests that every public function refuses bad values for every parameter.

Introspection finds functions and parameters, so that new parameters are tested without being
listed; the test fails if a parameter has no valid value in tests/helpers/public_calls.py. A bad
value must raise a one-line error that names the parameter. NumPy's numbers and strings, and
instances of subclasses of Python's types, must give the same result as plain Python values.
"""

import builtins
import importlib
import inspect
import itertools
import pathlib
import re
import types

import numpy as np
import pytest
from bad_values import BAD, GOOD, Loud, Mute, Size, Text, Whole
from public_calls import EXTRAS, HASHING, MODEL, NEEDS, PAIRS, PUBLIC, good_calls
from seen import seen

from lstm_course import explorers
from lstm_course.explorers import controls
from lstm_course.sample import questions, synthetic, synthetic_needs
from lstm_edu import RNN, DualEncoder, InputError
from lstm_edu._util import arguments
from lstm_tools.formats import msrd
from lstm_tools.table_iv import comparison, skip_thought_trainer
from lstm_tools.table_iv.bm25 import BM25
from lstm_tools.table_iv.doc2vec import Doc2Vec
from lstm_tools.table_iv.plsa import PLSA
from lstm_tools.table_iv.skip_thought import SkipThought
from lstm_tools.table_iv.ulm import ULM


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """Return rows of Table IV, keyed by class name; those with missing libraries aren't fitted."""
    path = tmp_path_factory.mktemp("text") / "passages.txt"
    path.write_text("ab ba\nba ab\nab ab\n\n" * 2, encoding="utf-8", newline="\n")
    rows = {"ULM": ULM(2.0), "SkipThought": SkipThought(sentences=str(path))}
    rows |= {"BM25": BM25(), "PLSA": PLSA(2, n_iterations=1), "Doc2Vec": Doc2Vec(0, 1, 2, 0.0)}
    for name, row in rows.items():
        if name not in NEEDS or importlib.util.find_spec(NEEDS[name]):
            row.fit(PAIRS)
    return rows


@pytest.fixture(scope="module")
def few_needs():
    """Return the sample generator's word lists, and its information needs on two topics."""
    words = synthetic.read_words()
    needs = synthetic_needs.all_needs(words)
    topics = sorted({need.topic for need in needs if need.about == "pair"})[:2]
    return words, [need for need in needs if need.topic in topics]


@pytest.fixture
def folder(tmp_path, monkeypatch, few_needs):
    """Change to a folder with small files, and mock functions that are slow or need a network."""
    folder = tmp_path / "here"
    (folder / "beir" / "qrels").mkdir(parents=True)
    for name, content in {
        "small.tsv": "ab ba\tabc\n",
        "titles.txt": "ab ba\nabc\n",
        "judgments.tsv": "q1\tab\td1\tabc\t1\nq1\tab\td2\tba\t0\n",
        "needs.tsv": "q1\ta\tb\t0\t1\tc\n",
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
    explorers.write_page(MODEL, folder / "page.html")
    monkeypatch.chdir(folder)

    def no_network(*_):
        raise InputError("url: there is no network in this test")

    words, needs = few_needs
    nothing = {"judge": ([], []), "all_facts": [], "draw_judged": [], "forum": []}
    for module, replaced in {
        msrd: {"RESULTS": {}, "_download": no_network},
        synthetic: {
            "read_words": lambda: words,
            "all_needs": lambda words: list(needs),
            "passages": lambda asked, seed: [(["ab"], [])],
            "judge": lambda *_: [],
            "click_log": lambda *_: ([], []),
        },
        questions: {name: lambda *_, found=found: found for name, found in nothing.items()},
        controls: {"is_live": lambda: False, "_show": do_nothing, "pictures": PICTURES},
        comparison: {"_made": lambda *_: {}},
        comparison.results: {"summary": lambda *_: []},
        skip_thought_trainer: {"_fit": lambda weights, *_: (weights, 1)},
        builtins: {"print": lambda *_, **__: None},
    }.items():
        for name, value in replaced.items():
            monkeypatch.setattr(module, name, value)
    far = {"pooch.os_cache": lambda name: folder / "cache", "ir_datasets.load": load_small_set}
    for name, value in far.items():
        if importlib.util.find_spec(name.split(".")[0]):
            monkeypatch.setattr(name, value)
    return folder


def do_nothing(*_):
    """Mock of the functions that draw or show a figure."""


PICTURES = types.SimpleNamespace(reading=do_nothing)


def load_small_set(name):
    """Mock of ``ir_datasets.load`` that knows only the data set "good"."""
    if name != "good":
        raise KeyError(name)
    make = types.SimpleNamespace
    has_all = {f"has_{part}": lambda: True for part in ("queries", "docs", "qrels")}
    return make(
        **has_all,
        qrels_iter=lambda: [make(query_id="q", doc_id=d, relevance=d == "a") for d in "ab"],
        queries_iter=lambda: [make(query_id="q", text="ab")],
        docs_iter=lambda: [make(doc_id=d, title=f"title {d}") for d in "ab"],
    )


EQUALS = {
    "int8": (lambda: np.int8(2), 2),
    "Whole": (lambda: Whole(2), 2),
    "Size": (lambda: Size.SMALL, 3),
    "float32": (lambda: np.float32(0.3), float(np.float32(0.3))),
    "bool_": (lambda: np.bool_(True), True),
    "Text": (lambda: Text("batch"), "batch"),
    "array of texts": (lambda: np.array(["ab", "ba"]), ["ab", "ba"]),
    "array of longdouble": (lambda: np.ones((2, 2), np.longdouble), [[1.0, 1.0], [1.0, 1.0]]),
    "generator": (lambda: (text for text in ("ab", "ba")), ["ab", "ba"]),
}


def parameters(name):
    """Return the names of a public function's parameters, without ``self`` and ``**kwargs``."""
    signature = inspect.signature(PUBLIC[name])
    named = (p for p in signature.parameters.values() if p.kind not in (p.VAR_KEYWORD,))
    return [p.name for p in named if p.name != "self"]


GOOD_OF = [(set(params.split()), labels) for params, labels in GOOD]


def is_good(name, parameter, label):
    """Return whether `GOOD` lists a value as valid for a parameter."""
    *_, room, function = name.split(".")
    names = {parameter, f"{function}.{parameter}", f"{room}.{function}.{parameter}"}
    return any(label in labels and names & params for params, labels in GOOD_OF)


def outcome(name, call, changed):
    """Return a call's InputError, or its result and changed arguments, in a comparable form."""
    self, given = call if isinstance(call, tuple) else (None, call)
    if name == "training.loop.train":  # use a new model, because training changes it
        given = given | {"model": DualEncoder(RNN(2), HASHING)}
    given = given | changed
    function = PUBLIC[name] if self is None else getattr(self, name.split(".")[-1])
    before = {k: seen(v) for k, v in given.items()}
    try:
        found = function(**given)
        found = list(found) if inspect.isgenerator(found) else found
    except InputError as error:
        after = {k: seen(v) for k, v in given.items()}
        assert after == before, f"{name} has changed its arguments"
        return error
    after = {k: seen(v) for k, v in given.items()}
    changes = {k for k in after if after[k] != before[k]}
    assert changes <= ({"model"} if name == "training.loop.train" else set()), changes
    return seen(found), [seen(given[k]) for k in changes]


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.filterwarnings("ignore")
def test_function_refuses_bad_values_and_treats_numpy_values_like_python_values(
    name, fitted, folder
):
    if name in EXTRAS or name.rpartition(".")[0] in EXTRAS:
        pytest.importorskip(EXTRAS.get(name) or EXTRAS[name.rpartition(".")[0]])
    call = good_calls(fitted, folder)[name]
    expected = outcome(name, call, {})
    assert not isinstance(expected, Exception), expected
    wrong = []
    for parameter, (label, make) in itertools.product(parameters(name), BAD.items()):
        if label == "class" and is_good(name, parameter, label):
            continue  # a class is a valid callable
        try:
            found = outcome(name, call, {parameter: make()})
        except Exception as error:
            wrong.append(f"{parameter} {label}: {type(error).__name__} {error}"[:300])
            continue
        if is_good(name, parameter, label):
            continue
        if not isinstance(found, InputError):
            wrong.append(f"{parameter} {label}: passes")
        elif not is_one_line_about(parameter, make(), str(found)):
            wrong.append(f"{parameter} {label}: says {str(found)[:300]!r}")
    for parameter, (label, (make, equal)) in itertools.product(parameters(name), EQUALS.items()):
        ours = outcome(name, call, {parameter: make()})
        theirs = outcome(name, call, {parameter: equal})
        if isinstance(ours, InputError) and isinstance(theirs, InputError):
            if not str(ours).isprintable():
                wrong.append(f"{parameter} {label}: says {str(ours)[:300]!r}")
        elif ours != theirs:
            wrong.append(f"{parameter} {label}: differs from Python's value: {ours} {theirs}"[:400])
    assert not wrong, "\n".join([name, *wrong])


def is_one_line_about(parameter, value, said):
    """Return whether an error message is one short line about the parameter or the file passed."""
    about = re.search(rf"\b{parameter}\b", said.split(": ")[0])
    a_file = isinstance(value, str) and value and said.startswith(value)
    return said.isprintable() and len(said) < 250 and bool(about or a_file)


def test_shown_formats_any_value_in_one_short_line():
    for value in (Loud(), [Loud()], "a\x1b[31m\n" * 99, "\u202e\ud800", 10**5000, np.eye(99)):
        said = arguments.shown(value)
        assert said.isprintable() and len(said) < 120
    assert arguments.shown("short\n") == repr("short\n") and arguments.shown(Mute()) == "a Mute"
    assert len(arguments.shown("x" * 999)) == 60


@pytest.mark.parametrize("dtype", [np.dtype(">f4"), pathlib.Path("float32"), np.float16, float])
def test_encoder_refuses_dtypes_other_than_native_float32_and_float64(dtype):
    with pytest.raises(InputError, match="^dtype: .*must be 'float32' or 'float64'"):
        DualEncoder(RNN(1), HASHING, dtype=dtype)
