"""Contextual vectors: encoders, occurrences of words in a text, and their senses.

`VECTORS` names what the vector of an occurrence can be made of.
"""

from exrpca.contextual.assignment import assign
from exrpca.contextual.change_plot import plot_change
from exrpca.contextual.compare import compare
from exrpca.contextual.corrections import Corrections
from exrpca.contextual.encode import encode
from exrpca.contextual.encoder import Encoder
from exrpca.contextual.given_labels import judge_labels
from exrpca.contextual.induce import induce
from exrpca.contextual.occurrences import Occurrences
from exrpca.contextual.pooling import VECTORS
from exrpca.contextual.report import Report, report
from exrpca.contextual.wug import agreement, read_annotation, write_uses

__all__ = [
    "VECTORS",
    "Corrections",
    "Encoder",
    "Occurrences",
    "Report",
    "agreement",
    "assign",
    "compare",
    "encode",
    "induce",
    "judge_labels",
    "plot_change",
    "read_annotation",
    "report",
    "write_uses",
]
