"""The sdist, the wheel that is made of it, and the README on a package index.

And the README's ten lines, by the wheel alone.
"""

import re
import runpy
import shutil
import subprocess
import tarfile
from email import message_from_bytes

import pytest
from conftest import HAS, ROOT, needs
from processes import python

import lstm_edu

README = (ROOT / "README.md").read_text(encoding="utf-8")
TEN_LINES, PRINTED = re.search(
    r"## Ten lines\n\n```python\n(.+?)```\n\n.*?\*on one machine\*:\n\n```text\n([^`]+)```",
    README,
    re.DOTALL,
).groups()
PACKAGES = "lstm_edu", "lstm_course"
NAME = f"lstm_edu-{lstm_edu.__version__}"
SAMPLE = sorted(path for path in (ROOT / "data_samples").rglob("*") if path.is_file())
# what other tests may write at the same time, and what is large
IN_USE = ".git .venv build dist *.egg-info .*_cache .hypothesis __pycache__ *.npz *.part".split()
# what a folder in use has beside what is tracked
KEPT = "notebooks/m.npz", "tests/m.part", "tests/__pycache__/m.pyc", "book/.ipynb_checkpoints/m.md"
BUILD = """
import sys, setuptools.build_meta as b
getattr(b, sys.argv[1])(sys.argv[2])"""


def build(function, folder, out):
    """Let setuptools build as pip would, but with what is installed; return what it said."""
    done = python("-c", BUILD, function, str(out), cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The files of the sdist, the folder of the wheel made of it, and what was said."""
    if not HAS["setuptools of 77 or newer"]():
        pytest.skip("there is no setuptools of 77 or newer here (make test installs it)")
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(ROOT, folder / "copy", ignore=shutil.ignore_patterns(*IN_USE))
    for name in KEPT:
        (folder / "copy" / name).parent.mkdir(exist_ok=True)
        (folder / "copy" / name).write_bytes(b"")
    said = build("build_sdist", folder / "copy", folder)
    safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # asked for from 3.12 on
    shutil.unpack_archive(folder / f"{NAME}.tar.gz", folder, **safely)
    in_sdist = files(folder / NAME)
    said += build("build_wheel", folder / NAME, folder)
    shutil.unpack_archive(folder / f"{NAME}-py3-none-any.whl", folder / "wheel", "zip")
    return in_sdist, folder / "wheel", said


@needs("checkout with git")
def test_sdist_holds_what_git_does(built):
    def listed(*options):
        command = ["git", "-c", "core.quotePath=off", "ls-files", *options]
        return subprocess.check_output(command, cwd=ROOT, encoding="utf-8").splitlines()

    made = {"PKG-INFO", "setup.cfg"}
    held = {name for name in built[0] - made if not name.startswith("lstm_edu.egg-info/")}
    assert {name for name in listed() if (ROOT / name).exists()} <= held
    assert held <= set(listed("--cached", "--others", "--exclude-standard"))


def test_wheel_holds_both_packages_and_the_sample(built):
    _, wheel, said = built
    ours = re.compile(r"[^.]+\.(py|toml|md|typed)|.+/js/.+")
    names = {f"{room}/{name}" for room in PACKAGES for name in files(ROOT / room)}
    code = {name for name in names if ours.fullmatch(name)}
    sample = {p.relative_to(ROOT / "data_samples").as_posix(): p.read_bytes() for p in SAMPLE}
    sample = {f"lstm_edu/data/sample/{name}": content for name, content in sample.items()}
    packed = {name for name in files(wheel) if ".dist-info/" not in name}
    assert packed == code | sample.keys()
    assert sample == {name: (wheel / name).read_bytes() for name in sample}
    points = (wheel / f"{NAME}.dist-info" / "entry_points.txt").read_text(encoding="utf-8")
    assert "lstm-edu = lstm_edu.__main__:main" in points
    assert "would be ignored" not in said  # setuptools' word on data that are not declared


def test_ten_lines_work_by_the_wheel_without_the_course(built, tmp_path):
    """Trained for a moment only, in another folder; then the course's own data."""
    wheel = built[1]
    lines = TEN_LINES.replace("train(model, pairs, seed=0)", "train(model, pairs[:512], epochs=1)")
    assert lines != TEN_LINES and 10 <= len(TEN_LINES.splitlines()) <= 15
    code = f"import sys\nsys.modules['lstm_course'] = None\n{lines}"
    code += "print(lstm_edu.__file__, lstm_edu.sample(), len(pairs), sep='\\n')\n"
    code += "del sys.modules['lstm_course']\n"
    code += "from lstm_course.sample.wordings import read_words\nprint(len(read_words().topics))\n"
    done = python("-c", code, cwd=tmp_path, PYTHONPATH=str(wheel))
    assert done.returncode == 0, done.stderr
    sample = wheel / "lstm_edu" / "data" / "sample"
    topics = len(list((ROOT / "lstm_course" / "sample" / "words").glob("*.toml"))) - 1
    expected = [str(wheel / "lstm_edu" / "__init__.py"), str(sample), "20000", str(topics)]
    assert done.stdout.splitlines()[len(PRINTED.splitlines()) :] == expected
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


@pytest.mark.soak
def test_ten_lines_print_the_scores_below_them(tmp_path):
    """But for the last digit, which differs between machines, and with it the order of titles."""
    done = python("-c", TEN_LINES, cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr
    scores = lambda text: [float(line.split()[0]) for line in text.splitlines()]
    assert scores(done.stdout) == pytest.approx(scores(PRINTED), abs=0.03)


def targets(text):
    """Where the links and pictures of a Markdown text lead, however they are written."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    link = r"\]\(([^)\s]*)[^)]*\)|^\[[^]]+\]: *(\S+)|(?:src|href)=[\"']?([^\"'>\s]+)"
    return ["".join(groups) for groups in re.findall(link, text, re.MULTILINE)]


RELATIVE = [target for target in targets(README) if not re.match(r"\w+:|#", target)]


def test_on_an_index_nothing_leads_to_files_beside_the_readme(built):
    """While the repository has no address."""
    told = (built[1] / f"{NAME}.dist-info" / "METADATA").read_bytes()
    message = message_from_bytes(told)
    assert message["Version"] == lstm_edu.__version__
    assert message["Description-Content-Type"] == "text/markdown"
    shown = message.get_payload(decode=True).decode("utf-8")
    assert [target for target in targets(README) if target not in RELATIVE] == targets(shown)
    assert "travel back through an RNN?" in shown and "00_start_here" not in shown


def test_on_an_index_links_lead_to_the_repository_of_that_version(monkeypatch):
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    made, address = runpy.run_path(str(ROOT / "setup.py")), "https://example.org/course"
    made["PROJECT"]["urls"]["Repository"] = address
    shown, version = targets(made["for_an_index"](README)), f"v{lstm_edu.__version__}"
    assert f"{address}/raw/{version}/notebooks/reading.png" in shown
    assert f"{address}/blob/{version}/notebooks/00_start_here.ipynb" in shown
    assert len(shown) == len(targets(README))
    assert not [target for target in shown if not target.startswith("https://")]
