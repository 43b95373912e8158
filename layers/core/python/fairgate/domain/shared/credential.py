"""Sign the session credential: what a hold needs to know, so that it reads nothing first."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from fairgate.domain.shared import jws
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import SessionExpiredError, UnauthenticatedError

_TYPE = "SES"
_CHARS_MAX = 1024


class Credential(Struct, frozen=True):
    session: SessionId
    event: EventId
    user: UserId
    expires_at: str  # RFC 3339; the expiry that a hold's seats take over
    hold_limit: int  # units a session may hold at once
    layout: str  # content hash of the event's layout
    correlation_id: str = ""  # of the sale, in every line of the log (request_ids.py)
    avoid_single_seats: bool = False


def sign_credential(credential: Credential, kid: str, key: bytes) -> str:
    claims = {
        "sid": credential.session,
        "evt": credential.event,
        "sub": credential.user,
        "exp": epoch_ms(credential.expires_at),
        "lim": credential.hold_limit,
        "lay": credential.layout,
    }
    if credential.correlation_id:
        claims["cid"] = credential.correlation_id
    if credential.avoid_single_seats:
        claims["one"] = 1
    return jws.encode(_TYPE, kid, claims, key)


def verify_credential(text: str, keys: Mapping[str, bytes], now_ms: int) -> Credential:
    """Return the credential. Raises UnauthenticatedError, SessionExpiredError."""
    claims = jws.decode(text, typ=_TYPE, keys=keys, chars_max=_CHARS_MAX)
    try:
        credential = Credential(
            SessionId(claims["sid"]),
            EventId(claims["evt"]),
            UserId(claims["sub"]),
            rfc3339(claims["exp"]),
            int(claims["lim"]),
            claims["lay"],
            str(claims.get("cid", "")),
            bool(claims.get("one")),
        )
    except (KeyError, TypeError, ValueError) as error:  # an older format signed by the same key
        raise UnauthenticatedError("The session credential does not verify.") from error
    if claims["exp"] <= now_ms:
        raise SessionExpiredError("Your session has ended.")
    return credential
