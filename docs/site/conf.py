"""How Sphinx builds the site: build.py lays out its sources and calls it."""

project = "sightline"
author = "the sightline maintainers"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
exclude_patterns = ["docs/notes/*"]  # a laboratory notebook
myst_heading_anchors = 4
breathe_projects = {"sightline": "xml"}
breathe_default_project = "sightline"
suppress_warnings = ["duplicate_declaration.cpp"]  # the namespace, on the page of each header
autodoc_typehints = "description"
html_theme = "furo"
html_title = "sightline"
html_show_sphinx = False


def drop_last_overload(app, domain, kind, content):
    """A function's last overload, NAME(...), only says what is wrong with a call."""
    signatures = content.parent.children[:-1]
    for signature in signatures[1:] if domain == "py" else ():
        if signature.astext().endswith("(...)"):
            content.parent.remove(signature)


def setup(app):
    app.connect("object-description-transform", drop_last_overload)
