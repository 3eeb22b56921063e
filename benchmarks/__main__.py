"""Run benchmarks and write their results.

Usage: python -m benchmarks [NAME …] [--only SECTION …] [--threads N]

Without a name all of them run. Sections that do not run keep their last result. Benchmarks that
need data find it by EXRPCA_DATA, and keep the vectors they train in the folder EXRPCA_VECTORS;
without these they say so and are skipped.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from benchmarks import BENCHMARKS

THREAD_VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OMP_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--only", nargs="+", metavar="SECTION")
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    unknown = set(options.names) - BENCHMARKS.keys()
    if unknown:
        parser.error(f"no benchmark named {', '.join(sorted(unknown))}")
    names = options.names or list(BENCHMARKS)
    if len(names) > 1:
        each_in_its_process(names, options.threads)
    else:
        run(names[0], options.only, options.threads or BENCHMARKS[names[0]])


def each_in_its_process(names: list[str], threads: int | None) -> None:
    """Run several benchmarks, each in a fresh process: they differ in their threads."""
    import subprocess

    more = [] if threads is None else ["--threads", str(threads)]
    for name in names:
        subprocess.run([sys.executable, "-m", "benchmarks", name, *more], check=True)


def run(name: str, only: list[str] | None, threads: int) -> None:
    # before numpy and numba are imported, which read these variables once
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
    from benchmarks import harness

    harness.run(importlib.import_module(f"benchmarks.{name}"), only, threads)


if __name__ == "__main__":
    main()
