"""Tests of pages written by `python -m lstm_course page`, and of files opened in the reader."""

import re

import numpy as np
import pytest
from node import in_node, needs_node, scripts
from small_reader import MODEL, TITLES, small_model

from lstm_course.__main__ import page
from lstm_course.explorers import from_page, weights, write_page
from lstm_edu import GRU, LSTM, DualEncoder, InputError, LetterTrigrams
from lstm_tools.cli.main import main

PARTS = "text forward weights hold looking drawing python own".split()
CONTENT = """
const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
globalThis.alert = () => { throw Error("run"); };
Promise.all(given.map(async ([name, bytes]) => {
  const file = bytes === "large" ? { name, size: 2e8 } : new File([Uint8Array.from(bytes)], name);
  try {
    const { titles, model } = await contentOf(file);
    const seen = model && look(model, { query: "bath of tub", title: "tub", t: null, s: null });
    const d = model && [...embeddingOf(model, "bath of tub")];
    return { titles, d, n: seen?.query.n_words, y: seen && [...seen.query.values.y.at(-1)] };
  } catch (error) {
    return error.message;
  }
})).then((all) => console.log(JSON.stringify(all)));
"""
HOSTILE = ["</script><script>alert(1)</script>", "<!--", "`${alert(1)}`", "__proto__"]


def in_reader(*files):
    """Open files in the page's reader; return each one's titles and model output, or a message."""
    given = [[name, data if data == "large" else [*data]] for name, data in files]
    return in_node(scripts(*PARTS), CONTENT, given)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Write a page for a model that reads only a text's first two words; return the page's path."""
    hashing = LetterTrigrams(MODEL.hashing.trigrams, max_words=2)
    path = tmp_path_factory.mktemp("page") / "mine.html"
    write_page(DualEncoder(LSTM(4, True, "full"), hashing, scale=0.3, tied=False), path, HOSTILE)
    return path


BROKEN = {  # for each fault: a pattern in a model's page, and its replacement
    "another version": ['"format":1', '"format":2'],
    "no version": ['"format":1,', ""],
    "another size": ['"size":4', '"size":5'],
    "an unknown cell": ['"cell":"LSTM"', '"cell":"constructor"'],
    "a missing weight": ['"Wrec"', '"Wrek"'],
    "weights that are no numbers": ['"scale":".{16}', '"scale":"AADAfwAAwH8AAMB/'],  # three NaNs
    "other states": ['"states":{"i"', '"states":{"x"'],
    "titles that are no texts": [r'"\\u003c!--"', "5"],
    "no JSON": ['{"format"', '{alert(1),"format"'],
}
# the reader refuses these, but Python doesn't
ONLY_DRAWN = (
    "another size",
    "other states",
    "titles that are no texts",
    "weights that are no numbers",
)
NOT_READ = {
    "titles.txt": [(b"", "is empty."), (b" \n\t\r\n", "has only blank lines.")],
    "many.txt": [(b"a\n" * 100_001, "has too many titles: 100,001; at most 100,000 are read.")],
    "line.txt": [(b"a" * 100_001, "has a title of 100,001 letters; at most 100,000 are read.")],
    "large.txt": [("large", "is too large: it has more than 100 megabytes.")],
    "model.npz": [(b"PK\x03\x04\x00", "is not text. "), ("ä".encode("latin-1"), "is not text. ")],
    "page.html": [(b"<p>alert</p><script>alert(1)</script>", "has no model, ")],
    "titles.js": [(b'(self.lstm_edu ??= {})["titles"] = ["a"];', "has no model, ")],
}


@needs_node
def test_reader_explains_in_one_line_why_it_refuses_file(model):
    text, said = model.read_text(encoding="utf-8"), {}
    files = [(name, data, line) for name, all_ in NOT_READ.items() for data, line in all_]
    for how, (old, new) in BROKEN.items():
        version = "is of another version (" if "version" in how else "has no model, or is damaged; "
        broken, n = re.subn(old, new, text, count=1)
        assert n == 1
        files.append(("broken.html", broken.encode(), version))
    said = in_reader(*((name, data) for name, data, _ in files))
    for (name, _, line), found in zip(files, said):
        assert isinstance(found, str) and found.startswith(line) and "\n" not in found, (
            name,
            found,
        )


@pytest.mark.parametrize("how", [how for how in BROKEN if how not in ONLY_DRAWN])
def test_python_refuses_broken_page(model, tmp_path, how):
    broken = tmp_path / "broken.html"
    text = re.sub(*BROKEN[how], model.read_text(encoding="utf-8"), count=1)
    broken.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"broken\.html: has no model of a page \("):
        from_page(broken)


@needs_node
def test_reader_and_python_read_same_model_and_titles_from_page(model):
    found = from_page(model)
    lines = ["\ufeff", "  one\ttitle ", "سلام", "<b>$x$</b>", "l" * 10_000]
    (taken, own) = in_reader(
        ("mine.html", model.read_bytes()), ("t.txt", "\r".join(lines).encode())
    )
    assert taken["titles"] == found.titles == HOSTILE
    assert own["titles"] == ["one\ttitle", "سلام", "<b>$x$</b>", "l" * 10_000]
    trace = found.model.trace("bath of tub")
    assert taken["n"] == len(trace.words) == 2
    np.testing.assert_allclose(taken["y"], trace.y[-1], atol=1e-12)
    (d,) = found.model.encode_document(["bath of tub"])
    np.testing.assert_allclose(taken["d"], d, atol=1e-12)
    # the page's only script is its own, whatever the titles contain
    assert model.read_text(encoding="utf-8").lower().count("</script") == 1


def test_page_command_writes_rounded_model_and_refuses_bad_arguments(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    MODEL.save("mine.npz")
    (tmp_path / "t.txt").write_text("\n".join(TITLES[:9]), encoding="utf-8")
    assert main(["page", "mine.npz", "--titles", "t.txt"], [page]) == 0
    assert capsys.readouterr().out.startswith("mine.html: open it in a browser")
    found, rounded = from_page("mine.html"), weights.rounded(MODEL)
    assert found.titles == TITLES[:9] and found.model.cell == MODEL.cell
    for side in ("query", "document"):
        for name, w in getattr(rounded, side).weights.items():
            np.testing.assert_array_equal(getattr(found.model, side).weights[name], w)
    small_model(GRU(3)).save("gru.npz")
    for arguments, line in {
        ("gru.npz",): "model: DualEncoder(GRU(n_cells=3)",
        ("mine.npz", "--out", "mine.txt"): "path: 'mine.txt'; must be the name of a page",
        ("none.npz",): "none.npz: No such file",
    }.items():
        assert main(["page", *arguments], [page]) == 2
        assert line in capsys.readouterr().err
