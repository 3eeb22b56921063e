"""What the page shows of one file of vectors: the functions of the command line, kept ready."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

import pandas as pd

from exrpca.analysis import component_pairs, describe_components, sweep
from exrpca.cleaning import SenseDecomposition
from exrpca.cleaning.detect import judge_by_neighbors
from exrpca.cleaning.sense_decomposition import usable_rank
from exrpca.contextual.corrections import Corrections
from exrpca.errors import InputError
from exrpca.evaluation import WordPairs
from exrpca.evaluation.methods import compare_methods
from exrpca.explorer.background import Background, Task
from exrpca.explorer.completion import Completion
from exrpca.explorer.evidence import Evidence
from exrpca.explorer.inventory import Inventory
from exrpca.explorer.judgments import Judgments
from exrpca.explorer.names import SenseNames
from exrpca.explorer.neighbors import CleanedGeometry, NeighborSearch
from exrpca.explorer.sense_map import cached_sense_map
from exrpca.explorer.suggestions import suggest
from exrpca.explorer.word_map import MapPaper, MapPoint, points_of
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import is_induced
from exrpca.text import Lookup
from exrpca.text.sense_encoder import SenseEncoder

# The components that are removed at first, as in `clean`, and at most.
DEFAULT_RANK = 3
HIGHEST_RANK = 10
_N_REPRESENTATIVE_PAIRS = 8
_REMEMBERED_MAPS = 16
# As they came, cleaned, and the baselines that cost nothing and may do better.
_SCORED_METHODS = ("none", "exrpca", "abtt", "collapsed")


@dataclass(frozen=True)
class Directions:
    """The components at the default rank, and the pairs that each explains best."""

    table: pd.DataFrame
    pairs: pd.DataFrame


class Exploration:
    """Sense vectors with everything the page needs to know about them.

    What takes long is computed once, in the background: see `Task.result`.

    Parameters
    ----------
    senses : SenseVectors
    name : str
        What the page calls them: the file's name.
    datasets : sequence of WordPairs
        What the vectors are scored on.
    verdicts : Path, optional
        The file that keeps the person's verdicts; without one, nothing is written.
    corpus : sequence of Path
        Text in which typical sentences of the senses are found.
    encoder : Encoder, optional
        Chooses among senses from `induce`.
    corrections : Corrections, optional
        Occurrences with their senses, for a person to correct.

    Attributes
    ----------
    n_pairs : int
        How many sense pairs there are.
    highest_rank, default_rank : int
        How many components can be removed at most, and at first; 0 when no word has two senses.
    inventory, suggestions, sense_map, directions, scores, sweep : Task
        What each view shows.
    reading : Task
        Finds typical sentences in the text.
    """

    def __init__(
        self,
        senses: SenseVectors,
        name: str,
        datasets: Sequence[WordPairs],
        *,
        verdicts: Path | None = None,
        corpus: Sequence[Path] = (),
        encoder: SenseEncoder | None = None,
        corrections: Corrections | None = None,
    ) -> None:
        self.senses = senses
        self.name = name
        self.encoder = encoder
        self.corrections = corrections
        self.completion = Completion(senses)
        self.neighbors = NeighborSearch(senses)
        self.evidence = Evidence(senses, corpus)
        self.judgments = Judgments(senses, verdicts)
        self.names = SenseNames(senses, self.neighbors)
        self.n_pairs = int((senses.n_senses * (senses.n_senses - 1) // 2).sum())
        self.highest_rank = min(HIGHEST_RANK, senses.dim - 1, self.n_pairs)
        self.default_rank = min(usable_rank(senses, DEFAULT_RANK), self.highest_rank)
        self._datasets = datasets
        self._lookup = Lookup(senses)
        # moving the rank slider asks for the same map again and again
        self.map_of = lru_cache(_REMEMBERED_MAPS)(self._map_of)

        self.background = Background()
        task = self.background.task
        self._cleaned = {
            rank: task(f"Finding the directions at rank {rank}", partial(self._clean, rank))
            for rank in range(1, self.highest_rank + 1)
        }
        self.inventory = task(f"Judging {self.n_pairs:,} sense pairs", lambda: self._judged)
        self.suggestions = task(
            "Choosing words to begin with", lambda: suggest(senses, self._judged)
        )
        self.directions = task("Describing the directions", self._describe)
        self.sense_map = task(
            "Placing all senses on a map",
            lambda: cached_sense_map(senses, self._decomposition.components),
        )
        self.scores = task("Scoring before and after cleaning", self._score)
        self.reading = task("Reading the text", self.evidence.read)
        self.sweep = task(
            "Scoring for each number of removed directions",
            lambda: sweep(self._decomposition, datasets),
        )

    def prepare(self) -> None:
        """Start what a person will most likely ask for, the likeliest first."""
        if self.n_pairs:
            self._cleaned[self.default_rank].start()
            self.inventory.start()
            self.suggestions.start()
            self.directions.start()
        if not self.evidence.is_read:
            self.reading.start()

    @property
    def chooses(self) -> bool:
        """Whether a sense can be chosen in a sentence: among induced ones only by an encoder."""
        return self.encoder is not None or not is_induced(self.senses.metadata)

    def known(self, word: str) -> str:
        """Return the word of the vocabulary that was meant, by the rule of `Lookup`.

        A word that is not in the vocabulary is returned as it is.
        """
        return self.senses.words[self._lookup[word]] if self._lookup.knows(word) else word

    def cleaned(self, rank: int) -> CleanedGeometry:
        """Return the geometry after cleaning at a rank, 1 to `highest_rank`.

        There is one decomposition per rank, as in `clean`: which outliers Ex-RPCA finds depends
        on the rank, so its first components at rank 10 are not those at rank 3.
        """
        return self.cleaned_task(rank).result()

    def cleaned_task(self, rank: int) -> Task[CleanedGeometry]:
        """Return the computation of `cleaned`."""
        if not self.n_pairs:
            raise InputError("every word has only one sense: there are no directions to remove")
        if rank not in self._cleaned:
            raise InputError(f"rank={rank} must be between 1 and {self.highest_rank}")
        return self._cleaned[rank]

    def _map_of(self, word: str, added: tuple[str, ...], n: int) -> tuple[list[MapPoint], MapPaper]:
        """Return what is on the map of a word, and the paper it is drawn on."""
        points = points_of(self.senses, self.neighbors, word, added, n)
        vectors = self.senses.vectors[[point.row for point in points]]
        furthest = self.cleaned(self.highest_rank).components
        return points, MapPaper(vectors, furthest, len(self.senses[word]))

    # What follows runs in the background's one thread only.

    @cached_property
    def _decomposition(self) -> SenseDecomposition:
        """The decomposition at the default rank, which all views share."""
        return SenseDecomposition.fit(self.senses, rank=self.default_rank)

    def _clean(self, rank: int) -> CleanedGeometry:
        at_default = rank == self.default_rank
        # that of another rank is needed for its components alone, and not kept
        found = (
            self._decomposition if at_default else SenseDecomposition.fit(self.senses, rank=rank)
        )
        return CleanedGeometry(self.senses, found.components)

    @cached_property
    def _judged(self) -> Inventory:
        pairs, doubt = judge_by_neighbors(self._decomposition.differences)
        norms = self._decomposition.outlier_norm
        return Inventory(pairs.assign(outlier_norm=norms), doubt or "")

    def _describe(self) -> Directions:
        return Directions(
            describe_components(self._decomposition),
            component_pairs(self._decomposition, n=_N_REPRESENTATIVE_PAIRS),
        )

    def _score(self) -> pd.DataFrame:
        return compare_methods(
            self.senses,
            self._datasets,
            methods=_SCORED_METHODS,
            ranks=[self.default_rank],
        )
