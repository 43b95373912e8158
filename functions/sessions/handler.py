"""POST admission (after the edge let it through), GET the live session; a draft's preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fairgate import metrics
from fairgate.adapters.aws.emf import emit
from fairgate.bootstrap import container
from fairgate.errors import MalformedInputError, UnknownEventError
from fairgate.http import paths
from fairgate.http.admission import admit
from fairgate.http.app import answer, create_app, json_body, resolve
from fairgate.http.identity import caller
from fairgate.http.views.holds import holds_view
from fairgate.http.views.orders import order_view
from fairgate.http.views.sessions import live_session_view
from fairgate.service.orders.read_orders import read_live_session
from fairgate.service.sessions.sign_session import session_again
from fairgate.service.shared.session_terms import as_agreed

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

    from fairgate.service.sessions.sign_session import OpenedSession

app = create_app()


@app.post(paths.powertools_rule(paths.ADMISSION))
def post_admission(event: str) -> Response[str]:
    return admit(app, container(), event, verdicts=("admit",), admitted=_count_wait)


def _count_wait(opened: OpenedSession) -> None:
    if opened.waited_s is not None:
        world, figures = container(), {metrics.WAITED: opened.waited_s}
        now_ms = world.clock.now_ms()
        emit(world.settings, now_ms, figures, {"event": opened.event, "at_ms": now_ms})


@app.get(paths.powertools_rule(paths.LIVE_SESSION))
def get_live_session(event: str) -> Response[str]:
    world = container()
    user = caller(app, world).sub
    sale = world.catalog.published(event)
    view = read_live_session(world.table, world.clock, sale, user)
    agreed = as_agreed(world.table, sale, view.session)
    signed = session_again(view.session, agreed, world.secrets.sign_in())
    opened = msgspec.structs.replace(signed, expires_at=view.due_at)
    order = None if view.pending_order is None else order_view(view.pending_order)
    return answer(200, live_session_view(opened, holds_view(view), order))


@app.post(paths.powertools_rule(paths.PREVIEW))
def post_preview(event: str) -> Response[str]:
    """Answer as for an unknown event if the token is not the one of its preview link.

    This function reads gates already, and the token is made with the gate's key.
    """
    from fairgate.domain.gate.preview import is_preview_token, preview_token
    from fairgate.http.models import PreviewRequest
    from fairgate.http.views.events import event_view

    world = container()
    try:
        request = json_body(app, PreviewRequest)
    except MalformedInputError:
        world.gate.gate(event)  # no draft may be told apart from an unknown event
        raise
    gate = world.gate.stored(event)
    if not is_preview_token(request.token, gate, event):
        raise UnknownEventError(event)
    sale = world.catalog.event(event)
    if request.token != preview_token(gate, event, sale.created_at):
        raise UnknownEventError(event)
    return answer(200, event_view(sale))


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    answered = resolve(app, event, context)
    container().emit_limits()
    return answered
