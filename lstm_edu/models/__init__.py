"""The two models (dual and aligned encoder), their file format, and conversion to PyTorch.

Lessons 00, 12 and 14.
"""
