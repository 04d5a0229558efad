"""Words and texts as numbers: letter trigrams (W_h of section III-A), and sentences side by side.

Lesson 01, and the batches of 02.
"""
