"""Skip-Thought: the encoder against its equations, its files and what is wrong with them."""

import io
import pickle
import subprocess
import sys
import tracemalloc
import zipfile

import numpy as np
import pytest
from conftest import ROOT

from lstm_edu import InputError
from lstm_edu.files import MissingError
from lstm_edu.table_iv import skip_thought, skip_thought_files
from lstm_edu.table_iv.skip_thought import SkipThought
from lstm_edu.table_iv.skip_thought_files import FILES

N_UNI, N_BI, D_UNI, D_BI = 6, 4, 5, 3
WORDS = [
    "<eos>",
    "UNK",
    "hotels",
    "in",
    "madrid",
    ",",
    "",
    " cheap\r",
    "dup",
    "line\u2028line",
    "dup",
    "zoë",
]


def weights(prefixes, d, n, rng):
    names = {
        "W": (d, 2 * n),
        "U": (n, 2 * n),
        "b": (2 * n,),
        "Wx": (d, n),
        "Ux": (n, n),
        "bx": (n,),
    }
    return {
        f"{prefix}_{name}": rng.standard_normal(shape).astype(np.float32)
        for prefix in prefixes
        for name, shape in names.items()
    }


def released(folder, **changes):
    """Small files of the released kind.

    Other members, empty and repeated words, a line separator in a word, pickles beside them.
    """
    rng = np.random.default_rng(0)
    uni, bi = (
        weights(["encoder"], D_UNI, N_UNI, rng),
        weights(["encoder", "encoder_r"], D_BI, N_BI, rng),
    )
    tables = {
        name: rng.standard_normal((len(WORDS), d)).astype(np.float32)
        for name, d in (("utable.npy", D_UNI), ("btable.npy", D_BI))
    }
    folder.mkdir(exist_ok=True)
    np.savez(
        folder / "uni_skip.npz",
        history_errs=np.array([None, 1], object),
        Wemb=np.zeros((3, D_UNI)),
        **uni | changes.get("uni", {}),
    )
    np.savez(folder / "bi_skip.npz", **bi | changes.get("bi", {}))
    for name, table in (tables | changes.get("tables", {})).items():
        np.save(folder / name, table)
    (folder / "dictionary.txt").write_bytes("\n".join(WORDS).encode() + b"\n")
    (folder / "uni_skip.npz.pkl").write_bytes(b"not to be read")
    return uni, bi, tables


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "released"


def by_hand(uni, bi, tables, rows):
    """The authors' equations, unit by unit."""

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    def state(p, prefix, x):
        n = p[f"{prefix}_Ux"].shape[0]
        W, U, b, Wx, Ux, bx = (
            p[f"{prefix}_{name}"].astype(float) for name in ("W", "U", "b", "Wx", "Ux", "bx")
        )
        h = [0.0] * n
        for x_t in x:
            old = np.array(h)
            for j in range(n):
                r = sigmoid(x_t @ W[:, j] + old @ U[:, j] + b[j])
                u = sigmoid(x_t @ W[:, n + j] + old @ U[:, n + j] + b[n + j])
                h[j] = u * old[j] + (1 - u) * np.tanh(x_t @ Wx[:, j] + bx[j] + r * (old @ Ux[:, j]))
        return np.array(h)

    u = state(uni, "encoder", tables["utable.npy"][rows].astype(float))
    x = tables["btable.npy"][rows].astype(float)
    b = np.concatenate([state(bi, "encoder", x), state(bi, "encoder_r", x[::-1])])
    return np.concatenate([u / np.linalg.norm(u), b / np.linalg.norm(b)])


def test_the_encoder_from_its_equations(folder):
    files = released(folder)
    model = SkipThought(str(folder)).fit([("not", "read")]).model
    texts = {
        "Hotels in  MADRID": [2, 3, 4],
        "hotels, line\u2028line": [2, 5, 1, 1],
        "dup": [10],
        "zoë <eos> nowhere": [11, 0, 1],
        "cheap": [7],
    }
    vectors = skip_thought.encode(model, texts)
    assert vectors.shape == (len(texts), N_UNI + 2 * N_BI) and vectors.dtype == np.float32
    np.testing.assert_allclose(
        vectors, [by_hand(*files, rows) for rows in texts.values()], atol=2e-6
    )


def test_scores_are_cosines_whatever_is_read_together(folder, monkeypatch):
    released(folder)
    model = SkipThought(str(folder))
    queries = ["hotels", "in madrid", "zoë"]
    titles = [
        ["cheap hotels", "madrid", "in in in"],
        ["madrid , zoë"],
        ["cheap", "hotels", "zoë", "dup dup"],
    ]
    found = model.scores(queries, titles)
    for query, some, scores in zip(queries, titles, found):
        q, *d = skip_thought.encode(model.model, [query, *some])
        np.testing.assert_allclose(
            scores, [q @ v / np.linalg.norm(q) / np.linalg.norm(v) for v in d], atol=1e-6
        )
        np.testing.assert_allclose(model.score(query, some), scores, atol=1e-6)
    assert found[2][2] == pytest.approx(1)  # the same text
    seen = []
    encode = skip_thought.encode
    monkeypatch.setattr(
        skip_thought, "encode", lambda model, texts: seen.append(len(texts)) or encode(model, texts)
    )
    monkeypatch.setattr(skip_thought, "MOST_TEXTS", 2)
    monkeypatch.setattr(skip_thought, "BATCH", (2, 3))
    for a, b in zip(model.scores(queries, titles), found):
        np.testing.assert_allclose(a, b, atol=1e-6)
    assert max(seen) <= 3 and len(seen) > 3  # a query and two titles at the most


@pytest.mark.parametrize("batch", [(1, 1), (2, 100), (100, 4), (100, 100)])
def test_batches_leave_nothing_out(folder, monkeypatch, batch):
    released(folder)
    model, texts = (
        SkipThought(str(folder)).model,
        [
            "in",
            "hotels in",
            "cheap",
            "madrid",
            "zoë in",
            "",
            "dup",
            "hotels",
            "cheap in madrid",
            ",",
        ],
    )
    one_by_one = [skip_thought.encode(model, [text])[0] for text in texts]
    monkeypatch.setattr(skip_thought, "BATCH", batch)
    np.testing.assert_allclose(skip_thought.encode(model, texts), one_by_one, atol=1e-6)


def test_a_text_without_words_has_cosine_0(folder):
    released(folder)
    with pytest.warns(UserWarning, match="zero"):
        np.testing.assert_array_equal(SkipThought(str(folder)).score("hotels", ["", " "]), [0, 0])


def test_fortran_order_and_float64_are_the_same(folder, tmp_path):
    uni, bi, tables = released(folder)
    other = tmp_path / "other"
    released(
        other,
        uni={name: np.asfortranarray(w.astype(float)) for name, w in uni.items()},
        tables={name: np.asfortranarray(table) for name, table in tables.items()},
    )
    a, b = (SkipThought(str(path)) for path in (folder, other))
    np.testing.assert_array_equal(
        a.score("hotels", ["cheap madrid"]), b.score("hotels", ["cheap madrid"])
    )
    assert (
        a.n_parameters == sum(w.size for w in (*uni.values(), *bi.values(), *tables.values()))
        and "12 words" in a.label
    )


class Dangerous:
    def __reduce__(self):
        return (pytest.fail, ("unpickled",))


def pickled(array):
    file = io.BytesIO()
    np.save(file, np.array([Dangerous()], object), allow_pickle=True)
    return file.getvalue()


def empty_zip():
    """NumPy takes it for an archive of arrays."""
    return b"PK\5\6" + b"\0" * 18


def noted(text):
    """An encoder whose maker noted this."""
    file = io.BytesIO()
    uni = weights(["encoder"], D_UNI, N_UNI, np.random.default_rng(0))
    np.savez(file, meta=np.frombuffer(text.encode(), np.uint8), **uni)
    return file.getvalue()


@pytest.mark.parametrize(
    "name, break_it, said",
    [
        ("uni_skip.npz", lambda data: data[:-50], "damaged or cut short"),
        ("uni_skip.npz", lambda data: pickle.dumps(1), "damaged or cut short"),
        ("bi_skip.npz", lambda data: b"", "damaged or cut short"),
        ("utable.npy", lambda data: data[:-4], "damaged or cut short"),
        ("utable.npy", pickled, "damaged or cut short"),
        ("btable.npy", lambda data: b"text", "damaged or cut short"),
        ("btable.npy", lambda data: empty_zip(), "damaged or cut short"),
        ("uni_skip.npz", lambda data: noted("[1]"), "damaged or cut short"),
        ("uni_skip.npz", lambda data: noted('{"label": 7}'), "its label is no text"),
        (
            "dictionary.txt",
            lambda data: data.replace(b"zo\xc3", b"zo\xff"),
            "dictionary.txt:12: not UTF-8 at byte 3",
        ),
        (
            "dictionary.txt",
            lambda data: data + b"more\n",
            "utable.npy: 12 rows, but .*dictionary.txt has 13 lines",
        ),
        ("dictionary.txt", lambda data: data[:8], "no word UNK"),
        ("dictionary.txt", lambda data: b"", "no word UNK"),
    ],
)
def test_a_damaged_file_is_one_clear_line(folder, name, break_it, said):
    released(folder)
    (folder / name).write_bytes(break_it((folder / name).read_bytes()))
    with pytest.raises(InputError, match=said) as error:
        SkipThought(str(folder))
    assert "\n" not in str(error.value) and name in str(error.value)


@pytest.mark.parametrize(
    "changes, said",
    [
        (
            dict(uni={"encoder_U": np.zeros((6, 6), "f")}),
            r"uni_skip.npz: encoder_U is float32 of shape \(6, 6\); "
            r"must be floats of shape \(6, 12\)",
        ),
        (
            dict(uni={"encoder_W": np.zeros((4, 12), np.float32)}),
            r"encoder_W .* must be floats of shape \(5, 12\)",
        ),
        (dict(uni={"encoder_bx": np.zeros(6, int)}), "encoder_bx is int64"),
        (dict(uni={"encoder_b": np.array([Dangerous()] * 12, object)}), "encoder_b is object"),
        (dict(uni={"encoder_b": np.full(12, np.nan)}), "encoder_b is not finite"),
        (
            dict(bi={"encoder_r_Ux": np.zeros((5, 5), np.float32)}),
            r"bi_skip.npz: encoder_r_Ux .* \(4, 4\)",
        ),
        (
            dict(tables={"btable.npy": np.zeros((12, 4), np.float32)}),
            r"bi_skip.npz: encoder_W .* \(4, 8\)",
        ),
        (dict(tables={"btable.npy": np.zeros((12, 3), int)}), "btable.npy: int64"),
        (dict(tables={"utable.npy": np.zeros(12)}), "utable.npy: float64 of shape"),
    ],
)
def test_names_types_and_shapes_are_held_against_each_other(folder, changes, said):
    released(folder, **changes)
    with pytest.raises(InputError, match=said):
        SkipThought(str(folder))


def test_what_is_missing_is_named(folder, tmp_path):
    with pytest.raises(
        MissingError, match="Skip-Thought needs a folder with the authors' uni_skip.npz"
    ):
        SkipThought()
    for name in FILES:
        released(folder)
        (folder / name).unlink()
        with pytest.raises(MissingError, match=f"{name}: is not there"):
            SkipThought(str(folder))
    uni, *_ = released(folder)
    np.savez(
        folder / "uni_skip.npz",
        **{name: w for name, w in uni.items() if name not in ("encoder_Ux", "encoder_b")},
    )
    with pytest.raises(InputError, match="uni_skip.npz: has no encoder_b, encoder_Ux"):
        SkipThought(str(folder))
    released(folder, tables={"utable.npy": np.full((12, D_UNI), np.inf, np.float32)})
    with pytest.raises(InputError, match="embedding is not finite"):
        SkipThought(str(folder)).score("hotels", ["madrid"])


def test_members_that_are_vast_when_unpacked_take_no_memory(folder):
    """One that is there twice, and one of a hundredth of its size."""
    _, bi, _ = released(folder)
    n = 2000
    vast = {name: np.zeros(s, "f") for name, s in skip_thought_files.shapes(D_UNI, n).items()}
    np.savez_compressed(
        folder / "uni_skip.npz", **{f"encoder_{name}": w for name, w in vast.items()}
    )
    assert refused(folder, "uni_skip.npz: .*'encoder_W.npy' is compressed") < 4_000_000
    released(folder)
    np.savez(folder / "bi_skip.npz", meta=np.full(30_000_000, 32, np.uint8), **bi)
    assert refused(folder, "bi_skip.npz: .*bytes of itself") < 4_000_000
    released(folder)
    for content in (b"junk", (folder / "bi_skip.npz").read_bytes()):
        released(folder)
        whole = (folder / "uni_skip.npz").read_bytes()
        for damaged in (content + whole, whole + content):
            (folder / "uni_skip.npz").write_bytes(damaged)
            refused(folder, "uni_skip.npz: .*damaged")


def refused(folder, said):
    """The memory that it takes to say so."""
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=said) as error:
            SkipThought(str(folder))
        assert "\n" not in str(error.value)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_members_that_claim_to_be_vast_take_no_memory(folder):
    released(folder)
    with zipfile.ZipFile(folder / "uni_skip.npz", "w") as archive:
        for name, shape in skip_thought_files.shapes(D_UNI, 2**40).items():
            with archive.open(f"encoder_{name}.npy", "w") as member:
                np.lib.format.write_array_header_1_0(
                    member, {"descr": "<f4", "fortran_order": False, "shape": shape}
                )
    with pytest.raises(
        InputError, match="uni_skip.npz: .*encoder_W.npy' is not as long as it says"
    ):
        SkipThought(str(folder))


def test_import_leaves_autograd_alone():
    code = "import lstm_edu.table_iv.skip_thought, sys; print('autograd' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        == "False\n"
    )
