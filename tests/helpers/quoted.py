"""Numbers that the text of a lesson quotes from stored runs."""

import json

from conftest import ROOT


def results(name):
    """Read a file of benchmarks/results/."""
    return json.loads(
        (ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8")
    )


def asked(question, form="{mean:+.3f} ({low:.3f} to {high:.3f})"):
    """Format a result of five trainings as the lessons do."""
    return form.format(**results("claims_asked")["asked"][question])


def not_quoted(lesson, *sentences):
    """Return the sentences that a lesson's text lacks."""
    path = ROOT / "notebooks" / f"{lesson}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    text = "\n".join(texts).replace("−", "-").replace("**", "")
    return [sentence for sentence in sentences if sentence not in text]
