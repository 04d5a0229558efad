"""The commands of the command line; `lstm_edu.__main__` reads their arguments.

All lessons can do without: it is for work outside of a notebook.
"""
