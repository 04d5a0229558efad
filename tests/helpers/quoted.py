"""Formatting of stored results as lessons quote them, and search for missing quotes."""

import numpy as np

import lstm_edu
from book.build import ROOT, prose
from book.build import stored as results
from lstm_course.sample.query_metadata import read_needs


def asked(question, form="{mean:+.3f} ({low:.3f} to {high:.3f})"):
    """Format a result of claims_asked.json, from five trainings, as the lessons do."""
    return form.format(**results("claims_asked")["asked"][question])


def not_quoted(lesson, *sentences):
    """Return those of the given sentences that a lesson's text lacks."""
    text = prose(ROOT / "notebooks" / f"{lesson}.ipynb").replace("−", "-").replace("**", "")
    return [sentence for sentence in sentences if sentence not in text]


def order_decides():
    """Return for each judged query of the sample whether word order decides, (400,)."""
    judgments = lstm_edu.read_judgments(ROOT / "data_samples" / "judgments.tsv")
    needs = read_needs(ROOT / "data_samples" / "needs.tsv", judgments)
    return np.array([need.order_decides for need in needs])
