"""Helpers for all folders: atomic file writes, arrays in a file, argument checks, threads.

No lesson.
"""
