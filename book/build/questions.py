"""Export the course's questions: python -m book.build.questions --to moodle|gift --out FOLDER.

The questions are the lessons' *Predict first* questions, the bank of conceptual questions and the
concept inventory. With --score BEFORE AFTER, score a class's answers to the inventory instead.
"""

import argparse
import json
import pathlib
import re

import numpy as np

from book.build import LESSONS, one_line, quiz, read, source, write
from book.build.lecture import ANSWER, LIVE, PREDICT, blocks, items, sentences
from lstm_course.plots.figure import png
from lstm_course.questions import bank, inventory

LETTER = re.compile(r"\(([a-d])\)")
NEXT = re.compile(r";(?=\s+\([a-d]\))")  # where a sentence moves on to another choice
SEED = 53  # seed for the bank's data and the inventory's order; exams use other seeds


def every():
    """Collect all questions.

    Returns
    -------
    list of dict
        ``category``, ``name`` and ``text``; ``figure``, None or its ``png``, ``alt`` and ``width``;
        ``choices``, pairs of a choice and the reason why it is right or wrong, empty if the
        question is answered in words; ``right``, the index of the right choice, or None;
        ``answer``, the feedback that all students see.
    """
    return [*predictions(), *conceptual(), *concepts()]


def predictions():
    """Collect the *Predict first* questions, each with the text above it in its cell."""
    found = []
    for path in LESSONS:
        cells = map(source, json.loads(read(path))["cells"])
        for k, cell in enumerate([cell for cell in cells if PREDICT in cell], 1):
            about = {"category": f"Predict first/{path.stem}", "name": f"{path.stem}, {k}"}
            found.append(about | prediction(cell))
    return found


def prediction(cell):
    """Parse a *Predict first* question into its parts."""
    before, _, rest = LIVE.sub("", cell).partition(PREDICT)
    asked, _, answer = rest.partition(ANSWER)
    answer = answer.partition("</details>")[0].strip()
    parts = blocks(asked)
    lists = [items(block) for kind, block in parts if kind == "bullet_list_open"]
    choices = [item.removeprefix("- ") for found in lists for item in found]
    text = "\n\n".join(block for kind, block in parts if kind != "bullet_list_open")
    letters = [LETTER.match(choice)[1] for choice in choices]
    right = LETTER.search(answer)[1] if choices else None
    return {
        "text": f"{before}\n\n{text}".strip(),
        "figure": None,
        "choices": [(c, reason(answer, x, right)) for c, x in zip(choices, letters)],
        "right": letters.index(right) if choices else None,
        "answer": reason(answer, right, right) if choices else answer,
    }


def reason(answer, letter, right):
    """Return what an answer says about a choice; if nothing, what it says about the right one.

    A sentence that names no letter belongs to the choice named last. Exported choices keep their
    letters, so that sentences can refer to them.
    """
    about, said = {right}, {letter: [], right: []}
    for sentence in sentences(NEXT.sub(".", answer)):
        about = set(LETTER.findall(sentence)) or about
        for named in about & said.keys():
            said[named].append(sentence)
    return " ".join(said[letter] or said[right])


def conceptual():
    """Make each question of the bank once per answer, with data that make this answer right."""
    found = []
    for name, stored in bank.BANK.items():
        for right in range(len(stored["answers"])):
            asked = bank.drawn(name, right, np.random.default_rng([SEED, right]))
            table = f"\n\n```\n{asked['table']}\n```" if asked["table"] else ""
            shown = [
                (choice, f"{'It shows' if k == asked['right'] else 'That would show'} as: {why}.")
                for k, (choice, why) in enumerate(asked["choices"])
            ]
            said, why = stored["answers"][right][:2]
            in_words = f"{said} Why: {why}.\n\n{asked['rubric']}"
            found.append(
                {
                    "category": f"Conceptual questions/{name}",
                    "name": f"{name}, {right + 1}",
                    "text": asked["text"] + table,
                    "figure": _drawn(asked["figure"]),
                    "choices": shown,
                    "right": asked["right"] if shown else None,
                    "answer": asked["model"] if shown else in_words,
                }
            )
    return found


def _drawn(figure):
    """Return a figure's PNG, alt text and width as a dict, or None if there is no figure."""
    if not figure:
        return None
    picture, about = png(figure)
    return {"png": picture} | about


def concepts():
    """Collect the questions of the concept inventory, with their choices shuffled."""
    rng, found = np.random.default_rng(SEED), []
    for name, asked in inventory.ITEMS.items():
        order = rng.permutation(len(asked["answers"])).tolist()
        found.append(
            {
                "category": "Concept inventory",
                "name": name,
                "text": asked["text"],
                "figure": None,
                "choices": [tuple(asked["answers"][k][:2]) for k in order],
                "right": order.index(0),
                "answer": asked["answers"][0][1],
            }
        )
    return found


def export(kind, folder):
    """Write all questions to one file, and GIFT's figures to further files; return the paths."""
    questions, folder = every(), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ("questions.xml" if kind == "moodle" else "questions.gift")
    write(path, getattr(quiz, kind)(questions))
    figures = {q["name"]: q["figure"]["png"] for q in questions if q["figure"] and kind == "gift"}
    for name, picture in figures.items():
        (folder / f"{name}.png").write_bytes(picture)
    return [path, *(folder / f"{name}.png" for name in figures)]


def report(scores):
    """Print a class's scores, with one line per item."""
    mean, low, high = scores["gain"]
    print(f"{scores['n_students']} students answered twice.")
    print(f"right: {scores['before']:.2f} before, {scores['after']:.2f} after")
    print(f"gain: {mean:.2f}, 95 % interval over students {low:.2f} to {high:.2f}")
    print(f"gain, as a share of the largest possible: {scores['normalised']:.2f}\n")
    print("item          before   after    gain  95 % interval  discrimination")
    of_items = *scores["difficulty"], *scores["gains"].T, scores["discrimination"]
    for row in zip(inventory.ITEMS, *of_items):
        line = "{:12}{:8.2f}{:8.2f}{:8.2f}  {:5.2f} to {:5.2f}{:16.2f}".format(*row)
        print(line.replace("nan", "  –"))


parser = argparse.ArgumentParser(
    prog="course.py questions", description=__doc__.partition(":")[0], allow_abbrev=False
)
text = "an export for learning platforms: Moodle XML embeds figures, GIFT has them as files"
parser.add_argument("--to", choices=["moodle", "gift"], help=text)
text = "the folder for the export (build/questions)"
parser.add_argument("--out", default="build/questions", metavar="FOLDER", help=text)
text = "score two CSV files with answers to the concept inventory"
parser.add_argument("--score", nargs=2, metavar=("BEFORE", "AFTER"), help=text)

if __name__ == "__main__":
    given = parser.parse_args()
    if bool(given.to) == bool(given.score):
        parser.error("one of these is needed: --to moodle, --to gift, --score BEFORE AFTER")
    with one_line():
        if given.to:
            print(*export(given.to, given.out), sep="\n")
        else:
            report(inventory.scored(*map(inventory.read_answers, given.score)))
