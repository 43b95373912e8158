"""Record of each admission what anyone with the draw key needs to decide it again."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.jws import b64url, from_b64url, mac

if TYPE_CHECKING:
    from fairgate.domain.gate.waiting_claims import WaitingToken

OPEN_UNTIL = "open-until"  # admitted without the draw, because the gate was open to all
_PSEUDONYM_BYTES = 16


def admission_entry(
    waiting: WaitingToken, token: str, edge_word: str, *, drawn: bool, held: float | None = None
) -> dict[str, Any]:
    """Return the session's ``admission``: what the token held and the edge had decided.

    Args:
        token: the verified token with its header, which has the key id.
        edge_word: the verified ``x-fairgate-edge``; empty if there was none.
        drawn: the rule admits; otherwise the gate stood open.
        held: d = H − E, how far a sale at capacity held the draw back; None without a cap, or if
            the threshold could not be read.
    """
    header = json.loads(from_b64url(token.partition(".")[0]))
    edge_at, verdict = edge_word.split(".")[1:3] if edge_word else ("0", "")
    entry = {
        "iat": waiting.iat,
        "h": waiting.h,
        "lot": b64url(waiting.lot),
        "kid": header["kid"],
        "edgeAt": int(edge_at),
        "verdict": verdict if drawn else OPEN_UNTIL,
    }
    # Rounded down, so never more than it was.
    return entry | ({} if held is None else {"d": math.floor(held * 1e9) / 1e9})


def pseudonym(draw_key: bytes, event: str, kind: str, name: str) -> str:
    """Return the pseudonym of a user or session in a published log, by a keyed hash.

    ``kind`` is ``user`` or ``session``.
    """
    text = f"log|{event}|{kind}|{name}"
    return b64url(mac(draw_key, text)[:_PSEUDONYM_BYTES])
