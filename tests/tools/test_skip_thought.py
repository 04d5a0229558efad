"""Tests of Skip-Thought's encoder against its equations, and of damaged files."""

import io
import zipfile

import numpy as np
import pytest
from refusal import memory, refused
from released_skip_thought import D_UNI, N_BI, N_UNI, released
from scipy.special import expit

from lstm_edu._util.files import MissingError
from lstm_tools.table_iv import skip_thought, skip_thought_encoder
from lstm_tools.table_iv.skip_thought import SkipThought
from lstm_tools.table_iv.skip_thought_files import FILES


def by_hand(uni, bi, tables, rows):
    """Compute a text's skip-thought vector from the authors' equations, in loops over units.

    ``rows`` are the rows of the text's words in ``tables``.
    """

    def state(p, prefix, x):
        n = p[f"{prefix}_Ux"].shape[0]
        names = "W", "U", "b", "Wx", "Ux", "bx"
        W, U, b, Wx, Ux, bx = (p[f"{prefix}_{name}"].astype(float) for name in names)
        h = [0.0] * n
        for x_t in x:
            old = np.array(h)
            for j in range(n):
                r = expit(x_t @ W[:, j] + old @ U[:, j] + b[j])
                u = expit(x_t @ W[:, n + j] + old @ U[:, n + j] + b[n + j])
                h[j] = u * old[j] + (1 - u) * np.tanh(x_t @ Wx[:, j] + bx[j] + r * (old @ Ux[:, j]))
        return np.array(h)

    u = state(uni, "encoder", tables["utable.npy"][rows].astype(float))
    x = tables["btable.npy"][rows].astype(float)
    b = np.concatenate([state(bi, "encoder", x), state(bi, "encoder_r", x[::-1])])
    return np.concatenate([u / np.linalg.norm(u), b / np.linalg.norm(b)])


@pytest.mark.parametrize("batch", [(1, 1), (2, 100), (100, 100)])
def test_encode_agrees_with_equations_unit_by_unit(tmp_path, monkeypatch, batch):
    monkeypatch.setattr(skip_thought_encoder, "BATCH", batch)
    files = released(tmp_path)
    model = SkipThought(str(tmp_path)).fit([("not", "read")]).model
    texts = {
        "Hotels in  MADRID": [2, 3, 4],
        "hotels, line\u2028line": [2, 5, 1, 1],
        "dup": [10],
        "zoë <eos> nowhere": [11, 0, 1],
        "cheap": [7],
        "in": [3],
    }
    vectors = skip_thought.encode(model, texts)
    assert vectors.shape == (len(texts), N_UNI + 2 * N_BI) and vectors.dtype == np.float32
    expected = [by_hand(*files, rows) for rows in texts.values()]
    np.testing.assert_allclose(vectors, expected, atol=2e-6)


def test_skip_thought_scores_are_cosines_for_any_batch_size(tmp_path, monkeypatch):
    released(tmp_path)
    model = SkipThought(str(tmp_path))
    queries = ["hotels", "in madrid", "zoë"]
    titles = [["cheap hotels", "madrid", "in in in"], ["madrid , zoë"]]
    titles += [["cheap", "hotels", "zoë", "dup dup"]]
    found = model.scores(queries, titles)
    q, *d = skip_thought.encode(model.model, [queries[0], *titles[0]])
    expected = [q @ v / np.linalg.norm(q) / np.linalg.norm(v) for v in d]
    np.testing.assert_allclose(found[0], expected, atol=1e-6)
    assert found[2][2] == pytest.approx(1)
    seen, encode = [], skip_thought.encode
    recorded = lambda model, texts: seen.append(len(texts)) or encode(model, texts)
    monkeypatch.setattr(skip_thought, "encode", recorded)
    monkeypatch.setattr(skip_thought, "AT_ONCE", 2)
    for a, b in zip(model.scores(queries, titles), found):
        np.testing.assert_allclose(a, b, atol=1e-6)
    assert seen == [6, 4]  # numbers of distinct texts: of two queries and their titles, then of one
    with pytest.warns(UserWarning, match="zero"):
        np.testing.assert_array_equal(model.score("hotels", ["", " "]), [0, 0])


class Dangerous:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def pickled(data):
    file = io.BytesIO()
    np.save(file, np.array([Dangerous()], object), allow_pickle=True)
    return file.getvalue()


DAMAGED = [
    ("uni_skip.npz", lambda data: data[:-50], "uni_skip.npz: .*damaged or cut short"),
    ("utable.npy", lambda data: data[:-4], "utable.npy: .*damaged or cut short"),
    ("utable.npy", pickled, "utable.npy: looks like pickled Python objects in an .npy; expected a"),
    ("dictionary.txt", lambda data: data.replace(b"zo\xc3", b"zo\xff"), ".txt:12: not UTF-8"),
    ("dictionary.txt", lambda data: data + b"more\n", r"utable.npy: .*\(12, 5\); .* 13 lines"),
]


CHANGED = [
    (dict(uni={"encoder_U": np.zeros((6, 6), "f")}), r"uni_.*_U is float32 .*\(6, 6\).*6, 12"),
    (dict(uni={"encoder_b": np.array([Dangerous()] * 12, object)}), "OBJECT array"),
    (dict(tables={"btable.npy": np.zeros((12, 4), "f")}), r"bi_skip.*encoder_W .* \(4, 8\)"),
    (dict(tables={"utable.npy": np.zeros(12)}), "utable.npy: float64 of shape"),
    (dict(tables={"utable.npy": np.full((12, D_UNI), np.inf)}), "embedding is not finite"),
]


@pytest.mark.parametrize("changes, said", CHANGED)
def test_read_model_refuses_wrong_types_and_shapes(tmp_path, changes, said):
    released(tmp_path, **changes)
    with refused(said):
        SkipThought(str(tmp_path)).score("hotels", ["madrid"])


@pytest.mark.parametrize("name, break_it, said", DAMAGED)
def test_read_model_error_reports_damaged_file(tmp_path, name, break_it, said):
    released(tmp_path)
    (tmp_path / name).write_bytes(break_it((tmp_path / name).read_bytes()))
    with refused(said):
        SkipThought(str(tmp_path))


def test_skip_thought_error_reports_missing_file(tmp_path):
    for name in FILES:
        released(tmp_path)
        (tmp_path / name).unlink()
        with pytest.raises(MissingError, match=f"{name}: does not exist"):
            SkipThought(str(tmp_path))


@pytest.mark.parametrize("n, said", [(2000, "is compressed"), (2**40, "cannot reshape")])
def test_read_model_refuses_huge_arrays_without_allocating_them(tmp_path, n, said):
    """Use a member that decompresses to a huge array, or whose header claims a huge shape."""
    released(tmp_path)
    how = zipfile.ZIP_DEFLATED if n == 2000 else zipfile.ZIP_STORED
    with zipfile.ZipFile(tmp_path / "uni_skip.npz", "w", how) as archive:
        for name, shape in skip_thought_encoder.shapes(D_UNI, n).items():
            with archive.open(f"encoder_{name}.npy", "w") as member:
                header = {"descr": "<f4", "fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_1_0(member, header)
                member.write(bytes(4 * np.prod(shape)) if n == 2000 else b"")
    with memory() as taken, refused(f"uni_skip.npz: .*{said}"):
        SkipThought(str(tmp_path))
    assert taken() < 4_000_000
