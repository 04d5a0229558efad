"""Every parameter of every public function against one list of bad values.

The functions are found by looking into the package, and their parameters by their signatures: a new
parameter is tested without being named, and a new function without a good call in `good_calls`
makes a test red. A bad value is refused in one line that names the parameter. What NumPy or a class
of one's own makes of a number or a text works as Python's own does, to the bit.
"""

import importlib
import inspect
import itertools
import pathlib
import re
import types

import numpy as np
import pytest
import scipy.sparse
from bad_values import BAD, GOOD, Loud, Mute, Real, Size, Text, Whole
from public_calls import (
    EXTRAS,
    FOUND,
    HASHING,
    JUDGED,
    MODEL,
    NEEDS,
    PAIRS,
    PUBLIC,
    RUN,
    SMALL,
    Y,
    good_calls,
)

import lstm_edu
from lstm_edu import (
    LSTM,
    RNN,
    DualEncoder,
    InputError,
    arguments,
    train,
)
from lstm_edu.data import datasets, questions, synthetic, synthetic_needs
from lstm_edu.explorers import controls
from lstm_edu.inside.inspection import cells_by_topic
from lstm_edu.ranking.ndcg import evaluate, evaluate_run, ndcg
from lstm_edu.ranking.nearest import top_of_blocks
from lstm_edu.table_iv import comparison, skip_thought_trainer
from lstm_edu.table_iv.bm25 import BM25
from lstm_edu.table_iv.doc2vec import Doc2Vec
from lstm_edu.table_iv.plsa import PLSA
from lstm_edu.table_iv.skip_thought import SkipThought
from lstm_edu.table_iv.ulm import ULM


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """The rows of Table IV, fitted where their libraries are there."""
    path = tmp_path_factory.mktemp("text") / "passages.txt"
    path.write_text("ab ba\nba ab\nab ab\n\n" * 2, encoding="utf-8", newline="\n")
    rows = {"ULM": ULM(2.0), "SkipThought": SkipThought(sentences=str(path), **SMALL)}
    rows |= {"BM25": BM25(), "PLSA": PLSA(2, n_iterations=1), "Doc2Vec": Doc2Vec(0, 1, 2, 0.0)}
    for name, row in rows.items():
        if name not in NEEDS or importlib.util.find_spec(NEEDS[name]):
            row.fit(PAIRS)
    return rows


@pytest.fixture(scope="module")
def few_needs():
    """The word files, and the needs of two topics."""
    words = synthetic.read_words()
    needs = synthetic_needs.all_needs(words)
    topics = sorted({need.topic for need in needs if need.about == "pair"})[:2]
    return words, [need for need in needs if need.topic in topics]


@pytest.fixture
def folder(tmp_path, monkeypatch, few_needs):
    """A folder with small files, in which the test stands; what is slow or far away is replaced."""
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
    monkeypatch.chdir(folder)

    def no_network(*_):
        raise InputError("url: there is no network in this test")

    monkeypatch.setattr(datasets, "RESULTS", {})
    monkeypatch.setattr(datasets, "_download", no_network)
    words, needs = few_needs
    monkeypatch.setattr(synthetic, "read_words", lambda: words)
    monkeypatch.setattr(synthetic, "all_needs", lambda words: list(needs))
    monkeypatch.setattr(synthetic, "passages", lambda asked, seed: [(["ab"], [])])
    monkeypatch.setattr(synthetic, "judge", lambda *_: [])
    monkeypatch.setattr(synthetic, "click_log", lambda *_: ([], []))
    monkeypatch.setattr(questions, "all_facts", lambda *_: [])
    monkeypatch.setattr(questions, "draw_judged", lambda *_: [])
    monkeypatch.setattr(questions, "judge", lambda *_: ([], []))
    monkeypatch.setattr(questions, "forum", lambda *_: [])
    monkeypatch.setattr(controls, "is_live", lambda: False)
    monkeypatch.setattr(controls, "_show", lambda *_: None)
    monkeypatch.setattr(controls, "pictures", types.SimpleNamespace(**dict.fromkeys(PICTURES, no)))
    monkeypatch.setattr(comparison.parts, "check", lambda *_: None)
    monkeypatch.setattr(comparison, "_done", lambda *_: {})
    monkeypatch.setattr(comparison.results, "summary", lambda *_: [])
    monkeypatch.setattr(skip_thought_trainer, "_fit", lambda *_: ([0.0], []))
    monkeypatch.setattr("builtins.print", lambda *_, **__: None)
    for library, name, value in (
        ("pooch", "os_cache", lambda name: folder / "cache"),
        ("ir_datasets", "load", a_set),
    ):
        if importlib.util.find_spec(library):
            monkeypatch.setattr(f"{library}.{name}", value)
    return folder


PICTURES = "reading", "push", "race"


def no(*_):
    """No picture."""


def a_set(name):
    """What ``ir_datasets.load`` gives, for one name."""
    if name != "good":
        raise KeyError(name)
    make = types.SimpleNamespace
    there = {f"has_{what}": lambda: True for what in ("queries", "docs", "qrels")}
    return make(
        **there,
        qrels_iter=lambda: [make(query_id="q", doc_id=d, relevance=d == "a") for d in "ab"],
        queries_iter=lambda: [make(**{"query_id": "q", "text": "ab"})],
        docs_iter=lambda: [make(doc_id=d, title=f"title {d}") for d in "ab"],
    )


# ---- the test

TWINS = {
    "int8": (lambda: np.int8(2), 2),
    "uint8": (lambda: np.uint8(2), 2),
    "int64": (lambda: np.int64(-1), -1),
    "Whole": (lambda: Whole(2), 2),
    "Size": (lambda: Size.SMALL, 3),
    "float16": (lambda: np.float16(0.5), 0.5),
    "float32": (lambda: np.float32(0.3), float(np.float32(0.3))),
    "float64": (lambda: np.float64(2.5), 2.5),
    "longdouble": (lambda: np.longdouble("0.5"), 0.5),
    "Real": (lambda: Real(0.5), 0.5),
    "bool_": (lambda: np.bool_(True), True),
    "str_": (lambda: np.str_("ab"), "ab"),
    "Text": (lambda: Text("batch"), "batch"),
    "Text of a choice": (lambda: Text("document"), "document"),
    "array of texts": (lambda: np.array(["ab", "ba"]), ["ab", "ba"]),
    "array of ints": (lambda: np.array([1, 0], np.uint8), [1, 0]),
    "array of int8": (lambda: np.array([[1, 0], [100, 1]], np.int8), [[1, 0], [100, 1]]),
    "array of longdouble": (lambda: np.ones((2, 2), np.longdouble), [[1.0, 1.0], [1.0, 1.0]]),
    "tuple": (lambda: ("ab", "ba"), ["ab", "ba"]),
    "generator": (lambda: (text for text in ("ab", "ba")), ["ab", "ba"]),
}


def parameters(name):
    """The parameters of a public function that are given by name."""
    signature = inspect.signature(PUBLIC[name])
    named = (p for p in signature.parameters.values() if p.kind not in (p.VAR_KEYWORD,))
    return [p.name for p in named if p.name != "self"]


GOOD_OF = [(set(params.split()), labels) for params, labels in GOOD]


def is_good(name, parameter, label):
    """Whether `GOOD` has it."""
    *_, room, function = name.split(".")
    names = {parameter, f"{function}.{parameter}", f"{room}.{function}.{parameter}"}
    return any(label in labels and names & params for params, labels in GOOD_OF)


def outcome(name, call, changed):
    """What a call gives, and what it was given afterwards, as comparable values; or its error."""
    self, given = call if isinstance(call, tuple) else (None, call)
    if name == "training.train.train":  # which changes it
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
    assert changes <= ({"model"} if name == "training.train.train" else set()), changes
    return seen(found), [seen(given[k]) for k in changes]


def seen(value):
    """A value such that equal ones are equal: arrays by their bytes, NaN as itself."""
    if type(value) in (str, int, bool, float):  # nearly all are
        return type(value).__name__, repr(value) if type(value) is float else value
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {str(k): seen(v) for k, v in value.items() if k not in ("seconds", "memory")}
    if isinstance(value, (list, tuple)):
        return [seen(v) for v in value]
    if scipy.sparse.issparse(value):
        return seen(value.toarray())
    if isinstance(value, (bool, int, float, str, pathlib.Path)) or value is None:
        of = next(kind for kind in (bool, int, float, str, object) if isinstance(value, kind))
        return of.__name__, repr(value) if of is float else value
    if type(value).__module__.startswith("lstm_edu") and not isinstance(value, type):
        return seen(vars(value))
    return type(value).__name__


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.filterwarnings("ignore")
def test_every_parameter_against_every_bad_value(name, fitted, folder):
    if name in EXTRAS or name.rpartition(".")[0] in EXTRAS:
        pytest.importorskip(EXTRAS.get(name) or EXTRAS[name.rpartition(".")[0]])
    call = good_calls(fitted, folder)[name]
    expected = outcome(name, call, {})
    assert not isinstance(expected, Exception), expected
    wrong = []
    for parameter, (label, make) in itertools.product(parameters(name), BAD.items()):
        if label == "class" and is_good(name, parameter, label):
            continue  # which can be called, but is no such function
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
    for parameter, (label, (make, twin)) in itertools.product(parameters(name), TWINS.items()):
        if parameter == "choices":
            continue  # which are returned as they were given
        try:
            ours = outcome(name, call, {parameter: make()})
            twins = outcome(name, call, {parameter: twin})
        except Exception as error:
            wrong.append(f"{parameter} {label}: {type(error).__name__} {error}"[:300])
            continue
        if isinstance(ours, InputError) and isinstance(twins, InputError):
            if not str(ours).isprintable():
                wrong.append(f"{parameter} {label}: says {str(ours)[:300]!r}")
        elif ours != twins:
            wrong.append(f"{parameter} {label}: not as Python's twin: {ours} {twins}"[:400])
    assert not wrong, "\n".join([name, *wrong])


def is_one_line_about(parameter, value, said):
    """Whether an error names the parameter, or the file that it named."""
    about = re.search(rf"\b{parameter}\b", said.split(": ")[0])
    a_file = isinstance(value, str) and value and said.startswith(value)
    return said.isprintable() and len(said) < 250 and bool(about or a_file)


def test_every_public_function_has_a_good_call(fitted, folder):
    assert set(good_calls(fitted, folder)) == set(PUBLIC)
    assert {parameter for name in PUBLIC for parameter in parameters(name)} >= {"gamma", "texts"}


# ---- by name: what was found


def test_small_integers_of_numpy_train_as_python_s_do():
    def trained(**settings):
        model = DualEncoder(LSTM(2), HASHING)
        train(
            model, PAIRS * 8, progress=False, optimizer="nesterov", momentum="schedule", **settings
        )
        return seen(model)

    assert trained(epochs=np.int8(6)) == trained(epochs=6)
    assert trained(epochs=2, batch_size=np.uint8(16)) == trained(epochs=2, batch_size=16)


def test_what_is_trained_with_a_long_number_can_be_saved(tmp_path):
    path = str(tmp_path / "m.npz")
    model = DualEncoder(LSTM(2), HASHING, seed=np.int8(3), scale=np.float16(0.5))
    train(model, PAIRS, epochs=1, step_size=np.longdouble("1e-3"), checkpoint=path)
    assert seen(lstm_edu.load(path).query) == seen(model.query)
    assert type(model.training["settings"]["step_size"]) is float


def test_a_callback_is_asked_for_before_the_first_epoch(tmp_path):
    model, path = DualEncoder(LSTM(2), HASHING), tmp_path / "m.npz"
    with pytest.raises(InputError, match="^callback: 5; must be None or a function$"):
        train(model, PAIRS, callback=5, checkpoint=path)
    assert not path.exists() and not model.training


@pytest.mark.filterwarnings("ignore:.*letter trigram")
def test_a_log_must_say_something_that_the_model_knows():
    model = DualEncoder(LSTM(2), HASHING)
    before = seen(model)
    for pairs, side in (
        ([("xyz", "xxz"), ("zzz", "yyy")], "query"),
        ([("ab", "xxz"), ("ba", "yyy")], "title"),
    ):
        with pytest.raises(InputError, match=f"^pairs: no {side} holds a letter trigram that the"):
            train(model, pairs)
    with pytest.raises(InputError, match="^pairs: none"):
        train(model, iter([]))
    assert seen(model) == before


@pytest.mark.parametrize("grades", [[-5, 1], [2.5, 1], ["1", 1], [101, 0], [True, False]])
def test_a_grade_is_a_whole_number_from_0_to_100(grades):
    for call in (
        lambda: ndcg([0.5, 0.25], grades, 3),
        lambda: ndcg([0.5, 0.25], [1, 0], 3, judged=grades),
        lambda: evaluate(BM25(), [JUDGED[0]._replace(grades=grades)]),
        lambda: evaluate_run(RUN, {"q1": dict(zip(("d1", "d2"), grades))}),
    ):
        with pytest.raises(InputError, match=r"(grades|judged).*must be whole numbers from 0 to 1"):
            call()
    assert ndcg([0.5, 0.25], np.array([3.0, 0.0]), 3) == ndcg([0.5, 0.25], [3, 0], 3) == 1


def test_lists_of_wrong_lengths():
    for call in (
        lambda: MODEL.scores(["ab"], []),
        lambda: ndcg([1.0], [1, 0], 3),
        lambda: evaluate(MODEL, [JUDGED[0]._replace(titles=["abc"])]),
        lambda: top_of_blocks(Y, [(["a"], Y)]),
        lambda: cells_by_topic(np.array(FOUND), [0]),
        lambda: MODEL.similarity(np.zeros((1, 2)), np.zeros((1, 3))),
    ):
        with pytest.raises(InputError, match="equal|as many|one for each|of one size"):
            call()


def test_a_model_of_one_s_own_that_scores_badly_is_named():
    for scores in (None, [[1.0]], [[1.0, float("nan")]], [["1", "2"]], [[1j, 2]], "ab", [None]):
        model = types.SimpleNamespace(scores=lambda queries, titles, found=scores: found)
        with pytest.raises(InputError, match="^scores"):
            evaluate(model, JUDGED)


def test_what_is_shown_of_a_value_is_one_short_line():
    for value in (Loud(), [Loud()], "a\x1b[31m\n" * 99, "\u202e\ud800", 10**5000, np.eye(99)):
        said = arguments.shown(value)
        assert said.isprintable() and len(said) < 120
    assert arguments.shown("short\n") == repr("short\n") and arguments.shown(Mute()) == "a Mute"
    assert len(arguments.shown("x" * 999)) == 60
