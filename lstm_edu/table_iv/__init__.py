"""Table IV: every baseline, the search for a trained row's settings, and the table itself.

Lesson 10b. Each row has ``fit`` and ``score(query, titles)``. Uses: training.
"""
