"""`exrpca retag`: bring the sense tags of a text up to date after a merge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from exrpca.cli.options import CorpusFiles, KeyPattern, Quiet, TextOutput, Tokenizer
from exrpca.cli.output import remark, write_lines


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
    from exrpca.text import Corpus, read_mapping
    from exrpca.text import retag as retag_lines

    if output is not None:
        check_output(output, other_than=[map_file])
    text = Corpus(corpus)
    key_pattern = key_pattern or DEFAULT_KEY_PATTERN
    lines = retag_lines(
        read_mapping(map_file), text.lines(), key_pattern=key_pattern, tokenizer=tokenizer
    )
    write_lines(lines, text, output, label="Retagging", quiet=quiet)
    if lines.n_known:
        remark(f"{lines.n_renamed:,} of {lines.n_known:,} tagged tokens renamed", quiet=quiet)
    else:
        remark(
            f"nothing renamed: no token is a sense of {map_file} written as {key_pattern}; "
            "check --key-pattern and --tokenizer",
            quiet=quiet,
        )
