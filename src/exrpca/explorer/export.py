"""The page as one file: works without a server, without a network, and inside a notebook."""

from __future__ import annotations

import base64
import json
import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from exrpca.explorer.exploration import Exploration
from exrpca.explorer.routes import maps, word, words

STATIC = Path(__file__).with_name("static")

# What the file may do: run its own scripts and show its own styles, and nothing from elsewhere.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:"
)
_IMPORT = re.compile(r'(from |import\()"(\.[^"]+)"')
# Scripts that only the map of all senses needs.
_MAP_SCRIPTS = ("point_cloud.js", "vendor/deck.js")


def exported_page(
    exploration: Exploration, asked: Sequence[str] = (), *, with_map: bool = False
) -> str:
    """Return the page about some words as one HTML document.

    Parameters
    ----------
    exploration : Exploration
    asked : sequence of str
        The words it shows; by default those that the start page suggests.
    with_map : bool, default False
        Bring the map of all senses, too.
    """
    known = [exploration.known(each) for each in asked]
    for each in known:
        exploration.senses.index(each)  # an unknown word is an error before the work
    exploration.inventory.wait()
    exploration.cleaned_task(exploration.default_rank).wait()
    if not exploration.evidence.is_read:
        exploration.reading.wait()
    questions = _answers(exploration, known or _suggested(exploration), with_map)
    answers = {_key(*question): reply for question, reply in questions}
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    head, body = page.split("</head>")
    title = re.search("<title>.*?</title>", head)
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            title[0] if title else "",
            f"<style>{(STATIC / 'style.css').read_text(encoding='utf-8')}</style>",
            f'<script type="application/json" id="answers">{_embedded(answers)}</script>',
            f'<script type="importmap">{_embedded({"imports": _modules(with_map)})}</script>',
            '<script type="module">import "exrpca/app.js";</script>\n</head>',
            body.strip(),
        )
    )


def _suggested(exploration: Exploration) -> list[str]:
    found = exploration.suggestions.wait()
    first = [] if found.worked is None else [found.worked]
    return list(dict.fromkeys([*first, *(each for own in found.words.values() for each in own)]))


Question = tuple[str, dict[str, Any]]


def _answers(
    exploration: Exploration, shown: list[str], with_map: bool
) -> Iterator[tuple[Question, Any]]:
    """Yield what the page will ask, and the answers."""
    about = _plain(words.about(exploration))
    yield (
        ("about", {}),
        about
        | {
            "exported": shown,
            "with_map": with_map,
            "sentences": False,
            "working": [],
        },
    )
    if with_map:
        exploration.sense_map.wait()
        yield ("senses", {}), _plain(maps.sense_map(exploration))
    yield ("suggestions", {}), _known_suggestions(exploration, shown)
    for each in shown:
        for n, rank in ((5, 0), (10, 0), (10, exploration.default_rank)):
            asked = {"word": each, "n": n} | ({"rank": rank} if rank else {})
            yield ("word", asked), _plain(word.word(exploration, each, rank, n))
        yield ("word/pairs", {"word": each}), _plain(word.pairs(exploration, each))
        yield ("word/examples", {"word": each}), _plain(word.examples(exploration, each))


def _known_suggestions(exploration: Exploration, shown: list[str]) -> dict[str, Any]:
    """Return the suggestions as far as the file has the words; the first word is worked."""
    exploration.suggestions.wait()
    found = _plain(words.suggestions(exploration))["words"]
    known = {
        verdict: [each for each in own if each["word"] in shown] for verdict, own in found.items()
    }
    return {"words": known, "worked": shown[0] if shown else None}


def _plain(answer: BaseModel) -> Any:
    return answer.model_dump(mode="json")


def _key(path: str, parameters: dict[str, Any]) -> str:
    """Return the name of a question, as `exported.js` makes it."""
    named = sorted([name, str(value)] for name, value in parameters.items())
    return json.dumps([path, *named], ensure_ascii=False, separators=(",", ":"))


def _embedded(value: Any) -> str:
    """Return JSON that cannot end the script element it is in: a word may be "</script>"."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _modules(with_map: bool) -> dict[str, str]:
    """Return the page's scripts as data, under names that do not depend on a server."""
    names = [path.relative_to(STATIC).as_posix() for path in sorted(STATIC.rglob("*.js"))]
    needed = [name for name in names if with_map or name not in _MAP_SCRIPTS]
    return {f"exrpca/{name}": _as_data(name) for name in needed}


def _as_data(name: str) -> str:
    def absolute(match: re.Match[str]) -> str:
        found = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))
        return f'{match[1]}"exrpca/{found}"'

    text = _IMPORT.sub(absolute, (STATIC / name).read_text(encoding="utf-8"))
    return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"
