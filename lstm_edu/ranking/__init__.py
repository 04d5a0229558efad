"""Measures of a ranking (nDCG, MRR), intervals and paired tests.

Lessons 10 to 13.
"""
