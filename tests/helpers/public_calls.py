"""Valid calls of all public functions, classes and methods of the packages."""

import fnmatch
import importlib
import inspect
import itertools
import pkgutil
import types
import typing

import numpy as np

import lstm_course
import lstm_edu
import lstm_tools
from lstm_edu import RNN, AlignedEncoder, DualEncoder, LetterTrigrams
from lstm_edu._util.files import MissingError
from lstm_edu.cells.cell import Cell
from lstm_edu.readers import Judged
from lstm_tools.formats import mteb

# ---- Public names

# Modules and name patterns that need not check their arguments: internal functions whose callers
# check them, plotting code, checks of exercises, and the command line.
INNER_MODULES = """
    __main__ _util cli copies engine exercises checks plots lessons models.model_file
    explorers.looking explorers.page_training explorers.pictures explorers.reader explorers.widget
    text.batch text.lanes text.many_words text.sentences sample.wordings cells.cell
    sample.answer_values sample.paraphrases
    gradients.aligned gradients.relevance gradients.autodiff gradients.parallel gradients.plain
    gradients.minibatch gradients.printed training.adam training.algorithm_1 training.minibatches
    cluster training.nesterov training.runs training.settings whole_paper
    table_iv.asked table_iv.memory table_iv.store table_iv.workers table_iv.results
    table_iv.skip_thought_cost table_iv.search table_iv.skip_thought_files table_iv.terms
    table_iv.skip_thought_encoder table_iv.skip_thought_trainer table_iv.trained
    sample.synthetic_needs sample.synthetic_judgments sample.positions sample.wanted
    exam.questions exam.secret questions.bank questions.inventory
""".split()
INNER = """
    cells.*.[a-z]* readers.check* readers.Grades* formats.msrd.group formats.msrd.s*
    formats.runs.checked_* formats.runs.numeral formats.trec.check_once
    formats.trec.have_headers formats.trec.grades_of
    formats.trec.pairs_and_judgments formats.trec.warn_of_lost
    sample.synthetic.click* sample.synthetic.gather sample.synthetic.generate
    sample.synthetic.passages sample.synthetic.rank_by
    sample.synthetic.s[eh]* sample.synthetic.write_pages sample.questions.a* sample.questions.by_*
    sample.questions.ca* sample.questions.draw_judged sample.questions.forum
    sample.questions.judge sample.questions.kept_* sample.questions.read_words
    explorers.controls.explore_* explorers.controls.is_live explorers.controls.load_ipython
    explorers.weights.means explorers.weights.pack* explorers.weights.rounded*
    explorers.weights.unpack explorers.weights.write_[lmt]*
    gradients.check.compared
    gradients.check.each_moved gradients.check.relative_errors gradients.check.state_derivatives
    gradients.cost.c*_*
    gradients.cost.loss_gradient gradients.cost.warn_of_zeros gradients.methods.check_lists
    analysis.inspection.check_left_to_right ranking.ndcg.checked_scores ranking.ndcg.scored
    formats.runs.without_identical nearest.merge vectors.seal models.pytorch.Encoders
    models.pytorch.Reader models.pytorch.unit models.pytorch.Reader.*_extra_state
    models.aligned_encoder.[a-z]* models.encoder.*
    models.dual_encoder.[a-z]* table_iv.bm25.load_bm25s
    table_iv.held_out.best table_iv.held_out.counts training.held_out.ndcg
    training.held_out.split training.loop.update transformer.[a-z]* transformer.Transformer.*
    text.hashing.nfkc text.hashing.one_spelling
""".split()


# bases of classes that users don't construct: records, errors and protocols
NOT_MADE = tuple, Exception, typing.Protocol


def public():
    """Return all public functions, classes and methods, keyed by qualified name."""
    found = {}
    packages = lstm_edu, lstm_tools, lstm_course
    walked = (pkgutil.walk_packages(p.__path__, p.__name__ + ".") for p in packages)
    for _, name, _ in itertools.chain(*walked):
        short = name.partition(".")[2]
        if {short, short.split(".")[0]} & set(INNER_MODULES):
            continue
        try:
            module = importlib.import_module(name)
        except MissingError:  # PyTorch isn't installed
            continue
        for key, value in vars(module).items():
            if key.startswith("_") or getattr(value, "__module__", None) != name:
                continue
            if inspect.isfunction(value):
                found[f"{short}.{key}"] = value
            elif inspect.isclass(value) and not issubclass(value, NOT_MADE):
                found[f"{short}.{key}"] = value
                found |= {f"{short}.{key}.{k}": v for k, v in methods(value).items()}
    is_inner = lambda name: any(fnmatch.fnmatchcase(name, pattern) for pattern in INNER)
    return {name: value for name, value in found.items() if not is_inner(name)}


def methods(kind):
    """Return a class's public methods, including methods inherited from classes of the packages.

    Return an empty dict for cells, because their methods are internal.
    """
    if issubclass(kind, Cell):
        return {}
    bases = [base for base in kind.__mro__ if base.__module__.startswith("lstm_")]
    return {
        name: getattr(kind, name)
        for base in bases
        for name, value in vars(base).items()
        if not name.startswith("_") and isinstance(value, (types.FunctionType, classmethod))
    }


PUBLIC = public()

# ---- Valid calls

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
    """Return valid values for all parameters without defaults, keyed by parameter name."""
    y, titles, module = np.array(Y), list(TEXTS), {}
    if importlib.util.find_spec("torch"):
        module = {"module": lstm_edu.to_torch(MODEL)}
    return module | {
        **dict(text="ab ba", query="ab", title="cab", word="ab", topic="travel", name="msrd"),
        **dict(texts=titles, words=titles, titles=titles, queries=["ab"], trigrams=["#ab", "ab#"]),
        **dict(clicked=["abc"], unclicked=[["ba"]], pairs=list(PAIRS), judgments=list(JUDGED)),
        **dict(model=MODEL, cell=RNN(2), hashing=HASHING, run=dict(RUN), gamma=10.0, k=3),
        **dict(scores=[0.5, 0.25], grades=[1, 0], values=[0.5, 0.25], R=[0.1, 0.2, 0.3]),
        **dict(differences=[0.5, 0.25], p=[0.01, 0.04], value=Y, expected=Y),
        **dict.fromkeys("y yq yd delta counts embeddings embeddings1 embeddings2".split(), y),
        **dict(query_vectors=y, document_vectors=y),
        **dict(found=np.array(FOUND), same=np.array(FOUND[:1]), topics=[0, 1], cells=[0, 1]),
        **dict(inputs=[{"text": titles}], asked=[]),
        **dict.fromkeys(("task_metadata", "hf_split", "hf_subset")),
        **dict(path=str(folder / "titles.txt"), folder=str(folder / "beir")),
        **dict(qrels=str(folder / "qrels.txt"), documents=str(folder / "d.tsv")),
        "out": str(folder / "out.npy"),
    }


PATHS = {
    "small.tsv": "readers.read_pairs readers.iter_pairs",
    "judgments.tsv": "readers.read_judgments",
    "needs.tsv": "sample.query_metadata.read_needs",
    "run.txt": "formats.runs.read_run",
    "q.tsv": "formats.trec.read_queries",
    "d.tsv": "formats.trec.iter_documents",
    "model.npz": "models.loading.load",
    "saved.npz": "models.dual_encoder.DualEncoder.save models.aligned_encoder.AlignedEncoder.save",
    "page.html": "explorers.weights.write_page explorers.weights.from_page",
    "out": "formats.runs.write_run",
}


def special_values(folder):
    """Return valid values for parameters of single functions, which override `values`."""
    many, words = {"titles": [list(TEXTS)]}, ALIGNED.encode_query(TEXTS)
    special = {
        "analysis.alignment.right_partners": {"R": np.array([[0.5, 1.0]]), "title": "b c"},
        "analysis.alignment.word_cosines": {"model": ALIGNED},
        "analysis.inspection.shuffled_topic_shares": {"n_draws": 2},
        "formats.msrd.fetch": {"folder": str(folder / "beir")},
        "formats.datasets.from_ir_datasets": {"name": "good", "judged": 1.0},
        "formats.trec.read_qrels": {"queries": str(folder / "q.tsv")},
        "formats.trec.write_qrels": {"qrels": str(folder / "made")},
        "gradients.check.check_gradient": {"model": MODEL_64},
        "gradients.check.compare": {"name": "value, expected"},
        "gradients.check.differences": {"model": MODEL_64},
        "models.aligned_encoder.AlignedEncoder.scores": many,
        "models.aligned_encoder.AlignedEncoder.similarity": {"queries": words, "documents": words},
        "models.dual_encoder.DualEncoder.scores": many,
        "formats.runs.evaluate_run": {"grades": dict(GRADES)},
        "ranking.statistics.interval": {"n_draws": 2},
        "sample.questions.write": {"folder": str(folder / "asked")},
        "sample.synthetic.write": {"folder": str(folder / "made")},
        "table_iv.comparison.table_iv": {"folder": str(folder / "compared"), "rows": ["ulm"]},
        "table_iv.skip_thought.SkipThought": {"sentences": str(folder / "passages.txt")},
        "text.hashing.letter_trigrams": {"word": "good"},
        "training.loop.train": {"epochs": 1, "batch_size": 2, "progress": False, "overwrite": True},
    }
    special |= {f"table_iv.{row}.scores": many for row in ROWS_AT_ONCE}
    for file, names in PATHS.items():
        for name in names.split():
            special[name] = {**special.get(name, {}), "path": str(folder / file)}
    return special


ROWS_AT_ONCE = "bm25.BM25", "plsa.PLSA", "skip_thought.SkipThought"


def good_calls(fitted, folder):
    """Return the arguments of a valid call of each public function, keyed by the function's name.

    For a method, return (object, arguments).
    """
    good, special = values(folder), special_values(folder)
    objects = {"AlignedEncoder": ALIGNED, "DualEncoder": MODEL, "LetterTrigrams": HASHING}
    objects |= {"Encoder": mteb.Encoder(MODEL), **fitted}
    if module := good.get("module"):
        objects |= {"Encoders": module, "Reader": module.query}
    calls = {}
    for name, function in PUBLIC.items():
        parameters = inspect.signature(function).parameters.values()
        wanted = {p.name for p in parameters if p.default is p.empty}
        given = {key: good[key] for key in wanted & good.keys()} | special.pop(name, {})
        kind = name.split(".")[-2]
        calls[name] = (objects[kind], given) if kind in objects else given
    assert not special, "not a public function"
    return calls


NEEDS = {"BM25": "bm25s", "PLSA": "sklearn", "Doc2Vec": "gensim"}
EXTRAS = {
    **{f"table_iv.{name.lower()}.{name}": library for name, library in NEEDS.items()},
    "formats.msrd.fetch": "pooch",
    "formats.datasets.from_ir_datasets": "ir_datasets",
}
