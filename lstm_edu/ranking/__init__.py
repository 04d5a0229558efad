"""How good a ranking is (nDCG), and the best of very many titles.

Lesson 10. Uses: gradients, data.
"""
