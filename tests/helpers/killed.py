"""Script that runs a command and kills it during a write, or limits the size of its files.

    python tests/helpers/killed.py CALL ROOM train ...        # or another lstm_edu command
    python tests/helpers/killed.py CALL ROOM encode MODEL TITLES OUT

The process is killed at the CALL-th call of a C function during its writes. If CALL is 0, it isn't
killed. If ROOM is 0, too, it prints the number of these calls before it ends. ROOM is the maximum
size of a file in bytes, which only POSIX systems can limit; 0 sets no limit.
"""

import os
import signal
import sys

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has no SIGKILL


def end_in_write(n):
    """Make this process kill itself at the n-th call of a C function during its writes.

    A write lasts from opening a file for writing until renaming or removing a file. Return a list
    whose only element is the number of these calls so far.
    """
    made = [0]

    def count(frame, event, argument):
        if event == "c_call":
            made[0] += 1
            if made[0] == n:
                os.kill(os.getpid(), KILL)

    def watch(event, arguments):
        if event == "open" and set("wxa+") & set(arguments[1] or ""):
            sys.setprofile(count)
        elif event in ("os.rename", "os.remove"):
            sys.setprofile(None)

    sys.addaudithook(watch)
    return made


def main(call, room, command, *arguments):
    """Run a command of lstm_edu, and return its exit code."""
    if int(room):
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), int(room)))
    made = end_in_write(int(call))
    if command == "encode":
        import lstm_edu
        from lstm_tools import vectors

        model, titles, out = arguments
        try:
            vectors.encode_titles(lstm_edu.load(model), titles, out)
            code = 0
        except lstm_edu.InputError as error:
            print(f"lstm_edu: {error}", file=sys.stderr)
            code = 2
    else:
        from lstm_edu.__main__ import main as lstm_edu_main

        code = lstm_edu_main([command, *arguments])
    if not int(call) and not int(room):
        print(made[0])
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
