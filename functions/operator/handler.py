"""Serve the operators' API: live figures of an event."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import Response

from fairgate.bootstrap import container
from fairgate.errors import ForbiddenError
from fairgate.http import paths
from fairgate.http.app import answer, create_app, resolve
from fairgate.http.identity import caller
from fairgate.service.sessions.read_figures import LiveFigures

OPERATORS = "operators"

app = create_app()


@app.get(paths.powertools_rule(paths.OPERATOR_EVENT))
def get_figures(event: str) -> Response[str]:
    world = container()
    if OPERATORS not in caller(app, world).groups:
        raise ForbiddenError("These figures are for operators.")
    figures = LiveFigures(world.table, world.clock, world.catalog, world.gate)
    return answer(200, figures.read(event))


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
