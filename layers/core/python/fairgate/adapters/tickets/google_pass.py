"""Make the link that saves a ticket to Google Wallet.

Source: Google Wallet API, "Event tickets": Issuing passes with the web, JWT; EventTicketObject.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.catalog.brand import palette_of

if TYPE_CHECKING:
    from fairgate.domain.tickets.ticket import TicketFace
    from fairgate.ports.world import GooglePassKeys

_SAVE = "https://pay.google.com/gp/v/save/"


def google_pass(face: TicketFace, keys: GooglePassKeys, *, origin: str, now_s: int) -> str:
    """Return an address that only the ticket's owner may be given: it holds the ticket's code.

    Args:
        origin: of the page that shows the link.

    Raises ValueError: the keys hold no RSA key.
    """
    import jwt

    claims = {
        "iss": keys.account,
        "aud": "google",
        "typ": "savetowallet",
        "iat": now_s,
        "origins": [origin],
        "payload": {
            "eventTicketClasses": [_class(face, keys)],
            "eventTicketObjects": [_object(face, keys)],
        },
    }
    return _SAVE + jwt.encode(claims, keys.key, algorithm="RS256")


def _class(face: TicketFace, keys: GooglePassKeys) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": f"{keys.issuer}.{face.event}",
        "issuerName": keys.organisation,
        "reviewStatus": "UNDER_REVIEW",
        "eventName": _text(face, face.event_name),
    }
    if face.venue_name and face.venue_address:  # Google takes a venue with both, or none
        told["venue"] = {
            "name": _text(face, face.venue_name),
            "address": _text(face, face.venue_address),
        }
    if face.starts_at:
        told["dateTime"] = {"start": face.starts_at}
    if face.color_1:  # Google chooses white or black letters, as can be read
        told["hexBackgroundColor"] = palette_of(face.color_1).light.button
    return told


def _object(face: TicketFace, keys: GooglePassKeys) -> dict[str, Any]:
    section = {"section": _text(face, face.section)} if face.section else {}
    return {
        "id": f"{keys.issuer}.{face.ticket}",
        "classId": f"{keys.issuer}.{face.event}",
        "state": "ACTIVE",
        "ticketNumber": face.ticket,
        "ticketType": _text(face, face.tier),
        "seatInfo": {"seat": _text(face, face.place_in_section), **section},
        "barcode": {"type": "QR_CODE", "value": face.code},
    }


def _text(face: TicketFace, text: str) -> dict[str, Any]:
    return {"defaultValue": {"language": face.language, "value": text}}
