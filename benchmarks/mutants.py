"""Test the exercises' checks with mutants, which are solutions with one change each.

    python benchmarks/mutants.py                  # all exercises, some minutes on two cores
    python benchmarks/mutants.py 01 06.3          # lesson 01 and exercise 06.3
    python benchmarks/mutants.py 06.3 --unnamed   # also print mutants refused without a reason

The table counts each exercise's mutants: killed, equal to the solution, alive, and so on. Living
mutants are printed with their change. tests/helpers/equal_mutants.toml lists mutants that equal the
solution, with the reason.
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "helpers"))
import exercise_mutants

COLUMNS = "mutants", "killed", "equal", "alive", "crashed", "not equal", "no reason"


def main():
    """Run the checks on the chosen exercises' mutants, and print the table of results."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("numbers", nargs="*", help="lessons or exercises; all by default")
    parser.add_argument("--unnamed", action="store_true", help="also show the column no reason")
    given = parser.parse_args()
    shown = ("alive", "crashed", "not equal") + ("no reason",) * given.unnamed
    print(f"{'exercise':28}" + "".join(f"{column:>10}" for column in COLUMNS))
    total = [0] * len(COLUMNS)
    with exercise_mutants.worker() as tried:
        for exercise in exercise_mutants.to_be_refused(given.numbers):
            lacks = exercise_mutants.missing(exercise[3])
            if lacks:
                print(f"{exercise[0]} {exercise[1]}: not tried, as its check needs {lacks}")
                continue
            row = exercise_mutants.row(exercise, tried)
            numbers = [n if isinstance(n := row[c], int) else len(n) for c in COLUMNS]
            total = [a + b for a, b in zip(total, numbers)]
            print(f"{row['exercise'][:28]:28}" + "".join(f"{n:10,}" for n in numbers))
            for kind in shown:
                for label, said in row[kind]:
                    print(f"    {kind}: {label}")
                    print("".join(f"        {line}\n" for line in said.split("\n") if said), end="")
            sys.stdout.flush()
    print(f"{'together':28}" + "".join(f"{n:10,}" for n in total))
    sys.exit(sum(total[COLUMNS.index(kind)] for kind in ("alive", "crashed", "not equal")) > 0)


if __name__ == "__main__":
    main()
