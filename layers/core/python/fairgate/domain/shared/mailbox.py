"""Name a mail address by a keyed hash, so that no key of a table, message or link holds one."""

from __future__ import annotations

import hashlib
import hmac
import string
from contextlib import suppress

from fairgate.domain.shared.ids import Mailbox
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.mail_address import sent_to
from fairgate.errors import MailAddressError

_PURPOSE = "fairgate mailbox|"  # no other use of the key hashes such a text
_BYTES = 16
_LOWERED = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def mailbox_of(key: bytes, email: str) -> Mailbox:
    """Return the name of an address's mailbox, the same for capital and small letters.

    A domain beyond ASCII counts as its A-label: the two are one mailbox.

    Only ASCII letters are lowered. Some others would become an ASCII letter (the Kelvin sign a k),
    and the owner of such an address would get another person's name.

    Returns "" without a key: then nothing can be found by an address.
    """
    if not key:
        return Mailbox("")
    address = email.strip()
    with suppress(MailAddressError):
        address = sent_to(address)
    text = _PURPOSE + address.translate(_LOWERED)
    return Mailbox(b64url(hmac.digest(key, text.encode(), hashlib.sha256)[:_BYTES]))
