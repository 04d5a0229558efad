"""Every parameter of every public function against one list of bad values.

The functions are found by looking into the package, and their parameters by their signatures: a new
parameter is tested without being named, and a new function without a good call in `good_calls`
makes a test red. A bad value is refused in one line that names the parameter. What NumPy or a class
of one's own makes of a number or a text works as Python's own does, to the bit.
"""

import decimal
import enum
import fractions
import importlib
import inspect
import itertools
import pathlib
import pkgutil
import re
import types

import numpy as np
import pytest
import scipy.sparse

import lstm_edu
from lstm_edu import (
    LSTM,
    RNN,
    AlignedEncoder,
    DualEncoder,
    InputError,
    LetterTrigrams,
    arguments,
    train,
)
from lstm_edu.cells.cell import Cell
from lstm_edu.data import datasets, questions, synthetic
from lstm_edu.data.clicks import Judged
from lstm_edu.explorers import controls
from lstm_edu.files import MissingError
from lstm_edu.inside.inspection import cells_by_topic
from lstm_edu.ranking import mteb
from lstm_edu.ranking.ndcg import evaluate, evaluate_run, ndcg
from lstm_edu.ranking.nearest import top_of_blocks
from lstm_edu.table_iv import comparison, skip_thought_trainer
from lstm_edu.table_iv.bm25 import BM25
from lstm_edu.table_iv.doc2vec import Doc2Vec
from lstm_edu.table_iv.plsa import PLSA
from lstm_edu.table_iv.skip_thought import SkipThought
from lstm_edu.table_iv.ulm import ULM

# ---- what is public

# The inside of what is public, called with what has been checked, mostly in the middle of a sum;
# and what draws, checks an exercise or reads the command line.
INNER_MODULES = """
    __main__ arguments array_files commands exercises files interrupts model_file threads checks
    plots explorers.looking explorers.pictures explorers.reader explorers.widget
    text.batch text.lanes text.many_words text.sentences data.wordings cells.cell
    gradients.aligned gradients.relevance
    gradients.autodiff gradients.lanes gradients.minibatch gradients.printed gradients.printed_error
    training.adam training.algorithm_1 training.click_log training.cluster training.lazy
    training.lazy_adam training.nesterov training.runs training.settings
    table_iv.asked table_iv.claims table_iv.memory table_iv.parts table_iv.processes
    table_iv.progress table_iv.results table_iv.skip_thought_files table_iv.terms table_iv.tuning
""".split()
INNER = (
    """
    cells.bidirectional.part cells.clsm.neighbours cells.gru.step cells.lstm.peephole
    cells.lstm.peepholes cells.lstm.peepholes_back cells.lstm.sigmoid cells.lstm.step cells.rnn.step
    data.clicks.checked_grades data.clicks.checked_judgments
    data.trec.add_grade data.trec.as_judged data.trec.check_id data.trec.checked_run
    data.synthetic.all_needs data.synthetic.by_share data.synthetic.candidates data.synthetic.click
    data.synthetic.click_log data.synthetic.draw_judged data.synthetic.draw_popular
    data.synthetic.grade data.synthetic.judge data.synthetic.neighbours data.synthetic.ordered_pairs
    data.synthetic.qid data.synthetic.rank_by_words data.synthetic.reverse
    data.questions.all_facts data.questions.answer data.questions.ask data.questions.by_place
    data.questions.candidates data.questions.case_of data.questions.draw_judged data.questions.forum
    data.questions.judge data.questions.kept_from_training
    data.questions.read_words
    explorers.controls.is_live explorers.controls.load_ipython explorers.weights.packed
    explorers.weights.rounded_vectors
    gradients.check.relative_errors gradients.check.state_derivatives gradients.cost.checked_gamma
    gradients.cost.cosines_with_all gradients.cost.cosines_with_drawn gradients.cost.cost_gradient
    gradients.cost.warn_of_zeros gradients.methods.check_lists inside.inspection.check_left_to_right
    ranking.ndcg.checked_scores ranking.ndcg.scores_of
    torch_module.Encoders torch_module.Reader torch_module.unit
    aligned.chosen loading.unpack model.Side model.Side.embed model.blocks_of_words
    model.checked_n_jobs model.embed_words model.encode model.rows model.start ranking.nearest.merge
    table_iv.bm25.load_bm25s table_iv.skip_thought.encode
    table_iv.skip_thought.gru table_iv.skip_thought.tokens table_iv.trained.model_of
    table_iv.trained.settings_of training.held_out.candidates training.held_out.ndcg
    training.held_out.split training.train.update
""".split()
    + [
        f"table_iv.skip_thought_trainer.{own}"
        for own in "cost cross_entropy decode encode gru look_up rows start train_and_write".split()
    ]
)


def public():
    """By name, every public function, class and method of the package."""
    found = {}
    for _, name, _ in pkgutil.walk_packages(lstm_edu.__path__, "lstm_edu."):
        short = name.removeprefix("lstm_edu.")
        if {short, short.split(".")[0]} & set(INNER_MODULES):
            continue
        try:
            module = importlib.import_module(name)
        except MissingError:  # without PyTorch
            continue
        for own, value in vars(module).items():
            if own.startswith("_") or getattr(value, "__module__", None) != name:
                continue
            if inspect.isfunction(value):
                found[f"{short}.{own}"] = value
            elif inspect.isclass(value) and not issubclass(value, (tuple, Exception)):
                found[f"{short}.{own}"] = value
                found |= {f"{short}.{own}.{k}": v for k, v in methods(value).items()}
    return {name: value for name, value in found.items() if name not in INNER}


def methods(kind):
    """The public methods that a class has itself; a cell's are inner, its sizes are checked."""
    if issubclass(kind, Cell):
        return {}
    return {
        name: getattr(kind, name)
        for name, value in vars(kind).items()
        if not name.startswith("_") and isinstance(value, (types.FunctionType, classmethod))
    }


PUBLIC = public()

# ---- a good call of each

HASHING = LetterTrigrams.fit(["ab ba"])
PAIRS = [("ab ba", "abc"), ("ba", "a cab"), ("abc a", "ab ba"), ("cab", "bc"), ("ab", "ca b")]
TEXTS = ["ab ba", "abc", "ba ab ab"]
JUDGED = [Judged("q1", "ab", ["d1", "d2"], ["abc", "ba"], [1, 0])]
GRADES = {"q1": {"d1": 1, "d2": 0}}
RUN = {"q1": {"d1": 0.5, "d2": 0.25}}
EXAMPLES = {"queries": ["ab"], "clicked": ["abc"], "unclicked": [["ba"]]}
Y = [[0.5, -0.25], [0.125, 1.0]]
FOUND = [[True, False], [True, True]]


MODEL, MODEL_64 = (DualEncoder(RNN(2), HASHING, dtype=dtype) for dtype in ("float32", "float64"))


ALIGNED = AlignedEncoder(RNN(2), HASHING)


def tiny_pairs(**changed):
    return {"pairs": list(PAIRS), **changed}


def good_calls(fitted, folder):
    """By name, the arguments of a good call; for a method, the object first."""
    text, titles = {"text": "ab ba"}, {"query": "ab", "titles": list(TEXTS)}
    many = {"queries": ["ab"], "titles": [list(TEXTS)]}
    at = str(folder / "small.tsv")
    calls = {
        "cells.rnn.RNN": {"n_cells": 2},
        "cells.gru.GRU": {"n_cells": 2},
        "cells.lstm.LSTM": {"n_cells": 2},
        "cells.attention.Attention": {"cell": RNN(2)},
        "cells.bidirectional.Bidirectional": {"cell": RNN(2)},
        "cells.dssm.DSSM": {},
        "cells.clsm.CLSM": {},
        "data.beir.read_beir": {"folder": str(folder / "beir")},
        "data.beir.read_grades": {"folder": str(folder / "beir")},
        "data.beir.read_queries": {"folder": str(folder / "beir")},
        "data.beir.iter_corpus": {"folder": str(folder / "beir")},
        "data.beir.files_of": {"folder": str(folder / "beir")},
        "data.clicks.read_pairs": {"path": at},
        "data.clicks.iter_pairs": {"path": at},
        "data.clicks.read_titles": {"path": str(folder / "titles.txt")},
        "data.clicks.iter_titles": {"path": str(folder / "titles.txt")},
        "data.clicks.read_passages": {"path": str(folder / "titles.txt")},
        "data.clicks.read_judgments": {"path": str(folder / "judgments.tsv")},
        "data.datasets.sample": {},
        "data.datasets.fetch": {"name": "msrd", "folder": str(folder / "beir")},
        "data.datasets.from_ir_datasets": {"name": "good", "judged": 1.0},
        "data.msrd.split_msrd": {
            "corpus": ['{"id": 1, "title": "a"}'],
            "judgments": ["qid\tquery\tdocid\tgrade", "1\ta\t1\t1"],
        },
        "data.msrd.group": {"query": "the matrix"},
        "data.msrd.share": dict(text),
        "data.answers.fact_of": {"answer": "ring the linden gym on 555 0142"},
        "data.questions.write": {"folder": str(folder / "asked")},
        "data.questions.generate": {"n_pairs": 2, "n_questions": 2},
        "data.partners.partners": {"query": "a", "title": "b", "topic": "travel"},
        "data.needs.read_needs": {
            "path": str(folder / "needs.tsv"),
            "judgments": list(JUDGED),
        },
        "data.synthetic.write": {"folder": str(folder / "made")},
        "data.synthetic.generate": {"n_pairs": 2, "n_queries": 2},
        "data.synthetic.passages": {"asked": [], "n_passages": 1},
        "data.trec.read_qrels": {
            "qrels": str(folder / "qrels.txt"),
            "queries": str(folder / "q.tsv"),
            "documents": str(folder / "d.tsv"),
        },
        "data.trec.write_qrels": {
            "qrels": str(folder / "out1"),
            "queries": str(folder / "out2"),
            "documents": str(folder / "out3"),
            "judgments": list(JUDGED),
        },
        "data.trec.read_grades": {"qrels": str(folder / "qrels.txt")},
        "data.trec.read_run": {"path": str(folder / "run.txt")},
        "data.trec.write_run": {"path": str(folder / "out4"), "run": dict(RUN)},
        "data.trec.read_queries": {"path": str(folder / "q.tsv")},
        "data.trec.iter_documents": {"path": str(folder / "d.tsv")},
        "data.trec.n_columns": {"path": at},
        "explorers.controls.explore": {"model": MODEL},
        "explorers.controls.explore_push": {"titles": list(TEXTS), "R": [0.1, 0.2, 0.3]},
        "explorers.controls.explore_race": {"descend": print, "curvature": (1.0, 2.0)},
        "explorers.weights.rounded": {"model": MODEL},
        "explorers.weights.is_for_a_page": {"model": MODEL},
        "explorers.weights.write_model": {
            "model": MODEL,
            "path": str(folder / "m.js"),
            "name": "a model",
            "titles": list(TEXTS),
        },
        "explorers.weights.write_titles": {
            "titles": list(TEXTS),
            "path": str(folder / "titles.js"),
        },
        "gradients.check.check_gradient": {"model": MODEL_64, **EXAMPLES},
        "gradients.check.differences": {"model": MODEL_64, **EXAMPLES},
        "gradients.check.compare": {"name": "value, expected", "value": Y, "expected": Y},
        "gradients.cost.normalise": {"y": np.array(Y)},
        "gradients.cost.cosine": {"yq": np.array(Y), "yd": np.array(Y)},
        "gradients.cost.loss": {"delta": np.array(Y), "gamma": 10.0},
        "gradients.methods.cost_and_gradient": {"model": MODEL, **EXAMPLES},
        "inside.alignment.word_cosines": {"model": ALIGNED, "query": "ab", "title": "cab"},
        "inside.alignment.letter_cosines": {"hashing": HASHING, "query": "ab", "title": "cab"},
        "inside.alignment.right_partners": {
            "R": np.array([[0.5, 1.0]]),
            "same": np.array([[True, False]]),
            "query": "a",
            "title": "b c",
        },
        "inside.inspection.most_active_cells": {"y": np.array(Y)},
        "inside.inspection.steps": {"y": np.array(Y)},
        "inside.inspection.detections": {"y": np.array(Y), "cells": [0, 1]},
        "inside.inspection.readings": {"model": MODEL, **text},
        "inside.inspection.assigned_cells": {"model": MODEL, **text},
        "inside.inspection.keywords": {"counts": np.array(Y)},
        "inside.inspection.words_by_cell": {"model": MODEL, **text},
        "inside.inspection.active": {"embeddings": np.array(Y)},
        "inside.inspection.cells_by_topic": {"found": np.array(FOUND), "topics": [0, 1]},
        "inside.inspection.topic_share": {"found": np.array(FOUND), "topics": [0, 1]},
        "inside.inspection.shuffled_topic_shares": {
            "found": np.array(FOUND),
            "topics": [0, 1],
            "n_draws": 2,
        },
        "inside.inspection.error_norms": {"model": MODEL, **EXAMPLES},
        "loading.load": {"path": str(folder / "model.npz")},
        "aligned.AlignedEncoder": {"cell": RNN(2), "hashing": HASHING},
        "aligned.AlignedEncoder.encode_query": (ALIGNED, {"texts": list(TEXTS)}),
        "aligned.AlignedEncoder.encode_document": (ALIGNED, {"texts": list(TEXTS)}),
        "aligned.AlignedEncoder.similarity": (
            ALIGNED,
            {"queries": ALIGNED.encode_query(TEXTS), "documents": ALIGNED.encode_document(TEXTS)},
        ),
        "aligned.AlignedEncoder.score": (ALIGNED, titles),
        "aligned.AlignedEncoder.scores": (ALIGNED, many),
        "aligned.AlignedEncoder.rank": (ALIGNED, titles),
        "aligned.AlignedEncoder.trace": (ALIGNED, text),
        "aligned.AlignedEncoder.save": (ALIGNED, {"path": str(folder / "saved.npz")}),
        "model.DualEncoder": {"cell": RNN(2), "hashing": HASHING},
        "model.DualEncoder.encode_query": (MODEL, {"texts": list(TEXTS)}),
        "model.DualEncoder.encode_document": (MODEL, {"texts": list(TEXTS)}),
        "model.DualEncoder.encode_titles": (
            MODEL,
            {"path": str(folder / "titles.txt"), "out": str(folder / "out.npy")},
        ),
        "model.DualEncoder.similarity": (
            MODEL,
            {"query_vectors": np.array(Y), "document_vectors": np.array(Y)},
        ),
        "model.DualEncoder.score": (MODEL, titles),
        "model.DualEncoder.scores": (MODEL, many),
        "model.DualEncoder.rank": (MODEL, titles),
        "model.DualEncoder.trace": (MODEL, text),
        "model.DualEncoder.save": (MODEL, {"path": str(folder / "saved.npz")}),
        "ranking.mteb.Encoder": {"model": MODEL},
        "ranking.mteb.Encoder.encode": (
            mteb.Encoder(MODEL),
            {"inputs": [{"text": list(TEXTS)}]}
            | dict.fromkeys(("task_metadata", "hf_split", "hf_subset")),
        ),
        "ranking.ndcg.ndcg": {"scores": [0.5, 0.25], "grades": [1, 0], "k": 3},
        "ranking.ndcg.ndcg_by_query": {"model": MODEL, "judgments": list(JUDGED)},
        "ranking.ndcg.run_of": {"model": MODEL, "judgments": list(JUDGED)},
        "ranking.ndcg.interval": {"values": [0.5, 0.25], "n_draws": 2},
        "ranking.ndcg.evaluate": {"model": MODEL, "judgments": list(JUDGED)},
        "ranking.ndcg.evaluate_run": {"run": dict(RUN), "grades": dict(GRADES)},
        "ranking.reciprocal_rank.reciprocal_rank": {"scores": [0.5, 0.25], "grades": [1, 0]},
        "ranking.reciprocal_rank.reciprocal_ranks": {"model": MODEL, "judgments": list(JUDGED)},
        "ranking.nearest.top": {"query_vectors": Y, "document_vectors": np.array(Y)},
        "ranking.nearest.top_of_scores": {"blocks": [(["a", "b"], np.array(Y))]},
        "ranking.nearest.top_of_blocks": {"query_vectors": Y, "blocks": [(["a", "b"], Y)]},
        "table_iv.bm25.BM25": {},
        "table_iv.ulm.ULM": {"mu": 2.0},
        "table_iv.plsa.PLSA": {},
        "table_iv.doc2vec.Doc2Vec": {},
        "table_iv.skip_thought.SkipThought": {"sentences": str(folder / "passages.txt")},
        "table_iv.bm25.BM25.fit": (BM25(), tiny_pairs()),
        "table_iv.ulm.ULM.fit": (ULM(2.0), tiny_pairs()),
        "table_iv.plsa.PLSA.fit": (PLSA(2, n_iterations=1), tiny_pairs()),
        "table_iv.doc2vec.Doc2Vec.fit": (Doc2Vec(0, 1, 2, 0.0), tiny_pairs()),
        "table_iv.skip_thought.SkipThought.fit": (fitted["SkipThought"], tiny_pairs()),
        "table_iv.doc2vec.Doc2Vec.embed": (fitted["Doc2Vec"], text),
        "table_iv.doc2vec.Doc2Vec.most_similar": (fitted["Doc2Vec"], {"word": "ab"}),
        "table_iv.skip_thought_trainer.train": {"path": str(folder / "passages.txt"), **SMALL},
        "table_iv.trained.fit": {"cell": RNN(2), "n": 1, "epochs": 1, **tiny_pairs()},
        "table_iv.comparison.table_iv": {
            **tiny_pairs(judgments=list(JUDGED)),
            "folder": str(folder / "compared"),
            "rows": ["ulm"],
        },
        "text.hashing.one_spelling": text,
        "text.hashing.words": text,
        "text.hashing.plain": text,
        "text.hashing.letter_trigrams": {"word": "good"},
        "text.hashing.hashing_operator": {"words": list(TEXTS), "trigrams": ["#ab"]},
        "text.hashing.LetterTrigrams": {"trigrams": ["#ab", "ab#"]},
        "text.hashing.LetterTrigrams.fit": {"texts": list(TEXTS)},
        "text.hashing.LetterTrigrams.words": (HASHING, text),
        "text.hashing.LetterTrigrams.plain": (HASHING, text),
        "text.hashing.LetterTrigrams.operator": (HASHING, {"words": list(TEXTS)}),
        "text.hashing.LetterTrigrams.dropped": (HASHING, {"words": list(TEXTS)}),
        "text.hashing.LetterTrigrams.collisions": (HASHING, {"words": list(TEXTS)}),
        "training.held_out.searches": tiny_pairs(),
        "training.held_out.best": tiny_pairs(
            choices=(1.0, 2.0), fit=lambda choice, pairs: ULM(2.0).fit(pairs)
        ),
        "training.train.train": tiny_pairs(epochs=1, batch_size=2, progress=False, overwrite=True),
    }
    for name in ("BM25", "ULM", "PLSA", "Doc2Vec", "SkipThought"):
        room = {"SkipThought": "skip_thought"}.get(name, name.lower())
        calls[f"table_iv.{room}.{name}.score"] = fitted[name], titles
        if name in ("BM25", "PLSA", "SkipThought"):
            calls[f"table_iv.{room}.{name}.scores"] = fitted[name], many
    both = {"embeddings1": np.array(Y), "embeddings2": np.array(Y)}
    for name in ("similarity", "similarity_pairwise"):
        calls[f"ranking.mteb.Encoder.{name}"] = mteb.Encoder(MODEL), both
    if importlib.util.find_spec("torch"):
        module = lstm_edu.to_torch(MODEL)
        calls["torch_module.to_torch"] = {"model": MODEL}
        calls["torch_module.from_torch"] = {"module": module}
        calls["torch_module.Reader.forward"] = module.query, {"texts": list(TEXTS)}
        both = {"queries": ["ab"], "titles": list(TEXTS)}
        calls["torch_module.Encoders.forward"] = module, both
    return calls


SMALL = {"n_units": 2, "word_size": 2, "n_words": 10, "epochs": 1}
NEEDS = {"BM25": "bm25s", "PLSA": "sklearn", "Doc2Vec": "gensim"}
EXTRAS = {
    **{f"table_iv.{name.lower()}.{name}": library for name, library in NEEDS.items()},
    "data.datasets.fetch": "pooch",
    "data.datasets.from_ir_datasets": "ir_datasets",
}


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
    needs = synthetic.all_needs(words)
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


# ---- bad values


class Whole(int):
    """A whole number, yet not Python's own."""


class Real(float):
    """A number, yet not Python's own."""


class Text(str):
    """A text, yet not Python's own."""


class Loud:
    """Whose repr is long and would colour a terminal."""

    def __repr__(self):
        return "\x1b[31m\n\u2028" + "loud " * 100_000


class Mute:
    """Whose repr fails."""

    def __repr__(self):
        raise RuntimeError("no repr")


class Size(enum.IntEnum):
    """An enumeration's numbers are whole."""

    SMALL = 3


# What is refused, wherever it is not said below that it is good. Made anew for each call.
BAD = {
    "None": lambda: None,
    "True": lambda: True,
    "False": lambda: False,
    "0": lambda: 0,
    "-1": lambda: -1,
    "2": lambda: 2,
    "2.5": lambda: 2.5,
    "-0.5": lambda: -0.5,
    "1e300": lambda: 1e300,
    "1e-300": lambda: 1e-300,
    "10**400": lambda: 10**400,
    "10**5000": lambda: 10**5000,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "-inf": lambda: -float("inf"),
    "1j": lambda: 1j,
    "complex64": lambda: np.complex64(2),
    "longdouble nan": lambda: np.longdouble("nan"),
    "longdouble 1e400": lambda: np.longdouble("1e4000"),
    "Decimal": lambda: decimal.Decimal("0.5"),
    "Fraction": lambda: fractions.Fraction(1, 2),
    "timedelta64": lambda: np.timedelta64(3, "D"),
    "datetime64": lambda: np.datetime64("2026-01-01"),
    "0-d array": lambda: np.array(3),
    "0-d array of text": lambda: np.array("ab"),
    "array of NaN": lambda: np.array([[np.nan, 1.0], [1.0, 2.0]]),
    "array of inf": lambda: np.array([[np.inf, 1.0], [1.0, 2.0]]),
    "array of complex": lambda: np.array([[1j, 1.0], [1.0, 2.0]]),
    "array of bool": lambda: np.array([[True, False], [True, True]]),
    "array of objects": lambda: np.array([[None, 1], [1, 2]], object),
    "array of huge": lambda: np.array([[1e200, 1.0], [1.0, 2.0]]),
    "ragged": lambda: [[1.0], [1.0, 2.0]],
    "sparse": lambda: scipy.sparse.csr_array(np.eye(2)),
    "3-d": lambda: np.zeros((2, 2, 2)),
    "other size": lambda: np.zeros((2, 7)),
    "nonsense": lambda: "nonsense",
    "empty text": lambda: "",
    "NUL": lambda: "a\0b",
    "line end": lambda: "a\nb",
    "half a letter": lambda: "\ud800",
    "bytes": lambda: b"ab",
    "bytearray": lambda: bytearray(b"ab"),
    "empty list": list,
    "empty dict": dict,
    "[None]": lambda: [None],
    "[5]": lambda: [5],
    "[b'ab']": lambda: [b"ab"],
    "['ab', None]": lambda: ["ab", None],
    "[[]]": lambda: [[]],
    "[[None]]": lambda: [[None]],
    "[['ab', 5]]": lambda: [["ab", 5]],
    "['ab']": lambda: ["ab"],
    "[('ab',)]": lambda: [("ab",)],
    "[('ab', 'ba', 'c')]": lambda: [("ab", "ba", "c")],
    "[{'ab', 'ba'}]": lambda: [{"ab", "ba"}],
    "[-1]": lambda: [-1],
    "[2.5]": lambda: [2.5],
    "['1']": lambda: ["1"],
    "{'q1': None}": lambda: {"q1": None},
    "{'q1': {'d1': None}}": lambda: {"q1": {"d1": None}},
    "{'q1': {'d1': nan}}": lambda: {"q1": {"d1": float("nan")}},
    "{'q1': {'d1': '1'}}": lambda: {"q1": {"d1": "1"}},
    "{'q1': {'d1': True}}": lambda: {"q1": {"d1": True}},
    "judged of grade -5": lambda: [JUDGED[0]._replace(grades=[1, -5])],
    "judged of grade 2.5": lambda: [JUDGED[0]._replace(grades=[1, 2.5])],
    "judged of grade '1'": lambda: [JUDGED[0]._replace(grades=[1, "1"])],
    "judged of grade True": lambda: [JUDGED[0]._replace(grades=[True, False])],
    "judged of grade 101": lambda: [JUDGED[0]._replace(grades=[101, 0])],
    "judged of a grade too few": lambda: [JUDGED[0]._replace(grades=[1])],
    "judged of a text": lambda: [JUDGED[0]._replace(titles="ab")],
    "judged of None": lambda: [JUDGED[0]._replace(query=None)],
    "object": object,
    "class": lambda: DualEncoder,
    "loud": Loud,
    "[loud]": lambda: [Loud()],
    "mute": Mute,
    "slice": lambda: slice(3),
}

# What is good all the same, for which parameters: by its name, or by function and parameter.
WHOLE = """
    n_cells n_hidden n_outputs epochs batch_size n_negatives patience k n n_draws n_candidates most
    n_queries n_questions n_pairs n_passages min_count seeds search_pairs jobs n_iterations n_topics
    vector_size n_units word_size n_words seed truncate n_jobs
"""
OPTIONAL = """
    average callback checkpoint cluster truncate patience peepholes progress momentum n_jobs mu
    n_topics sample say ndcg.judged from_ir_datasets.n_queries prompt_type explore.titles test train
    write_model.titles SkipThought.folder fetch.folder table_iv.sentences table_iv.skip_thought
"""
SHARES = "average held_out momentum share b from_ir_datasets.judged"
NUMBERS = "gamma step_size clip mu large tolerance prior sample k1"
TEXT = """
    text query title word compare.name url Encoder.name from_ir_datasets.name fetch.name
    write_model.name
"""
PATH = """
    path folder checkpoint out sentences qrels write_qrels.queries write_qrels.documents
    read_qrels.queries read_qrels.documents skip_thought train test split tag
"""
TEXTS_OF = """
    texts words trigrams corpus split_msrd.judgments rank.titles score.titles explore.titles rows
    cost_and_gradient.clicked check_gradient.clicked differences.clicked error_norms.clicked
    cost_and_gradient.queries check_gradient.queries differences.queries error_norms.queries
    scores.queries forward.queries forward.titles write_model.titles write_titles.titles
"""
LISTS_OF_TEXTS = "scores.titles unclicked"
LISTS = """
    asked blocks cells inputs write_qrels.judgments ndcg_by_query.judgments run_of.judgments depths
    ndcg.judged reciprocal_ranks.judgments
"""
ARRAYS = "value expected delta y embeddings counts"
GOOD = [
    (WHOLE, ["2"]),
    ("seed truncate", ["0"]),
    ("n_jobs", ["-1"]),
    (OPTIONAL, ["None"]),
    ("train.epochs fit.epochs", ["None"]),
    (
        "forget_gate tied verbose progress resume overwrite with_embedding aligned",
        ["True", "False"],
    ),
    ("among", ["True", "array of bool"]),
    ("found", ["array of bool"]),
    ("right_partners.title", ["line end"]),  # two words, too
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
    ("depths ndcg.judged values choices", ["[5]"]),
    ("values choices", ["[-1]", "[2.5]"]),
    ("choices", ["[None]", "[b'ab']", "['ab', None]", "['ab']", "['1']", "[loud]"]),
    ("choices", ["[('ab',)]", "[('ab', 'ba', 'c')]"]),
    # compared or shown as they are; in training NaN is found at the epoch's end
    ("value expected delta normalise.y", ["array of NaN", "array of inf"]),
    (ARRAYS, ["array of huge", "other size", "[[]]"]),
    ("counts", ["array of NaN"]),  # of a word that is not counted
    ("fit descend callback say", ["class"]),
    ("write_run.run", ["empty dict"]),
    ("SkipThought.fit.pairs", ["empty list"]),  # which it does not read
    ("task_metadata hf_split hf_subset", list(BAD)),  # which mteb gives and nobody reads
]

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


def is_good(name, parameter, label):
    """Whether `GOOD` has it."""
    *_, room, function = name.split(".")
    names = {parameter, f"{function}.{parameter}", f"{room}.{function}.{parameter}"}
    return any(names & set(params.split()) and label in labels for params, labels in GOOD)


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
