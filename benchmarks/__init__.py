"""Side-by-side measurements, run by `python -m benchmarks`.

A benchmark is a module with

- `SECTIONS`: the name of each part of its result, and the function that measures it;
- `PACKAGES`: the packages whose versions belong to the result;
- `fills()`: the tables and numbers that README and docs take from the result, by name.

`results/NAME.json` holds what was measured, by section, with the conditions of each.
"""

# Every benchmark in the order of running, since some need vectors that an earlier one trains, and
# how many threads it uses.
BENCHMARKS = {
    "decomposition": 2,
    "promises": 2,
    "real_matrices": 1,
    "rows": 1,
    "io": 1,
    "wsi": 2,
    "explorer": 2,
    "encoding": 2,
    "training": 2,
    "training_quality": 2,
    "merging": 2,
    "verdicts": 2,
    "reproduction": 2,
    "induction": 2,
    "change": 2,
    "torture": 1,
    "install": 2,
}
