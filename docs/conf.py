"""How Sphinx makes a site of these pages and of the laboratory's: `make docs`."""

import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[1]

project = "Fairgate"
author = "The Fairgate authors"
release = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
version = release

# The source folder is the checkout, so that links between the two lead somewhere.
root_doc = "docs/index"
include_patterns = ["docs/**", "lab/docs/**"]
exclude_patterns = ["node_modules", "build", "cdk.out", ".*"]
extensions = ["myst_parser"]
myst_enable_extensions = ["html_image"]  # pictures beside each other, as GitHub shows them
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4  # as deep as GitHub makes them: one link serves both
nitpicky = True

html_theme = "alabaster"
html_theme_options = {
    "description": "A fair ticket on-sale system",
    "fixed_sidebar": True,
    "page_width": "1100px",
}
html_copy_source = False
html_show_sourcelink = False
