"""What is wrong on a page is seen, however much of the same stands before it."""

import pytest
import visits
from chromium import needs_chromium

PAGE = """<!doctype html><html lang="en"><title>A page</title><style>
body { background: white; color: black } .k { color: #006400 } .pale { color: #ccc }
[data-theme=dark] { background: black; color: white }
[data-theme=dark] .k { color: #ccffcc } [data-theme=dark] .dim { color: #222 }
li { margin: 20px }
a { color: #00e; text-decoration: underline } [data-theme=dark] a { color: #9cf }
button { width: 10px; height: 10px; padding: 0; border: 0 }
</style><body><main><article><h1>A page</h1>
<table><tbody>ROWS</tbody></table><pre>TOKENS</pre><ul>POINTS</ul>PARAGRAPHS<p>BUTTONS</p>
<div style="overflow-x: auto"><div style="width: 800px">text</div></div></article></main>"""
MANY = 9
ROW, TOKEN = '<tr><td>a</td><td><img src="{0}" alt="b"></td></tr>', '<span class="k">def</span>\n'
POINT, PARAGRAPH = '<li><a href="#x">a</a></li>', "<p>Some <b>text</b>.</p>"
DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


def page(row="", token="", point="", paragraph="", buttons=""):
    """A page with one fault or none, at the end of much that is like it."""
    text = PAGE.replace("ROWS", ROW.format(DOT) * MANY + row.format(DOT))
    text = text.replace("TOKENS", TOKEN * MANY + token).replace("POINTS", POINT * MANY + point)
    return text.replace("PARAGRAPHS", PARAGRAPH * MANY + paragraph).replace("BUTTONS", buttons)


DARK = '<article style="background: #222"><p>Some <b>text</b>.</p></article>'
FAULTS = {
    "none": ({}, []),
    "picture": ({"row": '<tr><td>a</td><td><img src="{0}"></td></tr>'}, ["image-alt"]),
    "pale": ({"token": '<span class="k pale">def</span>'}, ["color-contrast"]),
    "pale by itself": ({"token": '<span style="color: #ccc">def</span>'}, ["color-contrast"]),
    "dim": ({"token": '<span class="dim">def</span>'}, ["color-contrast"]),
    "link": ({"point": '<li><a href="#x"></a></li>'}, ["link-name"]),
    "list": ({"paragraph": "<div><li>a</li></div>"}, ["listitem"]),
    "ground": ({"paragraph": DARK}, ["color-contrast"] * 2),
    "buttons": ({"buttons": '<button aria-label="a"></button>' * 2}, ["target-size"] * 2),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, (parts, _) in FAULTS.items():
        (folder / f"{name}.html").write_text(page(**parts), encoding="utf-8")
    pages = [folder / f"{name}.html" for name in FAULTS]
    visited = visits.visit(pages, tmp_path_factory.mktemp("profile"), ["light", "dark"])
    return {path.stem: what for path, what in visited.items()}


@needs_chromium
@pytest.mark.parametrize("name", FAULTS)
def test_axe_finds_it(found, name):
    _, expected = FAULTS[name]
    seen, wrong = found[name]
    rules = sorted(rule for rule, _ in wrong)
    # which is wide only on a narrow page
    assert rules.pop(rules.index("scrollable-region-focusable"))
    assert rules == expected
    assert bool(seen[1280]["nameless"]) == (name == "picture")
    assert bool(seen[1280]["small"]) == (name == "buttons")
    assert not seen[1280]["sticks_out"] and not seen[390]["misread"]
