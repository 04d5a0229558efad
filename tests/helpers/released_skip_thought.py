"""Small model files in the format that the authors of Skip-Thought released."""

import numpy as np

N_UNI, N_BI, D_UNI, D_BI = 6, 4, 5, 3
WORDS = ["<eos>", "UNK", "hotels", "in", "madrid", ",", "", " cheap\r", "dup"]
WORDS += ["line\u2028line", "dup", "zoë"]


def weights(prefixes, d, n, rng):
    names = {"W": (d, 2 * n), "U": (n, 2 * n), "b": 2 * n, "Wx": (d, n), "Ux": (n, n), "bx": n}
    return {
        f"{prefix}_{name}": rng.standard_normal(shape).astype(np.float32)
        for prefix in prefixes
        for name, shape in names.items()
    }


def released(folder, **changes):
    """Write small model files in the released format; return the arrays uni, bi and tables.

    The files contain unused members, empty and repeated words, a word with a line separator, and
    pickled objects. ``changes`` (``uni``, ``bi``, ``tables``) replaces arrays in the files, but not
    in the returned dictionaries.
    """
    rng = np.random.default_rng(0)
    uni = weights(["encoder"], D_UNI, N_UNI, rng)
    bi = weights(["encoder", "encoder_r"], D_BI, N_BI, rng)
    tables = {
        name: rng.standard_normal((len(WORDS), d)).astype(np.float32)
        for name, d in (("utable.npy", D_UNI), ("btable.npy", D_BI))
    }
    folder.mkdir(exist_ok=True)
    more = {"history_errs": np.array([None, 1], object), "Wemb": np.zeros((3, D_UNI))}
    np.savez(folder / "uni_skip.npz", **more | uni | changes.get("uni", {}))
    np.savez(folder / "bi_skip.npz", **bi | changes.get("bi", {}))
    for name, table in (tables | changes.get("tables", {})).items():
        np.save(folder / name, table)
    (folder / "dictionary.txt").write_bytes("\n".join(WORDS).encode() + b"\n")
    (folder / "uni_skip.npz.pkl").write_bytes(b"not to be read")
    return uni, bi, tables
