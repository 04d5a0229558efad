"""Tests that the code in *Show this as Python* gives the numbers that the page shows."""

import io
from contextlib import redirect_stdout

import numpy as np
import pytest
from node import in_node, needs_node, scripts
from small_reader import MODEL, OTHER, QUERIES, TITLES

import lstm_edu
from lstm_course.explorers import page_training, reader, weights

pytestmark = needs_node
GIVEN = 'const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));'
# on loading, the scripts look for elements of the page
PAGE = "globalThis.self = globalThis; globalThis.document = { querySelectorAll: () => [] };"


def printed(lines):
    """Run Python code, and return the lines that it prints."""
    with redirect_stdout(io.StringIO()) as out, np.printoptions(precision=12, linewidth=9999):
        exec(lines, {})
    return out.getvalue().split("\n")[:-1]


def numbers(text):
    return [float(part) for part in text.strip("[]()").split()]


# ---- the reader
LOOK = """
const textOfFile = (name) => require("fs").readFileSync(name, "utf-8");
for (const name of ["lstm", "rnn"]) eval(textOfFile(`${name}.js`));
const plain = (key, value) => ArrayBuffer.isView(value) ? Array.from(value) : value;
(async () => {
  const found = [];
  for (const { wanted, side, states, t, files, own } of given) {
    let titles = own === "page" ? self.lstm_edu.titles : null, first = unpacked(self.lstm_edu.lstm);
    if (own) {
      const from = await contentOf(new File([textOfFile(own)], own));
      titles = from.titles;
      first = await searching(from.model ?? first, titles, () => false);
    }
    const models = { lstm: first, rnn: unpacked(self.lstm_edu.rnn) };
    const seen = wanted.map(([asked, name]) =>
      look(models[name], asked, name === "lstm" ? titles : null));
    found.push({ seen, lines: pythonOfReader(wanted, seen, files, side, states, t) });
  }
  console.log(JSON.stringify(found, plain));
})();
"""
PARTS = "text forward weights hold looking drawing python own reader_python".split()
QUERY = {"query": "bath tub of", "title": "tub of paint", "t": None, "s": None, "hold": ""}
MINE = ["tub \u2028 paint", "", " “bath” \u202e tub \\ ", "\u00a0", "<b>bath</b>", "paint", "paint"]
# For each case: the texts to read, the side (query or document) and states that the map shows, the
# framed word, and the titles' file.
SHOWN = {
    "a query": ([(QUERY, "lstm")], "query", ["c"], 2, "mine.txt"),
    "its first words": ([(QUERY | {"t": 1, "s": 0}, "lstm")], "query", ["i"], 1, "mine.txt"),
    "the title": ([(QUERY | {"s": 1}, "lstm")], "document", ["y"], 1, "mine.txt"),
    "two models": ([(QUERY, "lstm"), (QUERY, "rnn")], "query", ["c", "y"], 2, "mine.txt"),
    "a swap": (
        [(QUERY, "lstm"), (QUERY | {"query": 'bath "paint\\" of'}, "lstm")],
        *("query", ["yg", "yg"], 1, "mine.txt"),
    ),
    "held gates": (
        [(QUERY | {"hold": "i:mean,f:shut,o:open"}, "lstm"), (QUERY, "lstm")],
        *("query", ["c", "c"], 2, "mine.txt"),
    ),
    "a held offer": (
        [(QUERY | {"hold": "yg:mean,o:mean"}, "lstm"), (QUERY, "lstm")],
        *("query", ["i", "i"], 2, "mine.txt"),
    ),
    "a page": ([(QUERY, "lstm")], "query", ["o"], 2, "mine.html"),
    "odd letters": (
        [(QUERY | {"query": 'bath "\\t \u202etub\u200b \U0001f600'}, "lstm")],
        *("query", ["c"], 3, "mine.txt"),
    ),
    "nothing known": ([(QUERY | {"query": "上海"}, "lstm")], "query", ["y"], 0, "mine.txt"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Return the folder with the files that the code reads, and what the page shows per case."""
    folder = tmp_path_factory.mktemp("shown")
    weights.write_model(MODEL, folder / "lstm.js", "an LSTM", None, QUERIES)
    weights.write_model(OTHER, folder / "rnn.js", "an RNN")
    weights.write_page(MODEL, folder / "mine.html", ["tub", "</script>", *TITLES[:30]])
    (folder / "mine.txt").write_text("\ufeff" + "\r\n".join(MINE), encoding="utf-8", newline="")
    given = []
    for wanted, side, states, t, own in SHOWN.values():
        models = {"lstm": own if own.endswith("html") else "lstm.js", "rnn": "rnn.js"}
        files = {"models": models, "titles": own}
        given.append(dict(wanted=wanted, side=side, states=states, t=t, own=own, files=files))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        shown = in_node(scripts(*PARTS), PAGE + GIVEN + LOOK, given)
    return folder, dict(zip(SHOWN, shown))


@pytest.mark.parametrize("case", SHOWN)
def test_reader_code_prints_same_cosine_states_and_titles_as_page(found, case, monkeypatch):
    folder, shown = found
    monkeypatch.chdir(folder)
    wanted, side, states, t, _ = SHOWN[case]
    said = printed(shown[case]["lines"])
    for (asked, _), one, state in zip(wanted, shown[case]["seen"], states):
        cosine = one["query"]["cosines"][one["query"]["at"]]
        if cosine is not None:
            assert float(said.pop(0)) == pytest.approx(cosine, abs=1e-9)
        np.testing.assert_allclose(numbers(said.pop(0)), one[side]["values"][state][t], atol=1e-9)
        best = one["best"] or []
        if asked["hold"]:
            ranked = [[*pair] for pair in eval(said.pop(0), {"np": np})]
        else:
            ranked = [said.pop(0).split(" ", 1) for _ in best]
        assert [title for _, title in ranked] == [title for _, title in best]
        cosines = [[float(R) for R, _ in pairs] for pairs in (ranked, best)]
        np.testing.assert_allclose(*cosines, atol=1e-9)
    assert said == [] and all(line.isprintable() for line in shown[case]["lines"].split("\n"))
    is_known = case != "nothing known"
    assert bool(shown[case]["seen"][0]["best"]) == is_known


# ---- the race
RACES = [
    {"start": [-4, 1], "mu": 0.9, "epsilon": 0.02, "k": 2},
    {"start": [0, -1.2], "mu": 0, "epsilon": 0.051, "k": 100},
    {"start": [2.5, 0.3], "mu": 0.98, "epsilon": 0.002, "k": 0},
]


def test_race_code_gives_positions_and_costs_of_all_three_methods():
    script = (
        GIVEN
        + """
    console.log(JSON.stringify(given.map((from) => [pythonOfRace(from),
      racing(from).map(({ path }) => [...path[from.k], costAt(path[from.k])])])));"""
    )
    source = {"all": reader.joined(*reader.OF_SENTENCES)}
    for lines, ways in in_node(source, script, RACES):
        said = [line.rpartition("[") for line in printed(lines)]
        assert [name.strip() for name, *_ in said] == ["gradient descent", "momentum", "Nesterov's"]
        by_python = [numbers(rest.replace("]", "")) for *_, rest in said]
        np.testing.assert_allclose(by_python, ways, rtol=1e-11)


# ---- follow the error
ERRORS = """
const [kinds, T, scale, asPrinted, gone] = given, out = new Set(gone);
const arrows = arrowsOf("LSTM", asPrinted);
const slopes = (kind) => nudged(kind, WEIGHTS[kind], wordsUpTo(2));
console.log(JSON.stringify({
  lines: pythonOfErrors(kinds, T, scale) + "\\n" + pythonOfArrows(arrows, out),
  errors: kinds.map((kind) => [Object.values(slopes(kind)), partsOf(kind, T, scale)]),
  arrows: errorsBy(arrows, out),
}));
"""


@pytest.mark.parametrize(
    "given",
    [
        (["RNN"], 2, 1, False, []),
        (["RNN", "LSTM"], 12, 1.7, True, []),
        (["LSTM"], 5, 0, False, [3]),
    ],
    ids=["RNN", "as printed", "a bug"],
)
def test_backpropagation_code_prints_same_derivatives_and_errors_as_page(given):
    source = {"page": PAGE, "all": reader.joined(*reader.OF_ERRORS)}
    shown = in_node(source, GIVEN + ERRORS, given)
    *by_cell, by_arrow = printed(shown["lines"])
    errors = [part for both in shown["errors"] for part in both]
    for found, expected in zip(by_cell, errors, strict=True):
        np.testing.assert_allclose(numbers(found), expected, atol=1e-8)
    assert eval(by_arrow) == pytest.approx(shown["arrows"], abs=1e-15)


# ---- training
TRAIN = """
const told = [];
globalThis.postMessage = (data) => told.push(data);
const { queries, titles, clicks, kind, n, seed, settings, updates } = given;
useLog([queries, titles, clicks]);
beginRun(1, { kind, m: 16, n, seed, settings });
for (const k of updates) {
  while (now.run.k < k) takeUpdate();
  lookNow();
}
console.log(JSON.stringify(told));
"""
TRAINED = [
    ("RNN", 4, 3, "nesterov", 0.001, [2, 5, 5]),
    pytest.param("LSTM", "batch", 0, "adam", 0.002, [30, 60], marks=pytest.mark.soak),
]


@pytest.mark.parametrize("kind, n, seed, optimizer, step_size, updates", TRAINED)
def test_training_code_prints_same_cost_and_ndcg_as_page(
    kind, n, seed, optimizer, step_size, updates
):
    pairs = lstm_edu.read_pairs(lstm_edu.sample() / "train_pairs.tsv")[: page_training.PAIRS]
    titles = list(dict.fromkeys(title for _, title in pairs))
    place = {title: k for k, title in enumerate(titles)}
    chosen = {"optimizer": optimizer, "momentum": 0.9, "epsilon": step_size, "gamma": 5}
    source = {"all": f"{PAGE}\n{reader.joined(*reader.OF_TRAINING)}"}
    settings = in_node(source, "console.log(JSON.stringify(FIXED))")
    given = dict(queries=[query for query, _ in pairs], titles=titles)
    given |= dict(clicks=[place[title] for _, title in pairs], kind=kind, n=n, seed=seed)
    given |= dict(settings=settings | chosen, updates=updates)
    told = in_node(scripts(*reader.OF_WORKER), GIVEN + TRAIN, given)
    run = {"seed": seed, "told": told, "chosen": chosen | {"kind": kind, "m": "16", "n": str(n)}}
    lines = in_node(source, GIVEN + "console.log(JSON.stringify(pythonOfTraining(given)))", run)
    cost, ndcg = map(float, printed(lines)[0].split())
    assert cost == pytest.approx(told[-1]["cost"], rel=1e-4)
    assert ndcg == pytest.approx(told[-1]["ndcg"], abs=1e-3)
