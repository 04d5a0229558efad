"""A book's pages as a browser has them, with no network: what a reader sees, what axe-core finds.

Each page is opened once.
"""

from importlib.resources import files

import pytest
from chromium import NO_NETWORK, chromium, widen
from conftest import until

RULES = [f"wcag{version}" for version in ("2a", "2aa", "21a", "21aa", "22aa")]
COLOURS = ["color-contrast", "link-in-text-block"]

# Until the formulas are set. Nothing is on its way from one colour to another afterwards.
SETTLED = """
const done = arguments[0];
document.head.append(Object.assign(document.createElement("style"),
  {textContent: "*, ::before, ::after { transition: none !important }"}));
const set = Promise.all([window.MathJax?.startup?.promise, document.fonts.ready]);
set.then(() => requestAnimationFrame(() => {
  document.getAnimations().forEach(animation => animation.finish());
  done();
}));
"""

# What a reader would see of a page at a width.
LOOK = r"""
const [width] = arguments, all = document, style = getComputedStyle;
const scrolls = e => { for (; e && e.tagName != "ARTICLE"; e = e.parentElement)
  if (e.tagName == "DETAILS" && !e.open
      || ["auto", "scroll", "hidden"].includes(style(e).overflowX)) return true; };
const text = (all.querySelector("article") ?? all.body).cloneNode(true);
text.querySelectorAll("pre, code, script, math, mjx-container").forEach(e => e.remove());
return {formulas: all.querySelectorAll("math").length,
        stops: [...all.querySelectorAll("math, math *, mjx-container, mjx-container *")]
          .filter(e => e.tabIndex >= 0 && !("scrolls" in e.dataset))
          .map(e => e.outerHTML.slice(0, 80)),
        misread: [...all.querySelectorAll("[data-mjx-error]")]
          .map(e => e.getAttribute("data-mjx-error")),
        raw: text.textContent.match(/.{0,40}([$][$]|\\mathbf|\\frac|\\delta).{0,40}/g) || [],
        figures: all.querySelectorAll("article img").length,
        cut: width < 1280 ? [] : [...all.querySelectorAll("article pre")]
          .filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent.slice(0, 80)),
        unreachable: [...all.querySelectorAll(`pre, p, .table-wrapper, .output, .map,
            .jp-RenderedHTMLCommon, .jp-OutputArea-output, div.math`)]
          .filter(e => e.scrollWidth > e.clientWidth && e.clientWidth && e.tabIndex < 0
                       && ["auto", "scroll"].includes(style(e).overflowX))
          .map(e => e.outerHTML.slice(0, 80)),
        small: [...all.querySelectorAll(`button, select, summary, .map a, .sidebar-tree a,
            .toc-tree a, .toc-overlay-icon, .nav-overlay-icon`)]
          .map(e => [e.getBoundingClientRect(), e.outerHTML.slice(0, 80)])
          .filter(([{width, height}]) => width * height && Math.min(width, height) < 24),
        nameless: [...all.querySelectorAll("article img")]
          .filter(e => !e.alt || /[.](png|svg)$/.test(e.alt)).map(e => e.src),
        shrunk: [...all.querySelectorAll("article .cell_output img[width]")]
          .filter(e => width < 900 && e.clientWidth < e.getAttribute("width") - 1)
          .map(e => e.src),
        broken: [...all.images].filter(image => !image.naturalWidth).map(image => image.src),
        smooth: [...all.querySelectorAll("html, .sidebar-scroll, .toc-scroll")]
          .filter(e => style(e).scrollBehavior != "auto").map(e => e.outerHTML.slice(0, 80)),
        sticks_out: [...all.querySelectorAll("article *")]
          .filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
          .map(e => e.outerHTML.slice(0, 80))};
"""

# What axe has met twice, on this page or before, but for its words and in the same colours, it need
# not see again: paragraphs, rows and points of a list go, of tokens of code the words stay. So they
# do of formulas: whoever is read to hears them, and nobody sees their elements. Of some thousands
# of elements that leaves some hundreds.
ONCE = r"""
const [met] = arguments, style = getComputedStyle;
const ground = e => /, 0\)$/.test(style(e).backgroundColor) && e.parentElement
  ? ground(e.parentElement) : style(e).backgroundColor;
const bare = e => e.outerHTML.replace(/ (id|href|name|src|title|alt)="[^"]+"/g, " $1")
                             .replace(/>[^<]*[^<\s][^<]*/g, ">x");
const kind = e => [e.parentElement.tagName, e.parentElement.className, bare(e), style(e).color,
                   ground(e.firstElementChild ?? e), style(e).font].join();
[...document.querySelectorAll(".math > math, mjx-container")].slice(2)
  .forEach(e => e.replaceWith(e.textContent));
[...document.querySelectorAll("pre > *, code > *, .sig > *, tbody > tr, li, p")].filter(e => {
  const of = kind(e);
  return (met[of] = (met[of] ?? 0) + 1) > 2;
}).forEach(e => e.matches("tr, li, p") ? e.remove() : e.replaceWith(e.textContent));
return met;
"""

WRONG = """
const [rules, done] = arguments, named = {"label-content-name-mismatch": {enabled: true}};
axe.run(document, {runOnly: rules, rules: named, resultTypes: ["violations"]}).then(
  ({violations}) => done(violations.flatMap(v => v.nodes.map(n => [v.id, n.html.slice(0, 120)]))),
  error => done([String(error)]))
"""


def axe():
    """The script of axe-core, which selenium-axe-python brings."""
    pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed")
    script = files("selenium_axe_python") / "axe-core" / "axe.min.js"
    return script.read_text(encoding="utf-8")


def check_by_axe(browser, themes=("light", "dark")):
    """Of WCAG 2.2 AA it finds nothing, as the page is now."""
    browser.execute_script(axe())
    for theme in themes:
        browser.execute_script("document.body.dataset.theme = arguments[0]", theme)
        assert browser.execute_async_script(WRONG, RULES) == []


FITS = """
const [parts, targets] = arguments;
const boxes = (s) => [...document.querySelectorAll(s)].map((e) => e.getBoundingClientRect());
const seen = boxes(targets).filter(({width}) => width);
return [document.documentElement.scrollWidth, Math.max(...boxes(parts).map((b) => b.right)),
        Math.min(...seen.flatMap(({width, height}) => [width, height]))];
"""


def check_fits(browser, width, parts, targets):
    """Nothing sticks out of a page so wide, and a thumb hits each target (by selectors)."""
    wide, right, target = browser.execute_script(FITS, parts, targets)
    assert wide <= width and right <= width and target >= 44, (wide, right, target)


def check_offline(browser):
    """Nothing that the page has loaded comes from afar."""
    loaded = "return performance.getEntriesByType('resource').map(e => e.name)"
    assert all(name.startswith(("file:", "blob:")) for name in browser.execute_script(loaded))


def visit(pages, profile, themes):
    """Of each page what is seen at 390, 1024 and 1280 pixels, and what is wrong by WCAG 2.2 AA."""
    script, found, met = axe(), {}, {}
    with chromium(profile, NO_NETWORK) as browser:
        for page in pages:
            widen(browser, 1280)
            browser.get(page.as_uri())
            browser.execute_async_script(SETTLED)
            browser.execute_script(script)
            seen, wrong = {}, []
            for width in 390, 1024, 1280:
                widen(browser, width)
                seen[width] = browser.execute_script(LOOK, width)
            met = browser.execute_script(ONCE, met)
            for theme in themes:
                browser.execute_script("document.body.dataset.theme = arguments[0]", theme)
                # what does not depend on colour is looked for once
                rules = RULES if theme == themes[0] else COLOURS
                wrong += browser.execute_async_script(WRONG, rules)
            widen(browser, 390)
            wrong += browser.execute_async_script(WRONG, ["scrollable-region-focusable"])
            found[page] = seen, wrong
    return found


# How far the target of the page's link is from where a reader looks for it, and how much has moved
# since the page was first seen (a part of the window, as browsers reckon it).
MISSED = """
const target = document.getElementById(arguments[0]), moved = new PerformanceObserver(() => {});
moved.observe({type: "layout-shift", buffered: true});
return [target.getBoundingClientRect().top - parseFloat(getComputedStyle(target).scrollMarginTop),
        moved.takeRecords().reduce((all, {value}) => all + value, 0)];
"""


def follow(browser, page, place, width):
    """Where a link to a place on a page leads at a width: how far from it, and how much moved."""
    widen(browser, width)
    browser.get("about:blank")  # what is there already would not be loaded again
    browser.get(f"{page.as_uri()}#{place}")
    drawn = "return [...document.querySelectorAll('.reader')].every(e => e.querySelector('svg'))"
    until(lambda: browser.execute_script(drawn), "the reader's first picture")
    browser.execute_async_script(SETTLED)
    return browser.execute_script(MISSED, place)
