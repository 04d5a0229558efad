"""Experiments, one file per question; they train models, and pages quote their figures."""
