"""Algorithm 1: minibatches of a click log, Nesterov momentum (6), clipping, checkpoints; Adam.

Held-out queries, and many machines.

Lessons 06, 07, 11 and 14.
"""
