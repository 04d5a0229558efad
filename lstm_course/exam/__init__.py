"""The exam: drawn by a secret phrase, and graded apart from the submissions' code.

``python course.py exam --out FOLDER`` draws one; `secret` says what keeps it.
"""
