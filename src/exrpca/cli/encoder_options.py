"""The options that choose an encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from exrpca.cli.output import remark

if TYPE_CHECKING:
    from exrpca.contextual import Encoder
    from exrpca.senses import SenseVectors

EncoderName = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="NAME",
        show_default="the one that comes with exrpca",
        help="minilm, mpnet, multilingual, a name on the Hugging Face Hub (organization/name or "
        "organization/name@revision), or a folder with onnx/model.onnx and tokenizer.json.",
    ),
]
SensesEncoder = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="NAME",
        show_default="the one that the senses were made with",
        help="For senses from induce: the encoder that they were made with, if it was in a folder.",
    ),
]
# The names of exrpca.contextual.pooling, which would take half a second to import for --help.
VectorKind = Annotated[
    Literal["target", "context", "target+context", "marked"] | None,
    typer.Option(
        "--vector",
        show_default="what suits the encoder",
        help="What the vector of an occurrence is made of.",
    ),
]
LayerChoice = Annotated[
    str | None,
    typer.Option(
        "--layer",
        metavar="LAYER",
        show_default="what suits the encoder",
        help="The number of a hidden layer, several to be joined (9,10,11,12), a share of the "
        "depth such as 0.8, or an output's name.",
    ),
]


def parsed_layer(text: str | None) -> int | float | str | None:
    """Return the layer that an option names.

    Examples
    --------
    >>> parsed_layer("10"), parsed_layer("0.8"), parsed_layer("9,12")
    (10, 0.8, '9,12')
    """
    if text is None:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def remark_default(name: str | None, *, quiet: bool) -> None:
    """Name the encoder that is worth a download, if none was named."""
    from exrpca.contextual.recommended import BETTER, RECOMMENDED

    if name is None:
        remark(
            "using the encoder that comes with exrpca; for better senses of English words, "
            f"--encoder {BETTER} downloads {RECOMMENDED[BETTER].megabytes} MB once",
            quiet=quiet,
        )


def hide_download(*, quiet: bool) -> None:
    """Show no bar of a download, if a command is to be quiet."""
    if quiet:
        from huggingface_hub.utils.tqdm import disable_progress_bars

        disable_progress_bars()


def load_encoder(name: str | None, senses: SenseVectors) -> Encoder | None:
    """Return the encoder that chooses among senses, if one is named or the senses name theirs."""
    from exrpca.contextual import Encoder
    from exrpca.contextual.encoder import recorded_encoder
    from exrpca.senses.metadata import is_induced

    if name is None and not (is_induced(senses.metadata) and recorded_encoder(senses)):
        return None
    return Encoder.for_senses(senses, name)
