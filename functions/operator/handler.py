"""Serve the operators' API: an event's figures as they were made last, and their acts by role."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fairgate.bootstrap import container
from fairgate.errors import BodyTooLargeError, ForbiddenError
from fairgate.http import paths
from fairgate.http.app import (
    ACT_BODY_MAX_BYTES,
    answer,
    create_app,
    idempotency_key,
    json_body,
    resolve,
)
from fairgate.http.identity import bearer, caller
from fairgate.http.models import ActRequest
from fairgate.service.watch.read_figures import FigureReader, HistoryReader, SectionReader

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

    from fairgate_ops.operate.api.caller import Caller

OPERATORS = "operators"

app = create_app()


@cache
def _reader(world: Any) -> FigureReader:
    return FigureReader(world.table, world.clock)


@cache
def _history(world: Any) -> HistoryReader:
    return HistoryReader(world.table, world.clock)


@cache
def _sections(world: Any) -> SectionReader:
    return SectionReader(world.table, world.clock)


@app.get(paths.powertools_rule(paths.OPERATOR_EVENT))
def get_figures(event: str) -> Response[str]:
    return answer(200, _reader(_for_lookers(event)).read(event))


@app.get(paths.powertools_rule(paths.OPERATOR_HISTORY))
def get_history(event: str) -> Response[str]:
    return answer(200, _history(_for_lookers(event)).read(event))


@app.get(paths.powertools_rule(paths.OPERATOR_SECTIONS))
def get_sections(event: str) -> Response[str]:
    return answer(200, _sections(_for_lookers(event)).read(event))


def _for_lookers(event: str) -> Any:
    """Return the container for a caller who may look at this event. Raises ForbiddenError."""
    from fairgate_ops.operate.api.granted import roles_at
    from fairgate_ops.operate.api.roles import LOOKS

    world, asking = container(), _caller()
    by_sign_in = OPERATORS in asking.groups or LOOKS.intersection(asking.roles)
    if not by_sign_in and not LOOKS.intersection(roles_at(world, asking, event)):
        raise ForbiddenError("These figures are for operators.")
    return world


@app.get(paths.OPERATOR_ACTS)
def list_acts() -> Response[str]:
    from fairgate_ops.operate.api.perform import acts_of

    return answer(200, acts_of(_caller(), container()))


@app.post(paths.OPERATOR_ACTS)
def do_act() -> Response[str]:
    from fairgate_ops.operate.api.perform import perform_act
    from fairgate_ops.operate.api.system import system_of

    asking = _caller()
    try:
        asked = json_body(app, ActRequest, bytes_max=ACT_BODY_MAX_BYTES)
    except BodyTooLargeError as error:
        error.detail = (
            f"An act and its files have at most {ACT_BODY_MAX_BYTES:,} bytes."
            " Pack large ones with gzip, and send them as base64."
        )
        raise
    return answer(200, perform_act(asked, asking, system_of(container(), asking.sub)))


def _caller() -> Caller:
    """Raises UnauthenticatedError, MalformedInputError."""
    from fairgate.service.operators.api_tokens import ApiTokens, is_api_token
    from fairgate_ops.operate.api.caller import Caller, caller_by
    from fairgate_ops.operate.api.roles import roles_of

    world, key = container(), idempotency_key(app)
    token = bearer(app)
    if is_api_token(token):
        return caller_by(ApiTokens(world.table, world.clock).check(token), key)
    who = caller(app, world)
    return Caller(who.sub, who.groups, roles_of(who.groups), key)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
