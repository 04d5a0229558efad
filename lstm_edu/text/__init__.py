"""Words and texts as numbers: letter trigrams (W_h of section III-A) and batches of sentences.

Lesson 01, and the batches of 02.
"""
