"""Looking into a model while it reads (section V-A): active cells, keywords, topics,
how far errors reach back; and which words are aligned.

Lessons 00, 07, 08, 09 and 12.
"""
