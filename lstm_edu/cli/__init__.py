"""What each command of the command line does; `lstm_edu.__main__` reads its arguments.

All lessons can do without: it is for work outside of a notebook.
"""
