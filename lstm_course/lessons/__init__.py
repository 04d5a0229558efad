"""Measurements on the paper: its claims, and the error of the gradient that it prints.

Lessons 05a, 05b, 10b and 12.
"""
