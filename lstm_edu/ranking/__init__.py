"""Measures of a ranking (nDCG, MRR), and the best of very many titles.

Lessons 10 to 13.
"""
