"""What the checks look at: the target, AWS's services, the web, and what was deployed."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from email.message import Message

    from fairgate.service.shared.records.catalog import Event
    from fairgate_ops.operate.capacity.plan import Needs
    from fairgate_ops.operate.target import Target

FETCH_S = 8
_BODY_MAX = 1_000_000


class Answer(NamedTuple):
    """``headers`` are named in lower case."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}

    def json(self) -> Any:
        """Raises ValueError."""
        return json.loads(self.body)


class Fetch(Protocol):
    def __call__(
        self, url: str, *, method: str = "GET", body: bytes | None = None, bearer: str = ""
    ) -> Answer: ...


class UnreachableError(Exception):
    """Nobody answered at an address; the text says why."""


@dataclass(frozen=True)
class Site:
    """Everything is reached on first use, and once.

    Attributes:
        stage: of the deployment; "" on this machine.
        client: builds AWS's client of a service in a region; None where there is no AWS.
        needs: of the crowd that is expected.
        fire: alarms may be fired.
        only: of the events this one alone; "": all that are not closed.
        crowd: so many are expected to wait.
    """

    target: Target
    stage: str
    client: Callable[[str, str | None], Any] | None
    needs: Needs
    fetch: Fetch
    fire: bool = False
    only: str = ""
    crowd: int = 0
    pause: Callable[[float], object] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    _clients: dict[tuple[str, str | None], Any] = field(default_factory=dict)

    def aws(self, service: str, region: str | None = None) -> Any:
        """The client of a service. Only for checks that run where there is AWS."""
        if self.client is None:
            raise LookupError(f"there is no {service} here")
        key = (service, region)
        if key not in self._clients:
            self._clients[key] = self.client(service, region)
        return self._clients[key]

    def named(self, what: str) -> str:
        """A name of this deployment, as infra/naming.py makes it."""
        return f"fairgate-{self.stage}-{what}"

    @cached_property
    def deployed(self) -> Mapping[str, Any]:
        """What the deployment was asked for."""
        parameter = self.aws("ssm").get_parameter(Name=f"/fairgate/{self.stage}/deployed")
        deployed: Mapping[str, Any] = json.loads(parameter["Parameter"]["Value"])
        return deployed

    @cached_property
    def every_event(self) -> list[Event]:
        """Those of the Catalog that can be read."""
        return self.target.world.catalog.all().events

    @property
    def events(self) -> list[Event]:
        """Those that are looked at: ``only``, else all that are not closed."""
        if self.only:
            return [sale for sale in self.every_event if sale.id == self.only]
        return [sale for sale in self.every_event if sale.state != "closed"]

    @property
    def public_url(self) -> str:
        return self.target.world.settings.public_url


def fetch(url: str, *, method: str = "GET", body: bytes | None = None, bearer: str = "") -> Answer:
    """Ask an address of the web. Raises UnreachableError."""
    if not url.startswith(("https://", "http://")):
        raise UnreachableError(f"{url} is no address of the web")
    headers = {"user-agent": "fairgate-doctor", "content-type": "application/json"}
    if bearer:
        headers["authorization"] = f"Bearer {bearer}"
    request = urllib.request.Request(url, data=body, method=method, headers=headers)  # noqa: S310 checked above
    try:
        with urllib.request.urlopen(request, timeout=FETCH_S) as answer:  # noqa: S310 the same
            return Answer(answer.status, answer.read(_BODY_MAX), _named(answer.headers))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.read(_BODY_MAX), _named(error.headers))
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise UnreachableError(f"{url} does not answer: {error}") from error


def _named(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
