"""The settings of a training run, and the presets."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from exrpca.errors import InputError
from exrpca.text.tokens import TOKENIZERS, TokenizerName

Model = Literal["mssg", "np-mssg"]
Optimizer = Literal["sgd", "adagrad"]
Contexts = Literal["words", "globals"]


@dataclass(frozen=True)
class Settings:
    """The settings of a training run; the defaults score higher on SCWS than the paper's.

    Attributes
    ----------
    model : {"mssg", "np-mssg"}
        "mssg": every multi-sense word has `max_senses` senses. "np-mssg": a word gets a new
        sense when the cosine of its context with every center is below `threshold`.
    dim : int
        The number of dimensions of the vectors.
    window : int
        The context reaches 1 to `window` tokens to each side, drawn again for each token.
    negatives : int
        The number of negatives per context word, drawn by count^0.75.
    window_negatives : int
        The number of negatives that a window shares. They are weighted so that the expected
        gradient stays the same at a fraction of the cost; half of them are drawn again for each
        window. 0 draws `negatives` for each context word, which AdaGrad needs.
    min_count : int
        Leave out words that occur less often.
    sample : float
        Leave out tokens at random if their word has a higher share of the text.
    max_senses : int
        The largest number of senses per word.
    multi_sense_top : int
        How many of the most frequent words may have several senses.
    threshold : float
        See `model`; for NP-MSSG only.
    contexts : {"words", "globals"}
        What the sense is chosen by. "words": the vectors that the words around have when the
        senses are opened, weighted by inverse frequency, without the direction that all
        contexts share; they become the global vectors of the result. "globals": the mean of the
        global vectors of the window drawn, as in the paper.
    context_window : int
        How many tokens to each side the sense is chosen by; for contexts of "words" only.
    optimizer : {"sgd", "adagrad"}
        "sgd" decreases the learning rate linearly to 0, "adagrad" scales it per coordinate.
    learning_rate : float
        The step size; for "sgd", at the start.
    single_sense_epochs : int
        Passes over the text with one sense per word, before the senses are opened. Contexts are
        then told apart by global vectors that are already trained.
    epochs : int
        Passes over the text with senses.
    seed : int
        The seed of the random numbers.
    lowercase : bool
        Convert the tokens to lower case.
    tokenizer : {"whitespace", "words"}
        How a line of a file becomes tokens; see `exrpca.text.Tokenizer`.

    Examples
    --------
    >>> Settings(dim=50).window_negatives
    15
    """

    model: Model = "mssg"
    dim: int = 300
    window: int = 5
    negatives: int = 5
    window_negatives: int = 15
    min_count: int = 20
    sample: float = 1e-3
    max_senses: int = 3
    multi_sense_top: int = 30_000
    threshold: float = -0.5
    contexts: Contexts = "words"
    context_window: int = 10
    optimizer: Optimizer = "sgd"
    learning_rate: float = 0.025
    single_sense_epochs: int = 2
    epochs: int = 2
    seed: int = 1
    lowercase: bool = False
    tokenizer: TokenizerName = "whitespace"

    def __post_init__(self) -> None:
        _one_of("model", self.model, get_args(Model))
        _one_of("optimizer", self.optimizer, get_args(Optimizer))
        _one_of("contexts", self.contexts, get_args(Contexts))
        _one_of("tokenizer", self.tokenizer, TOKENIZERS)
        for name, lowest in _LOWEST.items():
            value = getattr(self, name)
            if not value >= lowest:
                raise InputError(f"{name}={value} must be at least {lowest}")
            if value > _HIGHEST:
                raise InputError(f"{name}={value} must be at most {_HIGHEST}")
        if not 0 < self.learning_rate <= 1:
            raise InputError(f"learning_rate={self.learning_rate} must be above 0 and at most 1")
        if not -1 <= self.threshold <= 1:
            raise InputError(f"threshold={self.threshold} must be between -1 and 1")
        if self.contexts == "words" and self.single_sense_epochs == 0:
            raise InputError(
                "single_sense_epochs=0 needs contexts='globals': contexts of words are made of "
                "vectors that are already trained"
            )
        if self.optimizer == "adagrad" and self.window_negatives > 0:
            raise InputError(
                f"window_negatives={self.window_negatives} must be 0 with optimizer='adagrad': "
                "shared negatives distort its step sizes"
            )

    def with_changes(self, **changes: Any) -> Settings:
        """Return these settings with some of them changed.

        Examples
        --------
        >>> Settings().with_changes(dim=50).dim
        50
        """
        known = [field.name for field in fields(self)]
        unknown = sorted(set(changes) - set(known))
        if unknown:
            raise InputError(f"unknown setting {', '.join(unknown)}; known are {', '.join(known)}")
        return replace(self, **changes)


_LOWEST: dict[str, float] = {
    **dict.fromkeys(("dim", "window", "context_window", "negatives", "min_count"), 1),
    **dict.fromkeys(("max_senses", "epochs"), 1),
    **dict.fromkeys(("sample", "multi_sense_top", "window_negatives"), 0),
    **dict.fromkeys(("single_sense_epochs", "seed"), 0),
}

# The largest integer of the compiled code.
_HIGHEST = 2**63 - 1


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(f"{name}={value!r} must be one of {', '.join(allowed)}")


# "neelakantan2014": the settings of Neelakantan, Shankar, Passos, McCallum (2014).
PRESETS: dict[str, Settings] = {
    "default": Settings(),
    "neelakantan2014": Settings(
        model="np-mssg",
        negatives=1,
        window_negatives=0,
        contexts="globals",
        optimizer="adagrad",
        single_sense_epochs=0,
        epochs=1,
    ),
}


def named_settings(name: str) -> Settings:
    """Return the settings of a preset: "default" or "neelakantan2014"."""
    _one_of("preset", name, tuple(PRESETS))
    return PRESETS[name]
