"""The exam: its secret phrase, and the questions drawn with a key derived from the phrase.

``python course.py exam --out FOLDER`` draws an exam; `secret` explains how it is kept secret.
"""
