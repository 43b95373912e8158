"""The light AWS client speaks TLS to a name that it has verified, or not at all."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from botocore.exceptions import HTTPClientError

from fairgate.adapters.aws import json_protocol as aws_json
from fairgate.adapters.aws.json_protocol import AwsJson
from fairgate.settings import AwsAccess
from tests.support.certificates import self_signed

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return self_signed(tmp_path)


@pytest.fixture
def trusting(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(aws_json, "_tls", lambda: context)


@pytest.fixture
def port(certificate: Path) -> Iterator[int]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError):  # the caller refused, or the test is over
                connection, _ = listener.accept()
                with connection, context.wrap_socket(connection, server_side=True) as secure:
                    data = b""
                    while b"\r\n\r\n" not in data or not data.endswith(b"{}"):
                        data += secure.recv(65_536)
                    secure.sendall(ANSWER)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def call(port: int, host: str = "127.0.0.1") -> dict[str, object]:
    access = AwsAccess(f"https://{host}:{port}", "eu-central-1", "AKID", "secret")
    return AwsJson(access, "dynamodb", "D", connect_timeout_s=2, read_timeout_s=2).call(
        "GetItem", {}
    )


@pytest.mark.usefixtures("trusting")
def test_an_answer_is_read_when_the_certificate_is_trusted(
    port: int,
) -> None:
    assert call(port) == {}


def test_no_answer_is_read_when_nobody_vouches_for_the_certificate(port: int) -> None:
    with pytest.raises(HTTPClientError, match="certificate verify failed"):
        call(port)


@pytest.mark.usefixtures("trusting")
def test_no_answer_is_read_when_the_certificate_has_another_name(
    port: int,
) -> None:
    with pytest.raises(HTTPClientError, match="certificate verify failed"):
        call(port, "localhost")
