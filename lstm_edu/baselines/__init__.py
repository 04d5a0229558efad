"""The other rows of Table IV, one file each, all with ``fit(pairs)`` and ``score(query, titles)``; DSSM and CLSM are cells, whose fit gives the model."""
