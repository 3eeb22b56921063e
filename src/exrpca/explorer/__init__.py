"""The local web page on which a person sees the senses, the directions and the cleaning."""

from exrpca.explorer.show import show

__all__ = ["show"]
