"""The engine of the checks: run an answer, compare it, and name the likely mistake.

All exercises use it.
"""
