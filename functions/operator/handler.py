"""Serve the operators' API: an event's figures as they were made last."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fairgate.bootstrap import container
from fairgate.errors import ForbiddenError
from fairgate.http import paths
from fairgate.http.app import answer, create_app, resolve
from fairgate.http.identity import caller
from fairgate.service.watch.read_figures import FigureReader

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

OPERATORS = "operators"

app = create_app()


@cache
def _reader(world: Any) -> FigureReader:
    return FigureReader(world.table, world.clock)


@app.get(paths.powertools_rule(paths.OPERATOR_EVENT))
def get_figures(event: str) -> Response[str]:
    world = container()
    if OPERATORS not in caller(app, world).groups:
        raise ForbiddenError("These figures are for operators.")
    return answer(200, _reader(world).read(event))


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
