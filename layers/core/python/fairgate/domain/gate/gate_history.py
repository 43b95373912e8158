"""Keep what the gate's rules were at any moment, for whoever recomputes a sale afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.times import epoch_ms, rfc3339

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig


class GateVersion(Struct, frozen=True):
    """The rules from ``at_ms`` until the next version, as far as they change during a sale.

    Attributes:
        at_ms: when it was recorded, a moment after it was written.
        epochs: (start, H, slope) each, at most six.
    """

    at_ms: int
    state: str
    open_until_s: int
    sale_start_s: int
    epochs: tuple[tuple[float, float, float], ...]

    @classmethod
    def of(cls, gate: GateConfig, at_ms: int) -> GateVersion:
        epochs = tuple((e.start_s, e.h, e.slope) for e in gate.epochs)
        return cls(at_ms, gate.state, gate.open_until_s, gate.sale_start_s, epochs)

    def as_json(self) -> dict[str, Any]:
        return {
            "at": rfc3339(self.at_ms),
            "state": self.state,
            "open_until_s": self.open_until_s,
            "doors_s": self.sale_start_s,
            "epochs": [list(epoch) for epoch in self.epochs],
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> GateVersion:
        """Read a version.

        Raises KeyError, TypeError, ValueError for anything else than :meth:`as_json` gives.
        """
        epochs = tuple((float(t), float(h), float(r)) for t, h, r in document["epochs"])
        if not epochs:
            raise ValueError("no epochs")
        return cls(
            at_ms=epoch_ms(document["at"]),
            state=str(document["state"]),
            open_until_s=int(document["open_until_s"]),
            sale_start_s=int(document["doors_s"]),
            epochs=epochs,
        )
