"""Skip-Thought's files: what is missing, damaged, of another shape or vast is one clear line."""

import io
import pickle
import zipfile

import numpy as np
import pytest
from refusal import memory, refused
from released_skip_thought import D_UNI, N_UNI, released, weights

from lstm_edu._util.files import MissingError
from lstm_edu.table_iv import skip_thought_files
from lstm_edu.table_iv.skip_thought import SkipThought
from lstm_edu.table_iv.skip_thought_files import FILES


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


DAMAGED = [
    ("uni_skip.npz", lambda data: data[:-50], "damaged or cut short"),
    ("uni_skip.npz", lambda data: pickle.dumps(1), "damaged or cut short"),
    ("utable.npy", lambda data: data[:-4], "damaged or cut short"),
    ("utable.npy", pickled, "damaged or cut short"),
    ("btable.npy", lambda data: empty_zip(), "damaged or cut short"),
    ("uni_skip.npz", lambda data: noted("[1]"), "damaged or cut short"),
    ("uni_skip.npz", lambda data: noted('{"label": 7}'), "its label is no text"),
    ("dictionary.txt", lambda data: data.replace(b"zo\xc3", b"zo\xff"), ".txt:12: not UTF-8"),
    ("dictionary.txt", lambda data: data + b"more\n", "utable.npy: 12 rows, but .* 13 lines"),
    ("dictionary.txt", lambda data: data[:8], "no word UNK"),
]


@pytest.mark.parametrize("name, break_it, said", DAMAGED)
def test_a_damaged_file_is_one_clear_line(tmp_path, name, break_it, said):
    released(tmp_path)
    (tmp_path / name).write_bytes(break_it((tmp_path / name).read_bytes()))
    with refused(said) as error:
        SkipThought(str(tmp_path))
    assert name in str(error.value)


CHANGED = [
    (dict(uni={"encoder_U": np.zeros((6, 6), "f")}), r"uni_.*_U is float32 .*\(6, 6\).*6, 12"),
    (dict(uni={"encoder_W": np.zeros((4, 12), "f")}), r"encoder_W .* floats .* \(5, 12\)"),
    (dict(uni={"encoder_bx": np.zeros(6, int)}), "encoder_bx is int64"),
    (dict(uni={"encoder_b": np.array([Dangerous()] * 12, object)}), "encoder_b is object"),
    (dict(uni={"encoder_b": np.full(12, np.nan)}), "encoder_b is not finite"),
    (dict(bi={"encoder_r_Ux": np.zeros((5, 5), "f")}), r"bi_skip.*encoder_r_Ux .* \(4, 4\)"),
    (dict(tables={"btable.npy": np.zeros((12, 4), "f")}), r"bi_skip.*encoder_W .* \(4, 8\)"),
    (dict(tables={"btable.npy": np.zeros((12, 3), int)}), "btable.npy: int64"),
    (dict(tables={"utable.npy": np.zeros(12)}), "utable.npy: float64 of shape"),
]


@pytest.mark.parametrize("changes, said", CHANGED)
def test_names_types_and_shapes_are_held_against_each_other(tmp_path, changes, said):
    released(tmp_path, **changes)
    with refused(said):
        SkipThought(str(tmp_path))


def test_what_is_missing_is_named(tmp_path):
    needed = "Skip-Thought needs a folder with the authors' uni_skip.npz"
    with pytest.raises(MissingError, match=needed):
        SkipThought()
    for name in FILES:
        released(tmp_path)
        (tmp_path / name).unlink()
        with pytest.raises(MissingError, match=f"{name}: is not there"):
            SkipThought(str(tmp_path))
    uni, *_ = released(tmp_path)
    del uni["encoder_Ux"], uni["encoder_b"]
    np.savez(tmp_path / "uni_skip.npz", **uni)
    with refused("uni_skip.npz: has no encoder_b, encoder_Ux"):
        SkipThought(str(tmp_path))
    released(tmp_path, tables={"utable.npy": np.full((12, D_UNI), np.inf, np.float32)})
    with refused("embedding is not finite"):
        SkipThought(str(tmp_path)).score("hotels", ["madrid"])


def test_members_that_are_vast_when_unpacked_take_no_memory(tmp_path):
    """One that is there twice, and one of a hundredth of its size."""
    _, bi, _ = released(tmp_path)
    n = 2000
    vast = {name: np.zeros(s, "f") for name, s in skip_thought_files.shapes(D_UNI, n).items()}
    members = {f"encoder_{name}": w for name, w in vast.items()}
    np.savez_compressed(tmp_path / "uni_skip.npz", **members)
    said = "uni_skip.npz: .*'encoder_W.npy' is compressed"
    assert memory_to_refuse(tmp_path, said) < 4_000_000
    released(tmp_path)
    np.savez(tmp_path / "bi_skip.npz", meta=np.full(30_000_000, 32, np.uint8), **bi)
    assert memory_to_refuse(tmp_path, "bi_skip.npz: .*bytes of itself") < 4_000_000
    released(tmp_path)
    for content in (b"junk", (tmp_path / "bi_skip.npz").read_bytes()):
        released(tmp_path)
        whole = (tmp_path / "uni_skip.npz").read_bytes()
        for damaged in (content + whole, whole + content):
            (tmp_path / "uni_skip.npz").write_bytes(damaged)
            memory_to_refuse(tmp_path, "uni_skip.npz: .*damaged")


def memory_to_refuse(folder, said):
    """The memory that it takes to say so."""
    with memory() as taken, refused(said):
        SkipThought(str(folder))
    return taken()


def test_members_that_claim_to_be_vast_take_no_memory(tmp_path):
    released(tmp_path)
    with zipfile.ZipFile(tmp_path / "uni_skip.npz", "w") as archive:
        for name, shape in skip_thought_files.shapes(D_UNI, 2**40).items():
            with archive.open(f"encoder_{name}.npy", "w") as member:
                header = {"descr": "<f4", "fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_1_0(member, header)
    with refused("uni_skip.npz: .*encoder_W.npy' is not as long as it says"):
        SkipThought(str(tmp_path))
