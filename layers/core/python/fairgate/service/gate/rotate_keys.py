"""Rotate signing keys without refusing a valid token.

A new key signs only when every verifier has it. The old key verifies until the last token that it
signed has expired. Each step is one conditional write that notes the time, and an interrupted
rotation goes on at the next step. The draw key is never rotated: it is the draw. The times of each
step: ``fairgate.domain.gate.key_ring``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.gate.admission import life_max_s
from fairgate.domain.gate.gate_config import Signed
from fairgate.domain.gate.key_ring import KeyRing, Step, made_at_s, new_kid
from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.errors import VersionConflictError, WrongStateError
from fairgate.service.gate.control_gate import must_spread

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.ports.world import Clock
    from fairgate.service.gate.control_gate import GateChange, GateControl

KEY_BYTES = 32
AUTH_TTL_S = 86_400  # no auth JWT lives longer

KeySource = Callable[[int], bytes]


class SecretDocument(Protocol):
    """One secret: a JSON document that ``adapters/aws/secrets.py`` reads."""

    def read(self) -> str: ...

    def write(self, before: str, after: str) -> None:
        """Replace the document. Raises VersionConflictError: it is no longer ``before``."""
        ...


class TokenKeyRotation(Struct, frozen=True):
    """Rotates one event's waiting-token key. The gate's value has its times."""

    control: GateControl
    clock: Clock
    source: KeySource

    def next_step(self, event: str, every_s: int = 0) -> Step | None:
        """Return the step that is due; None: none is.

        Raises: NotFoundError, WrongStateError (the value notes no times).
        """
        ring = ring_of(self.control.read(event), self.control.spread_from_s(event))
        return ring.next_step(self._now_s(), every_s)

    def add(self, event: str) -> GateChange:
        """Add a key that verifies but does not sign yet; it replaces a pending one.

        Raises:
            NotFoundError, WrongStateError.
            TooEarlyError: tokens of the previous key may still be valid.
        """
        now_s, spread_s = self._now_s(), self.control.spread_from_s(event)
        key = self.source(KEY_BYTES)

        def change(gate: GateConfig) -> GateConfig:
            ring_of(gate, spread_s).check_add(now_s)
            alone = _alone(gate)
            kid = new_kid("t", now_s, gate.token_kid)
            return replace(alone, token_keys={**alone.token_keys, kid: key})

        return self.control.change_rules(event, change)

    def switch(self, event: str) -> GateChange:
        """Sign with the new key from now on. The old one still verifies.

        Raises: NotFoundError, WrongStateError, TooEarlyError.
        """
        now_s, spread_s = self._now_s(), self.control.spread_from_s(event)

        def change(gate: GateConfig) -> GateConfig:
            ring = ring_of(gate, spread_s)
            if ring.retiring:
                return gate  # a write that was answered late and tried again
            ring.check_switch(now_s)
            return replace(gate, token_kid=ring.pending, token_signed=ring.switched(now_s))

        return self.control.change_rules(event, change)

    def retire(self, event: str) -> GateChange:
        """Stop verifying with the old key.

        Raises NotFoundError, TooEarlyError, WrongStateError.
        """
        now_s, spread_s = self._now_s(), self.control.spread_from_s(event)

        def change(gate: GateConfig) -> GateConfig:
            ring = ring_of(gate, spread_s)
            if not ring.retiring:
                raise WrongStateError(f"{event} has no old key to retire.")
            ring.check_retire(now_s)
            return _alone(gate)

        return self.control.change_rules(event, change)

    def _now_s(self) -> int:
        return self.clock.now_ms() // 1000


class AuthKeyRotation(Struct, frozen=True):
    """Rotates the auth JWTs' key in the secret, which has the times, and in every event's value.

    Attributes:
        events: lists all events, again at each step: new ones may come during the wait.
    """

    control: GateControl
    document: SecretDocument
    clock: Clock
    source: KeySource
    events: Callable[[], Iterable[str]]

    def next_step(self, every_s: int = 0) -> Step | None:
        """Return the step that is due; None: none is."""
        return auth_ring(self._read()[1]).next_step(self._now_s(), every_s)

    def add(self) -> str:
        """Add a key that verifies everywhere but does not sign yet; return its id.

        Raises: NotFoundError, TooEarlyError, VersionConflictError.
        """
        now_s = self._now_s()
        before, document = self._read()
        ring = auth_ring(document)
        ring.check_add(now_s)
        kid = new_kid("a", now_s, ring.signing)
        keys = {ring.signing: document["auth"][ring.signing], kid: b64url(self.source(KEY_BYTES))}
        document |= {"auth": keys, "auth_spread": 0}
        self._spread(self._write(before, document), document)
        return kid

    def switch(self) -> str:
        """Sign with the new key from now on; return its id.

        If an event does not have the key yet, it gets it now, and the wait begins again.

        Raises NotFoundError, WrongStateError, TooEarlyError, VersionConflictError.
        """
        now_s = self._now_s()
        before, document = self._read()
        if auth_ring(document).retiring:
            return str(document["auth_kid"])
        if auth_ring(document).pending:
            before = self._spread(before, document)
        ring = auth_ring(document)
        ring.check_switch(now_s)
        document |= {"auth_kid": ring.pending, "auth_signed": _as_json(ring.switched(now_s))}
        self._write(before, document)
        return ring.pending

    def retire(self) -> None:
        """Stop verifying with the old key, at the gates first, so that this can be repeated.

        Raises TooEarlyError, WrongStateError, NotFoundError, VersionConflictError,
        DependencyUnavailableError.
        """
        before, document = self._read()
        ring = auth_ring(document)
        if not ring.retiring:
            raise WrongStateError("There is no old auth key to retire.")
        ring.check_retire(self._now_s())
        document["auth"] = {ring.signing: document["auth"][ring.signing]}
        self._tell(document)
        self._write(before, document)

    def _spread(self, before: str, document: dict[str, Any]) -> str:
        """Give every event the keys, and note when; return the secret's text."""
        if not self._tell(document) and document.get("auth_spread"):
            return before
        document["auth_spread"] = self._now_s()
        return self._write(before, document)

    def _tell(self, document: Mapping[str, Any]) -> bool:
        """Give every event's gate the keys; say whether one of them had others.

        Raises DependencyUnavailableError: edges do not have them all yet.
        """
        keys = {kid: from_b64url(key) for kid, key in document["auth"].items()}
        changes = [
            self.control.change_rules(event, lambda gate: replace(gate, auth_keys=keys))
            for event in self.events()
        ]
        for change in changes:
            must_spread(change)
        return any(change.before != change.after for change in changes)

    def _read(self) -> tuple[str, dict[str, Any]]:
        """Read the secret. Missing times are noted as now, the latest possible."""
        before = self.document.read()
        document: dict[str, Any] = json.loads(before)
        signing = str(document["auth_kid"])
        signed = document.get("auth_signed", {})
        for kid in document["auth"]:
            ended = kid != signing and made_at_s(kid) <= made_at_s(signing)
            signed.setdefault(kid, [0, self._now_s() if ended else 0])
        if signed == document.get("auth_signed"):
            return before, document
        document["auth_signed"] = signed
        return self._write(before, document), document

    def _write(self, before: str, document: dict[str, Any]) -> str:
        """Replace the secret, with the times of its keys only; return its text."""
        signed = document["auth_signed"]
        document["auth_signed"] = {kid: signed.get(kid, [0, 0]) for kid in document["auth"]}
        after = json.dumps(document)
        if not self.control.dry_run and after != before:
            self.document.write(before, after)
        return after

    def _now_s(self) -> int:
        return self.clock.now_ms() // 1000


def refuse_when_changed(now: str, before: str) -> None:
    """Raise VersionConflictError for a changed document, in a store without conditional writes."""
    if now != before:
        raise VersionConflictError("Somebody else changed the keys in between. Look, then retry.")


def ring_of(gate: GateConfig, spread_from_s: int) -> KeyRing:
    """Return the token keys' ring; ``spread_from_s``: when edges last got a value late."""
    other = next((kid for kid in gate.token_keys if kid != gate.token_kid), "")
    return KeyRing(gate.token_kid, other, gate.token_signed, life_max_s(gate), spread_from_s)


def _alone(gate: GateConfig) -> GateConfig:
    """Return the gate with the signing key only."""
    kid = gate.token_kid
    signed = {kid: gate.token_signed[kid]} if kid in gate.token_signed else {}
    return replace(gate, token_keys={kid: gate.token_keys[kid]}, token_signed=signed)


def auth_ring(document: Mapping[str, Any]) -> KeyRing:
    signing = str(document["auth_kid"])
    other = next((kid for kid in document["auth"] if kid != signing), "")
    signed = {kid: Signed(*times) for kid, times in document.get("auth_signed", {}).items()}
    return KeyRing(signing, other, signed, AUTH_TTL_S, document.get("auth_spread", 0))


def _as_json(signed: Mapping[str, Signed]) -> dict[str, list[int]]:
    return {kid: [times.began_s, times.ended_s] for kid, times in signed.items()}
