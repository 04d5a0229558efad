"""What every room uses: files written whole, arrays in a file, arguments, threads, Ctrl-C.

No lesson.
"""
