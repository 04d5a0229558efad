"""What `import lstm_edu` gives and the modules beside it give, and a good call of each."""

import fnmatch
import importlib
import inspect
import types

import numpy as np

import lstm_edu
from lstm_edu import RNN, AlignedEncoder, DualEncoder, LetterTrigrams
from lstm_edu.cells.cell import Cell
from lstm_edu.data.readers import Judged

# ---- what is public

MODULES = """
    analysis.alignment analysis.inspection cells.bag cells.clsm cells.dssm data.beir data.readers
    data.trec gradients.cost ranking.ndcg ranking.nearest ranking.reciprocal_rank table_iv.bm25
    table_iv.plsa table_iv.skip_thought table_iv.ulm text.hashing
""".split()
# the inside of what is public, called with what has been checked
INNER = """
    analysis.inspection.check_left_to_right cells.*.[a-z]* data.readers.check*
    data.readers.encodable data.trec.add_grade data.trec.as_judged data.trec.checked_*
    data.trec.pairs_and_judgments data.trec.warn_of_lost data.datasets.fetch gradients.cost.c*_*
    gradients.cost.warn_of_zeros models.aligned_encoder.[a-z]* models.dual_encoder.[a-z]*
    ranking.ndcg.Ranker* ranking.ndcg.checked_scores ranking.ndcg.scored
    ranking.ndcg.without_identical ranking.nearest.merge table_iv.bm25.load_bm25s
    table_iv.skip_thought.[a-z]*
""".split()


def public():
    """Find every public function, class and method, by name."""
    given = [getattr(lstm_edu, name) for name in lstm_edu.__all__]
    for name in (f"lstm_edu.{name}" for name in MODULES):
        own = vars(importlib.import_module(name)).values()
        given += [value for value in own if getattr(value, "__module__", None) == name]
    found = {}
    for value in given:
        room = getattr(value, "__module__", "").partition(".")[2]
        name = f"{room}.{getattr(value, '__name__', '')}"
        if inspect.isfunction(value):
            found[name] = value
        elif inspect.isclass(value) and not issubclass(value, (tuple, Exception)):
            own = {} if issubclass(value, Cell) else vars(value)
            methods = {f"{name}.{k}": getattr(value, k) for k, v in own.items() if is_method(k, v)}
            found |= {name: value, **methods}
    is_inner = lambda name: any(fnmatch.fnmatchcase(name, pattern) for pattern in INNER)
    return {name: value for name, value in found.items() if "._" not in name and not is_inner(name)}


def is_method(name, value):
    return name[0] != "_" and isinstance(value, (types.FunctionType, classmethod))


PUBLIC = public()

# ---- a good call of each

HASHING = LetterTrigrams.fit(["ab ba"])
PAIRS = [("ab ba", "abc"), ("ba", "a cab"), ("abc a", "ab ba"), ("cab", "bc"), ("ab", "ca b")]
TEXTS = ["ab ba", "abc", "ba ab ab"]
JUDGED = [Judged("q1", "ab", ["d1", "d2"], ["abc", "ba"], [1, 0])]
GRADES = {"q1": {"d1": 1, "d2": 0}}
RUN = {"q1": {"d1": 0.5, "d2": 0.25}}
Y = [[0.5, -0.25], [0.125, 1.0]]
FOUND = [[True, False], [True, True]]


MODEL, MODEL_64 = (DualEncoder(RNN(2), HASHING, dtype=dtype) for dtype in ("float32", "float64"))


ALIGNED = AlignedEncoder(RNN(2), HASHING)


def values(folder):
    """A good value of every parameter that has no default, by its name."""
    y, titles = np.array(Y), list(TEXTS)
    return {
        **dict(text="ab ba", query="ab", title="cab", word="ab", name="msrd", gamma=10.0, k=3),
        **dict(texts=titles, words=titles, titles=titles, queries=["ab"], trigrams=["#ab", "ab#"]),
        **dict(clicked=["abc"], unclicked=[["ba"]], pairs=list(PAIRS), judgments=list(JUDGED)),
        **dict(model=MODEL, cell=RNN(2), hashing=HASHING, run=dict(RUN)),
        **dict(scores=[0.5, 0.25], grades=[1, 0], values=[0.5, 0.25], R=[0.1, 0.2, 0.3]),
        **dict(value=Y, expected=Y, y=y, yq=y, yd=y, delta=y, counts=y, embeddings=y),
        **dict(query_vectors=y, document_vectors=y, embeddings1=y, embeddings2=y),
        **dict(found=np.array(FOUND), same=np.array(FOUND[:1]), topics=[0, 1], cells=[0, 1]),
        **dict(blocks=[(["a", "b"], y)]),
        **dict(path=str(folder / "titles.txt"), folder=str(folder / "beir")),
        **dict(qrels=str(folder / "qrels.txt"), documents=str(folder / "d.tsv")),
        "out": str(folder / "out.npy"),
    }


PATHS = {
    "small.tsv": "data.readers.read_pairs data.readers.iter_pairs data.trec.n_columns",
    "judgments.tsv": "data.readers.read_judgments",
    "run.txt": "data.trec.read_run",
    "q.tsv": "data.trec.read_queries",
    "d.tsv": "data.trec.iter_documents",
    "model.npz": "models.loading.load",
    "saved.npz": "models.dual_encoder.DualEncoder.save models.aligned_encoder.AlignedEncoder.save",
    "out": "data.trec.write_run",
}
ROWS_AT_ONCE = "bm25.BM25", "plsa.PLSA", "skip_thought.SkipThought"


def own_values(folder):
    """Return the values that a function wants besides, or instead, by its name."""
    many, words = {"titles": [list(TEXTS)]}, ALIGNED.encode_query(TEXTS)
    made = {name: str(folder / f"made {name}") for name in ("qrels", "queries", "documents")}
    own = {
        "analysis.alignment.right_partners": {"R": np.array([[0.5, 1.0]]), "title": "b c"},
        "analysis.alignment.word_cosines": {"model": ALIGNED},
        "analysis.inspection.shuffled_topic_shares": {"n_draws": 2},
        "data.trec.read_qrels": {"queries": str(folder / "q.tsv")},
        "data.trec.write_qrels": made,
        "gradients.check.check_gradient": {"model": MODEL_64},
        "gradients.check.compare": {"name": "value, expected"},
        "models.aligned_encoder.AlignedEncoder.scores": many,
        "models.aligned_encoder.AlignedEncoder.similarity": {"queries": words, "documents": words},
        "models.dual_encoder.DualEncoder.scores": many,
        "ranking.ndcg.evaluate_run": {"grades": dict(GRADES)},
        "ranking.ndcg.interval": {"n_draws": 2},
        "table_iv.skip_thought.SkipThought": {"sentences": str(folder / "passages.txt")},
        "text.hashing.letter_trigrams": {"word": "good"},
        "training.loop.train": {
            "epochs": 1,
            "n_negatives": 2,
            "batch_size": 2,
            "progress": False,
            "overwrite": True,
        },
    }
    own |= {f"table_iv.{row}.scores": many for row in ROWS_AT_ONCE}
    for file, names in PATHS.items():
        for name in names.split():
            own[name] = {**own.get(name, {}), "path": str(folder / file)}
    return own


def good_calls(fitted, folder):
    """By name, the arguments of a good call; for a method, the object first."""
    good, own = values(folder), own_values(folder)
    objects = {"AlignedEncoder": ALIGNED, "DualEncoder": MODEL, "LetterTrigrams": HASHING, **fitted}
    calls = {}
    for name, function in PUBLIC.items():
        parameters = inspect.signature(function).parameters.values()
        wanted = {p.name for p in parameters if p.default is p.empty}
        given = {key: good[key] for key in wanted & good.keys()} | own.pop(name, {})
        kind = name.split(".")[-2]
        calls[name] = (objects[kind], given) if kind in objects else given
    assert not own, "there is no such function"
    return calls


SMALL = {"n_units": 2, "word_size": 2, "n_words": 10, "epochs": 1}
NEEDS = {"BM25": "bm25s", "PLSA": "sklearn"}
