"""Make a page about a class's exercises: python course.py class FOLDER ... [--out FOLDER].

A folder contains the students' records, ``STUDENT/my_checks.jsonl`` or ``STUDENT.jsonl``, or an
exam's ``grades.csv``. The page doesn't name students, and needs no network.
"""

import argparse
import base64
import csv
import html
import json
import pathlib
import re
import statistics
from collections import Counter, defaultdict
from string import Template

from scipy.stats import binomtest

from book.build import ROOT, STATIC, one_line, read, source, write
from book.build.grades import MISSING
from lstm_course.engine import record
from lstm_course.plots import progress, table
from lstm_course.plots.figure import png
from lstm_edu._util.files import InputError

FEW = 2  # mistakes made by fewer students are not shown
RECORDED = "from the records that students handed in; those who kept none are not on this page."
GRADED = "with an exam's grades, where each answer is one try."


def exercises():
    """Map each check's name, without ``check_``, to a title such as "04.1 Send an error back"."""
    found = {}
    for path in sorted((ROOT / "notebooks" / "exercises").glob("[0-9]*.ipynb")):
        title = ""
        for cell in json.loads(read(path))["cells"]:
            if heading := re.match(r"## (\d+)\. (.+)", source(cell)):
                title = f"{path.name.partition('_')[0]}.{heading[1]} {heading[2]}"
            for check in re.findall(r"checks\.check_(\w+)\(", source(cell)):
                found[check] = title.replace("$", "").replace("\\mathbf ", "")
    return found


def of_records(folder, known):
    """Return one dict per student with a record: {exercise: [(minutes, mistake or None), …]}."""
    students = defaultdict(dict)
    for path in sorted(folder.rglob("*.jsonl")):
        tried = defaultdict(list)
        for line in [] if path.is_symlink() else record.read(path):
            if line["exercise"] in known:
                tried[known[line["exercise"]]].append((line["minutes"], line["slip"]))
        mine = students[path.relative_to(folder).parts[0]]
        for title, tries in tried.items():  # a file may have been handed in twice
            mine[title] = max(tries, mine.get(title, []), key=len)
    return [student for student in students.values() if student]


def of_grades(path):
    """Read an exam's grades in the form of `of_records`, with each answer as a single try."""
    with open(path, encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    if head[:2] != ["student", "points"] or head[-2:] != ["remark", "slips"]:
        raise InputError(f"{path}: not the grades of an exam, which `exam --grade` writes")
    students = []
    for row in rows:
        slips = dict(re.findall(r"^(\d+): (.*)$", row[-1], re.M))
        told = {name: slips.get(name.partition(" ")[0]) for name in head[2:-2]}
        graded = [name for name, points in zip(head[2:-2], row[2:-2]) if points]
        students.append({name: [(0, told[name])] for name in graded if told[name] != MISSING})
    return [student for student in students if student]


def numbers(students, title):
    """Return, for each student who tried an exercise, the tries up to the first right one."""
    found = []
    for tries in (student[title] for student in students if title in student):
        right = [k for k, (_, slip) in enumerate(tries) if slip is None]
        found.append(tries[: right[0] + 1] if right else tries)
    return found


def page(students, titles, about):
    """Return the page about a class as HTML."""
    rows, told, parts = [], Counter(), {}
    last = {title: [0, 0] for title in titles}
    for student in students:
        stop = max(student, key=titles.index)
        last[stop][all(slip for _, slip in student[stop])] += 1
    for title in titles:
        every = numbers(students, title)
        solved = [tries for tries in every if tries[-1][1] is None]
        first = sum(len(tries) == 1 for tries in solved)
        parts[title] = first, len(solved) - first, len(every) - len(solved)
        interval = binomtest(first, len(every)).proportion_ci(method="wilson")
        share = [round(100 * x) for x in (first / len(every), *interval)]
        middle = [f"{statistics.median(x):g}" if solved else "–" for x in _of_solved(solved)]
        rows.append([title, len(every), "{} % ({} to {})".format(*share), *middle, parts[title][2]])
        told.update((title, slip) for tries in every for slip in {s for _, s in tries if s})
    common = [[slip, title, n] for (title, slip), n in told.most_common(15) if n >= FEW]
    names = [title.partition(" ")[0] for title in titles]
    outcomes = "right at the first try", "right later", "not right"
    tries = dict(zip(outcomes, zip(*parts.values())))
    stops = dict(zip(("right", "not right"), zip(*last.values())))
    columns = "exercise", "students", "right at first try", "tries", "minutes", "never right"
    return Template(read(STATIC / "class.html")).substitute(
        about=f"{len(students)} students and {len(titles)} exercises, {about}",
        tries=_figure(progress(names, tries, "students who tried it")),
        table=table(rows, *columns)._repr_html_(),
        slips=table(common, "mistake", "exercise", "students")._repr_html_(),
        stops=_figure(progress(names, stops, "students who tried it last")),
    )


def _of_solved(solved):
    return [len(tries) for tries in solved], [round(tries[-1][0]) for tries in solved]


def _figure(figure):
    picture, about = png(figure)
    data, text = base64.b64encode(picture).decode("ascii"), html.escape(about["alt"])
    image = f'<img src="data:image/png;base64,{data}" width="{about["width"]}" alt="{text}">'
    return f"<figure>{image}<figcaption>{text}</figcaption></figure>"


def make(folders, out):
    """Write ``class.html`` from the records and grades in folders, and return its path."""
    known, students, graded = exercises(), [], []
    for folder in map(pathlib.Path, folders):
        students += of_records(folder, known)
        graded += [one for path in sorted(folder.rglob("grades.csv")) for one in of_grades(path)]
    if not students and not graded:
        raise InputError("no record of a check, and no grades.csv of an exam, in these folders")
    tried = {title for student in students for title in student}
    asked = dict.fromkeys(title for student in graded for title in student)
    titles = [title for title in dict.fromkeys(known.values()) if title in tried]
    titles += sorted(asked, key=lambda title: int(title.partition(" ")[0]))
    path = pathlib.Path(out) / "class.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, page(students + graded, titles, GRADED if graded else RECORDED))
    return path


parser = argparse.ArgumentParser(prog="course.py class", allow_abbrev=False)
parser.add_argument("folders", nargs="+", metavar="FOLDER", help="records, or an exam's grades")
parser.add_argument("--out", default=ROOT / "build", metavar="FOLDER", help="by default build")

if __name__ == "__main__":
    with one_line():
        given = parser.parse_args()
        print(make(given.folders, given.out))
