import importlib.util
import math
import os
import pathlib
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from contextlib import suppress

import numpy as np
import pytest
from nudged import nudge_models
from soaked import share, tally  # noqa: F401  # fixtures

import lstm_edu
from lstm_edu import GRU, LSTM, RNN, Attention, Bidirectional
from lstm_edu._util.threads import two_threads
from lstm_edu.cells import CLSM, DSSM, Bag
from lstm_edu.training import nesterov

with suppress(ModuleNotFoundError):  # only the test files that import it need it
    import hypothesis

    # A machine that does other things as well may take more than hypothesis' 200 ms for an example,
    # and more than the seconds that it grants to make some.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("course", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("course")

ROOT = pathlib.Path(__file__).parent.parent
HELPERS = ROOT / "tests" / "helpers"
WANTS = runpy.run_path(str(ROOT / "course.py"))["WANTS"]
# Seconds after which what should come is taken not to. Nothing waits as long if all is well, and no
# machine is so busy that it takes so long.
PATIENCE = 900

# Words over three letters: every trigram is met in many words, and few enough of them to check each
# element.
TEXTS = [
    "a",
    "ab ba",
    "abc a cab",
    "b c a b",
    "cab aba b c ac",
    "a b c ab bc ca abc bca cab aba bab cc",
    "cc bc ab",
    "ba",
    "ca ca ca ca ca ca",
    "acb b b abc a c ba ab",
]
HASHING = lstm_edu.LetterTrigrams.fit(["a ab ba abc b c cab ac cc"])

CELLS = [RNN(3), GRU(3)]
CELLS += [LSTM(3, forget, Wp) for forget in (False, True) for Wp in (None, "diagonal", "full")]
CELLS += [Bidirectional(cell) for cell in (RNN(2), GRU(2), LSTM(2), LSTM(2, True, "full"))]
CELLS += [Attention(RNN(3)), Attention(LSTM(3, True, "full")), Attention(Bidirectional(GRU(2)))]
CELLS += [Attention(Bidirectional(LSTM(2, True, "diagonal")))]
NETWORKS = [DSSM(4, 3), CLSM(1, 4, 3), CLSM(3, 4, 3), CLSM(5, 4, 3), Bag(3)]


def sample(every, chosen):
    """``every``, for a parametrisation: `make test` tries what is chosen, `make soak` the rest."""
    tuples = [(x if isinstance(x, tuple) else (x,), x in chosen) for x in every]
    return [pytest.param(*x, marks=[] if some else pytest.mark.soak) for x, some in tuples]


def cell_name(cell):
    return str(cell).replace("n_cells=", "").replace("forget_gate=", "").replace("peepholes=", "")


def until(there, what):
    """Wait for a condition, and return what it found; a page may be redrawn while it is read."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if found := there():
                return found
        except Exception as error:  # selenium's, which is imported where it is needed
            if type(error).__name__ != "StaleElementReferenceException":
                raise
        assert time.monotonic() < end, f"not within {PATIENCE} s: {what}"
        time.sleep(0.05)


def pytest_addoption(parser):
    add = parser.addoption
    add("--times", type=int, default=1, help="run each test that waits so often")
    add("--share", type=float, default=1, help="of what the soak tries: 0.01 is quick")
    add("--nudge", type=int, metavar="SEED", help="nudge the first weights of models")
    add("--ci", metavar="COMMIT", help="of the soak, what CI runs: see in_ci")
    add("--busy", type=int, default=0, help="so many busy loops beside the tests")


BUSY = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"


def pytest_configure(config):
    if (seed := config.getoption("--nudge")) is not None:
        nudge_models(seed)
    # begun in the background (`nohup … &`), a process and all that it starts ignore Ctrl-C
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    is_worker = hasattr(config, "workerinput")  # of xdist
    for _ in range(0 if is_worker else config.getoption("--busy")):
        config.add_cleanup(subprocess.Popen([sys.executable, "-c", BUSY]).kill)


def lacks(name):
    """Return why a lesson is skipped, if it wants more than set-up brings."""
    module, how = WANTS.get(name, ("sys", None))
    if importlib.util.find_spec(module) is None:
        return f"{name} needs {module}, a large download: python {how}"


def is_executed_elsewhere(item):
    """Whether a lesson's cell is executed by the lesson's tests in tests/lessons, and not by nbval.

    pytest asks no conftest.py of tests/ whether to ignore a path outside it.
    """
    is_lesson = item.path.suffix == ".ipynb" and item.path.parent == ROOT / "notebooks"
    return is_lesson and (ROOT / "tests" / "lessons" / f"test_{item.path.stem}.py").exists()


def in_ci(item, commit):
    """Whether CI runs a test of the soak: it is marked, or a mutant whose turn it is."""
    turn = zlib.crc32(item.nodeid.encode()) % 16 == int(commit, 16) % 16
    return item.get_closest_marker("ci") or (item.get_closest_marker("mutants") and turn)


def pytest_collection_modifyitems(config, items):
    """What takes longest begins first, so that two workers end together: the lessons.

    A page that wants more than set-up brings is skipped by nbval, by name. The solutions are run
    whole by the soak: in `make test`, test_exercises.py runs their exercises.
    """
    commit = config.getoption("--ci")
    left = [i for i in items if is_executed_elsewhere(i) or commit and not in_ci(i, commit)]
    config.hook.pytest_deselected(items=left)
    left = set(left)
    items[:] = [item for item in items if item not in left]
    items.sort(key=lambda i: i.path.suffix == ".py" and i.path.parent.name != "lessons")
    for item in items:
        if item.path.suffix == ".ipynb" and item.path.parent.name == "solutions":
            item.add_marker("soak")
        if told := lacks(item.path.stem):
            item.add_marker(pytest.mark.skip(reason=told))


def pytest_generate_tests(metafunc):
    """What waits for something is where chance may come in, so `make soak` repeats it.

    ``waits(3)`` meets the same wait three times by itself, and is repeated a third as often.
    """
    times = metafunc.config.getoption("--times")
    waits = metafunc.definition.get_closest_marker("waits")
    if times > 1 and waits:
        metafunc.fixturenames.append("_nth")
        metafunc.parametrize("_nth", range(math.ceil(times / (waits.args or [1])[0])))


@pytest.fixture(scope="module")
def small_blocks():
    """Of the nine rows in test_lazy a block has two and a thread's part two blocks.

    Or nothing here would be in several.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nesterov, "BLOCK", 2)
        patch.setattr(nesterov, "PART", 4)
        yield


@pytest.fixture(scope="module")
def threads():
    with two_threads() as map_:
        yield map_


def unit_model(cell, seed=0, dtype="float64"):
    """A model whose weights and biases all have unit scale, so that no missing term hides."""
    # sides of their own, so that one taken for the other is seen
    return lstm_edu.DualEncoder(cell, HASHING, seed, dtype, scale=1.0, tied=False)


def clicks(n, n_pairs=4, seed=0):
    """Queries, clicked and n unclicked titles of 1 to 12 words, the longest among them."""
    rng = np.random.default_rng(seed)
    texts = TEXTS + [" ".join(rng.permutation(text.split())) for text in TEXTS]
    queries = [TEXTS[5], TEXTS[0], *rng.choice(texts, n_pairs - 2)]
    clicked = [TEXTS[1], TEXTS[5], *rng.choice(texts, n_pairs - 2)]
    unclicked = [[str(t) for t in rng.choice(texts, n, replace=False)] for _ in queries]
    return queries, clicked, unclicked


def worst_difference(gradient, expected):
    """The largest difference of two gradients.

    It is relative to the element or a thousandth of its array's largest.
    """
    worst = 0.0
    for side in expected:
        assert gradient[side].keys() == expected[side].keys()
        assert all(np.isfinite(g).all() for g in gradient[side].values())
        for name, e in expected[side].items():
            assert gradient[side][name].shape == e.shape
            scale = np.maximum(np.abs(e), max(np.abs(e).max() / 1000, np.finfo(float).tiny))
            worst = max(worst, float((np.abs(gradient[side][name] - e) / scale).max()))
    return worst


def _works(action):
    """Whether the system does this to a new and an old file."""
    with tempfile.TemporaryDirectory() as folder, suppress(OSError):
        new, old = (pathlib.Path(folder, name) for name in ("new", "old"))
        new.touch()
        old.touch()
        action(new, old)
        return True


def _replace_open(new, old):
    with open(old, "rb"):
        os.replace(new, old)


HAS = {
    "named pipes": lambda: hasattr(os, "mkfifo"),
    "processes that fork": lambda: hasattr(os, "fork"),
    "files of a limited size": lambda: importlib.util.find_spec("resource") is not None,
    "links for every user": lambda: _works(lambda new, _: os.symlink(new, f"{new}s")),
    "way to replace a file that is open": lambda: _works(_replace_open),
    "checkout with git": lambda: (ROOT / ".git").exists() and shutil.which("git") is not None,
}


def needs(what):
    """Skips a test, by name, where there is none: Windows lacks some of what POSIX has."""
    return pytest.mark.skipif(not HAS[what](), reason=f"there is no {what} here")


@pytest.fixture(scope="session")
def lesson_folder(tmp_path_factory):
    """Where lessons are executed, and keep the models that several of them need."""
    from executed import notebooks_in

    return notebooks_in(tmp_path_factory.mktemp("lessons"))


@pytest.fixture(scope="module")
def tried():
    """A function of an exercise and an answer's source: how it fares, and what is said."""
    from exercise_mutants import worker

    with worker() as function:
        yield function


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A browser without a network, for pages from a folder."""
    from chromium import NO_NETWORK, chromium  # and selenium, which few tests need

    with chromium(tmp_path_factory.mktemp("profile"), NO_NETWORK) as browser:
        yield browser


@pytest.fixture
def real_data():
    """The folder of real judged searches, where there is one."""
    if "LSTM_EDU_DATA" not in os.environ:
        pytest.skip("LSTM_EDU_DATA names no folder of real judged searches")
    return pathlib.Path(os.environ["LSTM_EDU_DATA"])


@pytest.fixture
def saved(tmp_path):
    """A small model's file."""
    path = tmp_path / "m.npz"
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), HASHING).save(path)
    return path
