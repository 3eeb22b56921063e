"""`exrpca detect`: which senses of words are real, and which pseudo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from exrpca.cli import options
from exrpca.cli.encoder_options import EncoderName
from exrpca.cli.output import print_table, remark
from exrpca.cli.vectors import asked_word, check_encoder, judged_pairs
from exrpca.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from exrpca.senses import SenseVectors


# Neighbors that are shown per sense: they fit into 80 columns.
_NEIGHBORS = 5


@options.reads_vectors
def detect(
    vectors: options.VectorsFile,
    words: Annotated[
        str | None,
        typer.Option(
            "--words",
            metavar="LIST",
            show_default="the most probable pairs",
            help="The words to show, separated by commas, or a file with one word per line.",
        ),
    ] = None,
    n: Annotated[
        int, typer.Option("--n", "-n", min=1, help="How many words to show without --words.")
    ] = 10,
    lost: options.Lost = 0.2,
    corpus: options.JudgeCorpus = None,
    encoder: EncoderName = None,
    read: options.ReadOptions = options.AS_FOUND,
    form: options.TableFormat = options.TableStyle.TABLE,
    quiet: options.Quiet = False,
) -> None:
    """Show which senses of words are real: each pair with its evidence and verdict.

    Two senses are the more probably real the fewer neighbors they share. With --corpus, sentences
    decide instead, of the words given or of all words; --encoder reads them.
    """
    from exrpca.analysis import describe_pairs
    from exrpca.progress import progress_bar

    check_encoder(corpus, encoder)
    senses = read.load(vectors, quiet=quiet)
    wanted = _known(senses, options.words_given(words), quiet=quiet) if words else None
    remark_if_judged(senses, quiet=quiet)
    detected = judged_pairs(senses, lost, corpus=corpus, encoder=encoder, words=wanted, quiet=quiet)
    remark_detection(detected, lost, quiet=quiet)
    if wanted is None:
        wanted = _sorted(detected)["word"].drop_duplicates().head(n).tolist()
    with progress_bar("Finding neighbors", None, show=not quiet):
        table = describe_pairs(senses, detected, wanted, n_neighbors=_NEIGHBORS)
    print_table(_sorted(table), form)


def _sorted(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs, the most probable first; of equal ones, the less alike."""
    return pairs.sort_values(["probability", "cosine"], ascending=[False, True], kind="stable")


def _known(senses: SenseVectors, words: list[str], *, quiet: bool) -> list[str]:
    """Return the words that have vectors; report those that have none, or only one sense."""
    from exrpca.errors import UnknownWordError

    known = []
    for word in words:
        try:
            found = asked_word(senses, word, quiet=quiet)
        except UnknownWordError as error:
            if len(words) == 1:
                raise
            remark(f"{error}: left out", quiet=quiet)
            continue
        if len(senses[found]) == 1:
            remark(f"{found} has only one sense, so there is no pair", quiet=quiet)
        known.append(found)
    if not known:
        raise InputError(f"none of the {len(words)} words is in the vocabulary")
    return known


def remark_detection(pairs: pd.DataFrame, lost: float, *, quiet: bool) -> None:
    """Say what was found and where the thresholds are; also for `exrpca merge`."""
    from exrpca.cleaning import summary

    remark(summary(pairs), quiet=quiet)
    pseudo = pairs["probability"][pairs["verdict"] == "pseudo"]
    if pseudo.notna().any():
        remark(
            f"real: a probability of at least 0.5; pseudo: at most {pseudo.max():.3g}, so that "
            f"about {lost:.0%} of the real pairs may be lost",
            quiet=quiet,
        )


def remark_if_judged(senses: SenseVectors, *, quiet: bool) -> None:
    """Say what verdicts on senses that were judged before are worth; also for `exrpca merge`."""
    from exrpca.senses.metadata import is_induced, is_merged

    if is_induced(senses.metadata):
        remark(
            "these senses were induced: each pair was judged by its occurrences, which say more "
            "than vectors, and called real; for fewer senses use induce --lost",
            quiet=quiet,
        )
    if is_merged(senses.metadata):
        remark(
            "these vectors have already been merged: the remaining pairs are not a representative "
            "sample, and merging again would merge too many",
            quiet=quiet,
        )
