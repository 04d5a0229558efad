"""The cost, its gradient (by hand, by autograd, as the paper prints it), and gradient checks.

Lessons 03, 04, 05a, 05b and 12.
"""
