"""Readers and writers for other systems: TREC, BEIR, mteb, ir_datasets, public data sets."""
