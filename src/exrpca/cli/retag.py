"""`exrpca retag`: bring the sense tags of a text up to date after a merge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import KeyPattern, Quiet
from exrpca.cli.output import remark
from exrpca.cli.text import CorpusFiles, TextOutput, Tokenizer, write_lines


def retag(
    corpus: CorpusFiles,
    map_file: Annotated[
        Path, typer.Option("--map", metavar="CSV", help="The mapping that `exrpca merge` wrote.")
    ],
    output: TextOutput = None,
    key_pattern: KeyPattern = None,
    tokenizer: Tokenizer = "words",
    quiet: Quiet = False,
) -> None:
    """Write a sense-tagged text with each old sense replaced by the one it was merged into."""
    from exrpca.files import check_output
    from exrpca.senses.formats.key_patterns import DEFAULT_KEY_PATTERN
    from exrpca.text import Corpus, Retagger, read_mapping

    if output is not None:
        check_output(output, other_than=[map_file])
    text = Corpus(corpus)
    key_pattern = key_pattern or DEFAULT_KEY_PATTERN
    retagger = Retagger(read_mapping(map_file), key_pattern=key_pattern, tokenizer=tokenizer)
    write_lines(retagger.retag(text.lines()), text, output, label="Retagging", quiet=quiet)
    if retagger.n_known:
        remark(f"{retagger.n_renamed:,} of {retagger.n_known:,} tagged tokens renamed", quiet=quiet)
    else:
        remark(
            f"nothing renamed: no token is a sense of {map_file} written as {key_pattern}; "
            "check --key-pattern and --tokenizer",
            quiet=quiet,
        )
