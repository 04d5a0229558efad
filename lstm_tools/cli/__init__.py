"""The command line, which `lstm_edu.__main__` starts.

No lesson needs it: it is for work outside of a notebook.
"""
