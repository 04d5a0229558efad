"""The command line, which `lstm_edu.__main__` starts.

No lesson needs it. It is for work outside of notebooks.
"""
