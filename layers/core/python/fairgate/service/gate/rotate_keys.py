"""Rotate signing keys without refusing anything that was honestly signed.

A new key is first made known to everybody who verifies, and signs only when all of them have it;
the old one verifies until what it signed has expired. Each step is one conditional write, and an
interrupted rotation begins again with a fresh key, since a key that never signed can be dropped.
The draw key is never rotated: it is the draw.

A key id is a letter and its creation in epoch seconds, so its age needs no other record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import TooEarlyError, VersionConflictError, WrongStateError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateChange, GateControl

KEY_BYTES = 32
SPREAD_S = 120  # planned for: the slowest edge has a new value, every function its new secret
AUTH_TTL_S = 86_400  # no auth JWT lives longer
_KID_TIME = re.compile(r"[a-z](\d{9,11})")

KeySource = Callable[[int], bytes]


class SecretDocument(Protocol):
    """The JSON document that ``adapters/aws/secrets.py`` reads."""

    def read(self) -> str: ...

    def write(self, before: str, after: str) -> None:
        """Replace the document. Raises VersionConflictError when it is no longer ``before``."""
        ...


def new_kid(letter: str, now_s: int, signing: str = "") -> str:
    """Make an id younger than ``signing``'s, even within one second."""
    return f"{letter}{max(now_s, made_at_s(signing) + 1)}"


def made_at_s(kid: str) -> int:
    """Return when the key was made; 0, long ago, for ids of another making."""
    match = _KID_TIME.fullmatch(kid)
    return int(match[1]) if match else 0


@dataclass(frozen=True)
class TokenKeyRotation:
    """Rotates one event's waiting-token key. Wait SPREAD_S between ``add`` and ``switch``."""

    control: GateControl
    clock: Clock
    source: KeySource

    def add(self, event: str) -> GateChange:
        """Add a key that verifies from now on, and does not sign yet.

        Raises:
            NotFoundError.
            TooEarlyError: tokens of the key before the present one may still be alive.
        """
        now_s = self.clock.now_ms() // 1000
        key = self.source(KEY_BYTES)

        def change(gate: GateConfig) -> GateConfig:
            retired = _retired(gate.token_keys, gate.token_kid)
            if retired:
                _expired_by(now_s, gate.token_kid, gate.token_ttl_s)
            signing = {gate.token_kid: gate.token_keys[gate.token_kid]}
            kid = new_kid("t", now_s, gate.token_kid)
            return replace(gate, token_keys={**signing, kid: key})

        return self.control.change_keys(event, change)

    def switch(self, event: str) -> GateChange:
        """Sign with the new key from now on; the old one goes on verifying.

        Raises: NotFoundError, WrongStateError, TooEarlyError.
        """
        now_s = self.clock.now_ms() // 1000

        def change(gate: GateConfig) -> GateConfig:
            return replace(gate, token_kid=_pending(gate.token_keys, gate.token_kid, now_s))

        return self.control.change_keys(event, change)

    def retire(self, event: str) -> GateChange:
        """Stop verifying with the old key.

        Raises NotFoundError, TooEarlyError, WrongStateError.
        """
        now_s = self.clock.now_ms() // 1000

        def change(gate: GateConfig) -> GateConfig:
            if not _retired(gate.token_keys, gate.token_kid):
                raise WrongStateError(f"{event} has no old key to retire.")
            _expired_by(now_s, gate.token_kid, gate.token_ttl_s)
            return replace(gate, token_keys={gate.token_kid: gate.token_keys[gate.token_kid]})

        return self.control.change_keys(event, change)


@dataclass(frozen=True)
class AuthKeyRotation:
    """Rotates the auth JWTs' key: in the secret, and in the value of every event.

    ``add`` tells the secret and the events, ``switch`` the secret alone; wait SPREAD_S between.
    """

    control: GateControl
    document: SecretDocument
    clock: Clock
    source: KeySource

    def add(self, events: list[str]) -> str:
        """Add a key that verifies everywhere, and does not sign yet; return its id.

        Raises: NotFoundError, TooEarlyError, VersionConflictError.
        """
        now_s = self.clock.now_ms() // 1000
        before, document = self._document()
        signing = str(document["auth_kid"])
        if _retired(document["auth"], signing):
            _expired_by(now_s, signing, AUTH_TTL_S)
        kid = new_kid("a", now_s, signing)
        document["auth"] = {
            signing: document["auth"][signing],
            kid: b64url(self.source(KEY_BYTES)),
        }
        self._write(before, document)
        self._tell(events, document)
        return kid

    def switch(self) -> str:
        """Sign with the new key from now on; return its id.

        Raises WrongStateError, TooEarlyError.
        """
        before, document = self._document()
        now_s = self.clock.now_ms() // 1000
        kid = _pending(document["auth"], str(document["auth_kid"]), now_s)
        document["auth_kid"] = kid
        self._write(before, document)
        return kid

    def retire(self, events: list[str]) -> None:
        """Stop verifying with the old key. Raises TooEarlyError, WrongStateError, NotFoundError."""
        before, document = self._document()
        signing = str(document["auth_kid"])
        if not _retired(document["auth"], signing):
            raise WrongStateError("There is no old auth key to retire.")
        _expired_by(self.clock.now_ms() // 1000, signing, AUTH_TTL_S)
        document["auth"] = {signing: document["auth"][signing]}
        self._write(before, document)
        self._tell(events, document)

    def _tell(self, events: list[str], document: Mapping[str, Any]) -> None:
        keys = {kid: from_b64url(key) for kid, key in document["auth"].items()}
        for event in events:
            self.control.change_keys(event, lambda gate: replace(gate, auth_keys=keys))

    def _document(self) -> tuple[str, dict[str, Any]]:
        text = self.document.read()
        return text, json.loads(text)

    def _write(self, before: str, document: Mapping[str, Any]) -> None:
        if not self.control.dry_run:
            self.document.write(before, json.dumps(document))


def refuse_when_changed(now: str, before: str) -> None:
    """Raise VersionConflictError for a changed document, where no write is conditional."""
    if now != before:
        raise VersionConflictError("Somebody else changed the keys in between. Look, then retry.")


def _retired(keys: Mapping[str, object], signing: str) -> list[str]:
    """List the keys that have signed before; a younger one than the signing key never has."""
    return [k for k in keys if k != signing and made_at_s(k) <= made_at_s(signing)]


def _pending(keys: Mapping[str, object], signing: str, now_s: int) -> str:
    """Return the key that waits to sign; the signing one itself when the switch was made."""
    waiting = [k for k in keys if made_at_s(k) > made_at_s(signing)]
    if not waiting:
        if _retired(keys, signing):
            return signing
        raise WrongStateError("There is no new key yet: add one first.")
    left_s = made_at_s(waiting[0]) + SPREAD_S - now_s
    if left_s > 0:
        raise TooEarlyError(
            "Not everybody has the new key yet."
            f" It can sign from {rfc3339((now_s + left_s) * 1000)}, in {left_s} seconds.",
            retry_after_s=left_s,
        )
    return waiting[0]


def _expired_by(now_s: int, signing: str, ttl_s: int) -> None:
    """Raise TooEarlyError while what the key before ``signing`` signed may still be alive.

    That key signed until SPREAD_S after ``signing`` was made, and an edge that hears late longer.
    """
    left_s = made_at_s(signing) + 2 * SPREAD_S + ttl_s - now_s
    if left_s > 0:
        raise TooEarlyError(
            "What the old key signed is still alive."
            f" It can be retired from {rfc3339((now_s + left_s) * 1000)}, in {left_s} seconds.",
            retry_after_s=left_s,
        )
