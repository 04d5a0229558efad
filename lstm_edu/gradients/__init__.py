"""From clicks to the gradient, in three ways: by hand, by autograd, and as the appendix prints it; and the check of any of them.

Lessons 03, 04 and 05. Uses: cells.
"""
