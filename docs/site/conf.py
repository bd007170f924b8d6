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
