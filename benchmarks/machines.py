"""Run every lesson and solution as on other machines, and write a table into the book.

    python benchmarks/machines.py                 # all: an hour on two cores
    python benchmarks/machines.py Haswell nudge   # machines whose name has one of these words

Training is chaotic, and machines round differently. We imitate them by nudged first weights, other
kernels of OpenBLAS, NumPy without its newer instructions, another number of BLAS threads, and a
NumPy without BLAS. Kernels that this processor lacks are listed as not run. After each machine the
results are written to benchmarks/results/machines.json and book/pages/proofs.md.
"""

import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORED = ROOT / "benchmarks" / "results" / "machines.json"
PAGE = ROOT / "book" / "pages" / "proofs.md"
BEGIN, END = "<!-- machines -->\n", "<!-- end of machines -->\n"
NO_BLAS = ROOT / "build" / "no_blas"  # has a NumPy that was built without BLAS
PYTEST = ["-m", "pytest", "-q", "-n", "2", "--dist", "loadscope", "--nbval-lax"]
PYTEST += ["--nbval-current-env", "--nbval-sanitize-with", "tests/lessons/masks.cfg"]
PYTEST += ["--nbval-kernel-startup-timeout=900", "--ignore", "notebooks/exercises"]
# the lessons' tests, except those that break a lesson on purpose, the lessons that don't train, and
# the solutions with their worked answers
PYTEST += ["-k", "not broken", "tests/lessons", "notebooks"]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "*.npz", "__pycache__")
KERNEL = """
import json, numpy, threadpoolctl
numpy.ones((2, 2)) @ numpy.ones((2, 2))
print(json.dumps([i.get("architecture") for i in threadpoolctl.threadpool_info()
                  if i["user_api"] == "blas" and "numpy" in i["filepath"]]))
"""


def machines():
    """Map a machine's name to its environment, options for pytest, and BLAS kernel."""
    found = {"as it is": ({}, [], None)}
    found |= {f"nudge {seed}": ({}, ["--nudge", str(seed)], None) for seed in range(1, 9)}
    for kernel in ("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"):
        reported = {"Prescott": "Katmai"}.get(kernel, kernel)  # OpenBLAS's name for the oldest one
        found[f"OpenBLAS as on {kernel}"] = ({"OPENBLAS_CORETYPE": kernel}, [], reported)
    found["NumPy without X86_V3"] = ({"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"}, [], None)
    found["one BLAS thread"] = ({"OPENBLAS_NUM_THREADS": "1"}, [], None)
    found["two BLAS threads"] = ({"OPENBLAS_NUM_THREADS": "2"}, [], None)
    found["NumPy without BLAS"] = ({"PYTHONPATH": str(NO_BLAS)}, [], "none")
    return found


def kernel_of(environment):
    """Return the kernel that NumPy's BLAS uses in an environment; "none" without BLAS."""
    done = subprocess.run(
        [sys.executable, "-c", KERNEL], env=environment, capture_output=True, encoding="utf-8"
    )
    return (json.loads(done.stdout) or ["none"])[0] if done.returncode == 0 else done.stderr[-200:]


def build_numpy_without_blas():
    """Compile NumPy from source into `NO_BLAS`, if that doesn't exist."""
    if not NO_BLAS.exists():
        import numpy

        options = ["-Csetup-args=-Dallow-noblas=true", "-Csetup-args=-Dblas=none"]
        options += ["-Csetup-args=-Dlapack=none", "--no-binary", "numpy", "--no-deps"]
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(NO_BLAS)]
        subprocess.run([*command, *options, f"numpy=={numpy.__version__}"], check=False)


def tried(name, changes, options, wanted):
    """Run the lessons and solutions on one machine; return its row."""
    if wanted == "none":
        build_numpy_without_blas()
    environment = {"OPENBLAS_NUM_THREADS": "1"} | os.environ | changes | {"PYTHONUTF8": "1"}
    row = {"machine": name, "kernel": kernel_of(environment)}
    row["date"] = str(datetime.date.today())
    if wanted not in (None, row["kernel"]):
        return row | {"not run": "no such kernel here"}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        # in a copy, as the models that lessons store were trained on this machine
        report, course = os.path.join(folder, "report.xml"), os.path.join(folder, "course")
        shutil.copytree(ROOT, course, ignore=LEFT_OUT)
        paths = [changes.get("PYTHONPATH"), course, os.environ.get("PYTHONPATH")]
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        command = [sys.executable, *PYTEST, *options, f"--junitxml={report}"]
        subprocess.run(command, cwd=course, env=environment, stdout=subprocess.DEVNULL, check=False)
        cases = ElementTree.parse(report).getroot().findall(".//testcase")
    failed = [
        f"{case.get('classname')} {case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    n_skipped = sum(case.find("skipped") is not None for case in cases)
    counts = {"passed": len(cases) - len(failed) - n_skipped, "failed": failed}
    return row | counts | {"skipped": n_skipped, "seconds": round(time.monotonic() - began)}


def as_table(rows):
    """Format the rows as a table in Markdown."""
    lines = ["| machine | BLAS kernel | passed | failed | |", "|---|---|--:|--:|---|"]
    for row in rows:
        n = (
            ("–", row["not run"])
            if "not run" in row
            else (f"{row['passed']:,}", len(row["failed"]))
        )
        lines.append(f"| {row['machine']} | {row['kernel']} | {n[0]} | {n[1]} | {row['date']} |")
    return "".join(line + "\n" for line in lines)


def write(rows):
    """Store the rows, and write the table between the page's two marks."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")
    head, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    text = head + BEGIN + as_table(rows) + END + rest.split(END)[1]
    PAGE.write_text(text, encoding="utf-8", newline="\n")


def main():
    """Run the chosen machines, and write the results after each."""
    words = sys.argv[1:]
    before = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    rows = {row["machine"]: row for row in before}
    for name, how in machines().items():
        if not words or any(word in name for word in words):
            rows[name] = tried(name, *how)
            print(as_table([rows[name]]).splitlines()[-1], *rows[name].get("failed", []), sep="\n")
            write([rows[name] for name in machines() if name in rows])
    sys.exit(any(row.get("failed") for row in rows.values()))


if __name__ == "__main__":
    main()
