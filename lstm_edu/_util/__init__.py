"""Shared helpers: atomic file writes, files of arrays, argument checks, threads.

No lesson covers these helpers.
"""
