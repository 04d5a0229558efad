"""The cost and its gradient: by hand, by autograd, and as the appendix prints it; gradient checks.

Lessons 03, 04, 05a, 05b and 12.
"""
