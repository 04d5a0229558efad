"""What leaves the repository: the sdist, the wheel that is made of it, and the README on an index.

And the README's ten lines, in a checkout and by the wheel alone.
"""

import re
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
BUILD = "import sys, setuptools.build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"


def build(function, folder, out):
    """Let setuptools build as pip would, but with what is installed; what it said."""
    done = python("-c", BUILD, function, str(out), cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the sdist and, in wheel/, the wheel; the files of each; what was said."""
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
    return folder, in_sdist, files(folder / "wheel"), said


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@needs("checkout with git")
def test_the_sdist_holds_what_git_does(built):
    def listed(*options):
        command = ["git", "-c", "core.quotePath=off", "ls-files", *options]
        return subprocess.check_output(command, cwd=ROOT, encoding="utf-8").splitlines()

    made = {"PKG-INFO", "setup.cfg"}
    held = {name for name in built[1] - made if not name.startswith("lstm_edu.egg-info/")}
    assert {name for name in listed() if (ROOT / name).exists()} <= held
    assert held <= set(listed("--cached", "--others", "--exclude-standard"))


def test_the_wheel_holds_the_package_its_lists_its_scripts_and_the_sample(built):
    folder, _, held, said = built
    wheel = folder / "wheel"

    def ours(pattern):
        paths = (p for name in PACKAGES for p in (ROOT / name).rglob(pattern))
        return {path.relative_to(ROOT).as_posix() for path in paths}

    code, words, scripts = ours("*.py"), ours("*.toml"), ours("js/*")
    names = (path.relative_to(ROOT / "data_samples").as_posix() for path in SAMPLE)
    sample = {f"lstm_edu/data/sample/{n}": p.read_bytes() for n, p in zip(names, SAMPLE)}
    assert len(words) > 10 and len(scripts) > 8
    packed = {name for name in held if ".dist-info/" not in name}
    told = {"lstm_edu/README.md", "lstm_edu/py.typed", "lstm_course/README.md"}
    assert packed == code | words | scripts | told | sample.keys()
    assert sample == {name: (wheel / name).read_bytes() for name in sample}
    points = (wheel / f"{NAME}.dist-info" / "entry_points.txt").read_text(encoding="utf-8")
    assert "lstm-edu = lstm_edu.__main__:main" in points
    assert "would be ignored" not in said  # setuptools' word on data that are not declared


@pytest.mark.parametrize("installed", ["as a checkout", "as a wheel", "without the course"])
def test_the_ten_lines(request, tmp_path, installed):
    """Trained for a moment only, in another folder, with nothing else of the course on the path."""
    home = ROOT
    if installed != "as a checkout":
        home = request.getfixturevalue("built")[0] / "wheel"
    lines = TEN_LINES.replace("train(model, pairs, seed=0)", "train(model, pairs[:512], epochs=1)")
    assert lines != TEN_LINES and 10 <= len(TEN_LINES.splitlines()) <= 15
    found = "print(lstm_edu.__file__, lstm_edu.sample(), len(pairs), sep='\\n')\n"
    if installed == "without the course":
        lines = "import sys\nsys.modules['lstm_course'] = None\n" + lines
    else:
        found += "from lstm_course.sample.wordings import read_words\n"
        found += "print(len(read_words().topics))\n"
    done = python("-c", lines + found, cwd=tmp_path, PYTHONPATH=str(home))
    assert done.returncode == 0, done.stderr
    package = home / "lstm_edu"
    sample = ROOT / "data_samples" if home == ROOT else package / "data" / "sample"
    topics = len(list((ROOT / "lstm_course" / "sample" / "words").glob("*.toml"))) - 1
    expected = [str(package / "__init__.py"), str(sample), "20000"]
    expected += [] if installed == "without the course" else [str(topics)]
    assert done.stdout.splitlines()[len(PRINTED.splitlines()) :] == expected
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]


@pytest.mark.soak
def test_the_ten_lines_print_what_stands_below_them(tmp_path):
    """But for the last digit, which differs between machines, and with it the order of titles."""
    done = python("-c", TEN_LINES, cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr
    scores = lambda text: [float(line.split()[0]) for line in text.splitlines()]
    assert scores(done.stdout) == pytest.approx(scores(PRINTED), abs=0.03)


def test_the_readme_is_one_page():
    assert len(README.split()) < 900
    assert not [line for line in README.splitlines() if len(line) > 100]


def description(folder, out):
    """The README as an index shows it."""
    build("prepare_metadata_for_build_wheel", folder, out)
    (told,) = out.glob("*.dist-info/METADATA")
    message = message_from_bytes(told.read_bytes())
    assert message["Version"] == lstm_edu.__version__
    assert message["Description-Content-Type"] == "text/markdown"
    return message.get_payload(decode=True).decode("utf-8")


def targets(text):
    """Where the links and pictures of a Markdown text lead, however they are written."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    link = r"\]\(([^)\s]*)[^)]*\)|^\[[^]]+\]: *(\S+)|(?:src|href)=[\"']?([^\"'>\s]+)"
    return ["".join(groups) for groups in re.findall(link, text, re.MULTILINE)]


RELATIVE = [target for target in targets(README) if not re.match(r"\w+:|#", target)]


def test_the_readme_leads_to_files_that_are_there():
    assert len(RELATIVE) > 20 and not [name for name in RELATIVE if not (ROOT / name).exists()]


def test_on_an_index_nothing_leads_to_files_beside_it(built, tmp_path):
    """While the repository has no address."""
    told = description(built[0] / NAME, tmp_path)
    assert [target for target in targets(README) if target not in RELATIVE] == targets(told)
    assert "travel back through an RNN?" in told and "00_start_here" not in told


def test_on_an_index_links_lead_to_the_repository_of_that_version(built, tmp_path):
    folder, address = tmp_path / "course", "https://example.org/course"
    shutil.copytree(built[0] / NAME, folder)
    told = (folder / "pyproject.toml").read_text(encoding="utf-8")
    told = told.replace("[project.urls]\n", f'[project.urls]\nRepository = "{address}"\n')
    (folder / "pyproject.toml").write_text(told, encoding="utf-8", newline="\n")
    (tmp_path / "out").mkdir()
    shown, version = targets(description(folder, tmp_path / "out")), f"v{lstm_edu.__version__}"
    assert f"{address}/raw/{version}/notebooks/reading.png" in shown
    assert f"{address}/blob/{version}/notebooks/00_start_here.ipynb" in shown
    assert len(shown) == len(targets(README))
    assert not [target for target in shown if not target.startswith("https://")]
