"""Every public function, class and method of the two packages, found by looking into them.

And a good call of each, for tests/test_arguments.py.
"""

import importlib
import inspect
import itertools
import pkgutil
import types
import typing

import numpy as np

import lstm_course
import lstm_edu
from lstm_edu import RNN, AlignedEncoder, DualEncoder, LetterTrigrams
from lstm_edu._util.files import MissingError
from lstm_edu.cells.cell import Cell
from lstm_edu.data.readers import Judged
from lstm_edu.ranking import mteb
from lstm_edu.table_iv.bm25 import BM25
from lstm_edu.table_iv.doc2vec import Doc2Vec
from lstm_edu.table_iv.plsa import PLSA
from lstm_edu.table_iv.ulm import ULM

# ---- what is public

# The inside of what is public, called with what has been checked, mostly in the middle of a sum;
# and what draws, checks an exercise or reads the command line.
INNER_MODULES = """
    __main__ _util cli copies models.facts models.model_file engine exercises checks plots
    explorers.looking explorers.pictures explorers.reader explorers.train_in_page explorers.widget
    text.batch text.lanes
    text.many_words text.sentences sample.wordings cells.cell gradients.aligned
    gradients.relevance gradients.autodiff gradients.parallel gradients.minibatch
    gradients.printed lessons training.adam training.algorithm_1 training.minibatches
    training.cluster training.lazy training.lazy_adam training.nesterov training.runs
    training.optimizers training.settings table_iv.asked table_iv.memory table_iv.store
    table_iv.workers table_iv.progress table_iv.results table_iv.skip_thought_cost
    table_iv.from_defaults table_iv.skip_thought_files table_iv.terms table_iv.tuning
    sample.synthetic_needs sample.synthetic_judgments
""".split()
INNER = (
    """
    cells.bag.sums cells.bag.sums_of_many cells.bidirectional.part cells.clsm.neighbours
    cells.gru.step cells.lstm.peephole
    cells.lstm.peepholes cells.lstm.peepholes_back cells.lstm.sigmoid cells.lstm.step
    cells.rnn.step data.readers.checked_grades data.readers.checked_judgments
    data.trec.add_grade data.trec.as_judged data.trec.check_id data.trec.checked_run
    sample.synthetic.click sample.synthetic.click_log sample.synthetic.rank_by_words
    sample.questions.all_facts sample.questions.answer sample.questions.ask
    sample.questions.by_place sample.questions.candidates sample.questions.case_of
    sample.questions.draw_judged sample.questions.forum sample.questions.judge
    sample.questions.kept_from_training sample.questions.read_words explorers.controls.is_live
    explorers.controls.load_ipython explorers.weights.means explorers.weights.packed
    explorers.weights.rounded_vectors
    gradients.check.compared gradients.check.relative_errors gradients.check.state_derivatives
    gradients.cost.checked_gamma gradients.cost.cosines_with_all
    gradients.cost.cosines_with_drawn gradients.cost.cost_gradient gradients.cost.warn_of_zeros
    gradients.methods.check_lists analysis.inspection.check_left_to_right
    ranking.ndcg.checked_scores ranking.ndcg.scores_of models.pytorch.Encoders
    models.pytorch.Reader models.pytorch.unit models.aligned_encoder.chosen
    models.pytorch.Reader.get_extra_state models.pytorch.Reader.set_extra_state
    models.aligned_encoder.read_words models.loading.unpack models.dual_encoder.Side
    models.dual_encoder.Side.embed models.dual_encoder.blocks_of_words
    models.dual_encoder.checked_n_jobs models.dual_encoder.embed_words
    models.dual_encoder.encode models.dual_encoder.rows models.dual_encoder.start
    ranking.nearest.merge table_iv.bm25.load_bm25s table_iv.skip_thought.encode
    table_iv.skip_thought.gru table_iv.skip_thought.tokens table_iv.trained.model_of
    table_iv.trained.settings_of training.held_out.candidates training.held_out.counts
    training.held_out.ndcg training.held_out.split training.loop.update
""".split()
    + ["table_iv.skip_thought_trainer.start", "table_iv.skip_thought_trainer.train_and_write"]
)


# records, errors and protocols
NOT_MADE = tuple, Exception, typing.Protocol


def public():
    """By name, every public function, class and method of the two packages."""
    found = {}
    walked = (pkgutil.walk_packages(p.__path__, p.__name__ + ".") for p in (lstm_edu, lstm_course))
    for _, name, _ in itertools.chain(*walked):
        short = name.partition(".")[2]
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
            elif inspect.isclass(value) and not issubclass(value, NOT_MADE):
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
        "cells.bag.Bag": {},
        "cells.dssm.DSSM": {},
        "cells.clsm.CLSM": {},
        "data.beir.read_beir": {"folder": str(folder / "beir")},
        "data.beir.read_grades": {"folder": str(folder / "beir")},
        "data.beir.read_queries": {"folder": str(folder / "beir")},
        "data.beir.iter_corpus": {"folder": str(folder / "beir")},
        "data.beir.files_of": {"folder": str(folder / "beir")},
        "data.readers.read_pairs": {"path": at},
        "data.readers.iter_pairs": {"path": at},
        "data.readers.read_titles": {"path": str(folder / "titles.txt")},
        "data.readers.iter_titles": {"path": str(folder / "titles.txt")},
        "data.readers.read_passages": {"path": str(folder / "titles.txt")},
        "data.readers.read_judgments": {"path": str(folder / "judgments.tsv")},
        "data.datasets.sample": {},
        "data.datasets.fetch": {"name": "msrd", "folder": str(folder / "beir")},
        "data.datasets.from_ir_datasets": {"name": "good", "judged": 1.0},
        "data.msrd.split_msrd": {
            "corpus": ['{"id": 1, "title": "a"}'],
            "judgments": ["qid\tquery\tdocid\tgrade", "1\ta\t1\t1"],
        },
        "data.msrd.group": {"query": "the matrix"},
        "data.msrd.share": dict(text),
        "sample.answer_values.fact_of": {"answer": "ring the linden gym on 555 0142"},
        "sample.questions.write": {"folder": str(folder / "asked")},
        "sample.questions.generate": {"n_pairs": 2, "n_questions": 2},
        "sample.paraphrases.partners": {"query": "a", "title": "b", "topic": "travel"},
        "sample.query_metadata.read_needs": {
            "path": str(folder / "needs.tsv"),
            "judgments": list(JUDGED),
        },
        "sample.synthetic.write": {"folder": str(folder / "made")},
        "sample.synthetic.generate": {"n_pairs": 2, "n_queries": 2},
        "sample.synthetic.passages": {"asked": [], "n_passages": 1},
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
        "explorers.weights.write_log": {
            "pairs": [(TEXTS[0], TEXTS[1])],
            "titles": list(TEXTS),
            "path": str(folder / "log.js"),
        },
        "gradients.check.check_gradient": {"model": MODEL_64, **EXAMPLES},
        "gradients.check.differences": {"model": MODEL_64, **EXAMPLES},
        "gradients.check.compare": {"name": "value, expected", "value": Y, "expected": Y},
        "gradients.cost.normalise": {"y": np.array(Y)},
        "gradients.cost.cosine": {"yq": np.array(Y), "yd": np.array(Y)},
        "gradients.cost.loss": {"delta": np.array(Y), "gamma": 10.0},
        "gradients.methods.cost_and_gradient": {"model": MODEL, **EXAMPLES},
        "analysis.alignment.word_cosines": {"model": ALIGNED, "query": "ab", "title": "cab"},
        "analysis.alignment.letter_cosines": {"hashing": HASHING, "query": "ab", "title": "cab"},
        "analysis.alignment.right_partners": {
            "R": np.array([[0.5, 1.0]]),
            "same": np.array([[True, False]]),
            "query": "a",
            "title": "b c",
        },
        "analysis.inspection.most_active_cells": {"y": np.array(Y)},
        "analysis.inspection.steps": {"y": np.array(Y)},
        "analysis.inspection.detections": {"y": np.array(Y), "cells": [0, 1]},
        "analysis.inspection.readings": {"model": MODEL, **text},
        "analysis.inspection.assigned_cells": {"model": MODEL, **text},
        "analysis.inspection.keywords": {"counts": np.array(Y)},
        "analysis.inspection.words_by_cell": {"model": MODEL, **text},
        "analysis.inspection.active": {"embeddings": np.array(Y)},
        "analysis.inspection.cells_by_topic": {"found": np.array(FOUND), "topics": [0, 1]},
        "analysis.inspection.topic_share": {"found": np.array(FOUND), "topics": [0, 1]},
        "analysis.inspection.shuffled_topic_shares": {
            "found": np.array(FOUND),
            "topics": [0, 1],
            "n_draws": 2,
        },
        "analysis.inspection.error_norms": {"model": MODEL, **EXAMPLES},
        "models.loading.load": {"path": str(folder / "model.npz")},
        "models.aligned_encoder.AlignedEncoder": {"cell": RNN(2), "hashing": HASHING},
        "models.aligned_encoder.AlignedEncoder.encode_query": (ALIGNED, {"texts": list(TEXTS)}),
        "models.aligned_encoder.AlignedEncoder.encode_document": (ALIGNED, {"texts": list(TEXTS)}),
        "models.aligned_encoder.AlignedEncoder.similarity": (
            ALIGNED,
            {"queries": ALIGNED.encode_query(TEXTS), "documents": ALIGNED.encode_document(TEXTS)},
        ),
        "models.aligned_encoder.AlignedEncoder.score": (ALIGNED, titles),
        "models.aligned_encoder.AlignedEncoder.scores": (ALIGNED, many),
        "models.aligned_encoder.AlignedEncoder.rank": (ALIGNED, titles),
        "models.aligned_encoder.AlignedEncoder.trace": (ALIGNED, text),
        "models.aligned_encoder.AlignedEncoder.save": (
            ALIGNED,
            {"path": str(folder / "saved.npz")},
        ),
        "models.dual_encoder.DualEncoder": {"cell": RNN(2), "hashing": HASHING},
        "models.dual_encoder.DualEncoder.encode_query": (MODEL, {"texts": list(TEXTS)}),
        "models.dual_encoder.DualEncoder.encode_document": (MODEL, {"texts": list(TEXTS)}),
        "models.dual_encoder.DualEncoder.encode_titles": (
            MODEL,
            {"path": str(folder / "titles.txt"), "out": str(folder / "out.npy")},
        ),
        "models.dual_encoder.DualEncoder.similarity": (
            MODEL,
            {"query_vectors": np.array(Y), "document_vectors": np.array(Y)},
        ),
        "models.dual_encoder.DualEncoder.score": (MODEL, titles),
        "models.dual_encoder.DualEncoder.scores": (MODEL, many),
        "models.dual_encoder.DualEncoder.rank": (MODEL, titles),
        "models.dual_encoder.DualEncoder.trace": (MODEL, text),
        "models.dual_encoder.DualEncoder.save": (MODEL, {"path": str(folder / "saved.npz")}),
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
        "training.loop.train": tiny_pairs(epochs=1, batch_size=2, progress=False, overwrite=True),
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
        calls["models.pytorch.to_torch"] = {"model": MODEL}
        calls["models.pytorch.from_torch"] = {"module": module}
        calls["models.pytorch.Reader.forward"] = module.query, {"texts": list(TEXTS)}
        both = {"queries": ["ab"], "titles": list(TEXTS)}
        calls["models.pytorch.Encoders.forward"] = module, both
    return calls


SMALL = {"n_units": 2, "word_size": 2, "n_words": 10, "epochs": 1}
NEEDS = {"BM25": "bm25s", "PLSA": "sklearn", "Doc2Vec": "gensim"}
EXTRAS = {
    **{f"table_iv.{name.lower()}.{name}": library for name, library in NEEDS.items()},
    "data.datasets.fetch": "pooch",
    "data.datasets.from_ir_datasets": "ir_datasets",
}
