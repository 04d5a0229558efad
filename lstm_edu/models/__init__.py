"""The models: dual encoder, aligned encoder, their file, and their twin in PyTorch.

Lessons 00, 12 and 14.
"""
