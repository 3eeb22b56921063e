import os
import subprocess
import sys

import pytest

from exrpca.analysis.components import WordKinds
from exrpca.errors import InputError
from exrpca.evaluation.wordnet import load_wordnet


def wordnet_is_here() -> bool:
    try:
        load_wordnet()
    except InputError:
        return False
    return True


needs_wordnet = pytest.mark.skipif(
    not wordnet_is_here(), reason="WordNet's data are not in NLTK's folders"
)


def test_function_words_need_no_wordnet():
    description = WordKinds(["the", "cat"]).describe(["the", "of", "cat", "dog", "and"])
    assert description["function_words"] == 0.6


@needs_wordnet
def test_topics_stand_out_against_the_usual_words():
    usual = ["cat", "dog", "horse", "run", "walk", "think", "table", "chair", "house", "london"]
    description = WordKinds(usual).describe(["cat", "dog", "horse", "london"])
    assert description["topics"].startswith("noun.animal ×2.5")
    assert description["proper_nouns"] == 0.25


def test_missing_wordnet_data_say_what_to_do(tmp_path):
    code = "from exrpca.evaluation.wordnet import load_wordnet; load_wordnet()"
    environment = {**os.environ, "NLTK_DATA": str(tmp_path), "HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    if result.returncode == 0:
        pytest.skip("WordNet is installed for the whole machine")
    assert "WordNet's data were not found: python -m nltk.downloader wordnet" in result.stderr
