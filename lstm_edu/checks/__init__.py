"""What tells a student right from wrong: one `check_*` for each exercise.

It prints one line, or raises `Wrong` and says what came, and why.

All exercises. Uses: everything.
"""

from . import kept

# One line for each topic, by the alphabet; every check is named, so that this file is their list.
from .adam import check_adam
from .aligning import check_aligned_backward, check_aligned_relevance, check_found_share
from .appendix import check_appendix_recursion, check_carried_forward, check_sent_back
from .attention import check_attention, check_attention_backward
from .bm25 import check_bm25
from .choosing import check_choose
from .comparing import check_n_parameters, check_paired_interval
from .complex_step import check_complex_step
from .cost import check_cosine, check_cost
from .cost_gradient import check_alpha, check_gamma_gradient, check_hinge
from .differences import check_content_minus_filler, check_split
from .exact_p import check_exact_p
from .gates import check_let_in, check_read_with_gate
from .gru_step import check_step_gru
from .hashing import check_collisions, check_hashing_operator, check_letter_trigrams
from .lazy import check_lazy_updates, check_mean_table
from .lstm_back import check_peepholes_back, check_three_bugs
from .lstm_gradient import check_coupled_gates, check_error_of_c
from .lstm_step import check_peepholes, check_step_lstm
from .many_sentences import check_many_sentences
from .memory import check_dc_dc, check_memory_path
from .momentum import check_clip, check_momentum
from .ndcg import check_ndcg, check_ndcg_of_order
from .nearest_word import check_nearest_word
from .plsa import check_em_step
from .pytorch import check_cut_way_back, check_of_equation_6, check_stacked, check_torch_loop
from .questions import (
    check_crowd,
    check_hold_out,
    check_other_way,
    check_reciprocal_rank,
)
from .reading import check_assigned_cells, check_most_active_cells
from .report import Wrong, judged
from .rnn_gradient import check_mean_embedding, check_send_back, check_weights_gradient
from .scale import check_best_machines, check_recurrent_flops
from .sigmoid import check_forget_bias, check_sigmoid
from .training import check_algorithm_1
from .truncated import check_truncated_gradient
from .unclicked import check_draw_unclicked
from .updating import check_largest_step, check_update
from .vanishing import check_share_left

for _name in [name for name in globals() if name.startswith("check_")]:
    globals()[_name] = judged(globals()[_name])

kept.keep()
