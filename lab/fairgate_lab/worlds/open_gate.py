"""A gate that holds nobody back, for sales that are about what comes after it."""

from __future__ import annotations

from fairgate.domain.gate.gate_config import Epoch, GateConfig


def open_gate(start_ms: int) -> GateConfig:
    """A gate without proof of work, whose sale started an hour before ``start_ms``.

    A buyer who has waited an hour is admitted.
    """
    return GateConfig(
        state="open",
        mode="a",
        curve=1.0,
        draw_key=b"d" * 32,
        token_keys={"1": b"k" * 32},
        token_kid="1",  # noqa: S106 the name of a throw-away key
        auth_keys={"1": b"a" * 32},
        edge_key=b"g" * 32,
        pow_bits=0,
        epochs=(Epoch(start_ms / 1000 - 7_200, 0.0, 1.0),),
        backoff_min_s=1,
        backoff_max_s=30,
        token_ttl_s=86_400,
        sample_queue=0.0,
        sample_admission=0.0,
        open_until_s=0,
        sale_start_s=start_ms // 1000 - 3_600,
    )
