"""Attacks: damaged files, flipped bits, kills, full disks, many clients. What survives them.

`make torture` runs all of it; a test runs a short form. Everything is drawn from a seed. The
attacks run in forked processes, which start with everything imported and compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.harness import results, table
from benchmarks.torture import bit_flips, clients, full_disk, kills, mutations

PACKAGES = ("numpy", "pyarrow", "numba")

SECTIONS = {
    "mutations": lambda: mutations.attack(20_000),
    "bit_flips": lambda: bit_flips.attack(3_000),
    "kills": lambda: kills.attack(60),
    "full_disk": full_disk.attack,
    "clients": clients.attack,
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
        "kills": table(
            {"command": name, **{left: row.get(left, 0) for left in kills.LEFT}}
            for name, row in found["kills"]["commands"].items()
        ),
        "explorer_before": f"{found['clients']['memory before, MB']:.0f} MB",
        "explorer_middle": f"{found['clients']['memory in the middle, MB']:.0f} MB",
        "explorer_most": f"{found['clients']['most memory, MB']:.0f} MB",
        "explorer_answers": f"{found['clients']['answers']['status 200']:,}",
        "memory": f"{found['mutations']['most memory beyond the undamaged file, MB']:.0f} MB",
    }


def _rows(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = {
        "mutations": "damaged files",
        "bit_flips": "flipped bits in the native format",
        "kills": "kills at random moments",
        "full_disk": "full disk",
        "clients": "clients of the explorer at once",
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
