"""Inspect a model while it reads (section V-A): active cells, keywords, topics, aligned words,
and how far errors reach back.

Lessons 00, 07, 08, 09 and 12.
"""
