"""Check a buyer's name and postal address, for events that ask for them at checkout.

The postal code may be empty: some countries have none. Bounds are those of a line on an invoice.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata

from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.labels import harmless, trimmed
from fairgate.domain.shared.printable import unprintable
from fairgate.errors import PostalAddressError

STREET_LINES_MAX = 3
_PURPOSE = "fairgate shared count|"  # no other use of the key hashes such a text
_TAG_BYTES = 16
_BLANK = "\u115f\u1160"  # letters of Hangul that show nothing, as NFKD spells them
ADDRESS = "a."  # how the tags of addresses begin
LINE_CHARS_MAX = 80
# Field → its name in words, longest line.
_FIELDS = {
    "name": ("name", LINE_CHARS_MAX),
    "street": ("street", LINE_CHARS_MAX),
    "postcode": ("postal code", 20),
    "city": ("city", 60),
    "country": ("country", 60),
}


def checked(given: PostalAddress | None, *, asked: bool) -> PostalAddress | None:
    """Return an address without space around its lines; None where none is asked for.

    Raises PostalAddressError, which says in words what is wrong, and with which field.
    """
    if given is None:
        if asked:
            raise PostalAddressError("The organiser asks for your name and postal address.")
        return None
    if not asked:
        raise PostalAddressError("The organiser asks for no postal address here.")
    return PostalAddress(**{field: _checked(field, getattr(given, field)) for field in _FIELDS})


def address_tag(key: bytes, event: str, postal: PostalAddress | None) -> str:
    """Return the name under which an address is counted in an event; "" without address or key.

    Capitals, accents, spaces and signs make no other address, and neither does the name of the
    person, or the line on which a part stands. A letter more does: what is typed is checked by
    nobody.
    """
    if postal is None or not key:
        return ""
    lines = (postal.street, postal.postcode, postal.city, postal.country)
    plain = unicodedata.normalize("NFKD", "".join(lines)).casefold()
    text = "".join(one for one in plain if _counts(one))
    digest = hmac.digest(key, f"{_PURPOSE}{event}|{text}".encode(), hashlib.sha256)
    return ADDRESS + b64url(digest[:_TAG_BYTES])


def _counts(one: str) -> bool:
    """Say whether a character tells two addresses apart: no sign, and no letter without a form."""
    return one.isalnum() and unicodedata.category(one) != "Lm" and one not in _BLANK


def _checked(field: str, text: str) -> str:
    what, most = _FIELDS[field]
    text = text.replace("\r\n", "\n") if field == "street" else text
    if harmless(text, "") != text or "\t" in text or unprintable(text):
        wrong = "has a character that cannot be printed: please type it anew"
        raise PostalAddressError(f"The {what} {wrong}.", field)
    lines = [line for one in text.split("\n") if (line := trimmed(one))]
    if not lines and field != "postcode":
        raise PostalAddressError(f"The {what} is missing.", field)
    most_lines, each = (STREET_LINES_MAX, " a line") if field == "street" else (1, "")
    if len(lines) > most_lines:
        raise PostalAddressError(f"The {what} has too many lines: at most {most_lines}.", field)
    if any(len(line) > most for line in lines):
        raise PostalAddressError(f"The {what} may have at most {most} characters{each}.", field)
    return "\n".join(lines)
