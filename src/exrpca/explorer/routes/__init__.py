"""The JSON interface: one file per view."""

from exrpca.explorer.routes import about, directions, inventory, scores, word, word_map, words

ROUTERS = (
    about.router,
    words.router,
    word.router,
    word_map.router,
    directions.router,
    inventory.router,
    scores.router,
)
