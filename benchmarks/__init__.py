"""Side-by-side measurements; each writes its results to `results/`."""
