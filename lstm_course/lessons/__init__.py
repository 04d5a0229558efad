"""Measurements on the paper: its claims, and the error of its printed gradient.

Lessons 05a, 05b, 10b and 12.
"""
