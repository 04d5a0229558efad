"""Functions for single lessons: the paper's claims, exact derivatives, and other ways to train."""
