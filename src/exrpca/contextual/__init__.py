"""Contextual vectors: encoders, occurrences of words in a text, and their senses."""

from exrpca.contextual.occurrences import Occurrences

__all__ = ["Occurrences"]
