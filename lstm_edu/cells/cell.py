"""What a cell is."""


def is_by_rows(name):
    """Whether a weight's gradient is given for touched rows only: W, in either reading direction."""
    return name.split(".")[-1] == "W"
