"""Sphinx configuration for the book, and changes to the pages that Sphinx generates."""

import html
import inspect
import itertools
import json
import pathlib
import re
import sys

from docutils import nodes

from book.build import HERE, ROOT, STATIC, formulas, read, write

project, author = "lstm_edu", "The lstm_edu authors"
copyright = "The lstm_edu authors; text and figures CC BY 4.0, code MIT"
extensions = "myst_nb sphinx.ext.autodoc sphinx.ext.napoleon sphinx.ext.linkcode".split()
language = "en"

nb_execution_mode = "off"  # don't run the notebooks, which contain their outputs
nb_render_markdown_format = "myst"
nb_code_prompt_show = nb_code_prompt_hide = "The code"  # label of cells folded by fold.py
nb_ipywidgets_js = {}  # load no scripts from the network, because widgets need a kernel anyway
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_dmath_double_inline = True  # display formulas inside list items, as JupyterLab does
myst_heading_anchors = 4
myst_heading_slug_func = "book.build.website.slug"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = "lstm_edu"
html_math_renderer = "mathml"
html_static_path = [str(STATIC / "site")]
html_css_files, html_js_files = ["book.css", "formulas.css"], ["scrolls.js", "run.js"]
html_copy_source = False
html_show_search_summary = True  # excerpts.js has their text, so that nothing is fetched
html_use_index = html_domain_indices = False  # no index, because api.md documents the whole package
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
# the figures' blue (lstm_course/plots/style.py), lighter in dark mode
BLUES, BRAND = {"light": "#0072B2", "dark": "#56B4E9"}, ("primary", "content", "visited")
html_theme_options = {
    f"{mode}_css_variables": {f"color-brand-{part}": blue for part in BRAND}
    for mode, blue in BLUES.items()
}
html_theme_options["light_css_variables"]["font-stack"] = "system-ui, sans-serif"


def linkcode_resolve(domain, info):
    """Return a link to the source of a function or class documented in api.md."""
    found = sys.modules.get(info["module"])
    for name in info["fullname"].split("."):
        found = getattr(found, name, None)
    found = inspect.unwrap(getattr(found, "fget", None) or found)
    if not (inspect.isfunction(found) or inspect.isclass(found)):
        return None
    file = pathlib.Path(inspect.getsourcefile(found)).relative_to(ROOT).with_suffix(".html")
    return f"{file.as_posix()}#L-{inspect.getsourcelines(found)[1]}"


def only_text(node):
    """Convert a docutils node to HTML for search excerpts: sections and text, no formulas."""
    if isinstance(node, nodes.section):
        names = "".join(f'<span id="{html.escape(name)}"></span>' for name in node["ids"][1:])
        inside = "".join(map(only_text, node.children))
        return f'<section id="{html.escape(node["ids"][0])}">{names}{inside}</section>'
    if isinstance(node, nodes.Text):
        return html.escape(str(node), quote=False)
    # highlighted source code: remove line numbers and tags
    if isinstance(node, nodes.raw) and 'class="linenos"' in node.astext():
        return re.sub("<[^>]+>", "", re.sub(r'<span class="linenos">.*?</span>', "", node.astext()))
    if isinstance(node, (nodes.raw, nodes.comment, nodes.math, nodes.math_block)):
        return " … "
    inside = "".join(map(only_text, node.children))
    return inside if isinstance(node, nodes.Inline) else f"{inside} "


def write_excerpts(app, failed):
    """Write a script with the text of all pages, from which the search page shows excerpts.

    By default, Sphinx's search fetches the pages, but a local file can't fetch other files.
    """
    if failed:
        return
    texts = {
        f"{page}.html": f'<div role="main">{only_text(app.env.get_doctree(page))}</div>'
        for page in sorted(app.env.found_docs)
    }
    texts = {page: re.sub(r"\s+", " ", text) for page, text in texts.items()}
    script = read(HERE / "excerpts.js").replace("TEXTS", json.dumps(texts, ensure_ascii=False))
    write(pathlib.Path(app.outdir) / "_static" / "excerpts.js", script)


def for_search(app, page, template, context, doctree):
    """Load excerpts.js, which contains the text of all pages, in the search page."""
    if page == "search":
        app.add_js_file("excerpts.js")


def as_read_aloud(app, page, template, context, doctree):
    """Set heading levels, and drop labels that hide folded parts' text, for screen readers."""
    for part in ("furo_navigation_tree", "body"):  # the tree is already rendered as HTML
        if context.get(part):
            context[part] = context[part].replace('role="heading"', 'role="heading" aria-level="2"')
    if "body" in context:
        context["body"] = context["body"].replace(' aria-label="Toggle hidden content"', "")


def as_figures(app, doctree, page):
    """Join each picture and the caption below its cell into one figure, for screen readers."""
    for cell in list(doctree.findall(nodes.container)):
        if "cell" not in cell["classes"]:
            continue
        outer = cell  # the cell or its folded container
        while outer.parent.parent is not None and not isinstance(outer.parent, nodes.section):
            outer = outer.parent
        after = outer.parent[outer.parent.index(outer) + 1 :]
        captions = list(itertools.takewhile(is_caption, after))
        for picture, caption in zip(list(cell.findall(nodes.image)), captions):
            caption.parent.remove(caption)
            number = re.match(r"Fig\.\s([\w.]+)\.", caption.astext())[1].replace(".", "-")
            text = nodes.caption("", "", *caption.children)
            figure = nodes.figure("", picture.deepcopy(), text, ids=[f"fig-{number.lower()}"])
            picture.parent.replace(picture, figure)


def is_caption(node):
    """Return whether a docutils node is a figure's caption, which begins like **Fig. 8.2**. …"""
    return isinstance(node, nodes.paragraph) and re.match(r"Fig\.\s[\w.]+\.", node.astext())


def setup(app):
    """Connect the functions above to Sphinx's events."""
    # runs after MyST-NB has chosen the outputs
    app.connect("doctree-resolved", as_figures, priority=900)
    app.connect("html-page-context", as_read_aloud, priority=900)
    app.connect("html-page-context", for_search)
    app.connect("build-finished", write_excerpts)
    app.add_html_math_renderer("mathml", (formulas.visit, None), (formulas.visit, None))
