"""Tests as Windows would run them, as far as another system can tell.

    python tests/helpers/as_windows.py [pytest's arguments]

What is as there, for pytest and for every Python that a test starts:

- Code of ours (``lstm_edu``, ``book``, ``benchmarks``, ``tests``) finds no ``resource``, ``fcntl``,
  ``pwd``, ``grp``, ``termios``, no ``os.fork``, ``os.mkfifo``, ``os.getuid``, no
  ``signal.SIGKILL``. The libraries keep theirs: they have another way there, which here they lack.
- Ours finds nothing in ``/proc`` and ``/dev``.
- A text that is opened without an encoding is in cp1252, and so is what is printed; line ends are
  written as CRLF unless the call says otherwise.
- Processes are spawned; none is forked.
- A link needs a right that the user has not.
- What this process has open or mapped is neither replaced nor removed, and no folder is moved onto
  another.
- Ours finds neither a shell nor any program by its name but git, make and Python.

What is not: ``os.name`` and ``sys.platform``, backslashes and drives, names that differ in capitals
alone, reserved names (CON, NUL), lengths of paths, the system's own words for an error, files that
*another* process holds open, how a process is ended, OpenBLAS's other kernels, clocks. These need
Windows: ``.github/workflows/push.yml``.
"""

import builtins
import io
import locale
import multiprocessing.context
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = tuple(
    f"{ROOT / room}{os.sep}" for room in ("lstm_edu", "lstm_course", "book", "benchmarks", "tests")
)
ABSENT = set("resource fcntl pwd grp termios tty pty syslog crypt".split())
PROGRAMS = "git", "make", "python", "python3"
WINDOWS = "cp1252"
ENCODING = "utf-8" if sys.flags.utf8_mode else WINDOWS  # PYTHONUTF8=1 does there what it does here
NOT_IN_OS = set(
    "fork forkpty killpg getuid geteuid getgid getegid getgroups getpgid getpgrp getsid setsid "
    "setuid setgid mkfifo mknod nice sysconf confstr pathconf statvfs fstatvfs uname getloadavg "
    "chown lchown fchown chroot sched_getaffinity sched_setaffinity sched_yield wait wait3 wait4 "
    "pread pwrite openpty ttyname posix_spawn posix_spawnp register_at_fork sync WNOHANG "
    "O_NONBLOCK O_CLOEXEC O_TMPFILE".split()
)
SIGNALS = set("SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_IGN".split())
NOT_IN_SIGNAL = {
    name for name in dir(signal) if name.startswith("SIG") and name not in SIGNALS
} | set("alarm setitimer getitimer pause pthread_kill pthread_sigmask sigwait siginterrupt".split())


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


def asked_by_ours(through):
    """Whether a function of this file was called by a file of the project, by way of a library."""
    caller = sys._getframe(2)
    while caller.f_globals["__name__"].split(".")[0] == through:
        caller = caller.f_back
    return ours(caller.f_globals)


def pretend():
    """From here on."""
    _modules()
    _texts()
    _files()
    _processes()


def _modules():
    less = [(os, Less(os, NOT_IN_OS)), (signal, Less(signal, NOT_IN_SIGNAL))]
    real = builtins.__import__

    def import_(name, globals=None, locals=None, fromlist=(), level=0):
        if level or not ours(globals or {}):
            return real(name, globals, locals, fromlist, level)
        if name.split(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = real(name, globals, locals, fromlist, level)
        return next((fewer for whole, fewer in less if whole is module), module)

    builtins.__import__ = import_


def _texts():
    real = io.open

    def open_(
        file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *rest, **more
    ):
        system = isinstance(file, str) and file.startswith(("/proc/", "/dev/"))
        if system and ours(sys._getframe(1).f_globals):
            raise FileNotFoundError(2, "No such file or directory", file)
        if "b" not in mode:
            encoding = ENCODING if encoding in (None, "locale") else encoding
            if newline is None and set(mode) & set("wax"):
                newline = "\r\n"
        return real(file, mode, buffering, encoding, errors, newline, *rest, **more)

    class TextIOWrapper(io.TextIOWrapper):
        def __init__(self, buffer, encoding=None, *rest, **more):
            encoding = ENCODING if encoding in (None, "locale") else encoding
            super().__init__(buffer, encoding, *rest, **more)

    builtins.open = io.open = open_
    io.TextIOWrapper = TextIOWrapper
    locale.getpreferredencoding = lambda do_setlocale=True: ENCODING
    locale.getencoding = lambda: ENCODING


def _files():
    replace, rename, remove = os.replace, os.rename, os.remove

    def check(path, said="The process cannot access the file because it is being used"):
        path = os.path.realpath(path)
        for descriptor in os.listdir("/proc/self/fd"):
            try:
                if os.readlink(f"/proc/self/fd/{descriptor}") == path:
                    raise PermissionError(13, said, path)
            except FileNotFoundError:
                pass  # the listing's own
        with open("/proc/self/maps", encoding="utf-8") as maps:
            if any(line.rstrip("\n").endswith(f" {path}") for line in maps):
                raise PermissionError(13, said, path)

    def replace_(source, to, **rest):
        if not rest:
            check(source)
            check(to)
            if os.path.isdir(to):
                raise PermissionError(13, "Access is denied", to)
        replace(source, to, **rest)

    def rename_(source, to, **rest):
        if not rest:
            check(source)
            if os.path.exists(to):
                raise FileExistsError(17, "Cannot create a file when that file already exists", to)
        rename(source, to, **rest)

    def remove_(path, **rest):
        if not rest:
            check(path)
        remove(path, **rest)

    link = os.symlink

    def symlink(source, to, *rest, **more):
        if asked_by_ours("pathlib"):
            raise OSError(22, "A required privilege is not held by the client", to)
        link(source, to, *rest, **more)  # venv's, which makes none on Windows

    os.replace, os.rename, os.symlink = replace_, rename_, symlink
    os.remove = os.unlink = remove_


def _processes():
    contexts, default = multiprocessing.context._concrete_contexts, multiprocessing.context
    default._default_context._default_context = contexts["spawn"]
    context = default.BaseContext.get_context

    def get_context(self, method=None):
        if method not in (None, "spawn") and asked_by_ours("multiprocessing"):
            raise ValueError(f"cannot find context for {method!r}")
        return context(self, method)  # Sphinx's, which asks for none on Windows

    default.BaseContext.get_context = get_context
    start = subprocess.Popen.__init__

    def start_(self, args, *rest, **more):
        if asked_by_ours("subprocess"):
            if more.get("shell"):
                raise AssertionError(f"a shell, which Windows has not: {args}")
            program = os.fspath(args if isinstance(args, (str, os.PathLike)) else args[0])
            if program == os.path.basename(program) and program not in PROGRAMS:
                raise FileNotFoundError(2, "The system cannot find the file specified", program)
        start(self, args, *rest, **more)

    subprocess.Popen.__init__ = start_


SITE = """import sys
sys.path.append({folder!r})
import as_windows
sys.path.remove({folder!r})
as_windows.pretend()
"""


def main():
    """Run pytest with a ``sitecustomize``, which every Python below it reads as well."""
    with tempfile.TemporaryDirectory() as folder:
        site = SITE.format(folder=str(ROOT / "tests" / "helpers"))
        (pathlib.Path(folder) / "sitecustomize.py").write_text(site, encoding="utf-8")
        path = [folder, str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONUTF8": "0",
            "PYTHONIOENCODING": WINDOWS,
        }
        command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
        return subprocess.run(command, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
