"""The figures of the series, one function each, in one style. Every function returns a matplotlib figure."""
from .reading import active_cells, assigned_cells, gate_maps, large_enough, steps, topics_by_cell
from .results import cost_curve, errors_by_distance, intervals, ndcg_bars, scores_by_grade, training_curves
from .style import COLOURS, name_words, style, subplots
from .tables import Table, table
