"""AWS's services as botocore knows them, each call answered as the test says, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from botocore.session import Session, get_session
from botocore.stub import Stubber


@cache
def _session() -> Session:
    """One for all: it keeps the services' models, which take long to read."""
    return get_session()


@dataclass
class AwsStub:
    """Holds requests and answers to the services' own models. What nobody answered raises."""

    _stubs: dict[str, tuple[Any, Stubber]] = field(default_factory=dict)

    def client(self, service: str, _region: str | None = None) -> Any:
        return self._of(service)[0]

    def answer(
        self, service: str, operation: str, response: dict[str, Any], **expected: Any
    ) -> AwsStub:
        self._of(service)[1].add_response(operation, response, expected or None)
        return self

    def refuse(self, service: str, operation: str, code: str) -> AwsStub:
        self._of(service)[1].add_client_error(operation, code, "as the test says")
        return self

    def all_asked(self) -> None:
        for _, stubber in self._stubs.values():
            stubber.assert_no_pending_responses()

    def _of(self, service: str) -> tuple[Any, Stubber]:
        if service not in self._stubs:
            client = _session().create_client(
                service,
                region_name="eu-central-1",
                aws_access_key_id="stub",
                aws_secret_access_key="stub",
            )
            stubber = Stubber(client)
            stubber.activate()
            self._stubs[service] = (client, stubber)
        return self._stubs[service]
