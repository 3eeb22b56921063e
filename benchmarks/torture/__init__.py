"""Attacks: damaged files, kills, full disks, flipped bits. What survives, and what does not.

`make torture` runs all of it; a test runs a short form. Everything is drawn from a seed. The
attacks run in forked processes, which start with everything imported and compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.harness import results, table
from benchmarks.torture import bit_flips, full_disk, kills, mutations

PACKAGES = ("numpy", "pyarrow", "numba")

SECTIONS = {
    "mutations": lambda: mutations.attack(20_000),
    "bit_flips": lambda: bit_flips.attack(3_000),
    "kills": lambda: kills.attack(60),
    "full_disk": full_disk.attack,
}


# --- for the docs --------------------------------------------------------------------------------


def fills() -> dict[str, str]:
    """Return the table and the numbers of the docs."""
    found = results("torture")
    return {
        "table": table(_rows(found)),
        "formats": table(
            {"format": name, **row} for name, row in found["mutations"]["formats"].items()
        ),
        "early_kills": str(
            sum(row.get("untouched", 0) for row in found["kills"]["commands"].values())
        ),
        "memory": f"{found['mutations']['most memory beyond the undamaged file, MB']:.0f} MB",
    }


def _rows(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = {
        "mutations": "damaged files",
        "bit_flips": "flipped bits in the native format",
        "kills": "kills at random moments",
        "full_disk": "full disk",
    }
    return [
        {
            "attack": text,
            "tries": f"{found[name]['tries']:,}",
            "survived": f"{found[name]['survived']:,}",
            "failures by kind": ", ".join(
                f"{kind}: {n:,}" for kind, n in found[name]["failures"].items()
            )
            or "none",
        }
        for name, text in names.items()
    ]
