"""A one-page report on some vectors: what was found and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from exrpca.analysis.components import poles
from exrpca.analysis.pairs import describe_pairs
from exrpca.analysis.report import Section, html_page, markdown
from exrpca.cleaning import SharedDirections, find_shared_directions
from exrpca.cleaning.detect import judge_by_neighbors
from exrpca.cleaning.merge import merged_rows
from exrpca.cleaning.shared_neighbors import n_neighbors
from exrpca.senses import DifferenceMatrix, SenseVectors
from exrpca.senses.metadata import is_induced, is_merged

_N_EXAMPLES = 5
_N_POLE_WORDS = 5

_RULE = (
    "The fewer of their nearest words two senses have in common, the more probably they are two "
    "meanings. The column shared says how many of {n} these are; words shows some of them."
)
_INDUCED = (
    "These senses were induced: induce has judged each pair by sentences, which say more than "
    "vectors. All of them are real, as far as it could tell."
)


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
    doubt : str or None
        Why no pair can be judged, if that is so.
    directions : SharedDirections
        What senses that are not called real differ along.
    n_left : ndarray
        How many senses each word would have after merging.

    Examples
    --------
    >>> import exrpca
    >>> found = exrpca.diagnose(exrpca.make_senses(n_words=500, n_components=2).senses)
    >>> found.directions.rank
    2
    >>> print(found.text().splitlines()[0])
    # Diagnosis of these vectors
    """

    name: str
    senses: SenseVectors
    pairs: pd.DataFrame
    doubt: str | None
    directions: SharedDirections
    n_left: np.ndarray

    @property
    def can_merge(self) -> bool:
        """Whether merging would join any senses."""
        return int(self.n_left.sum()) < len(self.senses.vectors)

    def text(self) -> str:
        """Return the page as Markdown."""
        return markdown(f"Diagnosis of {self.name}", self._sections())

    def html(self) -> str:
        """Return the page as self-contained HTML."""
        return html_page(f"Diagnosis of {self.name}", self._sections())

    def _sections(self) -> list[Section]:
        steps = [f"{number}. {step}" for number, step in enumerate(self._steps(), 1)]
        return [
            self._vectors(),
            self._real_pairs(),
            self._cleaning(),
            self._merging(),
            Section("What to do next", steps),
        ]

    def _vectors(self) -> Section:
        senses = self.senses
        text = [
            f"{len(senses):,} words, {int((senses.n_senses > 1).sum()):,} of them with several "
            f"senses; {len(senses.vectors):,} senses in {senses.dim} dimensions. Every two senses "
            f"of a word are a pair: {len(self.pairs):,} pairs."
        ]
        if is_merged(senses.metadata):
            text.append(
                "The senses have already been merged, so the pairs that are left are the least "
                "alike ones. Merging them again would join too many."
            )
        return Section("The vectors", text)

    def _real_pairs(self) -> Section:
        title = "How many pairs are real?"
        if is_induced(self.senses.metadata):
            return Section(title, [_INDUCED])
        if self.doubt is not None:
            return Section(title, [f"Nobody can tell from these vectors: {self.doubt}."])
        counts = self.pairs["verdict"].value_counts()
        meanings = {"real": "two meanings", "pseudo": "one meaning", "undecided": "could be either"}
        verdicts = pd.DataFrame(
            {
                "verdict": verdict,
                "meaning": meaning,
                "pairs": int(counts.get(verdict, 0)),
                "share": f"{counts.get(verdict, 0) / len(self.pairs):.0%}",
            }
            for verdict, meaning in meanings.items()
        )
        expected = (
            f"By the probabilities of all pairs, decided or not, about "
            f"{self.pairs['probability'].mean():.0%} are expected to be real."
        )
        rule = _RULE.format(n=n_neighbors(len(self.senses)))
        return Section(title, [rule, expected], [verdicts, self._examples()])

    def _examples(self) -> pd.DataFrame:
        """Return the words with the most certain pairs of either kind."""
        by_share = self.pairs.sort_values(["probability", "cosine"], ascending=[False, True])
        real = by_share[by_share["verdict"] == "real"].drop_duplicates("word").head(_N_EXAMPLES)
        pseudo = by_share[by_share["verdict"] == "pseudo"]
        pseudo = pseudo.drop_duplicates("word", keep="last").tail(_N_EXAMPLES)
        shown = pd.concat([real, pseudo])
        table = describe_pairs(self.senses, shown, shown["word"].drop_duplicates().tolist())
        return table.drop(columns="cosine").rename(columns={"examples": "words"})

    def _cleaning(self) -> Section:
        title = "Will cleaning help?"
        found = self.directions
        if self.doubt is not None:
            return Section(
                title,
                [
                    "Nobody can tell either. Cleaning removes directions along which senses of one "
                    "meaning differ, and which senses those are is not known."
                ],
            )
        if len(found.components) == 0:
            return Section(title, ["There are too few pairs to find a shared direction."])
        if found.rank:
            answer = (
                f"Perhaps. Along {_counted(found.rank, 'direction')}, senses that may be one "
                "meaning differ without saying anything about their word. Cleaning removes that. "
                "It makes senses of one meaning more alike, and has rarely improved similarity in "
                "context: compare before and after."
            )
        else:
            answer = (
                "Not likely. The senses differ most along directions that tell words apart, and "
                "removing one would lose that."
            )
        explained = (
            "The correlation is that of two senses of one word along the direction. Up to 0.17, a "
            "leading direction is worth removing."
        )
        rows = [
            {
                "direction": number + 1,
                "explains": f"{found.explained[number]:.1%}",
                "correlation": float(found.correlations[number]),
                "worth_removing": "yes" if number < found.rank else "no",
                **dict(zip(("one_end", "other_end"), self._ends(component), strict=True)),
            }
            for number, component in enumerate(found.components)
        ]
        return Section(title, [answer, explained], [pd.DataFrame(rows)])

    def _ends(self, component: np.ndarray) -> Iterator[str]:
        return (" ".join(words[:_N_POLE_WORDS]) for words in poles(self.senses, component))

    def _merging(self) -> Section:
        title = "Will merging help?"
        if not self.can_merge:
            return Section(title, ["No: no pair is called pseudo, so there is nothing to join."])
        several = self.senses.n_senses > 1
        n_before, n_after = len(self.senses.vectors), int(self.n_left.sum())
        one_left = float((self.n_left[several] == 1).mean())
        text = [
            f"Merging would leave {n_after:,} of {n_before:,} senses ({n_after / n_before:.0%}), "
            f"and one sense to {one_left:.0%} of the words that have several."
        ]
        text.append(
            "That is most of them. Look at the pairs before you use the merged vectors."
            if one_left > 0.5
            else "The inventory gets smaller. Senses of real and undecided pairs stay separate."
        )
        return Section(title, text)

    def _steps(self) -> Iterator[str]:
        yield "Look at the pairs of words you know: exrpca detect VECTORS --words WORD,WORD"
        written = []
        if self.doubt is not None:
            yield (
                "Let the sentences of a text judge: exrpca detect VECTORS --words WORD,WORD "
                "--corpus TEXT"
            )
        if self.can_merge:
            yield "Merge: exrpca merge VECTORS -o merged.parquet --map map.csv"
            written.append("merged.parquet")
        if (rank := self.directions.rank) and self.doubt is None:
            yield f"Clean: exrpca clean VECTORS -o clean.parquet --rank {rank}"
            written.append("clean.parquet")
        if written:
            files = " ".join(written)
            yield f"Compare before and after: exrpca evaluate VECTORS {files} --wsi semeval-2010"


def diagnose(senses: SenseVectors, *, name: str = "these vectors") -> Diagnosis:
    """Find out how many pairs are real, and whether cleaning and merging may help.

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
    >>> import exrpca
    >>> found = exrpca.diagnose(exrpca.make_senses(n_words=500).senses, name="planted senses")
    >>> found.can_merge, len(found.text().splitlines()) > 30
    (True, True)
    """
    pairs, doubt = judge_by_neighbors(DifferenceMatrix(senses))
    kept = np.unique(merged_rows(senses, pairs), return_index=True)[1]
    return Diagnosis(
        name,
        senses,
        pairs,
        doubt,
        find_shared_directions(senses, pairs),
        np.bincount(senses.word_of_row[kept], minlength=len(senses)),
    )


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
