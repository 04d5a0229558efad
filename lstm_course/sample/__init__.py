"""Generators of the sample data, and a reader of its metadata.

Lessons 00, 07 to 10, 12, 13 and 16 use them.
"""
