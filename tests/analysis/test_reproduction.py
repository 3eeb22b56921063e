import json
import re

import numpy as np
import pandas as pd
import pytest

from exrpca.analysis.report import Section, html_page, markdown
from exrpca.analysis.reproduction import PAIR_WORDS, beside_the_paper, findings, reproduce
from exrpca.evaluation import Context, WordPairs
from exrpca.senses import DifferenceMatrix, SenseVectors


@pytest.fixture(scope="module")
def scws(planted):
    """Pairs in context under SCWS's name, from planted words."""
    senses = planted.senses
    rng = np.random.default_rng(1)
    words = tuple(tuple(pair) for pair in rng.choice(senses.words, size=(60, 2)))
    tokens = rng.choice(senses.words, size=(60, 2, 6))
    contexts = tuple(
        tuple(Context(tuple(side[:3]), tuple(side[3:])) for side in pair) for pair in tokens
    )
    return WordPairs("SCWS", words, rng.normal(size=60), contexts)


@pytest.fixture(scope="module")
def renamed(planted):
    """The planted vectors with the words of the paper's Table 3 in them."""
    senses = planted.senses
    several = [word for word in senses if len(senses[word]) > 1]
    new = dict(zip(several, [*PAIR_WORDS, "bank", "apple"], strict=False))
    return SenseVectors(
        [new.get(word, word) for word in senses.words],
        senses.vectors,
        senses.n_senses,
        counts=senses.counts,
        centers=senses.centers,
        globals=senses.globals,
        metadata={"corpus": "planted"},
    )


def test_reproduction_writes_a_whole_report(renamed, scws, tmp_path):
    written = reproduce(
        renamed,
        [scws],
        tmp_path / "report",
        name="planted.parquet",
        methods=["none", "collapsed", "pca", "exrpca"],
        ranks=[2, 3],
    )
    figures = {
        f"{name}.{end}" for name in ("sweep", "components", "overview") for end in ("png", "svg")
    }
    assert {path.name for path in written} == figures | {"report.md", "report.html", "results.json"}
    page = (tmp_path / "report" / "report.html").read_text()
    assert page.count("data:image/svg+xml;base64,") == 3
    assert not re.search(r'(src|href)="(?!data:)', page)  # nothing is fetched from elsewhere
    text = (tmp_path / "report" / "report.md").read_text()
    assert "| SCWS | localSim | exrpca | 3 | 65.4 |" in text
    assert "the best of Ex-RPCA's ranks 2 and 3 is rank" in text
    results = json.loads((tmp_path / "report" / "results.json").read_text())
    assert results["vectors"]["pairs"] == len(DifferenceMatrix(renamed))
    assert results["vectors"]["metadata"] == {"corpus": "planted"}
    assert {row["word"] for row in results["pairs"]} == set(PAIR_WORDS)
    assert results["scores"][0].keys() >= {"method", "rank", "rho", "low", "high", "gain_low"}
    assert set(results["versions"]) >= {"exrpca", "numpy", "python"}


def score_rows(**rho):
    rows = []
    for name, value in rho.items():
        method, _, rank = name.partition("_")
        measure = "globalSim" if method == "globalSim" else "localSim"
        rows.append(
            {
                "method": "none" if method == "globalSim" else method,
                "rank": int(rank) if rank else None,
                "dataset": "SCWS",
                "measure": measure,
                "rho": value,
                "gain": value - rho["none"],
                "gain_low": value - rho["none"] - 0.01,
                "gain_high": value - rho["none"] + 0.01,
            }
        )
    return pd.DataFrame(rows).astype({"rank": "Int64"})


def test_findings_name_what_scores_above():
    scores = score_rows(
        none=0.5,
        globalSim=0.62,
        collapsed=0.6,
        abtt_1=0.57,
        abtt_2=0.61,
        exrpca_1=0.55,
        exrpca_2=0.58,
    )
    first, second = findings(scores)
    assert "rank 2, 58.0, a gain of +8.0 points" in first
    assert "(95% interval +7.0 to +9.0, which excludes 0)" in first
    assert (
        second == "Scores above it: globalSim (62.0), abtt at rank 2 (61.0) and collapsed (60.0)."
    )
    worse = score_rows(none=0.5, exrpca_1=0.5)
    assert "which includes 0" in findings(worse)[0]
    assert findings(worse)[1] == "No baseline scores above it."
    assert "could not be measured" in findings(score_rows(none=0.5))[0]


def test_paper_stands_beside_ours():
    table = beside_the_paper(score_rows(none=0.5, exrpca_3=0.581)).set_index(["dataset", "method"])
    assert table.loc[("SCWS", "exrpca"), ["paper", "ours", "paper_gain", "our_gain"]].tolist() == [
        *(65.4, 58.1, 5.6, 8.1)
    ]
    assert np.isnan(table.loc[("SCWS", "pca"), "ours"])


def test_reports_escape_what_words_may_hold():
    table = pd.DataFrame({"a_word": ["<b>", "x|y", "new_york"], "score": [0.5, float("nan"), 2.0]})
    section = Section("Odd & even", ["1 < 2"], [table])
    page = html_page("T", [section])
    assert "<h2>Odd &amp; even</h2>" in page
    assert "<td>&lt;b&gt;</td>" in page
    assert "<th>a word</th>" in page
    text = markdown("T", [section])
    assert "| x\\|y |  |" in text
    assert "| new_york | 2.000 |" in text
