"""The paper's Table IV: all baselines, the search for settings, and the table itself.

A row of the table is a ranker. A fitted row, such as BM25, has ``fit(pairs)`` and
``score(query, titles)``. A trained row is one of the course's models, which learns from clicks.
Lessons 10b and 12 show the results.
"""
