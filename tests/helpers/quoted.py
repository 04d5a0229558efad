"""Functions that format results the way lessons quote them, and find missing quotes."""

import numpy as np

import lstm_edu
from book.build import ROOT, prose
from book.build import stored as results
from lstm_course.sample.query_metadata import read_needs


def asked(question, form="{mean:+.3f} ({low:.3f} to {high:.3f})"):
    """Format a result of five training runs, from claims_asked.json, the way lessons print it."""
    return form.format(**results("claims_asked")["asked"][question])


def not_quoted(lesson, *sentences):
    """Return the given sentences that a lesson's text doesn't contain."""
    text = prose(ROOT / "notebooks" / f"{lesson}.ipynb").replace("−", "-").replace("**", "")
    return [sentence for sentence in sentences if sentence not in text]


def order_decides():
    """Return a (400,) mask of the sample's judged queries in which word order decides."""
    judgments = lstm_edu.read_judgments(ROOT / "data_samples" / "judgments.tsv")
    needs = read_needs(ROOT / "data_samples" / "needs.tsv", judgments)
    return np.array([need.order_decides for need in needs])
