"""Answer an admission request at the origin, for the sessions function and the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.gate.edge_header import verify_edge_header
from fairgate.errors import ForbiddenError
from fairgate.http import paths
from fairgate.http.app import answer, header, idempotency_key
from fairgate.http.identity import caller
from fairgate.http.rate_limits import count_request
from fairgate.http.views.sessions import live_session_view
from fairgate.service.sessions.open_session import AdmissionRequest, SessionOpener

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

    from fairgate.bootstrap import Container


def admit(
    app: APIGatewayHttpResolver, world: Container, event: str, *, verdicts: Sequence[str]
) -> Response[str]:
    """Answer 201 with the opened session. Raises what SessionOpener raises, ForbiddenError."""
    user = caller(app, world).sub
    record = world.catalog.event(event)
    gate = world.gate.gate(event)
    now_s = world.clock.now_ms() // 1000
    word = header(app, paths.HEADER_EDGE)
    if verify_edge_header(word, gate, event, user, now_s).verdict not in verdicts:
        raise ForbiddenError("Please come in through the waiting room.")
    count_request(app, world, "admission", event, user)
    opened = SessionOpener(world.table, world.clock, world.ids, world.expiry_queue).open(
        record,
        gate,
        AdmissionRequest(
            user,
            token=header(app, paths.HEADER_TOKEN),
            solution=header(app, paths.HEADER_SOLUTION),
            edge_word=word,
            idempotency_key=idempotency_key(app),
        ),
        world.secrets.secrets(),
    )
    return answer(201, live_session_view(opened))
