"""Sign the credential that a session's owner shows with each request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate import request_ids
from fairgate.domain.shared.credential import Credential, sign_credential
from fairgate.domain.shared.ids import SessionId
from fairgate.domain.shared.session import SessionState
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.world import SignInKeys
    from fairgate.service.shared.records.sessions import Session


class OpenedSession(Struct, frozen=True):
    """A session as its owner gets it.

    Attributes:
        agreed: its event with the terms of this session.
        waited_s: from joining to this admission; None for a session that was opened before.
    """

    session: SessionId
    expires_at: str
    state: SessionState
    hold_limit: int
    credential: str
    event: str
    agreed: Event
    waited_s: int | None = None


def session_again(session: Session, event: Event, keys: SignInKeys) -> OpenedSession:
    """Return a session with a fresh credential: just opened, on another device or reloaded.

    Later lines of the log carry the session's correlation id.

    Args:
        event: with the terms that the session began with, as ``as_agreed`` returns it.
    """
    request_ids.follow(session.correlation_id)
    credential = Credential(
        session.id,
        event.id,
        session.user_id,
        session.expires_at,
        event.hold_limit,
        event.layout,
        session.correlation_id,
        event.avoid_single_seats,
    )
    return OpenedSession(
        session.id,
        session.expires_at,
        session.state,
        event.hold_limit,
        _signed(credential, keys),
        event.id,
        event,
    )


def credential_until(credential: Credential, expires_at: str, keys: SignInKeys) -> str:
    """Return the same session's credential with a later expiry."""
    return _signed(replace(credential, expires_at=expires_at), keys)


def _signed(credential: Credential, keys: SignInKeys) -> str:
    return sign_credential(credential, keys.session_kid, keys.session[keys.session_kid])
