"""Instruments between sentences: their numbers are Python's, and keyboard or thumb are enough."""

import json
import re
from functools import cache

import node
import numpy as np
import pytest
import sentences
from chromium import at_width, motion, needs_chromium, press, write_page
from conftest import ROOT
from live import TITLE
from selenium.webdriver.common.keys import Keys
from visits import check_by_axe, check_fits, check_offline

from lstm_course.explorers import reader
from lstm_course.lessons import claims
from lstm_edu.gradients import cost

NAMES = ["push", "race", "rows"]
TABLE = 'const T = JSON.parse(require("fs").readFileSync(0, "utf-8")).sets;'


def in_node(expression):
    """What node makes of an expression, with the instruments' functions and Table IV."""
    if node.NODE is None:
        pytest.skip("node is not installed: it runs the page's scripts here")
    source = {"all": reader.joined(*reader.OF_SENTENCES)}
    script = f"{TABLE}\nconsole.log(JSON.stringify({expression}));"
    return node.in_node(source, script, sentences.table_iv())


def notebook(name):
    return json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))


def cells(name, *ids, given):
    """What cells of a lesson define, without what they show; START is a race's start."""
    sources = {cell["id"]: "".join(cell["source"]) for cell in notebook(name)["cells"]}
    found = dict(given)
    for one in ids:
        source = re.sub(r"^(explorers|plots)\..*", "", sources[one], flags=re.MULTILINE)
        exec(source.replace("[-4.0, 1.0]", "START"), found)
    return found


def answer(name):
    return sentences.LESSONS[name][-1]


def test_titles_are_the_lessons(monkeypatch):
    monkeypatch.chdir(ROOT / "notebooks")
    given = {"query": "hotels in shanghai", "clicked": TITLE}
    lesson = cells("03_turn_clicks_into_a_cost", "03-03", "03-27", given=given)
    titles, R = zip(*in_node("TITLES"))
    assert list(titles) == lesson["kinds"]
    assert R == pytest.approx(lesson["R_kinds"], abs=1e-9)


def test_pushes_are_those_of_python():
    rng = np.random.default_rng(0)
    given = [
        (rng.uniform(-1, 1, n + 1).tolist(), gamma) for n in range(1, 7) for gamma in (1, 7, 40)
    ]
    found = in_node(f"{json.dumps(given)}.map(([R, gamma]) => costOfCosines(R, gamma))")
    for (R, gamma), own in zip(given, found):
        (l,), (alpha,) = cost.loss(R[0] - np.array([R[1:]]), gamma)
        assert own["cost"] == pytest.approx(l, rel=1e-12)
        assert own["dR"] == pytest.approx([alpha.sum(), *-alpha], rel=1e-12)


def test_the_answer_on_pushes_is_right():
    at = "(gamma) => costOfCosines(TITLES.map(([, r]) => r), gamma).dR"
    pushes = np.array(in_node(f"Array.from({{ length: 40 }}, (_, k) => ({at})(k + 1))"))
    hardest = pushes.argmax(axis=0) + 1
    said = answer("03_turn_clicks_into_a_cost")
    assert f"$\\gamma={hardest[1]}$, by {pushes[:, 1].max():.2f}." in said
    assert f"hardest push at {hardest[3]}." in said


@pytest.mark.parametrize("start", [(-4, 1), (0, 1), (-0.1, 1), (2.5, -0.7)])
@pytest.mark.parametrize("mu, epsilon", [(0.9, 0.02), (0.3, 0.048), (0.97, 0.06)])
def test_the_race_is_the_lessons(start, mu, epsilon):
    lesson = cells("06_train", "06-09", given={"np": np, "START": start})
    raced = f"racing({json.dumps({'start': start, 'mu': mu, 'epsilon': epsilon})})"
    ways, arrivals = in_node(f"[{raced}, {raced}.map(arrival)]")
    for own, arrived, way in zip(ways, arrivals, ((0, False), (mu, False), (mu, True))):
        with np.errstate(over="ignore", invalid="ignore"):
            path = lesson["descend"](*way, n_updates=400, epsilon=epsilon)
            L = path**2 @ lesson["CURVATURE"] / 2
        n = np.isfinite(path).all(axis=1).sum()  # a way that flies out
        np.testing.assert_allclose(np.array(own["path"][:n], float), path[:n], rtol=1e-12)
        late = np.flatnonzero(~(L <= 0.001))
        assert arrived == (late[-1] + 1 if late[-1] < 400 else None)  # JSON has no Infinity


def test_the_answer_on_the_race_is_right():
    starts = [[round(x / 10, 1), y] for x in range(-40, 31) for y in (0.2, 1, 1.2)]
    first = "{ mu: 0.9, epsilon: 0.02 }"
    found = in_node(
        f"{json.dumps(starts)}.map((start) => racing({{ ...{first}, start }}).map(arrival))"
    )
    by_start = dict(zip(map(tuple, starts), found))
    assert {x for (x, _), own in by_start.items() if own[2] > min(own)} == {0}
    descent, momentum, own = by_start[0, 1]
    aside = by_start[-0.1, 1]
    said = answer("06_train")
    assert f"after {descent} updates, Nesterov's after {own} and momentum after {momentum}" in said
    assert f"takes {aside[0]} updates to Nesterov's {aside[2]}" in said


def test_differences_are_those_of_python_and_the_answer_is_right():
    """Of every two rows, on every set."""
    pairs = "common.flatMap((a, k) => common.slice(k + 1).map((b) => [a, b]))"
    found = in_node(
        "(() => { const all = Object.entries(T).map(([name, own]) => [name, unpackedSet(own)]);"
        " const isCommon = (row) => all.every(([, own]) => row in own.rows);"
        " const common = Object.keys(T.msrd.rows).filter(isCommon);"
        f" return {pairs}.map(([a, b]) => [a, b, Object.fromEntries(all.map(([name, own]) =>"
        " [name, differenceOf(own, a, b)]))]); })()"
    )
    change = []
    for a, b, by_set in found:
        for name, own in by_set.items():
            expected = claims.difference(rows_of(name), a, b)
            ends = [own[end] for end in ("mean", "low", "high")]
            assert ends == pytest.approx(expected[:3], abs=1e-9)
            d = np.subtract(*(rows_of(name)[row]["by_query"] for row in (a, b)))
            assert [own["better"], own["worse"], own["n"]] == [(d > 0).sum(), (d < 0).sum(), len(d)]
        signs = {np.sign(own["low"]) for own in by_set.values() if own["low"] * own["high"] > 0}
        if len(signs) == 2:
            change.append({a, b})
    said = answer("10b_table_iv")
    assert f"of {len(found)} pairs" in sentences.LESSONS["10b_table_iv"][2].replace("\n", " ")
    assert said.startswith("Twenty-five") and len(change) == 25
    assert all(pair in change for pair in ({"rnn", "dssm"}, {"gru", "dssm"}, {"ulm", "plsa"}))
    assert sum("skip_thought" in pair for pair in change) == 4


@cache
def rows_of(name):
    path = ROOT / "benchmarks" / f"table_iv_{name}.json"
    return claims.by_row(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", sentences.LESSONS)
def test_a_lesson_has_its_instrument_and_all_that_it_had(name):
    before = notebook(name)
    after = sentences.in_lesson(before, name)["cells"]
    new = [cell for cell in after if cell["id"] == "sentence"]
    assert len(new) == 1 and f'data-shows="{sentences.LESSONS[name][1]}"' in new[0]["source"]
    assert [cell for cell in after if cell["id"] != "sentence"] == before["cells"]


# ---- in a page
DARK = "<style>[data-theme=dark] { background: #131416; color: #cfd0d0 }</style>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sentences")
    sentences.write(folder)
    for name in NAMES:
        html = sentences.element(0, name).replace(sentences.FOLDER, "")
        write_page(folder, DARK, html, f"{name}.html")
    return folder


def said(browser):
    return browser.find_element("css selector", ".sentence [role=status]").text


@needs_chromium
def test_the_keyboard_is_enough(browser, folder):
    """To push by another cosine, to lose the race by its start, to compare other rows."""
    browser.get((folder / "push.html").as_uri())
    assert "All pushes together: 4.76." in said(browser)
    press(browser, *[Keys.TAB] * 6, Keys.END)  # the climate
    now = browser.switch_to.active_element
    assert now.get_attribute("aria-valuetext") == "cosine 1.00, pushed 5.07, 51 % of γ"
    assert "All pushes together: 7.06." in said(browser)
    browser.get((folder / "race.html").as_uri())
    assert said(browser).startswith("Nesterov’s wins.")
    press(browser, Keys.TAB, *[Keys.RIGHT] * 40)
    assert browser.switch_to.active_element.get_attribute("value") == "0"
    assert said(browser).startswith("Nesterov’s has lost.")
    press(browser, *[Keys.TAB] * 6, Keys.ENTER)
    assert browser.switch_to.active_element.text == "Start again"
    assert said(browser).startswith("Nesterov’s wins.")
    browser.get((folder / "rows.html").as_uri())
    assert said(browser).endswith("either may be ahead on msrd.")
    press(browser, Keys.TAB, "gru")
    assert said(browser) == "gru is ahead on sample and onet; dssm is ahead on msrd."
    press(browser, Keys.TAB, Keys.TAB, Keys.ENTER)
    assert said(browser) == "dssm is ahead on msrd; gru is ahead on sample and onet."
    rows = [e.text for e in browser.find_elements("css selector", ".sentence .row p")]
    assert rows[0].startswith("sample −4.31 points (−5.57 to −3.04)")


@needs_chromium
def test_a_thumb_drags_the_start(browser, folder):
    browser.get((folder / "race.html").as_uri())
    box = browser.execute_script(
        "const b = document.querySelector('.hold').getBoundingClientRect();"
        "const s = document.querySelector('.pictures svg').getBoundingClientRect();"
        "return [b.left + b.width / 2, b.top + b.height / 2, s.left + s.width * 4.6 / 7.8]"
    )
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    x, y, middle = box
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        *(("touchMove", [{"x": x + (middle - x) * part, "y": y}]) for part in (0.3, 0.7, 1)),
        ("touchEnd", []),
    ):
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    start = [e.text for e in browser.find_elements("css selector", ".sentence output")[:2]]
    assert start == ["0.0", "1.0"] and said(browser).startswith("Nesterov’s has lost.")


@needs_chromium
@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_the_race_runs_only_where_motion_is_welcome(browser, folder, wish):
    with motion(browser, wish):
        browser.get((folder / "race.html").as_uri())
        found = browser.execute_script(
            "document.querySelector('.sentence .first').click();"
            "return [...document.querySelectorAll('.sentence output')].at(-1).textContent.trim()"
        )
    assert found == {"no-preference": "2", "reduce": "100"}[wish]


@needs_chromium
@pytest.mark.parametrize("name", NAMES)
def test_it_fits_and_axe_finds_nothing(browser, folder, name):
    """Of WCAG 2.2 AA; at 390 and 1440 pixels all can be seen and be hit with a thumb."""
    browser.get((folder / f"{name}.html").as_uri())
    for width in 390, 1440:
        with at_width(browser, width):
            targets = ".sentence :is(button, select, input, .hold)"
            check_fits(browser, width, ".sentence *:not(svg *)", targets)
            check_by_axe(browser)
    check_offline(browser)
