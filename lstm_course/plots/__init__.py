"""The plots of the lessons: functions that return a matplotlib figure.

All lessons use them.
"""

import logging
from types import FunctionType

# hide Matplotlib's message about building its font cache, which a lesson's first cell would show
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

from .alignment import aligned_words, found_partners
from .all_pairs import attention_maps, by_length
from .answers import by_case, comes_first, in_the_middle
from .backward import error_parts, error_paths, two_words, two_words_lstm, way_back
from .cells import large_enough, topics_by_cell, two_cells
from .clicks import click_signal, whole_model
from .comparisons import by_chance, by_overlap, comparison, in_one_order, intervals, ladder
from .cost import loss_curves, push, shares
from .diagrams import lstm_cell, unrolled_rnn
from .figure import style
from .gradients import dropped_terms, error_norms, errors_by_length, truncation_error, two_gradients
from .progress import progress
from .pytorch import packed, rows_that_wait
from .ranks import by_rank, by_size, wanted_by_rank
from .reading import active_cells, assigned_cells, gate_maps, words_read
from .results import cost_curve, errors_by_distance, ndcg_bars, scores_by_grade, training_curves
from .scale import coasting, ten_times
from .states import cell_by_word, states
from .style import COLOURS, name_words, subplots
from .tables import Table, table
from .training import by_epoch, by_seconds, movement, overfitting, schedule, valley
from .words import growth, hashing_operator, kept, similarities

# draw every figure in the lessons' style, whatever the user's Matplotlib settings are
globals().update(
    (name, style()(draw))
    for name, draw in list(vars().items())
    if isinstance(draw, FunctionType) and draw.__module__ != style.__module__
)
