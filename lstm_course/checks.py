"""What tells a student right from wrong: one `check_*` for each exercise.

It prints one line, or raises `Wrong` and says what came, and why.
"""

from .engine import kept
from .engine.report import Wrong, judged
from .exercises import variants
from .exercises.active_cells import check_assigned_cells, check_most_active_cells

# One line for each topic, by the alphabet; every check is named, so that this file is their list.
from .exercises.adam import check_adam
from .exercises.algorithm_1 import check_algorithm_1
from .exercises.aligning import check_aligned_backward, check_aligned_relevance, check_found_share
from .exercises.appendix import check_appendix_recursion, check_carried_forward, check_sent_back
from .exercises.attention import check_attention, check_attention_backward
from .exercises.bm25 import check_bm25
from .exercises.both_variances import check_difference
from .exercises.choosing import check_choose
from .exercises.comparing import check_n_parameters, check_paired_interval
from .exercises.complex_step import check_complex_step
from .exercises.cosine_and_cost import check_cosine, check_cost
from .exercises.cost_gradient import check_alpha, check_hinge
from .exercises.differences import check_content_minus_filler, check_split
from .exercises.exact_p import check_exact_p
from .exercises.flops import check_best_machines, check_recurrent_flops
from .exercises.gamma_gradient import check_gamma_gradient
from .exercises.gates import check_let_in, check_read_with_gate
from .exercises.gru_step import check_step_gru
from .exercises.hashing import check_collisions, check_hashing_operator, check_letter_trigrams
from .exercises.lazy import check_lazy_updates, check_mean_table
from .exercises.lstm_back import check_peepholes_back, check_three_bugs
from .exercises.lstm_gradient import check_coupled_gates, check_error_of_c
from .exercises.lstm_step import check_peepholes, check_step_lstm
from .exercises.many_sentences import check_many_sentences
from .exercises.memory import check_dc_dc, check_memory_path
from .exercises.momentum import check_clip, check_momentum
from .exercises.ndcg import check_ndcg, check_ndcg_of_order
from .exercises.nearest_word import check_nearest_word
from .exercises.own_tests import check_test_gradient, check_test_ndcg, check_test_training
from .exercises.plsa import check_em_step
from .exercises.question_sets import (
    check_crowd,
    check_hold_out,
    check_other_way,
    check_reciprocal_rank,
)
from .exercises.rnn_gradient import check_mean_embedding, check_send_back, check_weights_gradient
from .exercises.sigmoid import check_forget_bias, check_sigmoid
from .exercises.torch_loop import (
    check_cut_way_back,
    check_of_equation_6,
    check_stacked,
    check_torch_loop,
)
from .exercises.truncated import check_truncated_gradient
from .exercises.unclicked import check_draw_unclicked
from .exercises.updating import check_largest_step, check_update
from .exercises.vanishing import check_share_left

for _name in [name for name in globals() if name.startswith("check_")]:
    globals()[_name] = judged(globals()[_name])


def variant(number):
    """The checks of an exam: ten exercises of the core and an nDCG, with other names and numbers,
    and one term of each another; ``python course.py exercises --variant 7`` writes it.

    Parameters
    ----------
    number : int

    Returns
    -------
    object
        With the checks as attributes, by the lessons' names.
    """
    return variants.of(number, globals())


kept.keep()
