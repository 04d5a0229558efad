"""Draw an exam, or grade what came back: ``python -m lstm_course.exam --out FOLDER``."""

import argparse
import sys

from lstm_edu._util.files import InputError

from . import grading, paper, secret

parser = argparse.ArgumentParser(prog="course.py exam", description=__doc__, allow_abbrev=False)
parser.add_argument("--out", required=True, metavar="FOLDER", help="where notebooks or grades go")
parser.add_argument("--grade", metavar="FOLDER", help="the submissions: STUDENT/exam/exam.ipynb")
text = "a file with the phrase, which is asked for otherwise; keep it out of reach of students"
parser.add_argument("--secret-file", metavar="FILE", help=text)

if __name__ == "__main__":
    given = parser.parse_args()
    try:
        key = secret.key(secret.ask(given.secret_file, twice=not given.grade))
        if given.grade:
            written = grading.write(grading.grade(given.grade, key), key, given.out)
        else:
            written = paper.make(key, given.out)
        print(*written, sep="\n")
    except (InputError, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
