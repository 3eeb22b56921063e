"""A remark on vectors whose verdicts say something else than one may think."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exrpca.cli.output import remark

if TYPE_CHECKING:
    from exrpca.senses import SenseVectors


def remark_if_merged(senses: SenseVectors, *, quiet: bool) -> None:
    """Say what verdicts on merged vectors are worth."""
    from exrpca.senses.metadata import is_merged

    if is_merged(senses.metadata):
        remark(
            "these vectors are merged already: verdicts are relative to the other pairs in the "
            "file, so that merging again merges more",
            quiet=quiet,
        )
