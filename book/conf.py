"""How Sphinx makes the book; build.py lays out the pages."""

import importlib.util
import inspect
import pathlib
import sys

from docutils import nodes

import lstm_edu

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))  # for build.slug

project, author, copyright = "lstm_edu", "The lstm_edu authors", "The lstm_edu authors, MIT licence"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.linkcode",
    "sphinx.ext.mathjax",
]
language = "en"

nb_execution_mode = "off"  # the notebooks are stored as they ran
nb_render_markdown_format = "myst"
nb_ipywidgets_js = {}  # scripts from the network, for widgets that would not move without a kernel
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_dmath_double_inline = True  # a formula in the middle of a list, as JupyterLab shows it
myst_heading_anchors = 4
myst_heading_slug_func = "build.slug"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False

# MathJax as one file that draws its letters itself: no network, no fonts
offline = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
MATHJAX = offline / "static" / "mathjax" / "tex-svg-full.js"
mathjax_path = MATHJAX.name
mathjax3_config = {"svg": {"fontCache": "global"}}

html_theme = "furo"
html_title = "lstm_edu"
html_static_path = [str(HERE / "static"), str(MATHJAX)]
html_css_files = ["book.css"]
html_copy_source = False
# would be fetched, which a page that is opened from a folder may not
html_show_search_summary = False
html_use_index = html_domain_indices = False  # all of the package is on one page
html_show_sphinx = False
pygments_style, pygments_dark_style = "default", "monokai"
# the blue and the orange of the figures (lstm_edu/plots/style.py), lighter on dark
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0072B2",
        "color-brand-content": "#0072B2",
        "color-brand-visited": "#0072B2",
        "font-stack": "system-ui, sans-serif",
    },
    "dark_css_variables": {
        "color-brand-primary": "#56B4E9",
        "color-brand-content": "#56B4E9",
        "color-brand-visited": "#56B4E9",
    },
}


def linkcode_resolve(domain, info):
    """The line of code of what api.md documents."""
    found = sys.modules.get(info["module"])
    for name in info["fullname"].split("."):
        found = getattr(found, name, None)
    found = inspect.unwrap(getattr(found, "fget", None) or found) if found is not None else None
    if not (inspect.isfunction(found) or inspect.isclass(found)):
        return None
    root = pathlib.Path(lstm_edu.__file__).parent.parent
    file = pathlib.Path(inspect.getsourcefile(found)).relative_to(root).with_suffix(".html")
    return f"{file.as_posix()}#L-{inspect.getsourcelines(found)[1]}"


def as_written(app, doctree):
    """Formulas as they stand:
    Sphinx would put those of several lines into an environment that takes no \\tag.
    """
    for formula in doctree.findall(nodes.math_block):
        formula["no-wrap"] = True
        formula.children = [nodes.Text(rf"\[{formula.astext()}\]")]


def setup(app):
    app.connect("doctree-read", as_written)
    return {"parallel_read_safe": True}
