"""Answer an admission request at the origin, for the sessions function and the desk."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fairgate.domain.gate.edge_header import verify_edge_header
from fairgate.errors import DependencyUnavailableError, ForbiddenError
from fairgate.http import paths
from fairgate.http.app import answer, header, idempotency_key
from fairgate.http.identity import caller
from fairgate.http.rate_limits import count_request
from fairgate.http.views.sessions import live_session_view
from fairgate.service.gate.desk import RiskDesk
from fairgate.service.sessions.answer_attempt import Repeat
from fairgate.service.sessions.judge_admission import AdmissionRequest
from fairgate.service.sessions.open_session import SessionOpener

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response

    from fairgate.bootstrap import Container
    from fairgate.service.sessions.sign_session import OpenedSession


def admit(
    app: APIGatewayHttpResolver,
    world: Container,
    event: str,
    *,
    verdicts: Sequence[str],
    admitted: Callable[[OpenedSession], object] = lambda _opened: None,
) -> Response[str]:
    """Answer 201 with the opened session. Raises what SessionOpener raises, ForbiddenError.

    ``admitted`` is told of the session, also of one that the token opened before.
    """
    claims = caller(app, world)
    user = claims.sub
    record = world.catalog.published(event)
    gate = world.gate.gate(event)
    now_s = world.clock.now_ms() // 1000
    signed = header(app, paths.HEADER_EDGE)
    word = verify_edge_header(signed, gate, event, user, now_s)
    if word.verdict not in verdicts:
        raise ForbiddenError("Please come in through the waiting room.")
    count_request(app, world, "admission", event, user, address=word.address)
    desk = RiskDesk(world.table, world.clock)

    def noticed(repeat: Repeat) -> None:
        with suppress(DependencyUnavailableError):  # the answer does not depend on it
            desk.repeated(event, gate, user, word.address, repeat)

    opener = SessionOpener(world.table, world.clock, world.ids, world.expiry_queue, noticed=noticed)
    opened = opener.open(
        record,
        gate,
        AdmissionRequest(
            user,
            token=header(app, paths.HEADER_TOKEN),
            solution=header(app, paths.HEADER_SOLUTION),
            edge_word=signed,
            idempotency_key=idempotency_key(app),
            account=claims.account,
        ),
        world.secrets.sign_in(),
    )
    admitted(opened)
    return answer(201, live_session_view(opened))
