"""The cost and its gradient: by hand, with autograd, and as printed in the appendix; checks.

Lessons 03, 04, 05a, 05b and 12.
"""
