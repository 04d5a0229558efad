"""Make the book, the slides and the pages of `course.py run`, and check what they are made of.

Start a module from the repository's folder: `python -m book.build.website build/book`.
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
