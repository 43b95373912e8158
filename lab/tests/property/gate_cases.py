"""Gates, places and moments for the tests that run the gate in both of its languages."""

from __future__ import annotations

import math
import os
import random
import string
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fairgate.domain.gate import admission
from fairgate.domain.gate.gate_config import (
    SAMPLE_VIOLATIONS,
    VERSION,
    VERSION_BEFORE,
    Epoch,
    GateConfig,
)
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import issue_waiting_token
from tests.edge.gate_tools import NOW_S, make_gate
from tests.support.lengths import at_length

CASES_SHORT = at_length(4_000, 10_000)
CASES = int(os.environ.get("FAIRGATE_GATE_CASES", CASES_SHORT))  # `make gate-cases CASES=…`
GATES = 10  # in one example, each with PLACES places: one start of njs answers them all
PLACES = 20
# The short form is the same every time; the long form goes where none has been.
SHARED = settings(
    max_examples=math.ceil(CASES / (GATES * PLACES)),
    deadline=None,
    derandomize=CASES == CASES_SHORT,
    database=None,
    print_blob=True,
    phases=[Phase.explicit, Phase.generate],  # the assertion shows the case; shrinking takes long
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
SUB_FIRST = string.ascii_letters + string.digits
SUB_CHARS = SUB_FIRST + "._:|@-"
WHOLE_CURVES = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 100.0]
SLOPES = st.one_of(
    st.just(0.0),  # paused
    st.integers(1, 10_000).map(lambda tau_s: 1 / tau_s),
    st.floats(1e-7, 0.5),
    st.floats(0.5, 100),
)


@dataclass(frozen=True)
class Place:
    """Somebody's token at a gate, and a moment."""

    event: str
    gate: GateConfig
    token: WaitingToken
    now_ms: int

    @property
    def now_s(self) -> float:
        return self.now_ms / 1000


@st.composite
def gates(draw: st.DrawFn) -> GateConfig:
    """Any gate that is open: 1 to 6 epochs without a step, some dated ahead, some paused."""
    starts = draw(
        st.lists(
            st.one_of(
                st.integers(NOW_S - 9000, NOW_S + 200),
                st.floats(NOW_S - 9000, NOW_S + 200),
                st.sampled_from([NOW_S, NOW_S + 60]),
            ),
            min_size=1,
            max_size=6,
            unique_by=float,
        )
    )
    epochs: list[Epoch] = []
    for start in sorted(starts):
        level = draw(st.sampled_from([0.0, 1 / 3]))
        if epochs:
            level = epochs[-1].h + (start - epochs[-1].start_s) * epochs[-1].slope
        epochs.append(Epoch(start, level, draw(SLOPES)))
    least = draw(st.integers(1, 60))
    version = draw(st.sampled_from([VERSION, VERSION_BEFORE]))
    return make_gate(
        state=draw(st.sampled_from(["open", "open", "draining", "paused"])),
        mode=draw(st.sampled_from("at")),
        curve=draw(st.one_of(st.sampled_from(WHOLE_CURVES), st.floats(1, 8))),
        draw_key=draw(st.binary(min_size=32, max_size=32)),
        beacon_key=draw(st.sampled_from([b"", b"beacon" * 5 + b"!!"])),
        epochs=tuple(epochs),
        pow_bits=draw(st.integers(0, 4)),
        backoff_min_s=least,
        backoff_max_s=draw(st.integers(least, 600)),
        open_until_s=draw(st.sampled_from([0, 0, 0, 0, NOW_S + 5])),
        sale_start_s=draw(
            st.sampled_from([NOW_S - 3600, NOW_S - 3600, NOW_S, NOW_S + 60, NOW_S + 400, 3 * NOW_S])
        ),
        sample_violations=draw(st.sampled_from([0.0, 0.05, 0.3, 1.0]))
        if version == VERSION
        else SAMPLE_VIOLATIONS,
        wave_s=draw(st.sampled_from([0, 0, 1, 90, 3600])) if version == VERSION else 0,
        sample_queue=draw(st.sampled_from([0.0, 0.0, 0.01, 0.5])),
        version=version,
        token_ttl_s=draw(st.sampled_from([600, 600, 7, 601, 86_400])),
    )


@st.composite
def places(draw: st.DrawFn) -> list[Place]:
    """GATES x PLACES of them; a place's own figures come from a drawn seed, because hypothesis
    would spend longer on them than both languages together.
    """
    drawn = draw(st.lists(gates(), min_size=GATES, max_size=GATES))
    chance = random.Random(draw(st.integers(0, 2**64 - 1)))  # noqa: S311 reproducible
    return [
        random_place(f"e{n}", gate, chance) for n, gate in enumerate(drawn) for _ in range(PLACES)
    ]


def random_place(event: str, gate: GateConfig, chance: random.Random) -> Place:
    sub = chance.choice(SUB_FIRST) + "".join(
        chance.choices(SUB_CHARS, k=chance.choice([0, 1, 12, 127]))
    )
    now_ms = NOW_S * 1000 + chance.choice([0, 1, 999, chance.randint(0, 100_000)])
    ago_ms = chance.choice([0, 1, 999, chance.randint(0, 5000), chance.randint(0, 8_000_000)])
    token = issue_waiting_token(
        gate, event, sub, request_id=str(chance.random()), ip="::1", now_ms=now_ms - ago_ms
    )
    if chance.random() < 0.25:
        token = at_the_turn(gate, token, now_ms / 1000, chance.randint(-3, 3))
    return Place(event, gate, token, now_ms)


def at_the_turn(gate: GateConfig, token: WaitingToken, now_s: float, off: int) -> WaitingToken:
    """The same ticket, as old as its turn needs within a few billionths."""
    u = admission.lottery_number(gate.number_key, token.lot)
    turn = admission.admission_at(u, gate.curve)
    h = admission.operational_time(gate.epochs, now_s) - turn + off * 1e-9
    return replace(token, h=admission.on_grid(h)) if h >= 0 else token
