"""Experiments that train models, one file per question; the course's pages quote their results."""
