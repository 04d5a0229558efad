"""The reader in a page: what it computes is what Python does, and what is typed is what is read.

A page opened from a folder in headless Chromium, the network off.
"""

import json
import pathlib
import unicodedata

import numpy as np
import pytest
from chromium import NO_NETWORK, chromium, needs_chromium
from conftest import cell_name, until
from matplotlib import colormaps
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import lstm_edu
from lstm_edu import (
    GRU,
    LSTM,
    RNN,
    AlignedEncoder,
    Bidirectional,
    DualEncoder,
    InputError,
    LetterTrigrams,
)
from lstm_edu.explorers import looking, reader, weights
from lstm_edu.plots.style import GATES, STATES
from lstm_edu.text.hashing import RULES

TITLES = lstm_edu.sample().joinpath("titles.txt").read_text(encoding="utf-8").splitlines()
ODD = [
    "",
    " \t\n",
    "上海 hotels",
    "上海",
    '$\\frac{1}{2}$ <b>bath</b> & "tub"',
    "İstanbul ΌΔΟΣ ὈΔΥΣΣΕΎΣ Ǆ ﬁne ＨＯＴＥＬ ¨ ⅷ ǰ J\u030c",
    "a\u00a0b\u2003c\u3000d\x1ce\x85f\u2028g\ufeffh\u200bi\u180ej",
    "emoji 😀😀 𝐇𝐎𝐓𝐄𝐋 straße ẞ",
    "word " * 30,
    "l" + "o" * 300 + "ng word",
    "bath bath bath",
]
CELLS = [LSTM(32), RNN(24), LSTM(5, True, "full"), LSTM(4, True, "diagonal"), LSTM(3, True)]


def small_model(cell, rule="NFKC"):
    """A model of the sample's trigrams that nobody has trained, with sides of their own."""
    hashing = LetterTrigrams.fit(TITLES[::7], rule=rule)
    return DualEncoder(cell, hashing, seed=0, scale=0.3, tied=False)


def questions(n, seed=0):
    """n questions to a reader, the odd ones first."""
    rng = np.random.default_rng(seed)
    texts = ODD + [str(text) for text in rng.choice(TITLES, n)]
    at = lambda: None if rng.random() < 0.3 else int(rng.integers(0, 6))
    return [
        {"query": texts[k], "title": str(rng.choice(texts)), "t": at(), "s": at()} for k in range(n)
    ]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("profile"), NO_NETWORK) as browser:
        yield browser


@pytest.fixture(scope="module")
def parts(browser, tmp_path_factory):
    """A page of those scripts that compute, each a script by itself, and its folder."""
    folder = tmp_path_factory.mktemp("parts")
    names = ["text", "forward", "weights", "looking", "drawing"]
    for name in names:
        script = (reader.FOLDER / f"{name}.js").read_text(encoding="utf-8")
        (folder / f"{name}.js").write_text(script, encoding="utf-8")
    weights.write_titles(TITLES, folder / "titles.js")
    for k, cell in enumerate(CELLS):
        weights.write_model(small_model(cell), folder / f"model_{k}.js", f"model {k}", TITLES)
    names += ["titles", *(f"model_{k}" for k in range(len(CELLS)))]
    page = "<!doctype html><meta charset=utf-8>"
    page += "".join(f"<script src={name}.js></script>" for name in names)
    (folder / "parts.html").write_text(page, encoding="utf-8")
    browser.get((folder / "parts.html").as_uri())
    return browser


LOOK = """
const [name, questions] = arguments, model = unpacked(lstm_edu[name]);
const plain = (key, value) => ArrayBuffer.isView(value) ? Array.from(value) : value;
return JSON.stringify(questions.map(asked => look(model, asked, lstm_edu.titles)), plain)
"""


def worst(found, expected, where=""):
    """The largest difference of two numbers at the same place; all else has to be the same."""
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        return max([worst(found[k], expected[k], f"{where} {k}") for k in expected], default=0)
    if isinstance(expected, list):
        assert len(found) == len(expected), where
        pairs = enumerate(zip(found, expected))
        return max([worst(*pair, f"{where} {k}") for k, pair in pairs], default=0)
    if isinstance(expected, float):
        return abs(found - expected)
    assert found == expected, where
    return 0


@needs_chromium
@pytest.mark.parametrize("k", range(len(CELLS)), ids=lambda k: cell_name(CELLS[k]))
def test_every_state_is_python_s(parts, k):
    """Of the rounded weights: i, f, o, c, y, cosines, keywords, the ten best titles."""
    asked = questions(25)
    model = weights.rounded(small_model(CELLS[k]))
    vectors = model.encode_document(TITLES)
    expected = [looking.look(model, one, f"model {k}", TITLES, vectors) for one in asked]
    found = json.loads(parts.execute_script(LOOK, f"model_{k}", asked))
    assert worst(found, json.loads(json.dumps(expected))) < 1e-9
    assert sum(bool(one["best"]) for one in expected) > len(asked) / 2


@needs_chromium
@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("rule", RULES)
def test_every_letter_is_read_as_by_python(parts, rule, every):
    """Alone and between others; but for letters that their Unicodes do not class alike.

    Those of alphabets, of numbers and of presentation all; of the many others the soak does.
    """
    known = [*range(0x3400), *range(0xF900, 0x10000)]  # but for Han, Hangul and what is private
    letters = map(chr, [*known, *range(0x3400, 0xD800, every), *range(0x10000, 0x110000, every)])
    kinds = {}
    for letter in letters:
        kinds.setdefault(unicodedata.category(letter), []).append(letter)
    for private in {"Cn", "Co"} & kinds.keys():
        del kinds[private]
    seen = 0
    for kind, some in kinds.items():
        for start in range(0, len(some), 50_000):
            part = some[start : start + 50_000]
            found = parts.execute_script(READ, part, kind, rule)
            seen += sum(words is not None for words in found)
            assert not [
                (letter, words)
                for letter, words in zip(part, found)
                if words
                and words != RULES[rule](f"{letter} a{letter} Σ{letter}Σ").split()
                and unicodedata.normalize("NFKC", letter) != "ʕ"  # was a small letter until 2024
            ]
    assert seen > (130_000 if every == 1 else 15_000)


READ = """
const [letters, kind, rule] = arguments, same = new RegExp(`^\\\\p{${kind}}$`, "u");
return letters.map(x => same.test(x) ? wordsOf(`${x} a${x} Σ${x}Σ`, rule) : null)
"""


@needs_chromium
def test_letter_trigrams_are_python_s(parts):
    texts = [word for text in [*ODD, *TITLES[:200]] for word in text.split()]
    found = parts.execute_script("return arguments[0].map(word => letterTrigrams(word))", texts)
    assert found == [lstm_edu.letter_trigrams(word) for word in texts]


@needs_chromium
def test_colours_are_those_of_the_figures(parts):
    values = np.linspace(0, 1, 201)
    for name, colour in ((GATES, "ofGate(x)"), (STATES, "ofState(2 * x - 1, 1)")):
        found = parts.execute_script(f"return arguments[0].map(x => {colour})", values.tolist())
        rgb = [[int(x) for x in one[4:-1].split(",")] for one in found]
        assert np.abs(np.array(rgb) - 255 * colormaps[name](values)[:, :3]).max() < 3


# ---- the page, by hand

MODEL, OTHER = small_model(LSTM(12)), small_model(RNN(20))
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A reader</title>
<link rel="stylesheet" href="reader.css"><script defer src="reader.js"></script>
<body data-theme="light"><main><h1>A reader</h1>
<div class="reader" data-folder="" data-models='{"lstm": "an LSTM", "rnn": "an RNN"}'
data-query="bath tub" data-title="tub of paint"></div></main></body></html>"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    for name, text in (("reader.js", reader.script()), ("reader.css", reader.style())):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "page.html").write_text(PAGE, encoding="utf-8")
    weights.write_titles(TITLES[:500], folder / "titles.js")
    for name, called, model in (("lstm", "an LSTM", MODEL), ("rnn", "an RNN", OTHER)):
        weights.write_model(model, folder / f"{name}.js", called, TITLES[:500])
    return folder / "page.html"


@pytest.fixture
def opened(browser, page):
    """The page, newly opened, with its first picture."""
    browser.get(page.as_uri())
    until(lambda: parts_of(browser, ".reader-maps svg"), "the first picture")
    return browser


def parts_of(browser, selector):
    """The parts of the page that a selector finds and that are shown."""
    return [e for e in browser.find_elements("css selector", selector) if e.is_displayed()]


def type_in(browser, field, text):
    (box,) = parts_of(browser, f"input[id$=-{field}]")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text or Keys.DELETE)


def said(browser):
    return browser.find_element("css selector", ".reader-said").text


def values(browser, k=0):
    """What is said below the maps of a side (those of the query come first)."""
    return parts_of(browser, ".reader-values")[k].text


def seen_by_python(model, query, title, t=None, s=None):
    page = weights.rounded(model)
    vectors = page.encode_document(TITLES[:500])
    asked = {"query": query, "title": title, "t": t, "s": s}
    return looking.look(page, asked, "", TITLES[:500], vectors)


@needs_chromium
def test_what_is_typed_is_read_letter_by_letter(opened):
    type_in(opened, "query", "")
    for k in range(1, len("hotels in") + 1):
        (box,) = parts_of(opened, "input[id$=-query]")
        box.send_keys("hotels in"[k - 1])
        expected = seen_by_python(MODEL, "hotels in"[:k], "tub of paint")
        rows = [row.text for row in parts_of(opened, ".reader-best tbody tr")]
        assert rows == [
            f"{cosine:.3f} {title}".replace("-", "−", cosine < 0)
            for cosine, title in expected["best"]
        ]
        columns = opened.execute_script(
            "return [...document.querySelectorAll('.reader-within')[0].querySelectorAll('svg')]"
            ".map(map => [...map.querySelectorAll('text')].map(x => x.textContent))"
        )
        assert all(
            names[: len(expected["query"]["trigrams"])] == expected["query"]["trigrams"]
            for names in columns
        )


@needs_chromium
def test_the_keyboard_is_enough(opened):
    """From field to map, word to word, cell to cell, and to a title that is then read."""
    keys = lambda *some: ActionChains(opened).send_keys(*some).perform()
    on = lambda: opened.switch_to.active_element
    keys(Keys.TAB, Keys.END, " hotels")
    assert on().get_attribute("value") == "bath tub hotels"
    for _ in range(30):
        keys(Keys.TAB)
        if on().get_attribute("class").startswith("reader-maps"):
            break
    expected = seen_by_python(MODEL, "bath tub hotels", "tub of paint")["query"]["values"]
    for t, move in (
        (1, Keys.ARROW_LEFT),
        (0, Keys.ARROW_LEFT),
        (0, Keys.ARROW_LEFT),
        (2, Keys.END),
        (0, Keys.HOME),
        (1, Keys.ARROW_RIGHT),
    ):
        keys(move)
        for cell in range(3):
            keys(Keys.ARROW_DOWN)
            word = "bath tub hotels".split()[t]
            numbers = ", ".join(f"{name} = {expected[name][t][cell]:.3f}" for name in "iocy")
            assert values(opened) == f"cell {cell} at “{word}”: {numbers.replace('-', '−')}"
        keys(Keys.ESCAPE)
        assert on().get_attribute("class").startswith("reader-maps")
    stops = []
    for _ in range(30):
        keys(Keys.TAB)
        stops.append(on().text or on().get_attribute("aria-label") or "")
        if on().get_attribute("class") == "reader-title":
            break
    keys(Keys.TAB, Keys.ENTER)
    best = seen_by_python(MODEL, "bath tub hotels", "", t=1)["best"]
    (box,) = parts_of(opened, "input[id$=-title]")
    assert box.get_attribute("value") == best[1][1]


@needs_chromium
def test_a_cell_that_is_pointed_at_says_its_values(opened):
    map_ = parts_of(opened, ".reader-maps svg")[2]
    wide, high = map_.size["width"], map_.size["height"]
    # the second word, and the row of cell 3 (of 14 pixels, below a margin of 6)
    ActionChains(opened).move_to_element_with_offset(
        map_, 2 + 36 - wide // 2, 6 + 3 * 14 + 7 - high // 2
    ).perform()
    c = seen_by_python(MODEL, "bath tub", "tub of paint")["query"]["values"]["c"][1][3]
    assert values(opened).startswith("cell 3 at “tub”:")
    assert f"c = {c:.3f}".replace("-", "−") in values(opened)


@needs_chromium
def test_a_swapped_word_and_the_rnn_stand_beside_it(opened):
    choose = Select(opened.find_element("css selector", "select")).select_by_visible_text
    names = lambda: [name.text for name in parts_of(opened, ".reader-name")]
    choose("the query with a word swapped")
    type_in(opened, "swap", "paint")
    assert names() == ["an LSTM", "an LSTM: “bath paint”"]
    tables = parts_of(opened, ".reader-best")
    found = tables[1].text.splitlines()[1]
    cosine, title = seen_by_python(MODEL, "bath paint", "tub of paint")["best"][0]
    assert found == f"{cosine:.3f} {title}"
    choose("an RNN")
    until(lambda: names() == ["an LSTM", "an RNN"], "the RNN's script")
    cosine, title = seen_by_python(OTHER, "bath tub", "tub of paint")["best"][0]
    assert parts_of(opened, ".reader-best")[1].text.splitlines()[1] == f"{cosine:.3f} {title}"
    choose("nothing")
    assert names() == ["an LSTM"]


@needs_chromium
@pytest.mark.parametrize("text", [text for text in ODD if text.strip()])
def test_odd_texts_are_texts(opened, text):
    opened.execute_script("window.alert = () => { throw Error('run') }")
    for field in ("query", "title"):
        opened.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            parts_of(opened, f"input[id$=-{field}]")[0],
            text,
        )
    n = len(MODEL.hashing.words(text))
    assert not opened.find_elements("css selector", ".reader :is(b, img, mjx-container)")
    assert f"of {min(n, looking.MANY)}:" in parts_of(opened, ".reader-head")[0].text
    assert (f"Only the first 24 of the query's {n} words are read." in said(opened)) == (n > 24)
    assert ("Nothing in this query is known" in said(opened)) == (text == "上海")


@needs_chromium
def test_a_text_without_words_is_asked_for(opened):
    for query in ("", "   "):
        type_in(opened, "query", query)
        assert said(opened) == "Type a query." and not parts_of(opened, ".reader-best table")
    type_in(opened, "query", "tub")
    type_in(opened, "title", "")
    assert said(opened) == "" and parts_of(opened, ".reader-best table")


@needs_chromium
def test_a_script_that_is_missing_is_said(browser, page):
    other = page.with_name("other.html")
    other.write_text(PAGE.replace('"lstm":', '"gone":'), encoding="utf-8")
    browser.get(other.as_uri())
    until(lambda: "gone.js is missing." in said(browser), "a line that says so")


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("beside", ["nothing", "an RNN"])
def test_axe_finds_nothing(opened, theme, beside):
    """Of WCAG 2.2 AA, by axe-core, which a package brings."""
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    script = pathlib.Path(axe.__file__).parent / "axe.min.js"
    Select(opened.find_element("css selector", "select")).select_by_visible_text(beside)
    n = 2 if beside == "an RNN" else 1
    until(lambda: len(parts_of(opened, ".reader-name")) == n, beside)
    opened.execute_script("document.body.dataset.theme = arguments[0]", theme)
    opened.execute_script(script.read_text(encoding="utf-8"))
    rules = [f"wcag{version}" for version in ("2a", "2aa", "21a", "21aa", "22aa")]
    found = opened.execute_async_script(
        "const done = arguments[1], runOnly = arguments[0];"
        "axe.run({runOnly}).then(({violations}) => done(violations.map(v => [v.id, v.nodes.length"
        "])), error => done(String(error)))",
        rules,
    )
    assert found == []


# ---- without a browser


def test_any_cell_that_reads_word_by_word_can_be_looked_at():
    for cell in (GRU(4), Bidirectional(LSTM(3))):
        model = small_model(cell)
        asked = {"query": "bath tub", "title": "tub of paint", "t": 0, "s": None}
        found = looking.look(model, asked, "")
        trace = model.trace("bath tub")
        for name in cell.states:
            np.testing.assert_allclose(found["query"]["values"][name], getattr(trace, name), 1e-4)
        both = model.encode_query(["bath"]), model.encode_document(["tub of paint"])
        np.testing.assert_allclose(
            found["query"]["cosines"][0], model.similarity(*both)[0, 0], 1e-4
        )
        assert bool(found["query"]["within"]) == (cell.directions == 1)


@pytest.mark.parametrize("both", [False, True])
def test_of_aligned_words_the_model_s_own_score_is_shown_and_no_page_has_it(tmp_path, both):
    hashing = small_model(GRU(4)).hashing
    model = AlignedEncoder(LSTM(4), hashing, scale=1.0, tied=False, with_embedding=both)
    asked = {"query": "bath tub", "title": "tub of paint", "t": None, "s": 1}
    titles = ["paint a tub", "tub", "bath of paint"]
    found = looking.look(model, asked, "", titles, model.encode_document(titles))
    read = [model.score("bath tub", [title])[0] for title in ("tub", "tub of", "tub of paint")]
    np.testing.assert_allclose(found["document"]["cosines"], read, atol=1e-6)
    read = [model.score(query, ["tub of"])[0] for query in ("bath", "bath tub")]
    np.testing.assert_allclose(found["query"]["cosines"], read, atol=1e-6)
    assert [title for _, title in found["best"]] == [t for t, _ in model.rank("bath tub", titles)]
    assert not weights.is_for_a_page(model)
    with pytest.raises(InputError, match="model: .*; must be of an RNN or an LSTM"):
        weights.write_model(model, tmp_path / "aligned.js", "aligned words")


def test_rounded_weights_are_near_and_what_the_page_has():
    model = small_model(LSTM(5, True, "full"))
    for side, of_page in zip((model.query, model.document), (weights.rounded(model),) * 2):
        of_page = of_page.query if side is model.query else of_page.document
        for name, w in side.weights.items():
            found = of_page.weights[name]
            step = np.abs(w).max(axis=-1, keepdims=True) / 127 if w.ndim == 2 else 1e-6
            assert found.dtype == float and (np.abs(found - w) <= step * 0.51).all(), name


def test_a_page_has_no_step_of_a_cell_of_ones_own(tmp_path):
    with pytest.raises(InputError, match="model: .*; must be of an RNN or an LSTM"):
        weights.write_model(small_model(GRU(3)), tmp_path / "gru.js", "a GRU")
