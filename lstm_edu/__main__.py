"""The entry point of the command line: ``lstm-edu`` or ``python -m lstm_edu``."""

import sys


def main(arguments=None):
    """Run the command line and return its exit code: 0, 2 for bad input, 130 if interrupted."""
    try:
        # the only place where lstm_edu imports lstm_tools
        from lstm_tools.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("lstm_edu: interrupted\n")
        return 130
    except ModuleNotFoundError as error:
        if error.name != "lstm_tools":
            raise
        sys.stderr.write("lstm_edu: the command line needs lstm_tools, which is left out here\n")
        return 2
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
