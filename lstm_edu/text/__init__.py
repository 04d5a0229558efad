"""Words and texts as arrays: letter trigrams (W_h of section III-A) and batches of sentences.

Lesson 01; lesson 02 for batches.
"""
