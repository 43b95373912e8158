"""A service that takes a connection and says nothing: every call ends with its request."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate import deadline
from fairgate.adapters.aws import client as aws_client
from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.keyvaluestore import KeyValueStore
from fairgate.adapters.aws.layouts import S3Layouts
from fairgate.adapters.aws.mail import SesMailer
from fairgate.adapters.aws.secrets import secret_store
from fairgate.adapters.aws.sqs import SqsExpiryQueue
from fairgate.adapters.dynamodb import light
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.light import SdkDynamo, dynamodb_client
from fairgate.adapters.identity.code_flow import CodeFlow
from fairgate.adapters.identity.oidc import IdTokenVerifier
from fairgate.adapters.payments.sandbox import SandboxPayments
from fairgate.adapters.payments.stripe_checkout import StripePayments
from fairgate.domain.seating.layout import HASH_CHARS
from fairgate.errors import DependencyUnavailableError
from fairgate.http import paths
from fairgate.http.app import answer, create_app, resolve
from fairgate.ports.outside import Mail
from fairgate.ports.record import Key
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.settings import SECRETS, from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import KEYS, MemorySecrets
from tests.contract.http import request
from tests.support.world import NAMES

LEFT_S = 1.0  # room for the shortest waits that any of them has
PAUSE_S = 2.0  # more than a busy machine loses, less than any call would take without a deadline
TRIES = 3  # a machine may lose more now and then; a call without a deadline takes longer each time
MAIL = Mail(to="a@example.org", subject="", text="")
HASH = "0" * HASH_CHARS
PAGE = f"https://checkout.stripe.com/c/pay/cs_test_{HASH}"


class Silent:
    """Takes connections and says nothing."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"

    def connections(self) -> int:
        """Count those that waited for an answer."""
        count = 0
        self._listener.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                self._listener.accept()[0].close()
                count += 1
        return count


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Silent]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Silent(listener)
        monkeypatch.setenv("AWS_ENDPOINT_URL", made.url)
        monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
        yield made


def find(client: Callable[[], Any]) -> None:
    DynamoTable(client, NAMES).find(SeatRecord, Key("a", "b"))


def stripe_at(url: str) -> StripePayments:
    return StripePayments(MemorySecrets(replace(KEYS, payments=b"sk_test")), MemoryClock(), url)


def sign_in_at(url: str) -> CodeFlow:
    unasked = IdTokenVerifier("issuer", "client", url)
    return CodeFlow(url, "client", "https://x/", id_tokens=unasked, secrets=MemorySecrets())


def by_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aws_client, "aws_access", lambda _service: None)


def read_keys() -> None:
    secret_store(from_environment({SECRETS: "fairgate/"}), MemoryClock()).sign_in()


def remind() -> None:
    SqsExpiryQueue("http://127.0.0.1/q").remind("ses_1", 5)


def remind_by_the_sdk(patch: pytest.MonkeyPatch) -> None:
    by_the_sdk(patch)
    remind()


def read_keys_by_the_sdk(patch: pytest.MonkeyPatch) -> None:
    by_the_sdk(patch)
    read_keys()


CALLS: dict[str, Callable[[str, pytest.MonkeyPatch], object]] = {
    "table": lambda _url, _patch: find(dynamodb_client),
    "table, by the SDK": lambda _url, _patch: find(SdkDynamo),
    "queue": lambda _url, _patch: remind(),
    "queue, by the SDK": lambda _url, patch: remind_by_the_sdk(patch),
    "keys": lambda _url, _patch: read_keys(),
    "keys, by the SDK": lambda _url, patch: read_keys_by_the_sdk(patch),
    "gate": lambda url, _patch: KeyValueStore(
        "arn:aws:cloudfront::123456789012:key-value-store/x", url
    ).read("e"),
    "layouts": lambda _url, _patch: S3Layouts("bucket", SdkClient("s3")).read(HASH, "venue.json"),
    "payments": lambda url, _patch: SandboxPayments(url, MemorySecrets(), MemoryClock())._post(
        "closures", {}, answer=dict
    ),
    "payments, by Stripe": lambda url, _patch: stripe_at(url).find_capture(PAGE),
    "sign-in": lambda url, _patch: sign_in_at(url).redeem("code", "v" * 43, "nonce-123"),
    "sign-in's keys": lambda url, _patch: IdTokenVerifier("issuer", "client", url)._key("k1"),
    "mail": lambda _url, _patch: SesMailer("box@example.org").send(MAIL),
}


@pytest.mark.parametrize("service", CALLS)
def test_a_call_ends_with_its_request(
    silent: Silent, monkeypatch: pytest.MonkeyPatch, service: str
) -> None:
    warm_up(service, silent, monkeypatch)
    took = []
    for _ in range(TRIES):
        began = time.monotonic()
        with deadline.within(LEFT_S), pytest.raises(DependencyUnavailableError):
            CALLS[service](silent.url, monkeypatch)
        took.append(time.monotonic() - began)
        if silent.connections() and took[-1] < LEFT_S + PAUSE_S:
            return
    pytest.fail(f"each time longer than {LEFT_S + PAUSE_S} s, or never connected: {took}")


def warm_up(service: str, silent: Silent, monkeypatch: pytest.MonkeyPatch) -> None:
    """Load what the first call of a process loads: that is work, and no wait."""
    with deadline.within(LEFT_S), contextlib.suppress(DependencyUnavailableError):
        CALLS[service](silent.url, monkeypatch)
    silent.connections()


@pytest.mark.parametrize("service", CALLS)
def test_no_call_is_begun_when_nothing_is_left(
    silent: Silent, monkeypatch: pytest.MonkeyPatch, service: str
) -> None:
    with deadline.within(0), pytest.raises(DependencyUnavailableError):
        CALLS[service](silent.url, monkeypatch)
    assert silent.connections() == 0


# --- a request


class Context:
    """Lambda's word on the time that is left: so much as a function has that reads one item."""

    def __init__(self, timeout_s: float) -> None:
        self.ends_at = time.monotonic() + timeout_s

    def get_remaining_time_in_millis(self) -> int:
        return round((self.ends_at - time.monotonic()) * 1000)


def read_while_the_table_is_silent(timeout_s: float) -> tuple[dict[str, Any], float]:
    """Return the answer of a function that lives so long, and what is left of its life."""
    app = create_app()
    table = DynamoTable(dynamodb_client, NAMES)

    @app.get(paths.EVENTS)
    def get_item() -> Any:
        return answer(200, table.find(SeatRecord, Key("a", "b")))

    context = Context(timeout_s)
    answered = resolve(app, request("GET", paths.EVENTS), context)
    return answered, context.ends_at - time.monotonic()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each try wait a fifth as long, so that the test takes no longer than it must."""
    monkeypatch.setattr(light, "READ_TIMEOUT_S", 0.4)


@pytest.mark.usefixtures("impatient")
def test_a_stalled_table_is_a_503_before_the_function_s_life_ends(silent: Silent) -> None:
    answered, left_s = read_while_the_table_is_silent(deadline.MARGIN_S + 0.9)
    assert answered["statusCode"] == 503
    assert answered["headers"]["retry-after"] == "2"
    assert left_s > 0
    assert 2 <= silent.connections() <= 3


@pytest.mark.usefixtures("impatient")
def test_without_the_deadline_the_function_would_have_died(
    silent: Silent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "within", lambda _seconds: contextlib.nullcontext())
    answered, left_s = read_while_the_table_is_silent(deadline.MARGIN_S + 0.9)
    assert answered["statusCode"] == 503
    assert left_s < 0
    assert silent.connections() == 5


def test_a_request_that_comes_too_late_is_a_503_at_once(silent: Silent) -> None:
    answered, _left_s = read_while_the_table_is_silent(deadline.MARGIN_S)
    assert (answered["statusCode"], silent.connections()) == (503, 0)
