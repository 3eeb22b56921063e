"""How Sphinx builds the documentation; `make docs` runs it."""

import re
import subprocess
import sys
from pathlib import Path

import exrpca

project = "exrpca"
author = "The exrpca contributors"
copyright = "The exrpca contributors"
version = release = exrpca.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
]
# `name` in a docstring is code.
default_role = "literal"
templates_path = ["_templates"]
# What is in reference/generated is included by a page.
exclude_patterns = ["reference/generated"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "off"

# The API reference: the names in each package's __all__, with the types that numpydoc describes.
autosummary_generate = True
autosummary_imported_members = True
autosummary_ignore_module_all = False
autosummary_context = {"top_level": exrpca.__all__}
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# References to other packages have no target here: the build needs no network.
nitpick_ignore_regex = [("py:.*", r"(collections|numpy|np|os|pandas|pd|pathlib|scipy|sklearn)\..*")]

html_theme = "pydata_sphinx_theme"
html_title = "exrpca"
html_static_path = ["_static"]
html_css_files = ["style.css"]
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 3,
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def write_commands() -> None:
    """Write what the command line's own --help says, for reference/command-line.md."""
    target = Path(__file__).parent / "reference" / "generated" / "commands.md"
    target.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "typer", "exrpca.cli.main", "utils", "docs"]
    answer = subprocess.run(
        [*command, "--name", "exrpca"], check=True, capture_output=True, text=True
    )
    target.write_text(with_whole_summaries(answer.stdout), encoding="utf-8")


def with_whole_summaries(text: str) -> str:
    """Complete the lists of commands, which cut each command's summary short."""
    summaries = dict(re.findall(r"^#+ `(exrpca .+)`\n\n(.+)$", text, re.MULTILINE))
    lines = []
    for line in text.splitlines():
        if heading := re.match(r"#+ `(exrpca.*)`$", line):
            group = heading[1]
        elif entry := re.match(r"\* `(\w+)`: .*\.\.\.$", line):
            line = f"* `{entry[1]}`: {summaries[f'{group} {entry[1]}']}"
        lines.append(line)
    return "\n".join(lines) + "\n"


write_commands()
