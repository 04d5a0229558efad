"""Run every lesson and solution on simulated machines, and tabulate the results.

    python -m benchmarks.machines                 # all: an hour on two cores
    python -m benchmarks.machines Haswell nudge   # only machines whose name contains a word

Training is chaotic, and machines round differently. Other machines are imitated by nudged initial
weights, other kernels of OpenBLAS, NumPy without its newer instructions, another number of BLAS
threads, and a NumPy without BLAS. Kernels that this processor doesn't support are listed as not
run. After each machine the results are written to benchmarks/results/machines.json and
book/pages/proofs.md.
"""

import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

from book.build import RESULTS, ROOT, replace_part, stored, write

NO_BLAS = ROOT / "build" / "no_blas"  # folder with a NumPy built without BLAS
PYTEST = ["-m", "pytest", "-q", "-n", "2", "--dist", "loadscope", "--nbval-lax"]
PYTEST += ["--nbval-current-env", "--nbval-sanitize-with", "tests/lessons/masks.cfg"]
PYTEST += ["--nbval-kernel-startup-timeout=900", "--ignore", "notebooks/exercises"]
# run the lessons' tests, except tests that break a lesson on purpose; in `notebooks`, run lessons
# that don't train, and the solutions with their worked answers
PYTEST += ["-k", "not broken", "tests/lessons", "notebooks"]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "*.npz", "__pycache__")
KERNEL = """
import json, numpy, threadpoolctl
numpy.ones((2, 2)) @ numpy.ones((2, 2))
print(json.dumps([i.get("architecture") for i in threadpoolctl.threadpool_info()
                  if i["user_api"] == "blas" and "numpy" in i["filepath"]]))
"""


def machines():
    """Map a machine's name to its environment variables, pytest options, and required kernel.

    The kernel is None if any will do, and "none" for a NumPy without BLAS.
    """
    found = {"this machine": ({}, [], None)}
    found |= {f"nudge {seed}": ({}, ["--nudge", str(seed)], None) for seed in range(1, 9)}
    for kernel in ("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"):
        # OpenBLAS reports its oldest kernel under another name
        reported = {"Prescott": "Katmai"}.get(kernel, kernel)
        found[f"OpenBLAS as on {kernel}"] = ({"OPENBLAS_CORETYPE": kernel}, [], reported)
    found["NumPy without X86_V3"] = ({"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"}, [], None)
    found["one BLAS thread"] = ({"OPENBLAS_NUM_THREADS": "1"}, [], None)
    found["two BLAS threads"] = ({"OPENBLAS_NUM_THREADS": "2"}, [], None)
    found["NumPy without BLAS"] = ({"PYTHONPATH": str(NO_BLAS)}, [], "none")
    return found


def kernel_of(environment):
    """Return the BLAS kernel that NumPy uses in an environment, or "none" without BLAS."""
    done = subprocess.run(
        [sys.executable, "-c", KERNEL], env=environment, capture_output=True, encoding="utf-8"
    )
    return (json.loads(done.stdout) or ["none"])[0] if done.returncode == 0 else done.stderr[-200:]


def build_numpy_without_blas():
    """Compile NumPy without BLAS into the folder `NO_BLAS`, unless it exists."""
    if not NO_BLAS.exists():
        import numpy

        options = ["-Csetup-args=-Dallow-noblas=true", "-Csetup-args=-Dblas=none"]
        options += ["-Csetup-args=-Dlapack=none", "--no-binary", "numpy", "--no-deps"]
        command = [sys.executable, "-m", "pip", "install", "-q", "--target", str(NO_BLAS)]
        subprocess.run([*command, *options, f"numpy=={numpy.__version__}"], check=False)


def tried(name, changes, options, wanted):
    """Run the lessons and solutions on one simulated machine; return its row of the table."""
    if wanted == "none":
        build_numpy_without_blas()
    environment = {"OPENBLAS_NUM_THREADS": "1"} | os.environ | changes | {"PYTHONUTF8": "1"}
    row = {"machine": name, "kernel": kernel_of(environment)}
    row["date"] = str(datetime.date.today())
    if wanted not in (None, row["kernel"]):
        return row | {"not run": "no such kernel here"}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        # run in a copy without this machine's stored models
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
    """Format the results as a Markdown table."""
    lines = ["| machine | BLAS kernel | passed | failed | |", "|---|---|--:|--:|---|"]
    for row in rows:
        passed, failed = "–", row.get("not run")
        if not failed:
            passed, failed = f"{row['passed']:,}", len(row["failed"])
        lines.append(
            f"| {row['machine']} | {row['kernel']} | {passed} | {failed} | {row['date']} |"
        )
    return "".join(line + "\n" for line in lines)


def store(rows):
    """Write the results to machines.json, and as a table to book/pages/proofs.md."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    write(RESULTS / "machines.json", f"[\n{lines}\n]\n")
    replace_part(ROOT / "book" / "pages" / "proofs.md", "machines", as_table(rows))


if __name__ == "__main__":
    words = sys.argv[1:]
    rows = {row["machine"]: row for row in stored("machines")}
    for name, how in machines().items():
        if not words or any(word in name for word in words):
            rows[name] = tried(name, *how)
            print(as_table([rows[name]]).splitlines()[-1], *rows[name].get("failed", []), sep="\n")
            store([rows[name] for name in machines() if name in rows])
    sys.exit(any(row.get("failed") for row in rows.values()))
