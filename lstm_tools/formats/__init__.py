"""Files of other systems, in and out: TREC, BEIR, mteb, ir_datasets, public sets.

Lessons 10 and 13.
"""
