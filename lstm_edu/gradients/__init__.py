"""The cost, its gradient (derived by hand, from autograd, and as printed), and gradient checks.

Lessons 03, 04, 05a, 05b and 12.
"""
