"""Set up the course and run it: `python course.py run`, or lab, test, book ... (`--help` has all).

Set-up goes into .venv, once, and again when pyproject.toml or constraints.txt have changed. The
standard library is enough, on Linux, macOS and Windows. Any Python can read this file, however old
it is, so that it can say which one it should be: no f-strings here, and nothing else that is new.
"""

from __future__ import print_function

import sys

OLDEST = (3, 11)
if sys.version_info < OLDEST:
    sys.exit(
        "The course needs Python 3.11 or newer, and this is {0}.{1}. Install a newer one, or name "
        "one that is there: python3.12 course.py run (or make run PYTHON=python3.12).".format(
            *sys.version_info[:2]
        )
    )

import argparse
import hashlib
import json
import os
import platform
import queue
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import threading
import time
from importlib.util import find_spec

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
MATHJAX = "sphinx-mathjax-offline"
ALL = "notebooks baselines widgets lab data cluster safetensors book test".split()
# the extras of pyproject.toml that a command needs; the pages of `run` need one script of `book`
NEEDS = {
    "setup": ALL,
    "run": ["notebooks", "baselines", MATHJAX],
    "lab": ["notebooks", "baselines", "widgets", "lab"],
    "test": ALL,
    "book": ["book"],
    "slides": ["notebooks", "book"],
    "exercises": ["notebooks"],
    "soak": ALL,
    "pages": ["notebooks", "baselines"],
    "lint": ["test"],
}
# packages and megabytes that each adds to those above it, on Linux, 2026-11-21
ADDS = {
    "": (17, 79),
    "notebooks": (46, 15),
    "baselines": (6, 38),
    "widgets": (5, 4),
    "lab": (42, 32),
    "data": (8, 9),
    "cluster": (13, 4),
    "safetensors": (1, 1),
    "book": (24, 25),
    "test": (19, 20),
    MATHJAX: (1, 6),
}
# no times in the pages and one output for what a cell prints, so that they change only with their
# content; no word from the kernel about its sockets
EXECUTE = [
    "--execute",
    "--log-level=ERROR",
    "--ExecutePreprocessor.record_timing=False",
    "--CoalesceStreamsPreprocessor.enabled=True",
    "--Exporter.preprocessors=nbconvert.preprocessors.CoalesceStreamsPreprocessor",
    "--ExecutePreprocessor.extra_arguments=--log-level=40",
    "--ExecutePreprocessor.startup_timeout=900",
]
PAGE = [
    "--to=html",
    "--template=page",
    "--TemplateExporter.extra_template_basedirs=book",
    "--Exporter.preprocessors=book.fold.fold",
    "--output-dir=build",
]
PYTEST = ["-m", "pytest", "-n", "2", "--dist", "loadscope", "--no-loadscope-reorder"]
NOTEBOOKS_TOO = ["--nbval-lax", "--nbval-current-env", "--ignore", "notebooks/exercises"]
NOTEBOOKS_TOO += ["--nbval-kernel-startup-timeout=900"]  # a busy machine takes its time

# What a page wants that set-up does not bring, as it is large: the module, and how to get it.
# Without it the page is not run, and is shown as it is stored.
WANTS = {"14_from_here_to_pytorch": ("torch", "-m pip install -c constraints.txt torch")}

# pip, which ends with the one that started it, even where that was killed: its input ends then
PIP = """
import os, runpy, sys, threading
def watch():
    os.read(0, 1)
    os._exit(1)
threading.Thread(target=watch, daemon=True).start()
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""

# What pip says when it fails, and what to do. The first that is found is it.
NO_SPACE = r"No space left|Errno 28\b|not enough space|WinError 112\b|Disk quota exceeded"
NO_VENV = r"No module named '?(venv|ensurepip)|ensurepip is not available|python3[\d.]*-venv"
NO_TRUST = r"CERTIFICATE_VERIFY_FAILED|SSLError|SSLCertVerificationError"
NO_NETWORK = (
    r"NewConnectionError|Failed to establish|getaddrinfo|[Nn]ame resolution|ConnectTimeout"
    r"|Read ?[Tt]ime|ProxyError|ProtocolError|Connection (reset|refused|aborted|broken)"
    r"|Network is unreachable|ConnectionResetError|IncompleteRead|connection broken"
)
NO_ACCESS = r"Permission denied|PermissionError|Access is denied|WinError (5|32)\b"
NO_WHEEL = r"Failed (building|to build)|failed-wheel-build|metadata-generation-failed|[Cc]ompiler"
NO_VERSION = (
    r"requires a different Python|Requires-Python|No matching distribution|Could not find a version"
    r"|ResolutionImpossible"
)


class Stop(Exception):
    """What ends a command: its text is all that is said."""


def advice(log, folder=None):
    """What to do about pip's (or venv's) failure, by what it said.

    `folder` is where it should have found everything, if that was not the network.
    """

    def said(pattern):
        return re.search(pattern, log)

    if said(NO_SPACE):
        return (
            "The disk is full. All of the course needs about 1 GB (`run` half of that) here, and "
            "some in the folder for temporary files."
        )
    if said(NO_VENV):
        return venv_is_missing()
    if said(NO_ACCESS):
        return (
            "A file could not be written. Does another program use .venv (JupyterLab, an editor)? "
            "Close it, and look whether this folder is yours to write."
        )
    if folder and said(NO_VERSION):
        return (
            "{0} does not hold what this Python ({1}) needs. Bring it again, with the same Python "
            "and the same kind of system: python course.py fetch {0}".format(folder, this_kind())
        )
    if not folder and said(NO_TRUST):
        return (
            "The network's certificate is not trusted, as behind a school's proxy: let PIP_CERT "
            "name the file with the proxy's certificate, and try again."
        )
    if not folder and said(NO_NETWORK):
        return (
            "The network did not answer. Is it there? Behind a proxy, set HTTPS_PROXY to its "
            "address (http://name:port) and try again. Without a network: python course.py fetch "
            "FOLDER where there is one, and --from FOLDER here."
        )
    if said(NO_WHEEL):
        return (
            "A package had to be compiled and was not: it has no ready-made file for this system "
            "and Python {0}. Take a Python from 3.11 to 3.14, 64 bits: python3.12 course.py ... "
            "(or make PYTHON=python3.12 ...).".format(platform.python_version())
        )
    if said(NO_VERSION):
        return (
            "A version needs another Python than {0}. Take one from 3.11 to 3.14: python3.12 "
            "course.py ... (or make PYTHON=python3.12 ...).".format(platform.python_version())
        )
    return "Try again; what is there already is not fetched again."


def venv_is_missing():
    """What to do where Python lacks its module venv."""
    return (
        "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv; "
        "elsewhere take the Python of python.org."
    )


def this_kind():
    """The Python and the kind of system, which decide what files are fetched."""
    parts = sys.implementation.cache_tag, sys.platform, platform.machine().lower()
    return "-".join(parts)


def venv_python(venv, os_name=os.name):
    """Where an environment has its Python."""
    if os_name == "nt":
        return os.path.join(venv, "Scripts", "python.exe")
    return os.path.join(venv, "bin", "python")


def site_packages(venv, os_name=os.name):
    """Where an environment of this Python has its packages."""
    scheme = "nt_venv" if os_name == "nt" else "posix_venv"
    return sysconfig.get_path("purelib", scheme, {"base": venv, "platbase": venv})


# Is it set up? ------------------------------------------------------------------------------------


def state(constraints):
    """What a set-up depends on but for the extras; the stamp in .venv holds both."""
    digest = hashlib.sha256()
    for name in (os.path.join(ROOT, "pyproject.toml"), constraints):
        with open(name, "rb") as file:
            digest.update(file.read() + b"\0")
    return {
        "declared": digest.hexdigest(),
        "python": "{0}.{1}".format(*sys.version_info[:2]),
        "folder": ROOT,
    }


def read_stamp(venv):
    """The stamp, or None where set-up did not come to its end."""
    try:
        with open(os.path.join(venv, "ready.json"), encoding="utf-8") as file:
            stamp = json.load(file)
        return stamp if isinstance(stamp["extras"], list) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_stamp(venv, now, extras):
    """All is there. Written whole or not at all."""
    path = os.path.join(venv, "ready.json")
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(dict(now, extras=sorted(extras)), file, indent=1)
    os.replace(path + ".part", path)


def plan(stamp, now, wanted, python, unfinished):
    """What is to be done: ("nothing", "add", "anew" or "theirs", the extras to install).

    `python` is the version of the Python in .venv, None where that does not work; `unfinished`
    says that a set-up was killed while it wrote. "theirs" is an environment that someone else has
    made with another Python, and that is not touched.
    """
    wanted = set(wanted)
    if stamp is None and not unfinished and python:  # someone's own .venv
        return "add" if python == now["python"] else "theirs", wanted
    if unfinished or python != now["python"]:
        return "anew", wanted
    wanted |= set(stamp["extras"])
    if all(stamp.get(key) == now[key] for key in now) and wanted == set(stamp["extras"]):
        return "nothing", wanted
    return "add", wanted


def version_of(python):
    """The version of a Python, and whether it lacks pip; None where it does not run."""
    code = (
        "import sys; from importlib.util import find_spec; "
        "print('%d.%d' % sys.version_info[:2] + ('' if find_spec('pip') else ' without pip'))"
    )
    try:
        said = subprocess.check_output(
            [python, "-c", code], stderr=subprocess.DEVNULL, encoding="utf-8"
        )
        return said.strip() or None
    except (OSError, subprocess.CalledProcessError):
        return None


def estimate(extras, folder=None):
    """About how many packages these are, how many megabytes, and how long it takes, in words."""
    extras = set(extras)
    if "book" in extras:
        extras.discard(MATHJAX)
    if "" in extras and extras & {"book", "test"}:  # they bring most of it themselves
        extras.add("notebooks")
    packages, megabytes = (sum(ADDS[extra][k] for extra in extras) for k in (0, 1))
    seconds = 15 + packages * 0.7 + (0 if folder else megabytes * 8 / 50)
    minutes = int(seconds // 60) + 1
    return (
        packages,
        megabytes,
        "about {0}".format("a minute" if minutes == 1 else "{0} minutes".format(minutes)),
    )


# Set up -------------------------------------------------------------------------------------------


class Progress:
    """What pip is at, read from its lines: `text` says it."""

    def __init__(self, expected):
        self.expected = expected
        self.found, self.fetched = set(), set()
        self.to_install = []
        self.text = "starting pip"

    def read(self, line):
        """Take pip's next line."""
        line = line.strip()
        file = re.match(r"(Downloading|Using cached|Processing) (\S+\.(?:whl|tar\.gz|zip))\b", line)
        name = re.match(r"(Collecting|Requirement already satisfied:) ([\w.-]+)", line)
        if line.startswith("Installing collected packages:"):
            self.to_install = line.split(":", 1)[1].replace(",", " ").split()
            self.text = "installing"
        elif line.startswith("Installing build dependencies: started"):
            self.text = "finding what pip builds with"
        elif "Retrying (Retry" in line:
            self.text = "no answer from the network, pip tries again"
        elif file and not line.split(" (")[0].endswith(".metadata"):
            whole = re.split(r"[/\\]", file.group(2))[-1]
            self.fetched.add(whole)
            self.found.add(plain(whole.split("-")[0]))
            size = re.search(r"\(([\d.]+ [kMG]?B)\)", line)
            self._count("fetching", self.fetched, whole.split("-")[0], size)
        elif name:
            self.found.add(plain(name.group(2)))
            self._count("finding", self.found, name.group(2))

    def _count(self, doing, done, name, size=None):
        of = max(self.expected, len(self.found))
        self.text = "{0} {1} of about {2}: {3}".format(doing, len(done), of, name)
        if size:
            self.text += " ({0})".format(size.group(1))

    def installed(self, folder):
        """Count what has arrived in a folder of packages, once pip installs."""
        try:
            here = [name.split("-")[0] for name in os.listdir(folder) if ".dist-info" in name]
        except OSError:
            here = []
        done = len({plain(name) for name in self.to_install} & {plain(name) for name in here})
        self.text = "installing {0} of {1}".format(done, len(self.to_install))


def plain(name):
    """A package's name as all its spellings have it."""
    return re.sub(r"[-_.]+", "-", name).lower()


class Line:
    """A line that moves on a terminal; elsewhere a line every 20 seconds."""

    def __init__(self, out=None):
        self.out = out or sys.stdout
        self.start = self.last = time.monotonic()
        self.moves = self.out.isatty()

    def show(self, text):
        """Put the text in place of the last one."""
        now = time.monotonic()
        text = "  {0:3.0f} s  {1}".format(now - self.start, text)
        if self.moves:
            width = shutil.get_terminal_size().columns - 1
            self.out.write("\r" + text[:width].ljust(width))
            self.out.flush()
        elif now - self.last >= 20:
            self.last = now
            print(text, file=self.out, flush=True)

    def clear(self):
        """Take the line away."""
        if self.moves:
            self.out.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")
            self.out.flush()


def listen(command, on_line, on_tick, log):
    """Run a command and hand on its lines as they come; its exit status, and all that it said."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=dict(os.environ, PYTHONUNBUFFERED="1", PYTHONIOENCODING="utf-8"),
    )
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    said = []
    try:
        while True:
            try:
                line = lines.get(timeout=0.3)
            except queue.Empty:
                on_tick()
                continue
            if line is None:
                return process.wait(), "".join(said)
            said.append(line)
            log.write(line)
            on_line(line)
            on_tick()
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()


def pip(python, arguments, progress, log_name, packages=None, folder=None):
    """Let pip do something, with a line that moves; its last lines and what to do if it fails.

    `packages` is the folder in which packages arrive, `folder` where they come from.
    """
    line = Line()

    def tick():
        if progress.to_install and packages:
            progress.installed(packages)
        line.show(progress.text)

    options = ["--disable-pip-version-check", "--no-input"]
    command = [python, "-c", PIP] + arguments[:1] + options + arguments[1:]
    with open(log_name, "a", buffering=1, encoding="utf-8") as log:
        try:
            status, said = listen(command, progress.read, tick, log)
        finally:
            line.clear()
    if status:
        told = "Set-up failed. pip's last lines (all of them: {0}):".format(log_name)
        raise Stop("\n".join([told, last_lines(said), advice(said, folder)]))


def last_lines(said):
    """The end of what a command said, indented."""
    lines = [line for line in said.splitlines() if line.strip()][-12:]
    return "\n".join("  " + line[:300] for line in lines)


def make_venv(folder):
    """An environment with nothing but pip, made by the Python that runs this file."""
    if not find_spec("ensurepip") or not find_spec("venv"):
        raise Stop(venv_is_missing())
    base = getattr(sys, "_base_executable", None) or sys.executable
    done = subprocess.run(
        [base, "-m", "venv", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        told = "No environment could be made in {0}:".format(folder)
        raise Stop("\n".join([told, last_lines(done.stdout), advice(done.stdout)]))


def remove(folder):
    """Take a folder away, or a link to one."""
    try:
        if os.path.islink(folder):
            os.unlink(folder)
        elif os.path.exists(folder):
            shutil.rmtree(folder)
    except OSError as error:
        raise Stop(
            "{0} could not be removed ({1}). Does another program use it (JupyterLab, an editor)? "
            "Close it, and try again.".format(folder, error)
        )


def pyproject():
    """The declarations of pyproject.toml."""
    import tomllib

    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        return tomllib.load(file)


def requirements(extras, declared):
    """What pip is asked for by name: all that the extras declare."""
    project = declared["project"]
    named = [name for extra in extras for name in project["optional-dependencies"][extra]]
    asked = declared["build-system"]["requires"] + project["dependencies"] + named
    return list(dict.fromkeys(asked))  # setuptools builds, and is tested with


def mathjax(declared):
    """What pip is asked for to have MathJax beside the pages, without Sphinx."""
    book = declared["project"]["optional-dependencies"]["book"]
    return [name for name in book if name.startswith(MATHJAX)]


def set_up(wanted, constraints, folder=None, venv=VENV):
    """Bring .venv to what a command needs; nothing, at once, where it is so already."""
    python, now = venv_python(venv), state(constraints)
    mark = os.path.join(venv, "unfinished")
    stamp, there = read_stamp(venv), version_of(python)
    todo, extras = plan(stamp, now, wanted, there, os.path.exists(mark))
    if todo == "nothing":
        return python
    if todo == "theirs":
        raise Stop(
            "{0} is not of this file's making: it has Python {1}, and this is {2}. Remove it if "
            "it may go (course.py clean), and try again.".format(venv, there, now["python"])
        )
    if folder:
        check_folder(folder, now)
    new = {""} | extras
    if todo == "add" and stamp and stamp["declared"] == now["declared"]:
        new -= {""} | set(stamp["extras"])
    packages, megabytes, minutes = estimate(new, folder)
    print(
        "Setting up .venv, once: about {0} packages, {1} MB {2}, {3} MB on disk. {4} takes "
        "{5}.".format(
            packages,
            megabytes,
            "from " + folder if folder else "to fetch (less if pip has them already)",
            megabytes * 3 + 30,
            "That" if folder else "With 50 Mbit/s that",
            minutes,
        ),
        flush=True,
    )
    if todo == "anew":
        remove(venv)
    os.makedirs(venv, exist_ok=True)
    with open(mark, "w", encoding="utf-8"):  # where this lies, set-up was killed, and begins anew
        pass
    if todo == "anew":
        make_venv(venv)
    install(venv, extras, packages, constraints, folder)
    write_stamp(venv, now, extras)
    os.remove(mark)
    print("Set up.", flush=True)
    return python


def install(venv, extras, expected, constraints, folder):
    """Let pip install the course with extras. If it ends before it writes, .venv is as it was.

    Nothing is compiled ahead of its use: that would take as long as the rest, and 200 MB.
    """
    options = ["install", "--no-compile", "--constraint", constraints]
    if folder:
        options += ["--no-index", "--find-links", folder]
    calls = [["--editable", ".[{0}]".format(",".join(sorted(extras - {MATHJAX})))]]
    if MATHJAX in extras and "book" not in extras:
        calls.append(["--no-deps"] + mathjax(pyproject()))
    log_name = os.path.join(venv, "install.log")
    with open(log_name, "w", encoding="utf-8"):
        pass
    for call in calls:
        progress = Progress(expected)
        try:
            pip(
                venv_python(venv),
                options + call,
                progress,
                log_name,
                site_packages(venv),
                folder,
            )
        except BaseException:
            if not progress.to_install:
                os.remove(os.path.join(venv, "unfinished"))
            raise


# Without a network --------------------------------------------------------------------------------


def fetch(folder, constraints):
    """Bring all that set-up needs into a folder, for where there is no network."""
    os.makedirs(folder, exist_ok=True)
    packages, megabytes, minutes = estimate([""] + ALL)
    print(
        "Fetching about {0} packages, {1} MB, into {2}. With 50 Mbit/s that takes {3}.".format(
            packages, megabytes, folder, minutes
        ),
        flush=True,
    )
    scratch = tempfile.mkdtemp()
    try:
        make_venv(os.path.join(scratch, "venv"))
        python = venv_python(os.path.join(scratch, "venv"))
        arguments = ["download", "--dest", folder, "--only-binary", ":all:"]
        arguments += ["--constraint", constraints] + requirements(ALL, pyproject())
        pip(python, arguments, Progress(packages), os.path.join(folder, "fetch.log"))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    with open(
        os.path.join(folder, "fetched-{0}.json".format(this_kind())), "w", encoding="utf-8"
    ) as file:
        json.dump(state(constraints)["declared"], file)
    print(
        "All is in {0}. Where there is no network, but the same kind of system and Python "
        "({1}): python course.py run --from {0}".format(folder, this_kind())
    )


def check_folder(folder, now):
    """Say before pip does that a folder was fetched for another Python, system or version."""
    if not os.path.isdir(folder):
        raise Stop("--from {0}: there is no such folder.".format(folder))
    kinds = sorted(
        name[len("fetched-") : -len(".json")]
        for name in os.listdir(folder)
        if name.startswith("fetched-") and name.endswith(".json")
    )
    if kinds and this_kind() not in kinds:
        raise Stop(
            "--from {0}: that was fetched for {1}, and this is {2}. Take that Python, or bring "
            "the files for this one: python course.py fetch {0}".format(
                folder, " and ".join(kinds), this_kind()
            )
        )
    if kinds:
        with open(
            os.path.join(folder, "fetched-{0}.json".format(this_kind())), encoding="utf-8"
        ) as file:
            if json.load(file) != now["declared"]:
                told = "pyproject.toml or constraints.txt have changed since {0} was fetched."
                print(told.format(folder))


# The commands -------------------------------------------------------------------------------------


def surroundings():
    """The environment of what is started.

    One BLAS thread a process: the tests' two processes, or training's two threads, are the
    parallel part. Files are read as UTF-8, on Windows, too.
    """
    return dict(os.environ, OPENBLAS_NUM_THREADS="1", PYTHONUTF8="1")


def start(command, quiet=False):
    """Start a command and wait for its end, after Ctrl-C, too; stop if it fails.

    `quiet` keeps what it says to itself unless it fails.
    """
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if quiet else {}
    process = subprocess.Popen(command, cwd=ROOT, env=surroundings(), **streams)
    said, interrupted = None, False
    try:
        while process.returncode is None:
            try:
                said = process.communicate()[0]
            except KeyboardInterrupt:  # the command has got it as well, and ends in its own way
                interrupted = True
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
    if process.returncode and interrupted:
        raise KeyboardInterrupt
    if process.returncode:
        print((said or b"").decode("utf-8", "replace"), end="", flush=True)
        sys.exit(process.returncode if process.returncode > 0 else 1)


def notebooks(folder="notebooks"):
    """The numbered notebooks of a folder."""
    names = sorted(os.listdir(os.path.join(ROOT, folder)))
    return [os.path.join(folder, name) for name in names if re.match(r"\d.*\.ipynb$", name)]


def lacks(page, venv=None):
    """What a page wants that is not there: the module's name and how to get it, or None."""
    wants = WANTS.get(os.path.basename(page)[: -len(".ipynb")])
    if wants and not os.path.isdir(os.path.join(site_packages(venv or VENV), wants[0])):
        return wants


def not_run(page, wants, python):
    """Say by name that a page is not run."""
    told = "{0}  not run, as it needs {1}, a large download: {2} {3}"
    print(told.format(page, wants[0], os.path.relpath(python, ROOT), wants[1]), flush=True)


def run(python, pages):
    """Run every notebook, leave the pages in build/."""
    build = os.path.join(ROOT, "build")
    os.makedirs(build, exist_ok=True)
    script = os.path.join(MATHJAX, "static", "mathjax", "tex-svg-full.js")
    shutil.copy(os.path.join(site_packages(VENV), script), build)
    shutil.copy(os.path.join(ROOT, "book", "static", "scrolls.js"), build)
    pages = pages or notebooks()
    for k, page in enumerate(pages, 1):
        began = time.monotonic()
        name = os.path.join("build", os.path.basename(page)[: -len(".ipynb")] + ".html")
        wants = lacks(page)
        # as it is stored where it cannot be run
        start([python, "-m", "nbconvert"] + ([] if wants else EXECUTE) + PAGE + [page], quiet=True)
        if wants:
            not_run(name, wants, python)
            continue
        print(
            "{0}  run in {1:.0f} s, {2} of {3}".format(
                name, time.monotonic() - began, k, len(pages)
            ),
            flush=True,
        )


def lab(python, _):
    """Open JupyterLab on notebooks/."""
    start([python, "-m", "jupyterlab", "notebooks"])


def test(python, _):
    """Pass every test, notebooks included."""
    start([python] + PYTEST + ["-m", "not soak"] + NOTEBOOKS_TOO + ["tests", "notebooks"])


def book(python, _):
    """Make the book from the stored notebooks, in build/book."""
    start([python, "book/build.py", "build/book"])


def slides(python, _):
    """Make the lessons' slides from the stored notebooks, in build/slides."""
    start([python, "book/slides.py", "build/slides"])


def exercises(python, _):
    """Make the students' copies of the exercises from the solutions."""
    # what a student has not written yet raises an error, so the copies are never run
    start([python, "-m", "lstm_edu.exercises"])


def soak(python, _):
    """Pass what is long by nature: kills, damaged files, full-size training, each wait 50 times."""
    # the solutions, too, with their worked answers: tests/conftest.py marks them as soak
    start([python] + PYTEST + ["-m", "soak"] + NOTEBOOKS_TOO + ["tests", "notebooks"])
    # what waits for something is where chance may come in: often, and beside four busy loops
    start([python] + PYTEST + ["-m", "waits and not soak", "--times=50", "--busy=4", "tests"])


def pages(python, pages):
    """Run the notebooks and the solutions, and store their outputs in place."""
    pages = pages or notebooks() + notebooks(os.path.join("notebooks", "solutions"))
    for page in pages:
        if lacks(page):
            not_run(page, lacks(page), python)
    pages = [page for page in pages if not lacks(page)]
    if pages:
        start([python, "-m", "nbconvert"] + EXECUTE + ["--to=notebook", "--inplace"] + pages, True)


def lint(python, _):
    """Say what ruff finds, and what it would lay out differently."""
    start([python, "-m", "ruff", "check", "."])
    start([python, "-m", "ruff", "format", "--check", "."])


def setup(python, _):
    """Set up all that the other commands need, and start nothing."""


def clean():
    """Remove .venv and build."""
    remove(VENV)
    remove(os.path.join(ROOT, "build"))


def parser():
    """The command line."""
    top = argparse.ArgumentParser(
        prog="course.py",
        description="Each command sets up what it needs in .venv first, once.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for function in (
        run,
        lab,
        test,
        book,
        slides,
        exercises,
        soak,
        pages,
        lint,
        setup,
        fetch,
        clean,
    ):
        told = function.__doc__.strip()
        command = commands.add_parser(function.__name__, help=told, description=told)
        if function is fetch:
            command.add_argument("folder", metavar="FOLDER")
        elif function is not clean:
            command.add_argument(
                "--from", dest="folder", metavar="FOLDER", help="set up from what `fetch` brought"
            )
        if function in (run, pages):
            command.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="these alone")
        if function is not clean:
            command.add_argument(
                "--constraints",
                default=os.path.join(ROOT, "constraints.txt"),
                metavar="FILE",
                help="the versions to install (constraints.txt)",
            )
        command.set_defaults(function=function)
    return top


def main(arguments=None):
    """Do what the command line says."""
    given = parser().parse_args(arguments)
    if given.command is None:
        return parser().print_help()
    if given.command == "clean":
        return clean()
    constraints = os.path.abspath(given.constraints)
    if not os.path.exists(constraints):
        raise Stop("--constraints {0}: there is no such file.".format(given.constraints))
    folder = given.folder and os.path.abspath(given.folder)
    if given.command == "fetch":
        return fetch(folder, constraints)
    files = [os.path.relpath(name, ROOT) for name in getattr(given, "notebooks", [])]
    python = set_up(NEEDS[given.command], constraints, folder)
    given.function(python, files)


def end(_, __):
    """A kill ends what was started, too."""
    sys.exit(143)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, end)
    try:
        main()
    except Stop as stop:
        sys.exit(str(stop))
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        sys.exit(130)
