"""The figures of the series, one function each, in one style. Every function returns a matplotlib figure."""
from .reading import active_cells, steps
from .results import cost_curve, ndcg_bars
from .style import COLOURS, name_words, style, subplots
from .tables import Table, table

__all__ = ["COLOURS", "Table", "active_cells", "cost_curve", "name_words", "ndcg_bars", "steps", "style", "subplots", "table"]
