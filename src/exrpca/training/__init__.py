"""Training: multi-sense vectors from text.

`PRESETS` has `Settings` by name: `"default"`, and `"neelakantan2014"`, those of the paper that
introduced MSSG and NP-MSSG.

>>> from exrpca.training import PRESETS
>>> PRESETS["neelakantan2014"].model
'np-mssg'
"""

from exrpca.training.checkpoint import TrainingStopped
from exrpca.training.settings import PRESETS, Settings
from exrpca.training.trainer import train

__all__ = ["PRESETS", "Settings", "TrainingStopped", "train"]
