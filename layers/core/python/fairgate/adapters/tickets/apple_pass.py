"""Make a ticket for Apple Wallet: a signed archive (.pkpass).

Source: Apple, "Wallet Developer Guide": Creating the Pass, Distributing; PassKit, "Pass".
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.brand import palette_of
from fairgate.domain.shared.wording import wording

if TYPE_CHECKING:
    from fairgate.domain.tickets.ticket import TicketFace
    from fairgate.ports.world import ApplePassKeys

_ICON = Path(__file__).with_name("templates") / "pass-icon.png"  # 87 by 87: @3x of what Apple asks
_ICON_NAMES = ("icon.png", "icon@2x.png", "icon@3x.png")
_LATIN = "iso-8859-1"  # of the code, which is ASCII


def apple_pass(face: TicketFace, keys: ApplePassKeys) -> bytes:
    """Return the archive: the pass, its icon, a list of their digests, and its signature.

    A pass does not change by itself: one of a ticket that was passed on shows a code that the
    entrance refuses.

    Raises ValueError, TypeError: the keys are not a certificate for passes and its key.
    """
    files = {"pass.json": json.dumps(_document(face, keys), ensure_ascii=False).encode()}
    files |= dict.fromkeys(_ICON_NAMES, _ICON.read_bytes())
    # Source: "Creating the Pass", The Manifest: SHA-1 of each file.
    digests = {name: hashlib.sha1(data).hexdigest() for name, data in files.items()}  # noqa: S324
    manifest = json.dumps(digests).encode()
    files |= {"manifest.json": manifest, "signature": _signature(manifest, keys)}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, data in files.items():
            pack.writestr(name, data)
    return archive.getvalue()


def pass_names(certificate: str) -> tuple[str, str]:
    """Return the pass type's identifier and the team's, as the certificate has them.

    Raises ValueError: it is not a certificate of Apple's for passes.
    """
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    subject = x509.load_pem_x509_certificate(certificate.encode()).subject
    kinds = (NameOID.USER_ID, NameOID.ORGANIZATIONAL_UNIT_NAME)
    names = [subject.get_attributes_for_oid(kind) for kind in kinds]
    if not all(names) or not str(names[0][0].value).startswith("pass."):
        raise ValueError("this is no certificate for passes: its subject names no pass type")
    return str(names[0][0].value), str(names[1][0].value)


def pass_ends_ms(certificate: str) -> int:
    """Return when a certificate ends, epoch milliseconds: no phone takes a later pass."""
    from cryptography import x509

    ends = x509.load_pem_x509_certificate(certificate.encode()).not_valid_after_utc
    return round(ends.timestamp() * 1000)


def _document(face: TicketFace, keys: ApplePassKeys) -> dict[str, Any]:
    pass_type, team = pass_names(keys.certificate)
    words = wording(face.language)
    number = words("ticket.number", number=str(face.number), total=str(face.total))
    seat = [_field("section", face.section)] if face.section else []
    return {
        "formatVersion": 1,
        "passTypeIdentifier": pass_type,
        "teamIdentifier": team,
        "serialNumber": face.ticket,
        "organizationName": keys.organisation,
        "description": words.counted("ticket.title", 1, event=face.event_name),
        "sharingProhibited": True,
        **_colors(face),
        **({"relevantDate": face.starts_at} if face.starts_at else {}),
        "eventTicket": {
            "headerFields": [_field("tier", face.tier)],
            "primaryFields": [_field("event", face.event_name)],
            "secondaryFields": [*seat, _field("place", face.place_in_section)],
            "auxiliaryFields": [_field(f"about{n}", text) for n, text in enumerate(face.about)],
            "backFields": [_field("number", number), _field("hint", words("ticket.hint"))],
        },
        "barcodes": [
            {"format": "PKBarcodeFormatQR", "message": face.code, "messageEncoding": _LATIN}
        ],
    }


def _colors(face: TicketFace) -> dict[str, str]:
    """Return ground and letters; {}: the phone's own. Source: PassKit, "Pass"."""
    if not face.color_1:
        return {}
    shades = palette_of(face.color_1).light
    return {
        "backgroundColor": _rgb(shades.button),
        "foregroundColor": _rgb(shades.text),
        "labelColor": _rgb(shades.text),
    }


def _rgb(color: str) -> str:
    parts = (str(int(color[place : place + 2], 16)) for place in (1, 3, 5))
    return f"rgb({', '.join(parts)})"


def _field(key: str, value: str) -> dict[str, str]:
    return {"key": key, "value": value}


def _signature(manifest: bytes, keys: ApplePassKeys) -> bytes:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import pkcs7

    key = serialization.load_pem_private_key(keys.key.encode(), password=None)
    if not isinstance(key, RSAPrivateKey):
        raise TypeError("the key of a pass's certificate is an RSA key")
    certificate, between = (
        x509.load_pem_x509_certificate(text.encode())
        for text in (keys.certificate, keys.intermediate)
    )
    return (
        pkcs7.PKCS7SignatureBuilder()
        .set_data(manifest)
        .add_signer(certificate, key, hashes.SHA256())
        .add_certificate(between)
        .sign(
            serialization.Encoding.DER,
            [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary],
        )
    )
