"""Cleaning (T), detecting pseudo pairs, merging pseudo senses."""

from exrpca.cleaning.clean import clean
from exrpca.cleaning.detect import detect
from exrpca.cleaning.merge import merge
from exrpca.cleaning.methods import METHODS, decompose
from exrpca.cleaning.projector import Projector
from exrpca.cleaning.scores import SCORES

__all__ = ["METHODS", "SCORES", "Projector", "clean", "decompose", "detect", "merge"]
