"""Whatever a stored value has become, it is a gate or it is refused; nothing else comes of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairgate.domain.gate.gate_config import Signed, dump_gate, parse_gate
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.gate_check.rows import with_figure
from tests.edge.gate_tools import make_gate
from tests.support.lengths import at_length

VALUE = dump_gate(
    make_gate(
        token_keys={"w1": bytes(32), "w2": bytes(range(32))},
        token_kid="w2",
        token_signed={"w1": Signed(1_700_000_000, 1_800_000_000), "w2": Signed(1_800_000_000)},
        curve=1.5,
        wave_s=90,
    )
)
PLACES = st.integers(0, len(VALUE))
SOME_TEXT = st.text(st.characters(exclude_categories=()), max_size=5)
DAMAGED = st.builds(
    lambda at, gone, put: VALUE[:at] + put + VALUE[at + gone :],
    PLACES,
    st.integers(0, 5),
    SOME_TEXT,
)
FIGURES = st.builds(
    lambda place, figure: with_figure(VALUE, place, figure),
    st.integers(0, 33),
    st.floats() | st.integers(-2, 7).map(float),
)


@settings(max_examples=at_length(500, 2000), deadline=None)
@given(DAMAGED | FIGURES | st.text(max_size=1100))
def test_a_damaged_value_is_a_gate_or_refused(text: str) -> None:
    try:
        gate = parse_gate(text)
    except MalformedInputError:
        return
    assert parse_gate(dump_gate(gate)) == gate


def test_both_happen_when_values_are_damaged() -> None:
    assert parse_gate(with_figure(VALUE, 4, 5.0)).pow_bits == 5
    with pytest.raises(MalformedInputError):
        parse_gate(with_figure(VALUE, 4, 5.5))
