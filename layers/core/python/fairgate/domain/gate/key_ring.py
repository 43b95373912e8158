"""Plan the rotation of signing keys: one key signs, and at most one other verifies too.

    add        a new key is made: all verifiers learn it, and it does not sign yet
    switch     SPREAD_S later at the earliest: it signs, and the former key still verifies
    retire     once no honest token of the former key is valid any more: it is deleted

The times at which a key began and ended to sign are noted with it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from fairgate.domain.gate.gate_config import Signed
from fairgate.domain.shared.jws import ISSUED_AHEAD_S
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import TooEarlyError, WrongStateError

Step = Literal["add", "switch", "retire"]

SPREAD_S = 120  # by then every edge has a new value, and every function its new secret
NEVER = Signed()
_KID_TIME = re.compile(r"[a-z](\d{9,11})")


def new_kid(letter: str, now_s: int, signing: str = "") -> str:
    """Make an id from a letter and the time in epoch seconds, later than that of ``signing``."""
    return f"{letter}{max(now_s, made_at_s(signing) + 1)}"


def made_at_s(kid: str) -> int:
    """Return when the key was made; 0 for ids of another form."""
    match = _KID_TIME.fullmatch(kid)
    return int(match[1]) if match else 0


class KeyRing(Struct, frozen=True):
    """The keys of one purpose, by their ids.

    Attributes:
        other: the key that does not sign; "" if there is none.
        signed: when each began and ended to sign.
        life_s: how long an honest token of these keys can be valid after signing.
        spread_from_s: when the last verifier learnt of ``other``, and that it signs no more; 0: at
            once.
    """

    signing: str
    other: str
    signed: Mapping[str, Signed]
    life_s: int
    spread_from_s: int = 0

    @property
    def pending(self) -> str:
        """Return the key that has not signed yet, or ""."""
        return "" if self.signed.get(self.other, NEVER).ended_s else self.other

    @property
    def retiring(self) -> str:
        """Return the key that has ended to sign, or ""."""
        return "" if self.pending else self.other

    def next_step(self, now_s: int, every_s: int) -> Step | None:
        """Return the next step, None if nothing is due.

        Args:
            every_s: how long a key signs at least before a new one is made.
        """
        if self.pending:
            return "switch"
        if self.retiring:
            return "retire" if now_s >= self._dead_from_s or not every_s else None
        began_s = self.signed.get(self.signing, NEVER).began_s
        return "add" if now_s >= began_s + every_s else None

    def check_add(self, now_s: int) -> None:
        """Raise TooEarlyError while a new key would replace one with valid tokens."""
        if self.retiring:
            self.check_retire(now_s)

    def check_switch(self, now_s: int) -> None:
        """Raise TooEarlyError while a verifier may not know the pending key.

        Raises WrongStateError if there is none.
        """
        if not self.pending:
            raise WrongStateError("There is no new key yet: add one first.")
        left_s = max(made_at_s(self.pending), self.spread_from_s) + SPREAD_S - now_s
        if left_s > 0:
            raise TooEarlyError(
                "Not everybody has the new key yet."
                f" It can sign from {rfc3339((now_s + left_s) * 1000)}, in {left_s} seconds.",
                retry_after_s=left_s,
            )

    def check_retire(self, now_s: int) -> None:
        """Raise TooEarlyError while an honest token of the retiring key may be valid."""
        left_s = self._dead_from_s - now_s
        if left_s > 0:
            raise TooEarlyError(
                "Tokens of the old key are still valid."
                f" It can be retired from {rfc3339((now_s + left_s) * 1000)}, in {left_s} seconds.",
                retry_after_s=left_s,
            )

    def switched(self, now_s: int) -> dict[str, Signed]:
        """Return the times if the pending key signs from now on."""
        began_s = self.signed.get(self.signing, NEVER).began_s
        return {self.signing: Signed(began_s, now_s), self.other: Signed(now_s)}

    @property
    def _dead_from_s(self) -> int:
        """Return when the last honest token of the retiring key has expired.

        A function that learns late of the switch signs with it for SPREAD_S longer, by a clock that
        may be ahead.
        """
        ended_s = max(self.signed.get(self.retiring, NEVER).ended_s, self.spread_from_s)
        return ended_s + SPREAD_S + ISSUED_AHEAD_S + self.life_s
