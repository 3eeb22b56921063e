"""The JSON interface: one file per view."""

from exrpca.explorer.routes import (
    about,
    directions,
    inventory,
    judgments,
    merged,
    scores,
    sense_map,
    suggestions,
    word,
    word_map,
    words,
)

ROUTERS = (
    about.router,
    suggestions.router,
    words.router,
    word.router,
    word_map.router,
    sense_map.router,
    directions.router,
    inventory.router,
    scores.router,
    judgments.router,
    merged.router,
)
