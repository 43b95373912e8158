"""What the hold benchmarks share: the real function, and a buyer's request for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate import settings
from fairgate.adapters.aws.layouts import layouts
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.memory.clock import MemoryClock
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.domain.orders.order import Unit
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.credential import Credential, sign_credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.world import Secrets
from fairgate.service.holds.claim_seats import Claims
from fairgate.service.holds.seat_index import seat_index
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.load.open_sale import NAMES
from fairgate_ops.run.local.api_events import LambdaContext, Request, RouteTable, event_of
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT
from fairgate_ops.shared.secret_file import write_secret_file
from infra.routes import ROUTES

EVENT = "bench"
SEATS = 4  # a hold's
VENUE_SEATS = 1_000
USER, TTL_S = "buyer-1", 3_600
Handler = Callable[[dict[str, Any], Any], Any]


@dataclass(frozen=True)
class HoldWorld:
    """The holds function with everything real but the database's answer."""

    container: Container
    credential: Credential
    units: Sequence[Unit]
    event: dict[str, Any]
    event_with_key: dict[str, Any]

    def bare(self, client: Any) -> Container:
        """The same function over a client of the database, without the cache."""
        shared = {
            name: getattr(self.container, name) for name in ("clock", "ids", "secrets", "layouts")
        }
        table = DynamoTable(lambda: client, NAMES)
        nowhere = ValkeyAvailability("valkey://127.0.0.1:1")
        # The clock stands still: a cache that is known to be gone is not asked again.
        claims = Claims(nowhere, MemoryClock(0))
        return Container(self.container.settings, **shared, table=table, claims=claims)


def hold_world(folder: Path, client: Any, valkey_url: str) -> HoldWorld:
    """A venue's layout, keys and a live session in ``folder``, as the function finds them."""
    write_secret_file(folder / "secrets.json")
    told = settings.from_environment(
        {
            settings.LAYOUTS_DIR: str(folder / "layouts"),
            settings.SECRET_FILE: str(folder / "secrets.json"),
            settings.VALKEY_URL: valkey_url,
            settings.SERVICE: "holds",
        }
    )
    (folder / "layouts").mkdir()
    venue = demo_venue(VENUE_SEATS)
    layout = split_layout(venue)
    store = layouts(told)
    for name, body in layout.files.items():
        store.write(layout.hash, name, body)
    world = Container(told, table=DynamoTable(lambda: client, NAMES), layouts=store)
    credential = Credential(
        SessionId("ses_" + world.ids.hex32()),
        EventId(EVENT),
        UserId(USER),
        rfc3339(world.clock.now_ms() + TTL_S * 1000),
        10,
        layout.hash,
    )
    known = [seat.id for section in venue.sections[:1] for seat in section.seats()][:SEATS]
    units = seat_index(store, layout.hash).seats(known)
    secrets = world.secrets.secrets()
    return HoldWorld(
        world,
        credential,
        units,
        hold_event(secrets, credential, known),
        hold_event(secrets, credential, known, key="0198c1f2-benchmark"),
    )


def hold_request(
    secrets: Secrets, credential: Credential, seats: Sequence[str], *, key: str = ""
) -> Request:
    """What a buyer's page sends for these seats."""
    kid = secrets.auth_kid
    auth = issue_auth_token(credential.user, [], secrets.auth[kid], kid, time.time(), TTL_S)
    kid = secrets.session_kid
    headers = {
        "host": "127.0.0.1",
        "accept": "application/json",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari",
        "content-type": "application/json",
        "authorization": f"Bearer {auth}",
        "x-fairgate-session": sign_credential(credential, kid, secrets.session[kid]),
        **({"idempotency-key": key} if key else {}),
    }
    body = '{"seats": [' + ", ".join(f'"{seat}"' for seat in seats) + "]}"
    target = f"/api/sessions/{credential.session}/holds"
    return Request("POST", target, headers, (), body.encode(), "127.0.0.1")


def hold_event(
    secrets: Secrets, credential: Credential, seats: Sequence[str], *, key: str = ""
) -> dict[str, Any]:
    """The same as API Gateway hands it to the function."""
    request = hold_request(secrets, credential, seats, key=key)
    route, parameters = RouteTable(ROUTES).match(request.method, request.path)
    return event_of(request, route, parameters, "0198c1f2-request")


class HoldsFunction:
    """The real handler, told which container to use."""

    def __init__(self) -> None:
        self._handler: Handler = load_handlers(ROOT / "functions", ["holds"])["holds"]
        self._module: Any = sys.modules[self._handler.__module__]
        self.context = LambdaContext("holds", "0198c1f2-request", 30.0)

    def __call__(self, event: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = self._handler(event, self.context)
        return answer

    def use(self, container: Container) -> None:
        self._module.container = lambda: container
