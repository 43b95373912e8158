"""POST /api/tickets/link: have an address's tickets mailed to it. It can read no order itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.bootstrap import container
from fairgate.domain.gate.risk import hashed_address
from fairgate.http import paths
from fairgate.http.app import answer, create_app, json_body, resolve
from fairgate.http.models import LinkRequest
from fairgate.http.viewer import viewer_address
from fairgate.http.views.found import ASKED
from fairgate.service.tickets.ask_for_link import LinkDesk

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import Response

app = create_app()


@app.post(paths.TICKETS_LINK)
def ask() -> Response[str]:
    world = container()
    request = json_body(app, LinkRequest)
    key = world.secrets.addresses()
    viewer = hashed_address(key, viewer_address(app))
    mails = world.settings.sends_mail
    desk = LinkDesk(world.table, world.clock, world.ids, world.mail_queue, key, mails)
    desk.ask(request.email, viewer)
    return answer(202, ASKED)


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return resolve(app, event, context)
