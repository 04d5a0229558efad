"""The models: dual encoder, aligned encoder, their file format, and conversion to PyTorch.

Lessons 00, 12 and 14.
"""
