"""Say what keeps the working copy from being released; `make release` runs it first.

Usage: python -m scripts.check_release
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import exrpca

ROOT = Path(__file__).resolve().parent.parent
# Links and pictures of Markdown and HTML.
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def relative_links(readme: str) -> list[str]:
    """Return the links of a README that break where it is shown without the repository.

    Examples
    --------
    >>> relative_links("[a](docs/a.md), [b](https://b.org), [c](#c), ![d](d.png)")
    ['docs/a.md', 'd.png']
    """
    links = [markdown or html for markdown, html in LINK.findall(readme)]
    return [link for link in links if not link.startswith(("https://", "#"))]


def problems() -> list[str]:
    """Return what is wrong, one sentence each."""
    version = exrpca.__version__
    found = []
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        found.append(f"The version {version} is not one of a release: set it in __init__.py.")
    if f"## {version}" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        found.append(f"CHANGELOG.md has no section {version}.")
    if f"version: {version}" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        found.append(f"CITATION.cff does not say version: {version}.")
    for link in relative_links((ROOT / "README.md").read_text(encoding="utf-8")):
        found.append(f"README.md links to {link}, which breaks on the registry's page.")
    status = subprocess.run(
        ["git", "status", "--porcelain"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    if status.stdout:
        found.append("There are changes that are not committed.")
    return found


def main() -> None:
    if found := problems():
        raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
