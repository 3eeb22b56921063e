"""Contextual vectors: encoders, occurrences of words in a text, and their senses."""

from exrpca.contextual.assignment import assign
from exrpca.contextual.induce import induce
from exrpca.contextual.occurrences import Occurrences

__all__ = ["Occurrences", "assign", "induce"]
