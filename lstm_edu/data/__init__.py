"""The data to learn from and to measure on: click logs, judgments, public collections.

Lessons 00, 10, 12 and 13.
"""
