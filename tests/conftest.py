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
from soaked import check_tally, share  # noqa: F401  # fixtures

import lstm_edu
from lstm_edu import GRU, LSTM, RNN, Attention, Bidirectional
from lstm_edu._util.threads import two_threads
from lstm_edu.cells import CLSM, DSSM, Bag
from lstm_edu.training import nesterov

with suppress(ModuleNotFoundError):  # only some test files need hypothesis
    import hypothesis

    # disable hypothesis' time limits, which a busy machine may exceed
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("course", deadline=None, suppress_health_check=slow)
    hypothesis.settings.load_profile("course")

ROOT = pathlib.Path(__file__).parent.parent
HELPERS = ROOT / "tests" / "helpers"
WANTS = runpy.run_path(str(ROOT / "course.py"))["WANTS"]
# default timeout in seconds, long enough even on a busy machine
PATIENCE = 900

# words from a three-letter alphabet, so that they share trigrams and W stays small
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
    """Return all values of ``every`` as test parameters; mark those not in ``chosen`` as soak.

    `make test` deselects tests marked soak, and `make soak` runs them.
    """
    tuples = [(x if isinstance(x, tuple) else (x,), x in chosen) for x in every]
    return [pytest.param(*x, marks=[] if now else pytest.mark.soak) for x, now in tuples]


def cell_name(cell):
    return str(cell).replace("n_cells=", "").replace("forget_gate=", "").replace("peepholes=", "")


def until(find, name):
    """Call ``find()`` until it returns a truthy value, and return that value.

    Also retry if selenium raises StaleElementReferenceException. After `PATIENCE` seconds, fail
    with a message that contains ``name``.
    """
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if found := find():
                return found
        except Exception as error:  # compare names, because selenium may be missing
            if type(error).__name__ != "StaleElementReferenceException":
                raise
        assert time.monotonic() < end, f"not within {PATIENCE} s: {name}"
        time.sleep(0.05)


def pytest_addoption(parser):
    add = parser.addoption
    add("--times", type=int, default=1, help="how often to run each test that waits")
    add("--share", type=float, default=1, help="share of the soak's trials to run, such as 0.01")
    add("--nudge", type=int, metavar="SEED", help="seed for nudging the models' initial weights")
    add("--ci", metavar="COMMIT", help="run only CI's share of the soak for this commit")
    add("--busy", type=int, default=0, help="number of busy-loop processes to run during the tests")


BUSY = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"


def pytest_configure(config):
    if (seed := config.getoption("--nudge")) is not None:
        nudge_models(seed)
    # background processes (`nohup … &`) and their children ignore SIGINT; undo this, because some
    # tests send SIGINT
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    is_worker = hasattr(config, "workerinput")  # started by pytest-xdist
    for _ in range(0 if is_worker else config.getoption("--busy")):
        config.add_cleanup(subprocess.Popen([sys.executable, "-c", BUSY]).kill)


def lacks(name):
    """Return a reason to skip a lesson if a package that it needs is not installed, else None."""
    module, how = WANTS.get(name, ("sys", None))
    if importlib.util.find_spec(module) is None:
        return f"{name} needs {module}, a large download: python {how}"


def is_executed_elsewhere(item):
    """Return whether a test in tests/lessons executes this cell, so that nbval can skip it.

    Ignoring the notebook in a hook would not work, because pytest doesn't call the hooks of
    tests/conftest.py for paths outside tests/.
    """
    is_lesson = item.path.suffix == ".ipynb" and item.path.parent == ROOT / "notebooks"
    return is_lesson and (ROOT / "tests" / "lessons" / f"test_{item.path.stem}.py").exists()


def in_ci(item, commit):
    """Return whether CI runs a soak test for a commit.

    CI runs all tests marked ``ci``, and a sixteenth of the tests marked ``mutants``. The commit's
    hash determines which sixteenth.
    """
    turn = zlib.crc32(item.nodeid.encode()) % 16 == int(commit, 16) % 16
    return item.get_closest_marker("ci") or (item.get_closest_marker("mutants") and turn)


def pytest_collection_modifyitems(config, items):
    """Deselect or skip tests that shouldn't run, and run lessons and notebooks first.

    Deselect cells that tests/lessons executes and, with ``--ci``, tests outside CI's share. Skip
    lessons that need a missing package. Mark the notebooks of solutions as soak, because
    test_exercises.py, which `make test` runs, already runs each exercise. Lessons come first
    because they take longest.
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
        if reason := lacks(item.path.stem):
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_generate_tests(metafunc):
    """Run each test marked ``waits`` ``--times`` times, because its result may depend on timing.

    A test marked ``waits(3)`` waits three times in each run, so it is repeated a third as often.
    """
    times = metafunc.config.getoption("--times")
    waits = metafunc.definition.get_closest_marker("waits")
    if times > 1 and waits:
        metafunc.fixturenames.append("_nth")
        metafunc.parametrize("_nth", range(math.ceil(times / (waits.args or [1])[0])))


@pytest.fixture(scope="module")
def small_blocks():
    """Shrink the blocks and parts of `nesterov` to 2 and 4 rows, so that nine rows need several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nesterov, "BLOCK", 2)
        patch.setattr(nesterov, "PART", 4)
        yield


@pytest.fixture(scope="module")
def threads():
    with two_threads() as map_:
        yield map_


def unit_model(cell, seed=0, dtype="float64"):
    """Make a model with unit-scale weights and biases, so that no gradient term is negligible."""
    # untied, so that tests detect code that swaps the query and document sides
    return lstm_edu.DualEncoder(cell, HASHING, seed, dtype, scale=1.0, tied=False)


def clicks(n, n_pairs=4, seed=0):
    """Return queries, their clicked titles, and a list of n unclicked titles for each query.

    All queries and titles have 1 to 12 words.
    """
    rng = np.random.default_rng(seed)
    texts = TEXTS + [" ".join(rng.permutation(text.split())) for text in TEXTS]
    queries = [TEXTS[5], TEXTS[0], *rng.choice(texts, n_pairs - 2)]
    clicked = [TEXTS[1], TEXTS[5], *rng.choice(texts, n_pairs - 2)]
    unclicked = [[str(t) for t in rng.choice(texts, n, replace=False)] for _ in queries]
    return queries, clicked, unclicked


def worst_difference(gradient, expected):
    """Return the largest relative difference between two gradients.

    Each difference is divided by the expected element's magnitude, or by a thousandth of the
    largest magnitude in its array if that is more.
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
    """Return whether the system allows ``action(new, old)`` on two temporary files."""
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


def needs(feature):
    """Return a marker that skips a test if the system lacks ``feature``, a key of `HAS`."""
    return pytest.mark.skipif(not HAS[feature](), reason=f"this system has no {feature}")


@pytest.fixture(scope="session")
def lesson_folder(tmp_path_factory):
    """Create one folder in which all lessons run, so that they can share trained models."""
    from executed import notebooks_in

    return notebooks_in(tmp_path_factory.mktemp("lessons"))


@pytest.fixture(scope="module")
def tried():
    """Yield `exercise_mutants.tried_here`, which checks an answer, with a shorter time limit."""
    from exercise_mutants import worker

    with worker() as function:
        yield function


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Start a browser without network access, for pages loaded from a folder."""
    from chromium import NO_NETWORK, chromium  # imports selenium, which few tests need

    with chromium(tmp_path_factory.mktemp("profile"), NO_NETWORK) as browser:
        yield browser


@pytest.fixture
def real_data():
    """Return the folder with real click logs and judgments; skip the test if it isn't set."""
    if "LSTM_EDU_DATA" not in os.environ:
        pytest.skip("LSTM_EDU_DATA isn't set to a folder of real judged searches")
    return pathlib.Path(os.environ["LSTM_EDU_DATA"])


@pytest.fixture
def saved(tmp_path):
    """Save a small model, and return the path of its file."""
    path = tmp_path / "m.npz"
    lstm_edu.DualEncoder(lstm_edu.LSTM(2), HASHING).save(path)
    return path
