"""Conceptual questions: a bank with randomly drawn data, and a concept inventory with scores.

Lessons 01 to 13 use them.
"""
