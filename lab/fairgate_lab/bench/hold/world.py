"""The real holds function, all of it real but the database's answer, and a buyer's request."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate import settings
from fairgate.adapters.aws.layouts import layouts
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.domain.orders.order import Unit
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.credential import Credential, sign_credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.service.holds.claim_seats import Claims
from fairgate.service.holds.seat_index import seat_index
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_lab.bench.kit.world import lambda_event
from fairgate_lab.engine.cache import NoLimits
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.api_events import LambdaContext, Request
from fairgate_ops.run.local.api_host import load_handlers
from fairgate_ops.shared.paths import ROOT
from fairgate_ops.shared.secret_file import write_secret_files

EVENT = "bench"
SEATS = 4  # a hold's
VENUE_SEATS = 1_000
USER, TTL_S = "buyer-1", 3_600
CREATED = 201
HEADERS = {
    "host": "127.0.0.1",
    "accept": "application/json",
    "accept-encoding": "gzip, deflate, br",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari",
    "content-type": "application/json",
}


@dataclass(frozen=True)
class HoldWorld:
    """A venue's layout, keys and a live session, as the function finds them."""

    container: Container
    credential: Credential
    seats: Sequence[str]

    @classmethod
    def made(cls, folder: Path, client: Any, valkey_url: str) -> HoldWorld:
        """Make it in ``folder``, over a client of the database."""
        write_secret_files(folder / "secrets")
        environment = settings.from_environment(
            {
                settings.LAYOUTS_DIR: str(folder / "layouts"),
                settings.SECRETS_DIR: str(folder / "secrets"),
                settings.VALKEY_URL: valkey_url,
                settings.SERVICE: "holds",
            }
        )
        (folder / "layouts").mkdir()
        venue = demo_venue(VENUE_SEATS)
        layout, store = split_layout(venue), layouts(environment)
        for name, body in layout.files.items():
            store.write(layout.hash, name, body)
        container = Container(
            environment,
            table=DynamoTable(lambda: client, NAMES),
            layouts=store,
            rates=NoLimits(),  # one account asks for all holds; its bucket is in the cache
        )
        credential = Credential(
            SessionId("ses_" + container.ids.hex32()),
            EventId(EVENT),
            UserId(USER),
            rfc3339(container.clock.now_ms() + TTL_S * 1000),
            10,
            layout.hash,
        )
        return cls(container, credential, [s.id for s in venue.sections[0].seats()][:SEATS])

    @property
    def units(self) -> Sequence[Unit]:
        return seat_index(self.container.layouts, self.credential.layout).seats(self.seats)

    def without_cache(self) -> Container:
        """Make the same container with a cache that is known to be gone."""
        names = ("clock", "ids", "secrets", "layouts", "table", "rates")
        shared = {name: getattr(self.container, name) for name in names}
        # Its clock stands still: a cache that is known to be gone is not asked again.
        claims = Claims(ValkeyAvailability("valkey://127.0.0.1:1"), MemoryClock(0))
        return Container(self.container.settings, **shared, claims=claims)

    def event(self, key: str = "") -> dict[str, Any]:
        """Make the event of what a buyer's page sends for the seats."""
        secrets = self.container.secrets.sign_in()
        kid, auth_kid = secrets.session_kid, secrets.auth_kid
        auth = issue_auth_token(USER, [], secrets.auth[auth_kid], auth_kid, time.time(), TTL_S)
        headers = {
            **HEADERS,
            "authorization": f"Bearer {auth}",
            "x-fairgate-session": sign_credential(self.credential, kid, secrets.session[kid]),
            **({"idempotency-key": key} if key else {}),
        }
        target = f"/api/sessions/{self.credential.session}/holds"
        body = json.dumps({"seats": self.seats}).encode()
        return lambda_event(Request("POST", target, headers, (), body, "127.0.0.1"))


class HoldsFunction:
    """The real handler, which takes the container that it is given."""

    def __init__(self) -> None:
        self._handler: Callable[[dict[str, Any], Any], Any] = load_handlers(
            ROOT / "functions", ["holds"]
        )["holds"]
        self._module: Any = sys.modules[self._handler.__module__]
        self.context = LambdaContext("holds", "0198c1f2-request", 30.0)

    def hold(self, container: Container, event: dict[str, Any]) -> None:
        """Hold the event's seats. Raises BenchError where they are not held."""
        self._module.container = lambda: container
        answer = self._handler(event, self.context)
        if answer["statusCode"] != CREATED:
            raise BenchError(f"The function answered {answer['statusCode']}: {answer['body']}")
