"""Cleaning (T), detecting pseudo pairs, merging pseudo senses."""

from exrpca.cleaning.clean import clean
from exrpca.cleaning.methods import METHODS, decompose
from exrpca.cleaning.projector import Projector

__all__ = ["METHODS", "Projector", "clean", "decompose"]
