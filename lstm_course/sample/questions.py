"""Generator of the sample's questions and answers.

1. **Fact.** A fact has a place in a town (one of 36 names and one of 12 kinds: the linden museum,
   the linden pool), one of 28 subjects (such as the opening time) and a value. Some subjects have
   two places in order: the road from one to the other, or which place comes first.
2. **Wordings.** Questions and answers share few words besides the place's name, and some questions
   are misspelled. ``lstm_course/sample/places.toml`` lists the wordings.
3. **Forum.** A pair is a question and its accepted answer. One answer in twenty states
   another fact about the same place.
4. **Judged.** No training pair is about a fact that a judged question asks for. Some of these
   facts are about a place whose name is in no pair, and some are asked for in a wording that is in
   no pair. Each question has twenty candidate answers. One or two state the fact (grade 1). The
   others (grade 0) are about the same place, the same subject, or the two places in the other
   order.

All random numbers come from one ``random.Random``, so a seed gives the same bytes on every machine.
"""

import os
import pathlib
import random
import tomllib
from collections import defaultdict
from typing import NamedTuple

from lstm_edu._util import arguments

from .synthetic_judgments import qid, rows, write_rows
from .wordings import choose, misspell

FILE = pathlib.Path(__file__).with_name("places.toml")
N_PAIRS, N_QUESTIONS = 10_000, 300
N_NEW = 3  # number of names that are in no training pair
# fraction of judged questions in each case; the rest are "known"
SHARES = {"new": 0.2, "order": 0.2, "reworded": 0.2}
# fraction of accepted answers that state another fact, and of questions that are misspelled
WRONG, MISSPELLED = 0.05, 0.1
N_CANDIDATES = 20


class Fact(NamedTuple):
    """A fact about one or two places.

    Attributes
    ----------
    about : str
        The subject, a name in the word file such as "opens".
    places : tuple of (name, kind)
        One place, or two in order.
    value : str
    """

    about: str
    places: tuple
    value: str


class Questions(NamedTuple):
    """The result of `generate`: the rows of three files.

    Attributes
    ----------
    pairs : list of (question, answer)
    judgments : list of (qid, question, docid, answer, grade)
    facts : list of (qid, about, case, misspelled)
        ``case`` is "known" (other pairs are about the place, and have the wording of the question),
        "reworded" (no pair has the wording), "order" (two known places) or "new" (no pair has the
        place's name).
    """

    pairs: list
    judgments: list
    facts: list


def write(folder, seed=0):
    """Generate the questions, and write ``train_pairs.tsv``, ``judgments.tsv``, ``facts.tsv``."""
    folder, made = arguments.path("folder", folder), generate(seed)
    os.makedirs(folder, exist_ok=True)
    for name, of_file in zip(("train_pairs", "judgments", "facts"), made):
        write_rows(os.path.join(folder, name + ".tsv"), of_file)


def generate(seed=0):
    """Generate training pairs of question and answer, and judged questions, as `Questions`."""
    rng = random.Random(f"{arguments.seed(seed)} questions")
    words = kept_from_training(read_words(), rng)
    new = set(rng.sample(words["names"], N_NEW))
    by_case = defaultdict(list)
    for fact in all_facts(words, rng):
        by_case[case_of(fact, new)].append(fact)
    judged = draw_judged(by_case, rng)
    judgments, facts = judge(judged, by_case, words, rng)
    # ignore the value, because two facts about the same two places may have different values
    left = {(fact.about, fact.places) for _, fact in judged}
    asked, able = {row[1] for row in judgments}, [*by_case["known"], *by_case["order"]]
    taught = [fact for fact in able if (fact.about, fact.places) not in left]
    return Questions(forum(taught, asked, words, rng), judgments, facts)


def read_words():
    """Read the word file ``places.toml``."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def kept_from_training(words, rng):
    """Move one question wording of each subject to a list "reworded", unused in training pairs."""
    facts = {}
    for about, file in words["facts"].items():
        question = list(file["question"])
        reworded = [question.pop(rng.randrange(len(question)))]
        facts[about] = file | {"question": question, "reworded": reworded}
    return words | {"facts": facts}


def all_facts(words, rng):
    """Generate facts about every place, on every subject, with random values.

    For a subject with two places, pair each place with three others, in both orders.
    """
    places = [(name, kind) for name in words["names"] for kind in words["kinds"]]
    facts = []
    for place in places:
        others = rng.sample([other for other in places if other != place], 3)
        for about, file in words["facts"].items():
            with_two = "{m}" in file["question"][0]
            found = [(place, other) for other in others] if with_two else [(place,)]
            found += [pair[::-1] for pair in found if with_two]
            facts += [Fact(about, each, rng.choice(file["values"])) for each in found]
    return facts


def case_of(fact, new):
    """Return the case of a fact, as in `Questions`; "other" if one of two places is new."""
    n_new = sum(name in new for name, _ in fact.places)
    if len(fact.places) == 2:
        return "other" if n_new else "order"
    return "new" if n_new else "known"


def by_place(facts):
    """Group facts into lists by their first place."""
    found = defaultdict(list)
    for fact in facts:
        found[fact.places[0]].append(fact)
    return found


def draw_judged(by_case, rng):
    """Draw (case, fact) for each judged question, in the proportions of `SHARES`.

    No subject is drawn twice for the same places, in whatever order.
    """
    cases = [case for case, share in SHARES.items() for _ in range(round(share * N_QUESTIONS))]
    cases += ["known"] * (N_QUESTIONS - len(cases))
    rng.shuffle(cases)
    drawn = []
    for case in cases:
        while True:
            fact = rng.choice(by_case["known" if case == "reworded" else case])
            if not any({*fact.places} == {*f.places} and fact.about == f.about for _, f in drawn):
                break
        drawn.append((case, fact))
    return drawn


def forum(facts, judged, words, rng):
    """Generate pairs of an unjudged question and its accepted answer."""
    of_place, pairs = by_place(facts), []
    while len(pairs) < N_PAIRS:
        fact = rng.choice(facts)
        question = ask(fact, words, rng)[0]
        given = rng.choice(of_place[fact.places[0]]) if rng.random() < WRONG else fact
        if question not in judged:
            pairs.append((question, answer(given, words, rng)))
    return pairs


# ---- wordings


def ask(fact, words, rng, wordings="question"):
    """Write a question that asks for the fact; return it, and whether it is misspelled."""
    tokens = _say(fact, wordings, words, rng).split()
    long = [k for k, word in enumerate(tokens) if len(set(word)) > 3]
    misspelled = bool(long) and rng.random() < MISSPELLED
    if misspelled:
        k = rng.choice(long)
        tokens[k] = misspell(tokens[k], rng)
    return " ".join(tokens), misspelled


def answer(fact, words, rng):
    """Write a sentence that states the fact, without misspellings."""
    return _say(fact, "answer", words, rng)


def _say(fact, side, words, rng):
    """Write the fact in a random wording of the list ``side``, such as "question" or "answer"."""
    file = words["facts"][fact.about]
    names = {slot: _name(place, side, words, rng) for slot, place in zip(("n", "m"), fact.places)}
    return choose(rng.choice(file[side]), rng).format(v=fact.value, **names)


def _name(place, side, words, rng):
    """Choose one of the place's names for questions or for answers."""
    name, kind = place
    called = words["kinds"][kind].split(" > ")[side == "answer"].split(" | ")
    article = "the " if side == "answer" or rng.random() < 0.5 else ""
    return f"{article}{name} {rng.choice(called)}"


# ---- candidate answers


def judge(judged, by_case, words, rng):
    """Write the judged questions with their graded candidates, and each question's metadata.

    Returns
    -------
    judgments : list of (qid, question, docid, answer, grade)
    facts : list of (qid, about, case, misspelled)
    """
    facts = [fact for of_case in by_case.values() for fact in of_case]
    same_place, same_about = by_place(facts), defaultdict(list)
    for fact in facts:
        same_about[fact.about].append(fact)
    asked, graded = {}, []
    for case, fact in judged:
        wordings = "reworded" if case == "reworded" else "question"
        question, misspelled = ask(fact, words, rng, wordings)
        while question in asked:
            question, misspelled = ask(fact, words, rng, wordings)
        asked[question] = misspelled
        graded.append(candidates(fact, same_place, same_about, words, rng))
    known = [
        (qid(k), fact.about, case, int(misspelled))
        for k, ((case, fact), misspelled) in enumerate(zip(judged, asked.values()))
    ]
    return rows(asked, graded, "a", rng), known


def candidates(fact, same_place, same_about, words, rng):
    """Write the candidate answers for a fact, and return their grades, keyed by answer."""
    graded = {}

    def add(others, wanted, n):
        others, enough = list(others), len(graded) + n
        while len(graded) < enough:
            graded.setdefault(answer(rng.choice(others), words, rng), wanted)

    (name, kind), is_other = fact.places[0], lambda other: other.places != fact.places
    alike = [other for other in same_about[fact.about] if is_other(other)]
    add([fact], 1, rng.choice([1, 1, 2]))
    if len(fact.places) == 2:
        turned = fact.places[::-1]
        add([other for other in same_about[fact.about] if other.places == turned], 0, 3)
    add([other for other in same_place[name, kind] if other.about != fact.about], 0, 6)
    add([other for other in alike if other.places[0][0] == name], 0, 3)
    add([other for other in alike if other.places[0][1] == kind], 0, 3)
    add(alike, 0, N_CANDIDATES - len(graded))
    return graded
