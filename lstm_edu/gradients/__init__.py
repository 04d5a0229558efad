"""From clicks to the gradient: by hand, by autograd, and as the appendix prints it; and its check.

Lessons 03, 04, 05a, 05b and 12.
"""
