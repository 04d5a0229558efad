"""Conceptual questions: a bank whose data are drawn, and a concept inventory with its scores.

Lessons 01 to 13.
"""
