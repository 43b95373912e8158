"""The rules that a sale was held by, as one JSON file that anyone may have after the reveal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.draw_proof import (
    beacon_key,
    check_beacon_value,
    keeps_commitment,
    parse_draw_key,
)
from fairgate.domain.gate.gate_history import GateVersion
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import FairgateError, MalformedInputError, WrongStateError
from fairgate.service.gate.prove_draw import DrawProofs
from fairgate.service.gate.record_gate import read_history

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_ops.operate.target import Target

FORMAT = "fairgate-audit-rules/1"


@dataclass(frozen=True)
class SaleRules:
    """Everything but the admissions.

    Attributes:
        mode: ``a`` (a draw an account) or ``t`` (a draw a token).
        beacon_announced: a value was promised; the numbers must be drawn with it.
        versions: of the gate, the oldest first.
        sessions_limit: sessions that one user may open.
    """

    event: str
    mode: str
    curve: float
    commitment: str
    draw_key: bytes
    beacon_announced: Mapping[str, str] | None
    beacon_value: str
    sessions_limit: int
    versions: Sequence[GateVersion]

    @property
    def number_key(self) -> bytes:
        if not self.beacon_value:
            return self.draw_key
        return beacon_key(self.draw_key, self.event, self.beacon_value)

    @property
    def committed(self) -> bool:
        return keeps_commitment(self.draw_key, self.commitment)

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "event": self.event,
            "mode": self.mode,
            "curve": self.curve,
            "draw_commitment": self.commitment,
            "draw_key": self.draw_key.hex(),
            "draw_beacon": self.beacon_announced and {**self.beacon_announced},
            "sessions_limit": self.sessions_limit,
            "gate_history": [version.as_json() for version in self.versions],
        }


def rules_of(target: Target, event: str) -> SaleRules:
    """From the running system or deployment, with the gate's own key, revealed or not.

    Raises NotFoundError, WrongStateError (its history was not kept), DependencyUnavailableError.
    """
    world, control = target.world, target.control()
    sale = DrawProofs(world.table, world.clock, control).event(event)
    gate = control.read(event)
    versions = read_history(world.table, event)
    if not versions:
        raise WrongStateError(
            f"The catalogue has no history of the gate of {event}: it was made by an older version."
            " Any command that changes the gate starts one; what was before cannot be checked."
        )
    beacon = sale.beacon
    return SaleRules(
        event=event,
        mode=gate.mode,
        curve=gate.curve,
        commitment=sale.draw_commitment,
        draw_key=gate.draw_key,
        beacon_announced=None
        if beacon is None
        else {"source": beacon.source, "at": beacon.at, "value": beacon.value},
        beacon_value=beacon.value if beacon else "",
        sessions_limit=sale.sessions_limit,
        versions=versions,
    )


def read_rules(path: str) -> SaleRules:
    """From a file that `audit export --config` wrote. Raises MalformedInputError."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise MalformedInputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise MalformedInputError(f"{path} is not JSON. {_ADVICE}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise MalformedInputError(f"{path} is not a file of a sale's rules. {_ADVICE}")
    try:
        return _parsed(document)
    except FairgateError as error:
        raise MalformedInputError(f"{path}: {error.detail}") from error
    except KeyError as error:
        raise MalformedInputError(f"{path} has no {error}. {_ADVICE}") from error
    except (TypeError, ValueError) as error:
        raise MalformedInputError(f"{path} is damaged ({error}). {_ADVICE}") from error


_ADVICE = "Write it with `fairgate audit export EVENT --out LOG --config FILE`."


def _parsed(document: Mapping[str, Any]) -> SaleRules:
    beacon = document["draw_beacon"]
    value = str(beacon["value"] or "") if beacon else ""
    if value:
        check_beacon_value(value)
    versions = [GateVersion.from_json(version) for version in document["gate_history"]]
    times = [version.at_ms for version in versions]
    if not versions or times != sorted(times):
        raise ValueError("its gate_history is empty or out of order")
    if document["mode"] not in ("a", "t") or not EVENT_ID.fullmatch(document["event"]):
        raise ValueError("its mode or event")
    curve = float(document["curve"])
    if not 1 <= curve <= 100:  # noqa: PLR2004 as domain/gate/gate_config.py
        raise ValueError("its curve")
    return SaleRules(
        event=document["event"],
        mode=document["mode"],
        curve=curve,
        commitment=str(document["draw_commitment"]),
        draw_key=parse_draw_key(str(document["draw_key"])),
        beacon_announced=beacon,
        beacon_value=value,
        sessions_limit=int(document["sessions_limit"]),
        versions=versions,
    )
