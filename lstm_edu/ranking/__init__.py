"""How good a ranking is (nDCG, MRR), and the best of very many titles.

Lessons 10 and 11. Uses: gradients, data.
"""
