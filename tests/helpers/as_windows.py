"""Tests as Windows would run them, as far as another system can tell.

    python tests/helpers/as_windows.py [pytest's arguments]

As on Windows, for pytest and for every Python that a test starts:

- Code of ours (``lstm_edu``, ``book``, ``benchmarks``, ``tests``) finds no ``resource``, no
  ``os.fork``, ``os.mkfifo``, ``os.O_TMPFILE``, no ``signal.SIGKILL``. The libraries keep theirs:
  they have another way there, which here they lack.
- A text that is opened without an encoding is in cp1252, and so is what is printed; line ends are
  written as CRLF unless the call says otherwise.
- A link needs a right that the user has not.
- What this process has open or mapped is neither replaced nor removed.

All else needs Windows, as shells, ``os.name``, drives, reserved names, files that *another*
process holds open, how a process is ended: ``.github/workflows/push.yml``.
"""

import builtins
import io
import locale
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = "lstm_edu", "lstm_course", "book", "benchmarks", "tests"
OURS = tuple(f"{ROOT / folder}{os.sep}" for folder in FOLDERS)
ABSENT = "resource", "fcntl"
WINDOWS = "cp1252"
ENCODING = "utf-8" if sys.flags.utf8_mode else WINDOWS  # PYTHONUTF8=1 does there what it does here
LACKS = {
    os: "fork killpg geteuid getpgrp mkfifo sysconf register_at_fork WNOHANG O_TMPFILE",
    signal: "SIGKILL SIGPROF ITIMER_PROF setitimer pthread_sigmask SIG_BLOCK SIG_SETMASK",
}


class Less(types.ModuleType):
    """A module without some of its names; what is set on it is set on the module."""

    def __init__(self, module, without):
        super().__init__(module.__name__)
        object.__setattr__(self, "_held", (module, without))

    def __getattribute__(self, name):
        module, without = object.__getattribute__(self, "_held")
        if name in without:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        return getattr(module, name)

    def __setattr__(self, name, value):
        setattr(object.__getattribute__(self, "_held")[0], name, value)

    def __delattr__(self, name):
        delattr(object.__getattribute__(self, "_held")[0], name)


def ours(names):
    """Whether the globals are those of a file of the project, or of ``python -c``."""
    path = names.get("__file__")
    if path is None:
        return names.get("__name__") == "__main__"
    return os.path.abspath(path).startswith(OURS) and path != __file__


def pretend():
    """From here on."""
    less = [(module, Less(module, names.split())) for module, names in LACKS.items()]
    real_import, real_open = __import__, io.open

    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        if level or not ours(globals or {}):
            return real_import(name, globals, locals, fromlist, level)
        if name in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = real_import(name, globals, locals, fromlist, level)
        return next((fewer for whole, fewer in less if whole is module), module)

    def open_(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, **more):
        if "b" not in mode:
            encoding = ENCODING if encoding in (None, "locale") else encoding
            if newline is None and set(mode) & set("wax"):
                newline = "\r\n"
        return real_open(file, mode, buffering, encoding, errors, newline, **more)

    builtins.__import__ = import_
    builtins.open = io.open = open_
    locale.getpreferredencoding = lambda do_setlocale=True: ENCODING
    _files()


def is_in_use(path):
    """Whether this process has a file open or mapped."""
    path, folder = os.path.realpath(path), "/proc/self/fd"
    opened = {os.path.realpath(f"{folder}/{descriptor}") for descriptor in os.listdir(folder)}
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    return path in opened or any(line.endswith(f" {path}") for line in maps)


def _files():
    def unless_in_use(real):
        def function(*paths, **rest):
            if not rest and any(map(is_in_use, paths)):
                raise PermissionError(13, "The file is being used by another process", paths[0])
            real(*paths, **rest)

        return function

    link = os.symlink

    def symlink(source, to, *rest, **more):
        caller = sys._getframe(1)
        while caller.f_globals["__name__"] == "pathlib":
            caller = caller.f_back
        if ours(caller.f_globals):
            raise OSError(22, "A required privilege is not held by the client", to)
        link(source, to, *rest, **more)  # venv's, which makes none on Windows

    os.replace, os.symlink = unless_in_use(os.replace), symlink
    os.remove = os.unlink = unless_in_use(os.remove)


def main():
    """Run pytest with a ``sitecustomize``, which every Python below it reads as well."""
    with tempfile.TemporaryDirectory() as folder:
        code = "import sys\nsys.path.append({!r})\nimport as_windows\nas_windows.pretend()\n"
        site = pathlib.Path(folder, "sitecustomize.py")
        site.write_text(code.format(str(ROOT / "tests" / "helpers")), encoding="utf-8")
        path = [folder, str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        how = {"PYTHONUTF8": "0", "PYTHONIOENCODING": WINDOWS}
        how["PYTHONPATH"] = os.pathsep.join(path)
        command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
        return subprocess.run(command, env=os.environ | how).returncode


if __name__ == "__main__":
    sys.exit(main())
