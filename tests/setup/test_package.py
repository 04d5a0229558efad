"""Tests of the sdist, of the wheel built from it, and of the README for a package index."""

import re
import runpy
import shutil
import subprocess
from email import message_from_bytes

import pytest
from conftest import ROOT, needs
from processes import python

import lstm_edu

README = (ROOT / "README.md").read_text(encoding="utf-8")
TEN_LINES, PRINTED = re.search(
    r"## Ten lines\n\n```python\n(.+?)```\n\n.*?\*on one machine\*:\n\n```text\n([^`]+)```",
    README,
    re.DOTALL,
).groups()
PACKAGES = "lstm_edu", "lstm_tools", "lstm_course"
NAME = f"lstm_edu-{lstm_edu.__version__}"
# not copied: large files, and files that other tests may write at the same time
IN_USE = ".git .venv dist *.egg-info .*_cache .hypothesis __pycache__ *.npz *.part".split()
# ignored files, which must not enter the sdist
KEPT = "notebooks/m.npz", "tests/m.part", "tests/m.pyc", "book/pages/.ipynb_checkpoints/m.md"
BUILD = "import sys, setuptools.build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"


def build(function, folder, out):
    """Call setuptools' build backend as pip does, without an isolated environment."""
    done = python("-c", BUILD, function, str(out), cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "would be ignored" not in done.stdout + done.stderr  # setuptools' warning about data


def files(folder):
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in paths}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build sdist and wheel; return the sdist's file names, and the unpacked wheel's folder."""
    pytest.importorskip("setuptools", "77", reason="setuptools is too old, or not installed")
    folder = tmp_path_factory.mktemp("built")
    ignored = shutil.ignore_patterns(*IN_USE)
    ignore = lambda path, names: ignored(path, names) | ({"build"} if path == str(ROOT) else set())
    shutil.copytree(str(ROOT), folder / "copy", ignore=ignore)
    for name in KEPT:
        (folder / "copy" / name).parent.mkdir(exist_ok=True)
        (folder / "copy" / name).write_bytes(b"")
    build("build_sdist", folder / "copy", folder)
    shutil.unpack_archive(folder / f"{NAME}.tar.gz", folder)
    in_sdist = files(folder / NAME)
    build("build_wheel", folder / NAME, folder)
    shutil.unpack_archive(folder / f"{NAME}-py3-none-any.whl", folder / "wheel", "zip")
    return in_sdist, folder / "wheel"


@needs("checkout with git")
def test_sdist_contains_tracked_and_no_ignored_files(built):
    def listed(*options):
        command = ["git", "-c", "core.quotePath=off", "ls-files", *options]
        return subprocess.check_output(command, cwd=ROOT, encoding="utf-8").splitlines()

    made = {"PKG-INFO", "setup.cfg"}
    packed = {name for name in built[0] - made if "lstm_edu.egg-info/" not in name}
    assert {name for name in listed() if (ROOT / name).exists()} <= packed
    assert packed <= set(listed("--cached", "--others", "--exclude-standard"))


def test_wheel_contains_packages_and_sample_data(built):
    wheel = built[1]
    ours = re.compile(r"[^.]+\.(py|toml|md|typed)|.+/js/.+")
    names = {f"{package}/{name}" for package in PACKAGES for name in files(ROOT / package)}
    code = {name for name in names if ours.fullmatch(name)}
    sample = {name: f"lstm_edu/data_samples/{name}" for name in files(ROOT / "data_samples")}
    packed = {name for name in files(wheel) if ".dist-info/" not in name}
    assert packed == code | set(sample.values())
    for name, inside in sample.items():
        assert (wheel / inside).read_bytes() == (ROOT / "data_samples" / name).read_bytes()
    points = (wheel / f"{NAME}.dist-info" / "entry_points.txt").read_bytes()
    assert b"lstm-edu = lstm_edu.__main__:main" in points


ALONE = """
import sys
sys.modules |= dict.fromkeys(["lstm_tools", "lstm_course"])  # deleted, and not found elsewhere
{}
again, title = lstm_edu.load("model.npz"), ["its title"]
assert again.rank("a query", title) == model.rank("a query", title)
small = lstm_edu.LetterTrigrams.fit(["a query", "its title"])
small = lstm_edu.DualEncoder(lstm_edu.LSTM(2), small, dtype="float64")
check = lstm_edu.check_gradient(small, ["a query"], title, [["a title"]], verbose=False)
assert check.error < 1e-9
print(lstm_edu.__file__, lstm_edu.sample(), len(pairs), sep="\\n")
"""


def test_readme_example_and_gradient_check_need_only_lstm_edu(built, tmp_path):
    """Run both with only the wheel's lstm_edu, and with one epoch of training on 512 pairs."""
    shutil.copytree(built[1] / "lstm_edu", tmp_path / "alone" / "lstm_edu")
    lines = TEN_LINES.replace("train(model, pairs, seed=0)", "train(model, pairs[:512], epochs=1)")
    assert lines != TEN_LINES and 10 <= len(TEN_LINES.splitlines()) <= 15
    done = python("-c", ALONE.format(lines), cwd=tmp_path, PYTHONPATH=str(tmp_path / "alone"))
    assert done.returncode == 0, done.stderr
    package = tmp_path / "alone" / "lstm_edu"
    expected = [str(package / "__init__.py"), str(package / "data_samples"), "20000"]
    assert done.stdout.splitlines()[len(PRINTED.splitlines()) :] == expected
    assert {path.name for path in tmp_path.iterdir()} == {"alone", "model.npz"}


@pytest.mark.soak
def test_readme_example_prints_documented_scores(tmp_path):
    """Allow small differences in scores and title order, because machines round differently."""
    done = python("-c", TEN_LINES, cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr
    scores = lambda text: [float(line.split()[0]) for line in text.splitlines()]
    assert scores(done.stdout) == pytest.approx(scores(PRINTED), abs=0.03)


def targets(text):
    """Return the targets of the links and images in a Markdown text."""
    return re.findall(r"\]\(([^)\s]*)[^)]*\)", text)


def test_readme_of_wheel_links_to_no_local_files(built):
    """Check the wheel's README, built without a repository URL."""
    metadata = (built[1] / f"{NAME}.dist-info" / "METADATA").read_bytes()
    message = message_from_bytes(metadata)
    assert message["Version"] == lstm_edu.__version__
    assert message["Description-Content-Type"] == "text/markdown"
    shown = message.get_payload(decode=True).decode("utf-8")
    for name in set(targets(README)) - set(targets(shown)):
        assert (ROOT / name.split("#")[0]).exists(), name
    assert targets(shown) == [name for name in targets(README) if re.match(r"\w+:|#", name)]
    assert "travel back through an RNN?" in shown and "00_start_here" not in shown


def test_readme_of_wheel_links_to_tagged_version(monkeypatch):
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    monkeypatch.chdir(ROOT)
    made, address = runpy.run_path("setup.py"), "https://example.org/course"
    made["PROJECT"]["urls"]["Repository"] = address
    shown, version = targets(made["for_an_index"](README)), f"v{lstm_edu.__version__}"
    assert f"{address}/raw/{version}/notebooks/reading.png" in shown
    assert f"{address}/blob/{version}/notebooks/00_start_here.ipynb" in shown
    assert len(shown) == len(targets(README))
    assert not [target for target in shown if not target.startswith("https://")]
