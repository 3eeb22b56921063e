"""Training: multi-sense vectors from text."""

from exrpca.training.interruption import TrainingStopped
from exrpca.training.settings import PRESETS, Settings
from exrpca.training.trainer import train

__all__ = ["PRESETS", "Settings", "TrainingStopped", "train"]
