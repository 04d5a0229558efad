"""The other rows of Table IV, one file each. All have ``fit(pairs)`` and ``score(query, titles)``, or are cells that the project's trainer trains."""
