"""Cleaning (T), detecting pseudo pairs, merging pseudo senses."""
