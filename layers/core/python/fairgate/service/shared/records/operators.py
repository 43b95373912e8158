"""Records of operators' requests over HTTP."""

from __future__ import annotations

from fairgate.service.shared.records import ReservationsRecord


class ActAnswer(ReservationsRecord, frozen=True, kw_only=True):
    """An operator's act under an Idempotency-Key: that it began, then its answer.

    Attributes:
        payload: fingerprint of what was asked.
        run: names the request that does it; another one with the same key has another.
        busy_until: until then a function may still be doing it.
        until: from then on, another act may have the key.
        answer: JSON; "" until it is done.
    """

    payload: str
    run: str
    at: str
    busy_until: str
    until: str
    ttl: int
    answer: str = ""
