"""What README and docs say is so: numbers, messages, and an example for every public name."""

import ast
import importlib
import inspect
import re

import pytest

from scripts.fill_docs import MARKED, PAGES, ROOT, filled, fills

# The packages of the API reference.
PUBLIC = re.findall(r"^   (exrpca\S*)$", (ROOT / "docs/api/index.md").read_text(), re.MULTILINE)
PUBLIC_NAMES = [
    (package, name) for package in PUBLIC for name in importlib.import_module(package).__all__
]


def path_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=path_of)
def test_numbers_are_those_of_the_results(page):
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, "run `make tables`"


@pytest.mark.parametrize("page", PAGES, ids=path_of)
def test_no_mark_in_a_sentence_begins_a_line(page):
    # Markdown would take the line for HTML and leave out what it emphasizes or links to.
    lines = page.read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if re.match(r"\s*<!-- fill: [^<>]+ -->.", line)]


def test_readme_has_no_decimal_that_was_typed():
    text = MARKED.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)|arXiv:[\d.]+", "", text, flags=re.DOTALL)
    assert re.findall(r"\d+\.\d+%?", text) == []


def test_every_result_is_shown_somewhere():
    places = [place[1] for page in PAGES for place in MARKED.findall(page.read_text())]
    shown = {place.partition("[")[0] for place in places}
    assert shown == fills().keys()


def test_troubleshooting_quotes_messages_as_they_are():
    page = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    _, ours = page.split("## Loading vectors")  # before it are messages of other programs
    quotes = re.findall(r"`([^`]+)`", " ".join(re.findall(r"\*\*(.*?)\*\*", ours, re.DOTALL)))
    said = "\n".join(strings_in_source())
    # what depends on the input is left out, or is a number
    parts = [part.strip() for quote in quotes for part in re.split(r"…|\d+", quote)]
    assert [part for part in parts if part not in said] == []


def strings_in_source():
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr):
                yield "".join(p.value if isinstance(p, ast.Constant) else "…" for p in node.values)


def test_contributing_names_files_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for part in re.split(r"\n(?=\||- |\n\S)", text):  # a row of a table, an item or a paragraph
        folders = [ROOT, ROOT / "src" / "exrpca"]
        for name in re.findall(r"`([\w./]+(?:\.py|\.md|\.json|/))`", part):
            found = [folder / name for folder in folders if (folder / name).exists()]
            assert found, f"{name} in {part!r}"
            # a bare name is in a folder that the same part has named before
            folders.append(found[-1] if found[-1].is_dir() else found[-1].parent)


def test_the_reference_has_every_public_package():
    packages = {
        f"exrpca.{folder.name}"
        for folder in (ROOT / "src" / "exrpca").iterdir()
        if (folder / "__init__.py").exists()
    }
    assert set(PUBLIC) == {"exrpca", *packages} - {"exrpca.cli"}


@pytest.mark.parametrize(("package", "name"), PUBLIC_NAMES)
def test_every_public_name_is_documented_with_an_example(package, name):
    module = importlib.import_module(package)
    value = getattr(module, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert ">>>" in inspect.getdoc(value)
    elif not name.startswith("__"):  # a constant
        assert f"`{name}`" in module.__doc__
