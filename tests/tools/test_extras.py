"""Tests that features whose extra is missing say in one line how to install it."""

import runpy
import sys

import pytest
from conftest import HASHING, ROOT, TEXTS
from processes import python

import lstm_edu
import lstm_tools
from lstm_course import checks, explore, explorers
from lstm_course.explorers.widget import load_anywidget
from lstm_edu import InputError
from lstm_tools import cluster
from lstm_tools.formats.datasets import from_ir_datasets
from lstm_tools.table_iv.bm25 import BM25
from lstm_tools.table_iv.doc2vec import Doc2Vec
from lstm_tools.table_iv.plsa import PLSA

PAIRS = list(zip(TEXTS, reversed(TEXTS)))
MODEL = lstm_edu.DualEncoder(lstm_edu.RNN(2), HASHING)


def script(path):
    """Run a script, but not its `__main__` part."""
    return runpy.run_path(str(ROOT / path), run_name="read")


FEATURES = {
    "IPython widgets explore needs IPython": [
        lambda: explore(MODEL),
        lambda: explorers.explore_push(TEXTS, [0.5] * len(TEXTS)),
        lambda: explorers.explore_race(max, [1.0, 40.0]),
    ],
    "anywidget widgets explore needs anywidget": [load_anywidget],
    "pooch data fetch needs pooch": [lambda: lstm_tools.fetch("msrd")],
    "ir_datasets data from_ir_datasets needs ir_datasets": [lambda: from_ir_datasets("cranfield")],
    "safetensors safetensors m.safetensors: needs safetensors": [
        lambda: MODEL.save("m.safetensors")
    ],
    "distributed cluster cluster needs dask.distributed": [
        lambda: cluster.workers(1),
        lambda: cluster.connected("tcp://127.0.0.1:1").__enter__(),
    ],
    "bm25s baselines BM25 needs bm25s": [lambda: BM25().fit(PAIRS).score("ab", ["ab"])],
    "sklearn baselines PLSA needs scikit-learn": [lambda: PLSA(2).fit(PAIRS)],
    "gensim baselines Doc2Vec needs gensim": [lambda: Doc2Vec().fit(PAIRS)],
    "torch torch to_torch and from_torch need PyTorch": [lambda: lstm_edu.to_torch(MODEL)],
    "torch torch check_torch_loop needs PyTorch": [lambda: checks.check_torch_loop(max)],
    "sphinx book the book needs Sphinx": [lambda: script("book/build/website.py")],
    "nbconvert notebooks slides need nbconvert": [lambda: script("book/build/slides.py")],
}


@pytest.fixture
def hide(monkeypatch):
    """Return a function that makes imports of a package fail, as if it weren't installed."""

    def hidden(package):
        loaded = [name for name in sys.modules if name.startswith(package + ".")]
        for name in [package, *loaded]:
            monkeypatch.setitem(sys.modules, name, None)
        # unload the only module that imports its extra at the top
        monkeypatch.delitem(sys.modules, "lstm_edu.models.pytorch", raising=False)
        monkeypatch.delattr(lstm_edu.models, "pytorch", raising=False)

    return hidden


@pytest.mark.parametrize("row", FEATURES)
def test_error_about_missing_extra_explains_how_to_install_it(hide, row):
    package, extra, said = row.split(" ", 2)
    hide(package)
    for feature in FEATURES[row]:
        with pytest.raises((InputError, checks.Wrong)) as error:
            feature()
        assert str(error.value) == f'{said}: pip install "lstm_edu[{extra}]"'
        assert error.value.__suppress_context__  # the traceback omits the failed import


CORE_ALONE = """
import sys
for name in sys.argv[1:]:
    sys.modules[name] = None
from lstm_edu import *
hashing = LetterTrigrams.fit(["a b"])
model = DualEncoder(RNN(2), hashing, seed=0)
train(model, [("a", "b"), ("b", "a")], epochs=1, n_negatives=1)
from lstm_course import explore, plots
from lstm_tools import fetch
plots.words_read(model.trace("b a"), 1)
print(callable(explore), callable(fetch), callable(to_torch))
"""


def test_core_features_work_without_any_extra():
    """Train a model and draw a figure while the libraries of most extras can't be imported."""
    hidden = "IPython anywidget pooch requests distributed bm25s sklearn gensim sphinx torch"
    done = python("-c", CORE_ALONE, *hidden.split())
    assert done.stdout == "True True True\n", done.stderr
