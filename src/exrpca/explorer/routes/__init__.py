"""The JSON interface: what the page asks for."""

from exrpca.explorer.routes import cleaning, maps, pairs, sentences, verdicts, word, words

_ROUTES = (words, word, sentences, maps, pairs, verdicts, cleaning)
ROUTERS = tuple(each.router for each in _ROUTES)
