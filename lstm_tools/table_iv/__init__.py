"""Table IV: all baselines, the search for a trained row's settings, and the table itself.

Lessons 10b and 12. Each row has ``fit`` and ``score(query, titles)``.
"""
