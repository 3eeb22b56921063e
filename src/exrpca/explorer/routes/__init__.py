"""The JSON interface: what the page asks for."""

from exrpca.explorer.routes import cleaning, maps, pairs, verdicts, word, words

ROUTERS = (words.router, word.router, maps.router, pairs.router, verdicts.router, cleaning.router)
