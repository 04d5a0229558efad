"""What each exercise asks for: its solution, inputs, and what is likely wrong with an answer.

All exercises.
"""
