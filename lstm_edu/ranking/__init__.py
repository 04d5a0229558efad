"""Ranking measures (nDCG, MRR), confidence intervals and paired tests.

Lessons 10 to 13.
"""
