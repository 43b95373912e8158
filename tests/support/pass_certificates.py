"""Certificates such as Apple gives for passes, made here: its own, and one for passes."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

PASS_TYPE, TEAM = "pass.example.tickets", "TEAM123456"


class Certificates(NamedTuple):
    """PEM each."""

    certificate: str
    key: str
    intermediate: str
    other_key: str


@cache
def certificates(now_s: int, days: int = 365) -> Certificates:
    """Make a chain that is valid from a day before ``now_s`` for so many days."""
    root_key, own_key, other = (rsa.generate_private_key(65_537, 2_048) for _ in range(3))
    root = _name(("Worldwide Developer Relations", NameOID.COMMON_NAME))
    own = _name((PASS_TYPE, NameOID.USER_ID), (TEAM, NameOID.ORGANIZATIONAL_UNIT_NAME))
    return Certificates(
        _signed(own, root, own_key, root_key, now_s, days),
        _pem(own_key),
        _signed(root, root, root_key, root_key, now_s, 3_650),
        _pem(other),
    )


@cache
def rsa_key() -> str:
    return _pem(rsa.generate_private_key(65_537, 2_048))


def _name(*parts: tuple[str, x509.ObjectIdentifier]) -> x509.Name:
    return x509.Name([x509.NameAttribute(kind, text) for text, kind in parts])


def _signed(
    subject: x509.Name,
    issuer: x509.Name,
    key: rsa.RSAPrivateKey,
    by: rsa.RSAPrivateKey,
    now_s: int,
    days: int,
) -> str:
    start = dt.datetime.fromtimestamp(now_s, dt.UTC) - dt.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + dt.timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=subject == issuer, path_length=None), critical=True)
        .sign(by, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def _pem(key: rsa.RSAPrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
