"""AWS's clients of one command, each made once."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from botocore.session import Session

_CONNECT_S, _READ_S, _ATTEMPTS = 2, 5, 3
_EXPIRED = ("ExpiredToken", "ExpiredTokenException")


class AwsClients:
    """Makes a client when it is first asked for, from one session.

    A session for each would look up the caller again: a profile that takes a role asks
    STS for it, and its operator for a code of MFA. Clients may be used by many threads; a session
    makes them for one at a time. Keys out of a file do not renew themselves: once AWS says that
    they are over, the next client gets a new session, which reads the new ones.

    Args:
        local: endpoint and credentials of a system on this machine.

    Source: boto3's documentation, "Low-level clients", multithreading.
    """

    def __init__(self, **local: Any) -> None:
        self._local = local
        self._lock = Lock()
        self._session: Session | None = None
        self._made: dict[tuple[str, str | None, float, int], Any] = {}

    def client(
        self,
        service: str,
        region: str | None,
        *,
        read_s: float = _READ_S,
        attempts: int = _ATTEMPTS,
    ) -> Any:
        """Raises MalformedInputError where the environment names an address that is none."""
        asked = (service, region, read_s, attempts)
        with self._lock:
            if asked not in self._made:
                self._made[asked] = self._new(*asked)
            return self._made[asked]

    def _new(self, service: str, region: str | None, read_s: float, attempts: int) -> Any:
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError
        from botocore.session import get_session

        config = Config(
            connect_timeout=_CONNECT_S,
            read_timeout=read_s,
            retries={"mode": "standard", "total_max_attempts": attempts},
        )
        try:
            self._session = self._session or get_session()
            client: Any = self._session.create_client(
                service, region_name=region, config=config, **self._local
            )
        except BotoCoreError:
            raise
        except ValueError as error:  # an address that is none
            raise MalformedInputError(
                f"{error}. Look at AWS_ENDPOINT_URL and the like in the environment."
            ) from error
        client.meta.events.register("after-call", self._forget_expired)
        return client

    def _forget_expired(self, parsed: Mapping[str, Any], **_call: Any) -> None:
        if parsed.get("Error", {}).get("Code") in _EXPIRED:
            with self._lock:
                self._session = None
                self._made.clear()
