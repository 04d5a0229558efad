"""Helpers of every room: files written whole, arrays in a file, arguments, threads, Ctrl-C.

No lesson.
"""
