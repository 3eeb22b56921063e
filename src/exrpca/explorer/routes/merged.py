"""Downloads: what merging leaves by the verdicts, those of the person first."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd
from fastapi import APIRouter
from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask

from exrpca.cleaning import merge
from exrpca.explorer.routes.common import BAD_INPUT, WORKING, Explored, Responses
from exrpca.senses import SenseVectors, save

router = APIRouter(tags=["verdicts"], prefix="/merged")

_CSV: Responses = {200: {"content": {"text/csv": {}}}}
_PARQUET = "application/vnd.apache.parquet"


@router.get("/map.csv", response_class=Response, responses=WORKING | BAD_INPUT | _CSV)
def map_csv(explored: Explored) -> Response:
    """Send which sense becomes which, as `exrpca merge --map` writes it."""
    return _sent(_merged(explored)[1], "map.csv")


@router.get("/inventory.csv", response_class=Response, responses=WORKING | BAD_INPUT | _CSV)
def inventory_csv(explored: Explored) -> Response:
    """Send the senses that are left: the old senses of each, and its tokens."""
    merged, mapping = _merged(explored)
    old = mapping.groupby(["word", "new_sense"], sort=False)["old_sense"]
    table = old.agg(lambda numbers: " ".join(map(str, numbers))).reset_index()
    table.columns = pd.Index(["word", "sense", "old_senses"])
    if merged.counts is not None:
        table["count"] = merged.counts
    return _sent(table, "merged-inventory.csv")


@router.get(
    "/vectors.parquet",
    response_class=FileResponse,
    responses=WORKING | BAD_INPUT | {200: {"content": {_PARQUET: {}}}},
)
def vectors(explored: Explored) -> FileResponse:
    """Send the merged vectors in the package's own format."""
    folder = tempfile.TemporaryDirectory(prefix="exrpca-")
    path = Path(folder.name) / "merged.parquet"
    save(_merged(explored)[0], path)
    return FileResponse(
        path,
        media_type=_PARQUET,
        filename="merged.parquet",
        background=BackgroundTask(folder.cleanup),
    )


def _merged(explored: Explored) -> tuple[SenseVectors, pd.DataFrame]:
    pairs = explored.inventory.result().pairs
    return merge(explored.senses, explored.judgments.applied(pairs))


def _sent(table: pd.DataFrame, name: str) -> Response:
    headers = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(table.to_csv(index=False), media_type="text/csv", headers=headers)
