"""The local web page on which a person sees the senses, the directions and the cleaning."""

from exrpca.explorer.show import Page, show

__all__ = ["Page", "show"]
