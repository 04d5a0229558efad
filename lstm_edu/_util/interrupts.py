"""Ctrl-C while a command loads, which takes a second, is no traceback.

`lstm_edu` imports this first. It does nothing unless Python was started for a command.
"""

import os
import signal
import sys


def interrupted(*_):
    """Say what `lstm_edu.__main__.main` says, which is not there yet."""
    try:
        os.write(2, b"lstm_edu: interrupted\n")
    finally:
        os._exit(130)


def is_command():
    """Whether it was."""
    name = "".join(sys.argv[:1])  # "-m" is what Python says while it looks for what it is to run
    by_module = name == "-m" and "lstm_edu" in sys.orig_argv
    return by_module or name.removesuffix(".exe").endswith("lstm-edu")


def all_is_loaded():
    """From here on it is `KeyboardInterrupt` again."""
    if signal.getsignal(signal.SIGINT) is interrupted:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# where Ctrl-C is ignored, as after nohup, it stays so
if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, interrupted)
