"""Say what keeps the working copy, or a wheel, from being released; `make release` runs both.

Usage: python -m scripts.check_release [WHEEL]
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
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


def problems_of_wheel(path: str) -> list[str]:
    """Return what is wrong with the page that the registry shows of a wheel."""
    with zipfile.ZipFile(path) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        page = wheel.read(name).decode()
    return [
        f"The page of the wheel links to {link}, which breaks." for link in relative_links(page)
    ]


def main() -> None:
    wheels = sys.argv[1:]
    found = [problem for wheel in wheels for problem in problems_of_wheel(wheel)]
    if found := found if wheels else problems():
        raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
