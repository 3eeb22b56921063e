import numpy as np
import pytest


def two_sense_lines(n_lines=2000, seed=0):
    """Lines about money or about rivers; "bank" is at home in both, "coin" in one."""
    random = np.random.default_rng(seed)
    money = [f"money{i}" for i in range(30)]
    river = [f"river{i}" for i in range(30)]
    lines = []
    for n in range(n_lines):
        topic, own = (money, "coin") if n % 2 else (river, "boat")
        words = list(random.choice(topic, 12))
        words[3], words[9] = "bank", own
        lines.append(words)
    return lines


@pytest.fixture(scope="session")
def planted_lines():
    return two_sense_lines()


@pytest.fixture(scope="session")
def planted_file(tmp_path_factory):
    """About a quarter of a million tokens: several chunks of training."""
    path = tmp_path_factory.mktemp("corpus") / "planted.txt"
    path.write_text("\n".join(" ".join(line) for line in two_sense_lines(20_000)) + "\n")
    return path
