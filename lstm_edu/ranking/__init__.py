"""How good a ranking is (nDCG, MRR), and the best of very many titles.

Lessons 10 to 13.
"""
