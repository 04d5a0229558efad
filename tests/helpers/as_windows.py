"""Script that runs pytest and imitates some of Windows' behaviour on another system.

    python tests/helpers/as_windows.py [pytest's arguments]

In pytest's process, and in every Python process that a test starts:

- Text files and output use cp1252 unless the call specifies an encoding, and lines end with CRLF
  unless it specifies another line ending.
- A file that the process itself has open or mapped can be neither replaced nor removed.

Only tests on Windows itself (``.github/workflows/push.yml``) cover the rest: missing modules and
functions, links, shells, drives, reserved names, and files that *another* process has open.
"""

import builtins
import io
import locale
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WINDOWS = "cp1252"
ENCODING = "utf-8" if sys.flags.utf8_mode else WINDOWS  # the default encoding on Windows


def pretend():
    """Patch this process to behave like Windows."""
    real_open = io.open

    def open_(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, **more):
        if "b" not in mode:
            encoding = ENCODING if encoding in (None, "locale") else encoding
            if newline is None and set(mode) & set("wax"):
                newline = "\r\n"
        return real_open(file, mode, buffering, encoding, errors, newline, **more)

    builtins.open = io.open = open_
    locale.getpreferredencoding = lambda do_setlocale=True: ENCODING
    _files()


def is_in_use(path):
    """Return whether this process has a file open or mapped."""
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

    os.replace = unless_in_use(os.replace)
    os.remove = os.unlink = unless_in_use(os.remove)


def main():
    """Run pytest with a ``sitecustomize`` that also patches every Python process it starts."""
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
