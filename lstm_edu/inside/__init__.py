"""Looking into a model while it reads (section V-A): active cells, keywords, topics,
how far errors reach back.

Lessons 00, 07, 08 and 09. Uses: gradients.
"""
