"""What is learned from and measured on: click logs, judgments, public collections,
and the maker of the sample.

Lessons 00, 10, 12 and 13. Uses: text.
"""
