"""Sign the link that shows the orders of a mailbox until a time.

It is in the fragment of the address, which browsers do not send.
"""

from __future__ import annotations

from msgspec import Struct

from fairgate.domain.shared import jws
from fairgate.domain.shared.ids import MAILBOX, Mailbox
from fairgate.errors import LinkEndedError, UnauthenticatedError

VALID_S = 86_400
_TYPE, _KID = "LNK", "1"
_CHARS_MAX = 512


class TicketLink(Struct, frozen=True):
    mailbox: Mailbox
    expires_at_s: int


def sign_link(link: TicketLink, key: bytes) -> str:
    """Return the token. ``key`` is the deployment's of links, which names no mailbox."""
    claims = {"box": link.mailbox, "exp": link.expires_at_s}
    return jws.encode(_TYPE, _KID, claims, key)


def verify_link(token: str, key: bytes, now_s: int) -> TicketLink:
    """Return the claims of a token. Raises LinkEndedError: it has expired, or we never signed it.

    Both answers are the same, so trying tokens tells nothing.
    """
    try:
        claims = jws.decode(token, typ=_TYPE, keys={_KID: key} if key else {}, chars_max=_CHARS_MAX)
    except UnauthenticatedError as error:
        raise _ended() from error
    mailbox, expires_at_s = claims.get("box"), claims.get("exp")
    if not (isinstance(mailbox, str) and MAILBOX.fullmatch(mailbox)):
        raise _ended()
    if not isinstance(expires_at_s, int) or expires_at_s <= now_s:
        raise _ended()
    return TicketLink(Mailbox(mailbox), expires_at_s)


def _ended() -> LinkEndedError:
    return LinkEndedError(
        f"This link opens nothing. A link works for {VALID_S // 3_600} hours: ask for a new one."
    )
