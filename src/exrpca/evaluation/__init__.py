"""Similarity measures, data sets and baselines."""
