"""Layout and accessibility checks (axe-core) of pages in a browser without network access."""

from importlib.resources import files

import pytest
from chromium import NO_NETWORK, call, chromium, widen

RULES = [f"wcag{version}" for version in ("2a", "2aa", "21a", "21aa", "22aa")]
COLOURS = ["color-contrast", "link-in-text-block"]


def by_axe(browser, themes=("light", "dark")):
    """Return the violations of WCAG 2.2 AA that axe-core finds on the current page."""
    pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed")
    script = files("selenium_axe_python") / "axe-core" / "axe.min.js"
    browser.execute_script(script.read_text(encoding="utf-8"))
    wrong = []
    for theme in themes:
        browser.execute_script("document.body.dataset.theme = arguments[0]", theme)
        # rules that don't depend on colours need only one theme
        rules = RULES if theme == themes[0] else COLOURS
        wrong += call(browser, "violations", rules)
    return wrong


def faults(browser, page, met, themes):
    """Return a page's layout faults at 390, 1024 and 1280 pixels, and axe-core's violations.

    ``met`` counts similar elements over all pages, so that axe-core checks only two of each kind.
    """
    widen(browser, 1280)
    browser.get(page.as_uri())
    call(browser, "settled")
    found = {}
    for width in 390, 1024, 1280:
        widen(browser, width)
        seen = call(browser, "look", width)
        found |= {f"{name}, {width} pixels": wrong for name, wrong in seen.items()}
    met |= call(browser, "once", met)
    found["axe"] = by_axe(browser, themes)
    widen(browser, 390)
    found["scrolls"] = call(browser, "violations", ["scrollable-region-focusable"])
    return {name: wrong[:5] for name, wrong in found.items() if wrong}


def all_faults(pages, profile, themes=("light", "dark")):
    """Return the faults of each faulty page, keyed by the page's file name."""
    met = {}
    with chromium(profile, NO_NETWORK) as browser:
        found = {page.name: faults(browser, page, met, themes) for page in pages}
    return {name: wrong for name, wrong in found.items() if wrong}
