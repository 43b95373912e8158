"""POST admission (after the edge let it through) and GET the caller's live session."""

from __future__ import annotations

from typing import Any

from aws_lambda_powertools.event_handler import Response

from fairgate.bootstrap import container
from fairgate.http import paths
from fairgate.http.admission import admit
from fairgate.http.app import answer, create_app, resolve
from fairgate.http.identity import caller
from fairgate.http.views import holds_view, order_view
from fairgate.service.orders.read_orders import read_live_session
from fairgate.service.sessions.open_session import session_again

app = create_app()


@app.post(paths.powertools_rule(paths.ADMISSION))
def post_admission(event: str) -> Response[str]:
    return admit(app, container(), event, verdicts=("admit",))


@app.get(paths.powertools_rule(paths.LIVE_SESSION))
def get_live_session(event: str) -> Response[str]:
    world = container()
    user = caller(app, world).sub
    sale = world.catalog.event(event)
    view = read_live_session(world.table, world.clock, event, user)
    opened = session_again(view.session, sale, world.secrets.secrets())
    body = opened.as_json() | {"holds": holds_view(view)}
    if view.pending_order is not None:
        body["order"] = order_view(view.pending_order)
    return answer(200, body)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
