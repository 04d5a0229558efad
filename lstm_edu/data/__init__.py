"""What is learned from and measured on: click logs, judgments, public collections.

Lessons 00, 10, 12 and 13.
"""
