"""`encode`: from a text and an encoder to occurrences."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from exrpca.contextual.encoder import Encoder, load_encoder
from exrpca.contextual.encoding_folder import EncodingFolder
from exrpca.contextual.find import find_occurrences, schema_of, tables
from exrpca.contextual.occurrence_writer import check_occurrences_output, open_writer
from exrpca.contextual.occurrences import Occurrences
from exrpca.contextual.pooling import VectorName
from exrpca.contextual.targets import Words, find_targets
from exrpca.contextual.workers import on_workers
from exrpca.errors import InputError
from exrpca.progress import progress_bar
from exrpca.senses.example import Example
from exrpca.text import Corpus, Tokenizer
from exrpca.text.corpus import Source
from exrpca.text.lemmas import Lemmas
from exrpca.text.lookup import Forms, WordsOfForms, words_of_forms
from exrpca.text.tokens import DEFAULT_TOKENIZER, TokenizerName

Part = tuple[int, list[Example]]
EncodedPart = tuple[int, NDArray[np.float16]]

DEFAULT_PER_WORD = 1000
DEFAULT_WINDOW = 20
DEFAULT_LANGUAGE = "en"


class Encoded(NamedTuple):
    """What an encoding wrote.

    Attributes
    ----------
    taken : dict of str to int
        How many occurrences of each word were encoded.
    found : dict of str to (dict of str to int)
        How often each form of each word occurs.
    n_joined : int
        In how many files wrapped lines were joined.
    """

    taken: dict[str, int]
    found: dict[str, dict[str, int]]
    n_joined: int


@dataclass(frozen=True)
class Search:
    """What to look for in a text; the parameters are those of `encode`."""

    words: Words
    forms: Forms | None = None
    language: str = DEFAULT_LANGUAGE
    names: bool = True
    per_word: int | None = DEFAULT_PER_WORD
    window: int = DEFAULT_WINDOW
    tokenizer: TokenizerName = DEFAULT_TOKENIZER
    text_column: str = "text"
    join_lines: bool = True

    def __post_init__(self) -> None:
        for name in ("per_word", "window"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise InputError(f"{name}={value} must be at least 1")

        self.words_of_forms()  # what is wrong with forms or language is said before the work

    def words_of_forms(self) -> WordsOfForms | None:
        """Return which word a form belongs to: by the table, or else by the language."""
        if self.forms is not None:
            return words_of_forms(self.forms)
        return None if self.language == "none" else Lemmas(self.language)

    def corpus(self, source: Source, output: Path) -> Corpus:
        """Return the text as it is to be read, without the output if that is in its folder."""
        return Corpus(
            source,
            text_column=self.text_column,
            join_lines=self.join_lines,
            without=(output, EncodingFolder.beside(output).path),
        )


def encode(
    corpus: Source,
    *,
    words: Words,
    encoder: str | os.PathLike[str] | Encoder | None = None,
    forms: Forms | None = None,
    language: str = DEFAULT_LANGUAGE,
    names: bool = True,
    per_word: int | None = DEFAULT_PER_WORD,
    window: int = DEFAULT_WINDOW,
    tokenizer: TokenizerName = DEFAULT_TOKENIZER,
    text_column: str = "text",
    join_lines: bool = True,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    client: Any = None,
    progress: bool = False,
) -> Occurrences:
    """Find the occurrences of words in a text and encode each one in its sentence.

    Parameters
    ----------
    corpus : path, or iterable of paths or of token lists
        Files are UTF-8 text, plain or compressed (gz, bz2, xz, zst), or tables (CSV, Parquet,
        JSON lines) with a column of text; "-" is standard input. A folder stands for all files
        below it. A list of tokens counts as one line. Contexts do not cross the end of a line.
    words : list of str, path, or int
        The words; a file with one word per line; or how many of the most frequent words. Tokens
        are looked up as in `Lookup`: "Banks" is found as "banks".
    encoder : str, path or Encoder, optional
        A name or a folder, as for `Encoder`; by default, the encoder that comes with this package.
        Pass an `Encoder` to choose the layer, the threads or what the vector is made of.
    forms : mapping or path, optional
        The word that each form belongs to, {"banks": "bank"}, or a CSV file with the columns
        `form` and `word`. A word is always a form of itself. By default, the language decides.
    language : str, default "en"
        The language whose lemmas say which forms belong to a word, a code of simplemma such as
        "de"; "none" finds only the word itself.
    names : bool, default True
        Whether capitalized uses inside sentences count, as in "West Bank", for words in lower
        case.
    per_word : int or None, default 1000
        The largest number of occurrences of a word, evenly spaced over the text; None encodes all.
    window : int, default 20
        How many tokens on each side of the target the encoder reads. A longer sentence than the
        model takes is cut around the target.
    tokenizer : {"words", "whitespace"}, default "words"
        How a line becomes tokens; see `Tokenizer`.
    text_column : str, default "text"
        The column of a table that has the text. All others, such as a date or an author, are
        kept with the occurrences; a column `source` says where a text is from.
    join_lines : bool, default True
        Join the lines of a paragraph in files whose lines look wrapped at a width.
    output : path-like, optional
        The Parquet file to write. An unfinished encoding keeps what it has in a folder next to
        it, `OUTPUT.encoding`.
    resume : bool, default False
        Continue the unfinished encoding of `output` without reading the text again. If there is
        none, start one.
    client : dask.distributed.Client, optional
        Encode on the workers of a Dask cluster. Each loads the encoder once, from the same
        name or path.
    progress : bool, default False
        Show progress bars on standard error.

    Returns
    -------
    Occurrences
        In the order of the words and of the text, with the texts. A word that never occurs is
        not among its words; `metadata["missing_words"]` lists them, and `metadata["found"]` has
        how often each form of a word occurs in the text.

    Examples
    --------
    >>> import exrpca
    >>> text = [["The", "bank", "lends", "."], ["A", "bank", "of", "the", "river", "."]]
    >>> exrpca.encode(text, words=["bank", "river"])
    <Occurrences: 3 of 2 words, 384 dimensions, texts>
    """
    search = Search(
        words, forms, language, names, per_word, window, tokenizer, text_column, join_lines
    )
    encoder = encoder if isinstance(encoder, Encoder) else Encoder(encoder)
    if output is not None:
        encode_file(
            corpus, output, search, encoder, resume=resume, client=client, progress=progress
        )
        return Occurrences.load(output, progress=progress)
    if resume:
        raise InputError("resume=True needs an output: an unfinished encoding is kept next to it")
    with tempfile.TemporaryDirectory(prefix="exrpca-") as folder:
        path = Path(folder) / "occurrences.parquet"
        encode_file(corpus, path, search, encoder, client=client, progress=progress)
        return Occurrences.load(path)


def encode_file(
    corpus: Source,
    output: str | os.PathLike[str],
    search: Search,
    encoder: Encoder,
    *,
    resume: bool = False,
    client: Any = None,
    progress: bool = False,
) -> Encoded:
    """Encode as `encode` does, and only write the file: memory does not grow with it."""
    output = Path(output)
    check_occurrences_output(output)
    with EncodingFolder.of_run(output, resume=resume) as folder:
        text = search.corpus(corpus, output)
        text.check(search.tokenizer)
        settings = _settings(text, search, encoder)
        if folder.can_resume:
            folder.check_settings(settings)
        else:
            folder.make(settings)
            _find(text, search, encoder, folder, show=progress)
        _encode_parts(encoder, folder, client, show=progress)
        encoded = _write(output, folder, search, encoder)
        folder.remove()
    return encoded


def _settings(corpus: Corpus, search: Search, encoder: Encoder) -> dict[str, Any]:
    """Return what two runs must agree in for the second to continue the first."""
    return {
        "words": _digest(search.words),
        "forms": _digest(search.forms),
        "language": search.language,
        "names": search.names,
        "text_column": search.text_column,
        "join_lines": search.join_lines,
        "per_word": search.per_word,
        "window": search.window,
        "tokenizer": search.tokenizer,
        "vector": encoder.vector,
        "layer": encoder.layer,
        "encoder": f"{encoder.name}, {encoder.digest}",
        "sources": corpus.sources,
    }


def _digest(value: Any) -> str | int | None:
    """Return a short name of words or forms, by content."""
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, str | os.PathLike):
        content = Path(value).read_bytes() if Path(value).is_file() else b""
    else:
        content = json.dumps(value if isinstance(value, dict) else list(value)).encode()
    return hashlib.sha256(content).hexdigest()[:12]


def _find(
    text: Corpus, search: Search, encoder: Encoder, folder: EncodingFolder, *, show: bool
) -> None:
    tokenizer = Tokenizer(search.tokenizer)
    forms = search.words_of_forms()
    targets = find_targets(search.words, forms, text, tokenizer)
    for word in targets.words:
        if not encoder.has_pieces(word):
            raise InputError(f"the encoder's tokenizer leaves nothing of {word!r}: leave it out")
    with progress_bar("Reading", text.size or 1, show=show) as report:
        found = find_occurrences(
            text,
            targets,
            tokenizer=tokenizer,
            per_word=search.per_word,
            window=search.window,
            names=search.names,
            report=report,
        )
    if not any(of_word.forms for of_word in found):
        shown = ", ".join(targets.words[:5]) + (", …" if len(targets.words) > 5 else "")
        raise InputError(f"none of the words occurs in the text: {shown}")
    counts = {
        word: dict(of_word.forms.most_common())
        for word, of_word in zip(targets.words, found, strict=True)
    }
    columns = text.columns
    folder.save_found(
        schema_of(columns),
        tables(found, targets, columns),
        {"found": counts, "n_joined": text.n_joined},
    )


def _encode_parts(encoder: Encoder, folder: EncodingFolder, client: Any, *, show: bool) -> None:
    """Encode the parts that are not done, and save each."""
    sizes = folder.part_sizes()
    todo = [part for part in range(len(sizes)) if not folder.is_done(part)]
    done_before = sum(sizes) - sum(sizes[part] for part in todo)
    done, start = done_before, time.monotonic()
    with progress_bar("Encoding", sum(sizes), show=show) as report:
        report(done)
        parts = ((part, folder.examples(part)) for part in todo)
        encoded = _here(encoder, parts) if client is None else _on_workers(encoder, parts, client)
        for part, vectors in encoded:
            folder.save(part, vectors)
            done += sizes[part]
            speed = (done - done_before) / max(time.monotonic() - start, 1e-9)
            report(done, f"{speed:,.0f} occurrences/s")


def _here(encoder: Encoder, parts: Iterator[Part]) -> Iterator[EncodedPart]:
    for part, examples in parts:
        yield part, encoder.encode(examples)


def _on_workers(encoder: Encoder, parts: Iterator[Part], client: Any) -> Iterator[EncodedPart]:
    """Encode parts on a Dask cluster; they come back in any order."""
    # one thread per task, which is what Dask takes a task to need
    settings = encoder.reference, encoder.vector, encoder.layer, encoder.threads or 1
    tasks = ((part, (settings, examples)) for part, examples in parts)
    return on_workers(client, _encode_on_worker, tasks)


def _encode_on_worker(
    settings: tuple[str, VectorName, int | str, int], examples: list[Example]
) -> NDArray[np.float16]:
    return load_encoder(*settings).encode(examples)


def _write(output: Path, folder: EncodingFolder, search: Search, encoder: Encoder) -> Encoded:
    """Put the parts together as a file of occurrences."""
    counts = folder.counts()
    metadata = {
        "encoder": encoder.name,
        "revision": encoder.revision,
        "digest": encoder.digest,
        "vector": encoder.vector,
        "layer": encoder.layer,
        "window": search.window,
        "tokenizer": search.tokenizer,
        "language": "none" if search.forms else search.language,
        "found": {word: forms for word, forms in counts["found"].items() if forms},
        "missing_words": [word for word, forms in counts["found"].items() if not forms],
    }
    taken: Counter[str] = Counter()
    with open_writer(
        output,
        dtype=np.dtype(np.float16),
        text_columns=folder.columns()[1:],
        labels=False,
        metadata=metadata,
    ) as writer:
        for part in range(len(folder.part_sizes())):
            table = folder.found(part)
            columns = dict(zip(table.column_names, table.columns, strict=True))
            writer.add(columns, folder.vectors(part))
            taken.update(table.column("word").to_pylist())
    return Encoded(dict(taken), counts["found"], counts["n_joined"])
