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
import re
import shutil
import signal
import subprocess
import sysconfig
import tempfile
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
    "about": [],
    "lint": ["test"],
}
PYTEST = ["-m", "pytest", "-n", "2", "--dist", "loadscope", "--no-loadscope-reorder"]
NOTEBOOKS_TOO = ["--nbval-lax", "--nbval-current-env", "--ignore", "notebooks/exercises"]
NOTEBOOKS_TOO += ["--nbval-sanitize-with", os.path.join("tests", "lessons", "masks.cfg")]
NOTEBOOKS_TOO += ["--nbval-kernel-startup-timeout=900"]  # a busy machine takes its time

# What a page wants that set-up does not bring, as it is large: the module, and how to get it.
# Without it the page is not run, and is shown as it is stored.
WANTS = {"14_from_here_to_pytorch": ("torch", "-m pip install -c constraints.txt torch")}

# pip, which ends with the one that started it, even where that was killed: its input ends then
PIP = """
import os, runpy, threading
threading.Thread(target=lambda: os.read(0, 1) or os._exit(1), daemon=True).start()
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""

NO_SPACE = r"No space left|Errno 28\b|not enough space|WinError 112\b|Disk quota exceeded"
# What pip (or the system) says when it fails, and what to do. The first that is found is it.
ADVICE = [
    (
        NO_SPACE,
        "The disk is full. All of the course needs about 1 GB (`run` half of that) here, and some "
        "in the folder for temporary files.",
    ),
    (
        r"Permission denied|Read-only file system|Access is denied|WinError (5|32)\b",
        "A file could not be written. Does another program use .venv (JupyterLab, an editor)? "
        "Close it, and look whether this folder is yours to write.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLError|SSLCertVerificationError",
        "The network's certificate is not trusted, as behind a school's proxy: let PIP_CERT name "
        "the file with the proxy's certificate, and try again.",
    ),
    (
        r"NewConnectionError|Failed to establish|getaddrinfo|[Nn]ame resolution|ConnectTimeout"
        r"|Read ?[Tt]ime|ProxyError|ProtocolError|Connection (reset|refused|aborted|broken)"
        r"|Network is unreachable|ConnectionResetError|IncompleteRead|connection broken",
        "The network did not answer. Is it there? Behind a proxy, set HTTPS_PROXY to its address "
        "(http://name:port) and try again. Without a network: python course.py fetch FOLDER where "
        "there is one, and --from FOLDER here.",
    ),
    (
        r"Failed (building|to build)|failed-wheel-build|metadata-generation-failed|[Cc]ompiler",
        "A package had to be compiled and was not: it has no ready-made file for this system and "
        "Python {python}. Take a Python from 3.11 to 3.14, 64 bits: python3.12 course.py ... (or "
        "make PYTHON=python3.12 ...).",
    ),
    (
        r"requires a different Python|Requires-Python|No matching distribution"
        r"|Could not find a version|ResolutionImpossible",
        "A version needs another Python than {python}. Take one from 3.11 to 3.14: python3.12 "
        "course.py ... (or make PYTHON=python3.12 ...).",
    ),
]
NOT_IN_FOLDER = (
    "{folder} does not hold what this Python ({kind}) needs. Bring it again, with the same Python "
    "and the same kind of system: python course.py fetch {folder}"
)
AS_ROOT = (
    "JupyterLab does not start as root unless it is told to. Take another account, or say: "
    "{0} -m jupyterlab --allow-root notebooks"
)


class Stop(Exception):
    """What ends a command: its text is all that is said."""


def advice(said, folder=None):
    """What to do about a failure, by what was said of it; None where nothing is known.

    `folder` is where pip should have found everything, if that was not the network.
    """
    for pattern, told in ADVICE:
        if re.search(pattern, said):
            if folder and told is ADVICE[-1][1]:
                told = NOT_IN_FOLDER
            return told.format(python=platform.python_version(), folder=folder, kind=this_kind())


def this_kind():
    """The Python and the kind of system, which decide what files are fetched."""
    return "-".join([sys.implementation.cache_tag, sys.platform, platform.machine().lower()])


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


def write_json(path, value):
    """A file that is written whole or not at all."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1)
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


# Set up -------------------------------------------------------------------------------------------


def alone():
    """Wait until no other set-up is at work: a lock, which one that is killed has no more."""
    file, told = open(__file__, "rb"), False
    while True:
        try:
            if os.name == "nt":
                import msvcrt

                file.seek(1 << 30)  # nobody can read what is locked
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
        except (BlockingIOError, PermissionError):
            if not told:
                print("Another set-up is at work here. This one waits for its end.", flush=True)
            told = True
            time.sleep(1)
        except OSError:  # some disks of a network know no locks
            return file


def pip(python, arguments, folder=None):
    """Let pip do something. It says itself how far it is; `folder` is where packages come from."""
    options = ["--disable-pip-version-check", "--no-input"]
    process = subprocess.Popen(
        [python, "-c", PIP] + arguments[:1] + options + arguments[1:],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env=surroundings(),
    )
    said = ""
    try:
        for line in process.stderr:
            said += line
            print(line, end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:  # pip has got it as well, and leaves a terminal without its cursor
        process.wait()
        print("\033[?25h" if sys.stdout.isatty() else "", end="", flush=True)
        raise
    finally:
        process.stdin.close()  # which ends pip, if it has not
        process.wait()
    if process.returncode:
        todo = advice(said, folder) or "Try again; what is there already is not fetched again."
        raise Stop("Set-up failed, see above. " + todo)


def make_venv(folder):
    """An environment with nothing but pip, made by the Python that runs this file."""
    if not find_spec("ensurepip") or not find_spec("venv"):
        raise Stop(
            "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv; "
            "elsewhere take the Python of python.org."
        )
    base = getattr(sys, "_base_executable", None) or sys.executable
    start([base, "-m", "venv", "--without-pip", folder], quiet=True)
    start([venv_python(folder), "-Im", "ensurepip", "--default-pip"], quiet=True)


def remove(folder):
    """Take a folder away, or a link to one."""
    if os.path.islink(folder):
        os.unlink(folder)
    elif os.path.exists(folder):
        shutil.rmtree(folder)


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
    there = version_of(python)
    todo, extras = plan(read_stamp(venv), now, wanted, there, os.path.exists(mark))
    if todo == "nothing":
        return python
    if todo == "theirs":
        raise Stop(
            "{0} is not of this file's making: it has Python {1}, and this is {2}. Remove it if "
            "it may go (course.py clean), and try again.".format(venv, there, now["python"])
        )
    if folder:
        check_folder(folder, now)
    print(
        "Setting up .venv, once. `run` needs 140 MB of packages, and 450 MB on disk; all of the "
        "course 220 MB, and 700 MB on disk. That takes some minutes.",
        flush=True,
    )
    if todo == "anew":
        remove(venv)
    os.makedirs(venv, exist_ok=True)
    with open(mark, "w", encoding="utf-8"):  # where this lies, set-up was killed, and begins anew
        pass
    if todo == "anew":
        make_venv(venv)
    install(venv, extras, constraints, folder)
    write_json(os.path.join(venv, "ready.json"), dict(now, extras=sorted(extras)))
    os.remove(mark)
    print("Set up.", flush=True)
    return python


def install(venv, extras, constraints, folder):
    """Let pip install the course with extras. If it ends before it writes, .venv is as it was.

    Nothing is compiled ahead of its use: that would take as long as the rest, and 200 MB.
    """
    options = ["install", "--no-compile", "--constraint", constraints]
    if folder:
        options += ["--no-index", "--find-links", folder]
    named = ",".join(sorted(extras - {MATHJAX}))
    calls = [["--editable", ".[{0}]".format(named) if named else "."]]
    if MATHJAX in extras and "book" not in extras:
        calls.append(["--no-deps"] + mathjax(pyproject()))
    for call in calls:
        before = sorted(os.listdir(site_packages(venv)))
        try:
            pip(venv_python(venv), options + call, folder)
        except BaseException:
            if sorted(os.listdir(site_packages(venv))) == before:
                os.remove(os.path.join(venv, "unfinished"))
            raise


# Without a network --------------------------------------------------------------------------------


def fetch(folder, constraints):
    """Bring all that set-up needs into a folder, for where there is no network."""
    if os.path.isfile(folder):
        raise Stop("fetch {0}: that is a file; a folder is needed.".format(folder))
    os.makedirs(folder, exist_ok=True)
    print("Fetching 220 MB into {0}. That takes some minutes.".format(folder), flush=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        make_venv(scratch)
        arguments = ["download", "--dest", folder, "--only-binary", ":all:"]
        arguments += ["--constraint", constraints] + requirements(ALL, pyproject())
        pip(venv_python(scratch), arguments)
    write_json(fetched_for(folder, this_kind()), state(constraints)["declared"])
    print(
        "All is in {0}. Where there is no network, but the same kind of system and Python "
        "({1}): python course.py run --from {0}".format(folder, this_kind())
    )


def fetched_for(folder, kind):
    """The file that says for which pyproject.toml and constraints.txt a folder was fetched."""
    return os.path.join(folder, "fetched-{0}.json".format(kind))


def check_folder(folder, now):
    """Say before pip does that a folder was fetched for another Python, system or version."""
    if not os.path.isdir(folder):
        raise Stop("--from {0}: there is no such folder.".format(folder))
    kinds = sorted(re.findall(r"^fetched-(.+)\.json$", "\n".join(os.listdir(folder)), re.M))
    if kinds and this_kind() not in kinds:
        raise Stop(
            "--from {0}: that was fetched for {1}, and this is {2}. Take that Python, or bring "
            "the files for this one: python course.py fetch {0}".format(
                folder, " and ".join(kinds), this_kind()
            )
        )
    if kinds:
        with open(fetched_for(folder, this_kind()), "rb") as file:
            if now["declared"].encode() not in file.read():
                print(folder, "was fetched for another pyproject.toml or constraints.txt.")


# The commands -------------------------------------------------------------------------------------


def surroundings():
    """The environment of what is started.

    One BLAS thread a process: the tests' two processes, or training's two threads, are the
    parallel part. Files are read as UTF-8, on Windows, too.
    """
    return dict(os.environ, OPENBLAS_NUM_THREADS="1", PYTHONUTF8="1")


def start(command, quiet=False, todo=None):
    """Start a command and wait for its end, after Ctrl-C, too; stop if it fails.

    `quiet` keeps what it says to itself unless it fails; `todo` is what to do then.
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
        said = (said or b"").decode("utf-8", "replace")
        if re.search(NO_SPACE, said):
            raise Stop(advice(said))
        print(said, end="", flush=True)
        if todo:
            raise Stop(todo)
        sys.exit(process.returncode if process.returncode > 0 else 1)


def notebooks(folder="notebooks"):
    """The numbered notebooks of a folder."""
    names = sorted(os.listdir(os.path.join(ROOT, folder)))
    return [os.path.join(folder, name) for name in names if re.match(r"\d.*\.ipynb$", name)]


def run(python, pages):
    """Run every notebook, leave the pages in build/."""
    start([python, "-m", "book.execute", "run"] + (pages or notebooks()))


def lab(python, _):
    """Open JupyterLab on notebooks/."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    todo = AS_ROOT.format(os.path.relpath(python, ROOT)) if as_root else None
    start([python, "-m", "jupyterlab", "notebooks"], todo=todo)


def test(python, _):
    """Pass every test, notebooks included."""
    start([python] + PYTEST + ["-m", "not soak"] + NOTEBOOKS_TOO + ["tests", "notebooks"])


def book(python, _):
    """Make the book from the stored notebooks, in build/book."""
    start([python, "book/build.py", "build/book"])


def slides(python, _):
    """Make the lessons' slides from the stored notebooks, in build/slides."""
    start([python, "book/slides.py", "build/slides"])


def exercises(python, options):
    """Make the students' copies of the exercises from the solutions, or a variant for an exam."""
    # what a student has not written yet raises an error, so the copies are never run
    asked = [["--again"] if number is None else ["--variant", number] for number in options]
    start([python, "-m", "lstm_course.copies"] + sum(asked, []))


def soak(python, commit):
    """Pass what is long by nature: kills, damaged files, full-size training, each wait 50 times."""
    if commit:
        # what else CI runs: a part that is marked, and the lessons that train as on another machine
        start([python] + PYTEST + ["-m", "soak", "--ci", commit, "tests"])
        nudge = ["--nudge", str(int(commit, 16) + 1), os.path.join("tests", "lessons")]
        return start([python] + PYTEST + ["-m", "not soak"] + nudge)
    # the solutions, too, with their worked answers: tests/conftest.py marks them as soak
    start([python] + PYTEST + ["-m", "soak"] + NOTEBOOKS_TOO + ["tests", "notebooks"])
    # every lesson and every solution on the other machines that are at hand
    start([python, os.path.join("benchmarks", "machines.py")])
    # what waits for something is where chance may come in: often, beside a busy loop a core
    start([python] + PYTEST + ["-m", "waits and not soak", "--times=50", "--busy=2", "tests"])


def pages(python, pages):
    """Run the notebooks and the solutions, and store their outputs in place."""
    every = notebooks() + notebooks(os.path.join("notebooks", "solutions"))
    start([python, "-m", "book.execute", "pages"] + (pages or every))


def about(python, _):
    """Say what this machine is, and five numbers beside those of others: for a report of a bug."""
    start([python, os.path.join("benchmarks", "about.py")])


def lint(python, _):
    """Say what ruff finds and would lay out differently, and what is wrong with the scripts."""
    start([python, "-m", "ruff", "check", "."])
    start([python, "-m", "ruff", "format", "--check", "."])
    npx = shutil.which("npx")
    if not npx:
        print("The scripts of the pages are not looked at: that wants Node.")
        return
    scripts = os.path.join("lstm_course", "explorers", "js")
    start([npx, "-y", "-p", "typescript@5.9.3", "tsc", "-p", scripts])
    start([npx, "-y", "@biomejs/biome@2.6.8", "lint"])


def setup(python, _):
    """Set up all that the other commands need, and start nothing."""


def clean():
    """Remove .venv and build."""
    with alone():
        remove(VENV)
    remove(os.path.join(ROOT, "build"))


COMMANDS = run, lab, test, book, slides, exercises, soak, pages, about, lint, setup, fetch, clean


def commit(text):
    """The first digits of a commit, which are hexadecimal."""
    return "{0:x}".format(int(text, 16))


def parser():
    """The command line."""
    top = argparse.ArgumentParser(
        prog="course.py",
        description="Each command sets up what it needs in .venv first, once.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for function in COMMANDS:
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
        if function is exercises:
            into = {"dest": "what", "default": []}
            told = "an exam, into build/variant_N"
            command.add_argument("--variant", action="append", metavar="N", help=told, **into)
            told = "write those anew that may hold answers, and keep these beside them"
            command.add_argument("--again", action="append_const", const=None, help=told, **into)
        if function is soak:
            told = "a share of some 20 minutes; the commit's first digits draw its mutants"
            command.add_argument("--ci", dest="what", type=commit, metavar="COMMIT", help=told)
        if function is not clean:
            told = "the versions to install (constraints.txt)"
            pinned = os.path.join(ROOT, "constraints.txt")
            command.add_argument("--constraints", default=pinned, metavar="FILE", help=told)
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
    if not os.path.exists(constraints) or os.path.isdir(constraints):
        raise Stop("--constraints {0}: there is no such file.".format(given.constraints))
    folder = given.folder and os.path.abspath(given.folder)
    if given.command == "fetch":
        return fetch(folder, constraints)
    with alone():
        python = set_up(NEEDS[given.command], constraints, folder)
    files = [os.path.relpath(name, ROOT) for name in getattr(given, "notebooks", [])]
    given.function(python, getattr(given, "what", files))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends what was started, too
    try:
        main()
    except Stop as stop:
        sys.exit(str(stop))
    except OSError as error:
        sys.exit(" ".join(filter(None, ["{0}.".format(error), advice(str(error))])))
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        sys.exit(130)
