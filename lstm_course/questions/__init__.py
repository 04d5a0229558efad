"""Conceptual questions: a bank whose data are drawn, so that every choice is right for some data.

Lessons 04 to 13.
"""
