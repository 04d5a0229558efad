"""Analyses of how a model reads a text (section V-A): active cells, keywords, topics, aligned
words, and how far back errors reach.

Lessons 00, 07, 08, 09 and 12.
"""
