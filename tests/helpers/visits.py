"""Checks of pages in a browser without a network, for layout and accessibility (axe-core)."""

from importlib.resources import files

import pytest
from chromium import NO_NETWORK, chromium, widen

RULES = [f"wcag{version}" for version in ("2a", "2aa", "21a", "21aa", "22aa")]
COLOURS = ["color-contrast", "link-in-text-block"]

# Wait until the formulas are typeset, and finish all transitions and animations.
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

# Find a page's layout problems at a window width.
LOOK = r"""
const [width] = arguments, all = document, style = getComputedStyle;
const scrolls = e => { for (; e && e.tagName != "ARTICLE"; e = e.parentElement)
  if (e.tagName == "DETAILS" && !e.open
      || ["auto", "scroll", "hidden"].includes(style(e).overflowX)) return true; };
const text = (all.querySelector("article") ?? all.body).cloneNode(true);
text.querySelectorAll("pre, code, script, math, mjx-container").forEach(e => e.remove());
const html = (e) => e.outerHTML.slice(0, 80);
const found = (selector, isWrong) => [...all.querySelectorAll(selector)].filter(isWrong).map(html);
return {stops: found("math, math *, mjx-container, mjx-container *",
          e => e.tabIndex >= 0 && !("scrolls" in e.dataset)),
        misread: found("[data-mjx-error]", () => true),
        raw: text.textContent.match(/.{0,40}([$][$]|\\mathbf|\\frac|\\delta).{0,40}/g) ?? [],
        cut: found("article pre", e => width >= 1280 && e.scrollWidth > e.clientWidth),
        nameless: found("article img", e => !e.alt || /[.](png|svg)$/.test(e.alt)),
        shrunk: found("article .cell_output img[width]",
          e => width < 900 && e.clientWidth < e.getAttribute("width") - 1),
        broken: found("img", e => !e.naturalWidth),
        sticks_out: found("article *",
          e => e.getBoundingClientRect().right > width + 1 && !scrolls(e))};
"""

# Wait until the slides are shown, and their readers are drawn.
READY = """
const done = arguments[0], drawn = () => [...document.querySelectorAll(".reader")]
  .every(e => e.querySelector(".reader-maps svg"));
const look = () => window.Reveal?.isReady() && drawn() ? done() : setTimeout(look, 50);
look();
"""

# Find each slide's layout problems: parts that stick out, overlap, are cut, or are too small to
# read. If a key press adds a picture that fills the slide, look before and after it. A picture's
# labels are at least 25 of the picture's pixels high, and must be 14 of the slide's.
SLIDES = """
const done = arguments[0], seen = [];
const shown = e => e.getBoundingClientRect().width * e.getBoundingClientRect().height > 1;
const clipped = e => { for (; e.tagName != "SECTION"; e = e.parentElement)
  if (e.matches(`.notes, mjx-assistive-mml, option, .reader input, .reader-title,
      .training-title, select`)) return true; };
const texts = section => { const found = [], walk = document.createTreeWalker(section, 4);
  while (walk.nextNode()) {
    const text = walk.currentNode, range = document.createRange();
    range.selectNode(text);
    if (text.textContent.trim() && !clipped(text.parentElement) && shown(range))
      found.push([text.textContent.trim().slice(0, 40), range.getBoundingClientRect(),
                  parseFloat(getComputedStyle(text.parentElement).fontSize)
                    * text.parentElement.currentCSSZoom]);
  } return found; };
const outside = ({left, top, right, bottom}) =>
  left < -1 || top < -1 || right > 1281 || bottom > 721;
const html = e => e.outerHTML.slice(0, 80);
(async () => {
  const twice = e => e.querySelector(".whole, .lower") ? [-1, 99] : [99];
  for (const [section, f] of Reveal.getSlides().flatMap(e => twice(e).map(f => [e, f]))) {
    const {h, v} = Reveal.getIndices(section);
    Reveal.slide(h, v, f);
    await new Promise(next => requestAnimationFrame(() => setTimeout(next, 30)));
    const all = selector => [...section.querySelectorAll(selector)];
    const parts = [...section.children].filter(e => !e.matches(".notes") && shown(e));
    const boxes = parts.map(e => e.getBoundingClientRect()), read = texts(section);
    seen.push({
      isLast: f === 99,
      title: section.querySelector("h1, h2").textContent,
      notes: section.querySelector("aside.notes")?.textContent.trim().length ?? 0,
      isShown: all("mjx-container, img, svg").some(e => !e.closest(".notes")),
      isRead: all(".reader svg").length > 0,
      wrong: {
        faint: all("img").filter(shown).filter(e => {
          const {width, height} = e.getBoundingClientRect(), wide = width / e.naturalWidth;
          const part = e.matches(".high") ? wide : Math.min(wide, height / e.naturalHeight);
          return 25 * part < 13.99 || width < 300 || height < 240 || e.alt.length < 20;
        }).map(e => e.alt),
        misread: all("[data-mjx-error]").map(e => e.dataset.mjxError),
        raw: section.textContent.match(/.{0,30}([$][$]|\\\\mathbf|\\\\frac).{0,30}/g) ?? [],
        outside: [...parts.filter((e, k) => outside(boxes[k])).map(html),
                  ...read.filter(([, box]) => outside(box)).map(([text]) => text)],
        over: boxes.flatMap((a, j) => boxes.slice(j + 1).map((b, k) => [a, b, j, j + 1 + k]))
          .filter(([a, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                              && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
          .map(([, , j, k]) => html(parts[j]) + html(parts[k])),
        small: read.filter(([, , size]) => size < 17.9).map(([text, , size]) => `${text} ${size}`),
      },
    });
  }
  done(seen);
})();
"""

# Remove elements that differ only in their words from two that axe has checked, on this page or an
# earlier one. Of several thousand elements, some hundred remain.
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


def by_axe(browser, themes=("light", "dark")):
    """Return the page's violations of WCAG 2.2 AA that axe-core finds."""
    pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed")
    script = files("selenium_axe_python") / "axe-core" / "axe.min.js"
    browser.execute_script(script.read_text(encoding="utf-8"))
    wrong = []
    for theme in themes:
        browser.execute_script("document.body.dataset.theme = arguments[0]", theme)
        # rules that don't depend on colours run once
        rules = RULES if theme == themes[0] else COLOURS
        wrong += browser.execute_async_script(WRONG, rules)
    return wrong


def faults(browser, page, met, themes):
    """Return a page's problems at widths of 390, 1024 and 1280 pixels, and those by axe."""
    widen(browser, 1280)
    browser.get(page.as_uri())
    browser.execute_async_script(SETTLED)
    found = {}
    for width in 390, 1024, 1280:
        widen(browser, width)
        seen = browser.execute_script(LOOK, width)
        found |= {f"{name}, {width} pixels": wrong for name, wrong in seen.items()}
    met |= browser.execute_script(ONCE, met)
    found["axe"] = by_axe(browser, themes)
    widen(browser, 390)
    found["scrolls"] = browser.execute_async_script(WRONG, ["scrollable-region-focusable"])
    return {name: wrong[:5] for name, wrong in found.items() if wrong}


def all_faults(pages, profile, themes=("light", "dark")):
    """Return the problems of each page that has any."""
    met = {}
    with chromium(profile, NO_NETWORK) as browser:
        found = {page.name: faults(browser, page, met, themes) for page in pages}
    return {name: wrong for name, wrong in found.items() if wrong}
