"""The generator of the sample data, and their metadata.

Lessons 00, 07 to 10, 12 and 13.
"""
