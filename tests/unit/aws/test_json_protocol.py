"""The light AWS client: one kept connection, whole answers only, botocore's errors."""

from __future__ import annotations

import json
import socket
import threading
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError, HTTPClientError

from fairgate.adapters.aws.client import aws_calls
from fairgate.adapters.aws.json_protocol import AwsJson, Instead
from fairgate.adapters.aws.secrets import secret_store
from fairgate.adapters.aws.sqs import SqsExpiryQueue
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.light import LightDynamo, dynamodb_client
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import Key
from fairgate.ports.table import Put, TransactionRefusedError
from fairgate.request_ids import aws_request_id
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.settings import SECRETS, AwsAccess, aws_access, from_environment
from fairgate_lab.engine.clock import MemoryClock
from tests.support.world import NAMES

KEYS = {
    "AWS_ACCESS_KEY_ID": "AKID",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_SESSION_TOKEN": "token",
    "AWS_DEFAULT_REGION": "eu-central-1",
}


def answer(
    body: bytes = b"{}", status: int = 200, crc: int | None = None, connection: str = "keep-alive"
) -> bytes:
    checksum = zlib.crc32(body) if crc is None else crc
    head = (
        f"HTTP/1.1 {status} X\r\ncontent-length: {len(body)}\r\nx-amzn-requestid: REQ1\r\n"
        f"x-amz-crc32: {checksum}\r\nconnection: {connection}\r\n\r\n"
    )
    return head.encode() + body


def refusal(code: str, **more: object) -> bytes:
    kind = f"com.amazonaws.dynamodb.v20120810#{code}"
    return answer(json.dumps({"__type": kind, "message": "no", **more}).encode(), 400)


@dataclass
class Stub:
    """Sends its answers in order; b"" closes the connection, None sends nothing."""

    listener: socket.socket
    answers: list[bytes | None] = field(default_factory=list)
    hang_up_after: bool = False
    closing: bool = False
    seen: list[bytes] = field(default_factory=list)
    connections: int = 0

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection:
                self._serve(connection)

    def _serve(self, connection: socket.socket) -> None:
        while request := _request(connection):
            self.seen.append(request)
            told = self.answers.pop(0) if self.answers else answer()
            if told is None:
                connection.recv(1)  # until the caller has had enough
                return
            if self.closing:
                told = told.replace(b"connection: keep-alive", b"connection: close")
            connection.sendall(told)
            if not told or self.hang_up_after or self.closing:
                return


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65_536)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


@pytest.fixture
def stub() -> Iterator[Stub]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Stub(listener)
        thread = threading.Thread(target=made.serve)
        thread.start()
        yield made
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.fixture
def caller(stub: Stub) -> Iterator[AwsJson]:
    access = aws_access("dynamodb", {**KEYS, "AWS_ENDPOINT_URL": stub.endpoint})
    assert access is not None
    made = AwsJson(access, "dynamodb", "DynamoDB_20120810", connect_timeout_s=1, read_timeout_s=0.2)
    yield made
    made.close()


@pytest.fixture
def table(stub: Stub) -> Iterator[DynamoTable]:
    client = LightDynamo(AwsAccess(stub.endpoint, "eu-central-1", "AKID", "secret"))
    yield DynamoTable(lambda: client, NAMES, sleep=lambda _s: None)
    client.close()


# --- the call


def test_a_call_is_one_signed_request_with_the_session_token(stub: Stub, caller: AwsJson) -> None:
    stub.answers = [answer(b'{"Item":{"a":{"S":"b"}}}')]
    assert caller.call("GetItem", {"TableName": "t"}) == {"Item": {"a": {"S": "b"}}}
    (request,) = stub.seen
    head = request.lower()
    assert b"x-amz-security-token: token" in head
    assert b"user-agent: fairgate/0" in head
    assert b"x-amz-target: dynamodb_20120810.getitem" in head
    assert b"signedheaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target" in head
    assert request.endswith(b'{"TableName":"t"}')


def test_one_connection_serves_many_calls(stub: Stub, caller: AwsJson) -> None:
    for _ in range(5):
        caller.call("GetItem", {})
    assert stub.connections == 1


def test_a_connection_that_was_closed_while_idle_is_replaced(stub: Stub, caller: AwsJson) -> None:
    stub.hang_up_after = True
    for _ in range(3):
        caller.call("GetItem", {})
        _until_closed(caller)
    assert stub.connections == 3


def _until_closed(caller: AwsJson) -> None:
    """Wait until the stub's close has arrived."""
    sock = caller._idle[0].sock
    assert sock.recv(1, socket.MSG_PEEK) == b""


def test_a_connection_is_not_kept_when_the_service_says_so(stub: Stub, caller: AwsJson) -> None:
    stub.answers = [answer(connection="close"), answer()]
    stub.hang_up_after = True
    caller.call("GetItem", {})
    caller.call("GetItem", {})
    assert stub.connections == 2


def test_a_damaged_answer_is_no_answer(stub: Stub, caller: AwsJson) -> None:
    stub.answers = [answer(b'{"Item":{}}', crc=1)]
    with pytest.raises(HTTPClientError, match="checksum"):
        caller.call("GetItem", {})


@pytest.mark.parametrize("told", [b"", None, b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}"])
def test_no_answer_is_a_connection_error(stub: Stub, caller: AwsJson, told: bytes | None) -> None:
    stub.answers = [told, answer()]
    with pytest.raises(HTTPClientError):
        caller.call("GetItem", {})
    assert caller.call("GetItem", {}) == {}  # on a new connection


def test_a_refusal_is_botocores_client_error_with_its_fields(stub: Stub, caller: AwsJson) -> None:
    stub.answers = [refusal("ConditionalCheckFailedException", Item={"a": {"N": "1"}})]
    with pytest.raises(ClientError) as refused:
        caller.call("UpdateItem", {})
    assert refused.value.response["Error"] == {
        "Code": "ConditionalCheckFailedException",
        "Message": "no",
    }
    response = cast(Mapping[str, Any], refused.value.response)
    assert response["Item"] == {"a": {"N": "1"}}
    assert aws_request_id(refused.value) == "REQ1"


# --- behind the table


def test_reasons_come_in_the_order_of_the_actions(stub: Stub, table: DynamoTable) -> None:
    reasons = [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Item": {"v": {"N": "7"}}}]
    stub.answers = [refusal("TransactionCanceledException", CancellationReasons=reasons)]
    with pytest.raises(TransactionRefusedError) as refused:
        table.transact([Put("seats", {"PK": "a"}), Put("seats", {"PK": "b"})])
    assert [(r.failed, r.item) for r in refused.value.reasons] == [(False, None), (True, {"v": 7})]


@pytest.mark.parametrize(
    "first",
    [
        b"",
        refusal("ThrottlingException"),
        answer(b"<html>", 503),
        refusal("TransactionCanceledException", CancellationReasons=[{"Code": "ThrottlingError"}]),
    ],
)
def test_trouble_that_passes_is_tried_again_with_the_same_token(
    stub: Stub, table: DynamoTable, first: bytes
) -> None:
    stub.answers = [first, answer()]
    table.transact([Put("seats", {"PK": "a"})], token="once")
    bodies = [request.partition(b"\r\n\r\n")[2] for request in stub.seen]
    assert len(bodies) == 2
    assert bodies[0] == bodies[1]
    assert b'"ClientRequestToken":"once"' in bodies[0]


def test_the_table_is_unavailable_when_five_tries_fail(stub: Stub, table: DynamoTable) -> None:
    stub.answers = [answer(b"<html>", 500)] * 5
    with pytest.raises(DependencyUnavailableError) as unavailable:
        table.find(SeatRecord, Key("a", "b"))
    assert len(stub.seen) == 5
    assert aws_request_id(unavailable.value) == "REQ1"
    assert aws_request_id(DependencyUnavailableError("no cause")) == ""


def test_an_unknown_refusal_propagates(stub: Stub, table: DynamoTable) -> None:
    stub.answers = [refusal("AccessDeniedException")]
    with pytest.raises(ClientError, match="AccessDenied"):
        table.find(SeatRecord, Key("a", "b"))


# --- expired keys


def test_expired_keys_are_looked_for_elsewhere_once(stub: Stub) -> None:
    made: list[str] = []
    called: list[tuple[str, Mapping[str, Any]]] = []

    def instead() -> Instead:
        made.append("sdk")

        def call(operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
            called.append((operation, request))
            return {"by": "the SDK"}

        return call

    access = AwsAccess(stub.endpoint, "eu-central-1", "AKID", "secret", "token")
    expiring = AwsJson(
        access, "sqs", "AmazonSQS", connect_timeout_s=1, read_timeout_s=1, instead=instead
    )
    stub.answers = [answer(), refusal("ExpiredTokenException")]
    assert expiring.call("SendMessage", {}) == {}
    assert not made
    for number in (1, 2):
        assert expiring.call("SendMessage", {"n": number}) == {"by": "the SDK"}
    assert made == ["sdk"]
    assert called == [("SendMessage", {"n": 1}), ("SendMessage", {"n": 2})]
    assert len(stub.seen) == 2
    expiring.close()


@pytest.mark.usefixtures("environment")
def test_a_function_goes_on_by_the_sdk_when_its_keys_are_expired(stub: Stub) -> None:
    stub.answers = [refusal("ExpiredTokenException"), answer(b'{"Item":{}}')]
    client = dynamodb_client()
    assert isinstance(client, LightDynamo)
    assert client.get_item(TableName="t", Key={"PK": {"S": "a"}})["Item"] == {}
    light, by_sdk = stub.seen
    assert b"user-agent: fairgate/" in light.lower()
    assert b"botocore" not in light.lower()
    agent = by_sdk.lower().partition(b"user-agent: ")[2].partition(b"\r\n")[0]
    assert b"botocore" in agent.lower()
    assert b"fairgate/" in agent


def test_keys_that_stay_expired_are_an_outage_and_not_final(stub: Stub, caller: AwsJson) -> None:
    class NowhereElse:
        def get_item(self, **request: Any) -> dict[str, Any]:
            return caller.call("GetItem", request)

    table = DynamoTable(NowhereElse, NAMES, sleep=lambda _s: None)
    stub.answers = [refusal("ExpiredTokenException"), answer()]
    assert table.find(SeatRecord, Key("a", "b")) is None
    stub.answers = [refusal("ExpiredTokenException")] * 5
    with pytest.raises(DependencyUnavailableError):
        table.find(SeatRecord, Key("a", "b"))


# --- the other services


@pytest.fixture
def environment(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": stub.endpoint}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
    stub.closing = True  # for nobody closes the connections that a function keeps


@pytest.mark.usefixtures("environment")
def test_a_call_is_tried_three_times_and_then_answers(stub: Stub) -> None:
    stub.answers = [refusal("ThrottlingException"), b"", answer(b'{"MessageId":"1"}')]
    slept: list[float] = []
    call = aws_calls("sqs", sleep=slept.append)
    assert call("SendMessage", QueueUrl="q") == {"MessageId": "1"}
    assert len(slept) == 2
    assert b"x-amz-target: AmazonSQS.SendMessage" in stub.seen[0]
    assert b"application/x-amz-json-1.0" in stub.seen[0]


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(
    ("code", "tries"), [("ThrottlingException", 3), ("ResourceNotFoundException", 1)]
)
def test_a_refusal_is_tried_three_times_when_it_may_pass(stub: Stub, code: str, tries: int) -> None:
    stub.answers = [refusal(code)] * 3
    call = aws_calls("secretsmanager", sleep=lambda _s: None)
    with pytest.raises(ClientError):
        call("GetSecretValue", SecretId="s")
    assert len(stub.seen) == tries
    assert b"x-amz-target: secretsmanager.GetSecretValue" in stub.seen[0]
    assert b"application/x-amz-json-1.1" in stub.seen[0]


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("region", ["eu-central-1", "cn-north-1"])  # light, and the SDK
def test_keys_and_reminders_come_through_when_light_and_through_the_sdk(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, region: str
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    keys = {
        "auth": {},
        "auth_kid": "",
        "session": {},
        "session_kid": "",
    }
    body = json.dumps({"SecretString": json.dumps(keys)}).encode()
    stub.answers = [answer(body, connection="close"), answer(connection="close")]
    stub.hang_up_after = True
    assert (
        secret_store(from_environment({SECRETS: "fairgate/"}), MemoryClock()).sign_in().auth_kid
        == ""
    )
    SqsExpiryQueue("http://127.0.0.1/q").remind("ses_1", 2_000)
    got, sent = stub.seen
    assert b'"SecretId"' in got
    assert b'"DelaySeconds":900' in sent.replace(b": ", b":")


# --- when it is used


def test_access_names_the_region_s_address_and_no_secret_when_logged() -> None:
    access = aws_access("dynamodb", KEYS)
    assert access is not None
    assert access.endpoint == "https://dynamodb.eu-central-1.amazonaws.com"
    assert (access.key_id, access.session_token) == ("AKID", "token")
    line = json.dumps({"access": access}, default=str)  # as both writers of lines do
    assert "AKID" in line
    assert "secret" not in line
    assert "token" not in line


@pytest.mark.parametrize(
    "changes",
    [
        {"AWS_ACCESS_KEY_ID": ""},
        {"AWS_SECRET_ACCESS_KEY": ""},
        {"AWS_DEFAULT_REGION": ""},
        {"AWS_DEFAULT_REGION": "cn-north-1"},
        {"AWS_DEFAULT_REGION": "us-iso-east-1"},
        {"AWS_USE_FIPS_ENDPOINT": "true"},
        {"AWS_CA_BUNDLE": "/some/bundle"},
    ],
)
def test_the_sdk_is_used_when_the_environment_lacks_a_setting(
    changes: dict[str, str],
) -> None:
    assert aws_access("dynamodb", KEYS | changes) is None
