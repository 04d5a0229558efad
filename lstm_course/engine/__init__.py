"""How an answer is checked: run where it may fail, compared, and told what is likely wrong.

All exercises.
"""
