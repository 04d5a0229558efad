"""Generators of the sample data, and readers of their metadata.

Lessons 00, 07 to 10, 12 and 13.
"""
