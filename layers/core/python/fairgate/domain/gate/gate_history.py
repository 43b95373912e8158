"""Keep the gate's rules over time, so that a sale can be recomputed afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.domain.shared.times import epoch_ms, rfc3339

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig


class GateVersion(Struct, frozen=True):
    """Holds the rules from ``at_ms`` until the next version, as far as a sale changes them.

    Attributes:
        at_ms: time of recording, shortly after the write.
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

        Raises KeyError, TypeError or ValueError for any document that :meth:`as_json` did not make.
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
