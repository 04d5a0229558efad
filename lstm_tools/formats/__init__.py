"""Readers and writers for other systems: TREC, BEIR, mteb, ir_datasets, public data sets.

Lessons 10 and 13.
"""
