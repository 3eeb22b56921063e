"""A one-page report on some vectors: what was found and what to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from exrpca.analysis.components import poles
from exrpca.analysis.pairs import describe_pairs
from exrpca.analysis.report import Section, html_page, markdown
from exrpca.cleaning import RealShare, SharedDirections, detect, find_shared_directions
from exrpca.cleaning.merge import merged_rows
from exrpca.senses import SenseVectors
from exrpca.senses.metadata import is_merged

_N_EXAMPLES = 5
_N_POLE_WORDS = 5

_BASIS = {
    "mixture": "The differences of senses have two clearly separated lengths, which decide.",
    "contrast": "Senses of a word are compared with senses of different words. Related senses can "
    "be real and still more alike than different words, so this is a lower bound.",
    "none": "The differences of senses have one kind of length, and there are no centers to "
    "compare with those of other words, or training has pushed the senses of each word apart. "
    "All pairs are undecided.",
}


@dataclass(frozen=True)
class Diagnosis:
    """What was found in a file of sense vectors.

    Attributes
    ----------
    name : str
        What the vectors are called.
    senses : SenseVectors
    pairs : DataFrame
        From `detect`.
    directions : SharedDirections
        What senses that are not called real differ along.
    n_left : ndarray
        How many senses each word would have after merging.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> found = diagnose(make_senses(n_words=500, n_components=2).senses, name="planted")
    >>> found.directions.rank
    2
    >>> print(found.text().splitlines()[0])
    # Diagnosis of planted
    """

    name: str
    senses: SenseVectors
    pairs: pd.DataFrame
    directions: SharedDirections
    n_left: np.ndarray

    @property
    def real_share(self) -> RealShare:
        """The share of real pairs."""
        share: RealShare = self.pairs.attrs["real_share"]
        return share

    def text(self) -> str:
        """Return the page as Markdown."""
        return markdown(f"Diagnosis of {self.name}", self._sections())

    def html(self) -> str:
        """Return the page as self-contained HTML."""
        return html_page(f"Diagnosis of {self.name}", self._sections())

    def _sections(self) -> list[Section]:
        return [
            self._vectors(),
            self._real_pairs(),
            self._shared_directions(),
            self._merging(),
            self._next(),
        ]

    def _vectors(self) -> Section:
        senses = self.senses
        parts = [name for name in ("counts", "centers", "globals") if getattr(senses, name) is None]
        text = [
            f"{len(senses):,} words, {int((senses.n_senses > 1).sum()):,} of them with several "
            f"senses; {len(senses.vectors):,} senses, {len(self.pairs):,} pairs, "
            f"{senses.dim} dimensions."
        ]
        if parts:
            text.append(f"Missing: {', '.join(parts)}.")
        if is_merged(senses.metadata):
            text.append(
                "The senses have already been merged, so the remaining pairs are not a "
                "representative sample."
            )
        return Section("The vectors", text)

    def _real_pairs(self) -> Section:
        counts = self.pairs["verdict"].value_counts()
        verdicts = pd.DataFrame(
            {
                "verdict": verdict,
                "pairs": int(counts.get(verdict, 0)),
                "share": f"{counts.get(verdict, 0) / len(self.pairs):.0%}",
            }
            for verdict in ("real", "pseudo", "undecided")
        )
        share = str(self.real_share)
        text = [f"{share[0].upper()}{share[1:]}.", _BASIS[self.real_share.basis]]
        tables = [verdicts]
        if len(examples := self._examples()):
            tables.append(examples)
        return Section("How many pairs are real?", text, tables)

    def _examples(self) -> pd.DataFrame:
        """Return the words with the most certain pairs of either kind."""
        known = self.pairs[self.pairs["verdict"] != "undecided"]
        by_score = known.sort_values(["probability", "score"], ascending=False, kind="stable")
        real = by_score[by_score["verdict"] == "real"].drop_duplicates("word").head(_N_EXAMPLES)
        pseudo = by_score[by_score["verdict"] == "pseudo"].drop_duplicates("word").tail(_N_EXAMPLES)
        shown = pd.concat([real, pseudo])
        table = describe_pairs(self.senses, shown, shown["word"].drop_duplicates().tolist())
        return table.drop(columns=["score"])

    def _shared_directions(self) -> Section:
        found = self.directions
        if len(found.components) == 0:
            return Section(
                "Will cleaning help?", ["There are too few pairs to find a shared direction."]
            )
        rows = []
        for i, component in enumerate(found.components):
            ends = (" ".join(words[:_N_POLE_WORDS]) for words in poles(self.senses, component))
            rows.append(
                {
                    "direction": i + 1,
                    "explains": f"{found.explained[i]:.1%}",
                    "correlation": float(found.correlations[i]),
                    "worth_removing": "yes" if i < found.rank else "no",
                    **dict(zip(("one_end", "other_end"), ends, strict=True)),
                }
            )
        if found.rank:
            answer = (
                f"Removing {_counted(found.rank, 'direction')} (rank {found.rank}) may help: along "
                f"{'it' if found.rank == 1 else 'them'}, senses of a word that are not called real "
                "hardly agree. Check it on similarity ratings: cleaning makes similar senses more "
                "alike, but it has rarely improved similarity in context."
            )
        else:
            answer = (
                "Not likely (rank 0): along each leading direction the senses of a word agree, so "
                "the direction tells words apart. Removing it would lose that."
            )
        return Section(
            "Will cleaning help?",
            [
                answer,
                "The directions along which senses that are not called real differ most. The "
                "correlation is that of two senses of one word; up to 0.25, a leading direction "
                "is worth removing.",
            ],
            [pd.DataFrame(rows)],
        )

    def _merging(self) -> Section:
        several = self.senses.n_senses > 1
        n_before, n_after = len(self.senses.vectors), int(self.n_left.sum())
        if n_before == n_after:
            return Section("Will merging help?", ["No: no pair is called pseudo."])
        one_left = float((self.n_left[several] == 1).mean())
        text = [
            f"Merging would leave {n_after:,} of {n_before:,} senses ({n_after / n_before:.0%}). "
            f"{one_left:.0%} of the words with several senses would have one left."
        ]
        text.append(
            "That is most of them. Look at the pairs before you use the merged vectors."
            if one_left > 0.5
            else "The inventory gets smaller; real and undecided senses stay separate."
        )
        return Section("Will merging help?", text)

    def _next(self) -> Section:
        steps = ["Look at some pairs: exrpca detect VECTORS WORD…"]
        if self.real_share.basis == "none":
            steps.append("Nothing was decided, so there is nothing to merge.")
        elif int(self.n_left.sum()) < len(self.senses.vectors):
            steps.append("Merge: exrpca merge VECTORS -o merged.parquet --map map.csv")
        if self.directions.rank:
            rank = self.directions.rank
            steps.append(f"Clean: exrpca clean VECTORS -o clean.parquet --rank {rank}")
        steps.append(
            "Compare before and after: exrpca evaluate VECTORS merged.parquet --wsi semeval-2010"
        )
        return Section("What to do next", [f"{i}. {step}" for i, step in enumerate(steps, 1)])


def diagnose(senses: SenseVectors, *, name: str = "these vectors") -> Diagnosis:
    """Find out what share of the pairs is real, and whether cleaning and merging may help.

    Parameters
    ----------
    senses : SenseVectors
        At least one word must have two senses.
    name : str, optional
        What the page calls them.

    Returns
    -------
    Diagnosis
        With `text()` and `html()`, the page.

    Examples
    --------
    >>> from exrpca import make_senses
    >>> print(diagnose(make_senses(n_words=500, real_share=0.4).senses).real_share)
    48% of the pairs are real (44% to 51%)
    """
    pairs = detect(senses)
    kept = np.unique(merged_rows(senses, pairs), return_index=True)[1]
    return Diagnosis(
        name,
        senses,
        pairs,
        find_shared_directions(senses, pairs),
        np.bincount(senses.word_of_row[kept], minlength=len(senses)),
    )


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
