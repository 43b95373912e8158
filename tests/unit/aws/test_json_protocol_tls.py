"""The light AWS client speaks TLS to a name that it has verified, or not at all."""

from __future__ import annotations

import datetime as dt
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from botocore.exceptions import HTTPClientError
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fairgate.adapters.aws import json_protocol as aws_json
from fairgate.adapters.aws.json_protocol import AwsJson
from fairgate.settings import AwsAccess

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Of 127.0.0.1, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "stub")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "stub.pem"
    plain = serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


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


def test_an_answer_is_read_when_the_certificate_is_trusted(
    port: int, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(aws_json, "_tls", lambda: trusting)
    assert call(port) == {}


def test_no_answer_is_read_when_nobody_vouches_for_the_certificate(port: int) -> None:
    with pytest.raises(HTTPClientError, match="certificate verify failed"):
        call(port)


def test_no_answer_is_read_when_the_certificate_has_another_name(
    port: int, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(aws_json, "_tls", lambda: trusting)
    with pytest.raises(HTTPClientError, match="certificate verify failed"):
        call(port, "localhost")
