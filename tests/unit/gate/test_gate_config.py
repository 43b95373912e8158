"""The gate's value: Python and the schema accept the same, and epochs are added without a step."""

from __future__ import annotations

import json
import math
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.gate_config import (
    SAMPLE_VIOLATIONS,
    VERSION,
    VERSION_BEFORE,
    Epoch,
    Signed,
    dump_gate,
    gate_document,
    gate_key,
    gate_of,
    parse_gate,
    with_epoch,
)
from fairgate.domain.gate.gate_value import (
    EPOCHS_MAX,
    FIGURES_AT,
    HEADS_AT,
    LATER_CHARS,
    OLDER_AT,
)
from fairgate.errors import LimitExceededError, MalformedInputError
from fairgate_ops.operate.gate_check.rows import with_figure
from tests.edge.gate_tools import NOW_S, ROOT, make_gate

KEY = "A" * 43
WRONG: dict[str, list[Any]] = {
    "v": [1, "1", True],
    "s": ["shut", ["open"]],
    "m": ["x"],
    "k": [0.9, "1", None, 101],
    "d": [KEY[1:], "A" * 42 + "B", "A" * 42 + "=", 7],
    "t": [{}, {"a": KEY, "b": KEY, "c": KEY}, {"a b": KEY}, {"w1": "x"}, [KEY]],
    "tc": ["", 1],
    "a": [{}, None],
    "g": ["!" * 43],
    "p": [-1, 33, 1.5, True],
    "ep": [[], [[1, 0, 0]] * 7, [[1, 0]], [[1, 0, -1]], [[1, -1, 0]], [["1", 0, 0]], {}],
    "b": [[5], [0, 5], [1, 3601], [1.5, 2]],
    "x": [0, 86_401],
    "sq": [-0.1, 1.1],
    "sa": [True],
    "ou": [-1, 1.5],
    "ts": [
        *({"w1": wrong} for wrong in ([0], [0, 0, 0], [-1, 0], [0.5, 0], [10**10, 0], KEY)),
        *({}, {"w 1": [0, 0]}, [0, 0]),
    ],
    "w": [-1, 3601, 0.5],
    "sv": [-0.1, 1.1, "0"],
    "ds": ["soon", None],
}
SIGNED = {"w1": Signed(NOW_S), "w2": Signed(NOW_S - 9, NOW_S)}
VALUE = dump_gate(make_gate(wave_s=90))
BEFORE = dump_gate(make_gate(version=VERSION_BEFORE))


def value(**changes: Any) -> dict[str, Any]:
    return gate_document(make_gate()) | changes


def schema() -> jsonschema.Draft202012Validator:
    text = (ROOT / "docs" / "gate-config.schema.json").read_text()
    return jsonschema.Draft202012Validator(json.loads(text))


def errors_of(given: str | dict[str, Any]) -> list[str]:
    with pytest.raises(MalformedInputError) as caught:
        parse_gate(given) if isinstance(given, str) else gate_of(given)
    errors = caught.value.fields["errors"]
    assert isinstance(errors, list)
    return errors


def test_a_gate_survives_the_round_trip_when_dumped_and_parsed() -> None:
    gate = make_gate(mode="t", curve=2.5, sample_queue=0.01, open_until_s=NOW_S)
    gate = replace(gate, wave_s=90, sample_violations=0.1)
    assert parse_gate(dump_gate(gate)) == gate
    assert gate_of(gate_document(gate)) == gate
    assert schema().is_valid(gate_document(gate))


@pytest.mark.parametrize("signed", [{}, {"w1": Signed(NOW_S - 9)}, SIGNED])
def test_the_times_of_its_keys_survive_the_round_trip(signed: dict[str, Signed]) -> None:
    keys = {"w1": bytes(32), "w2": bytes(range(32))}
    gate = make_gate(token_keys=keys, token_kid="w1", token_signed=signed)
    assert parse_gate(dump_gate(gate)) == gate
    alone = make_gate(token_keys={"w1": bytes(32)}, token_signed={"w1": Signed(NOW_S)})
    assert parse_gate(dump_gate(alone)) == alone


def test_a_value_of_the_version_before_is_read_and_stays_one() -> None:
    gate = make_gate(version=VERSION_BEFORE, curve=2.5, sample_violations=SAMPLE_VIOLATIONS)
    text = dump_gate(gate)
    assert parse_gate(text) == gate
    assert gate_document(gate)["v"] == VERSION_BEFORE == VERSION - 1
    assert schema().is_valid(gate_document(gate))
    assert len(dump_gate(replace(gate, version=VERSION))) == len(text) + LATER_CHARS
    assert dump_gate(with_epoch(gate, NOW_S + 60, 0.5)) != text
    assert with_epoch(gate, NOW_S + 60, 0.5).version == VERSION_BEFORE


def test_a_wave_is_refused_in_a_version_that_has_none() -> None:
    changed = value(v=VERSION_BEFORE)
    assert errors_of(changed) == ["w: unknown field", "sv: unknown field"]
    assert not schema().is_valid(changed)


@pytest.mark.parametrize(
    ("field", "wrong"), [(field, wrong) for field in WRONG for wrong in WRONG[field]]
)
def test_validator_and_schema_refuse_alike_when_a_field_is_wrong(field: str, wrong: Any) -> None:
    changed = value(**{field: wrong})
    assert any(error.startswith(f"{field}:") for error in errors_of(changed))
    assert not schema().is_valid(changed)


@pytest.mark.parametrize("field", list(value()))
def test_validator_and_schema_refuse_alike_when_a_field_is_missing(field: str) -> None:
    changed = value()
    del changed[field]
    assert f"{field}: missing" in errors_of(changed)
    assert not schema().is_valid(changed)


def test_validator_and_schema_refuse_alike_when_a_field_is_unknown() -> None:
    assert errors_of(value(z=1)) == ["z: unknown field"]
    assert not schema().is_valid(value(z=1))


def test_validator_and_schema_accept_alike_when_a_number_is_spelled_with_a_point() -> None:
    changed = value(p=4.0, x=600.0)
    assert gate_of(changed).pow_bits == 4
    assert schema().is_valid(changed)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tc": "w9"}, "tc: names no key of t"),
        ({"ts": {"w9": [0, 0]}}, "ts: has the times of other keys than t"),
        ({"ts": {"w1": [0, 0], "w9": [0, 0]}}, "ts: has the times of other keys than t"),
        ({"ts": {"w1": [NOW_S, NOW_S]}}, "ts: the key that signs has ended to sign"),
        ({"b": [9, 8]}, "b: the lower bound is above the upper one"),
        ({"ep": [[2, 0, 0], [2, 0, 0]]}, "ep: the starts do not ascend"),
        ({"ep": [[1, 5, 0], [2, 4, 0]]}, "ep: H goes backwards"),
    ],
)
def test_fields_are_refused_when_they_contradict_each_other(
    changes: dict[str, Any], reason: str
) -> None:
    assert errors_of(value(**changes)) == [reason]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "9" * 600,
        " " * 2000,
        VALUE[:-1],
        VALUE + ".",
        " " + VALUE,
        VALUE[1:],
        VALUE[:FIGURES_AT] + " " * (OLDER_AT - FIGURES_AT) + VALUE[OLDER_AT:],
        VALUE[:FIGURES_AT] + VALUE[FIGURES_AT:OLDER_AT][:-4] + VALUE[OLDER_AT:],
        BEFORE[: OLDER_AT - 1] + "B" + BEFORE[OLDER_AT:],  # bits over
        VALUE[:-1] + "B",
        with_figure(VALUE, 0, 3.0),  # version
        with_figure(VALUE, 0, 6.0),
        with_figure(VALUE, 0, 4.0),  # which has no figures at the end
        with_figure(BEFORE, 0, 5.0),
        with_figure(VALUE, 32, 0.5),
        with_figure(VALUE, 33, math.nan),
        VALUE[:-LATER_CHARS],
        BEFORE[:-40],
        BEFORE[:-40] + "0" * 39 + "1",  # a time of a key that is not there
        BEFORE[:-40] + "0" * 39 + "x",
        BEFORE[:-40] + "0" * 39 + "٣",
        with_figure(VALUE, 1, 6.0),  # state
        with_figure(VALUE, 1, 0.5),
        with_figure(VALUE, 2, -1.0),  # mode
        with_figure(VALUE, 4, math.nan),
        with_figure(VALUE, 10, math.inf),
        with_figure(VALUE, 12, float(HEADS_AT)),  # no head
        with_figure(VALUE, 12, HEADS_AT + 6.0),
        with_figure(VALUE, 12, HEADS_AT + 6.5),
        with_figure(VALUE, 13, len(VALUE) - 1.0),
        VALUE[:HEADS_AT] + "dzEifR." + VALUE[HEADS_AT + 7 :],
        VALUE[:HEADS_AT] + "dzEifQ," + VALUE[HEADS_AT + 7 :],
        VALUE[:HEADS_AT] + "e30AAA." + VALUE[HEADS_AT + 7 :],
        VALUE[:OLDER_AT] + "dzEifQ.".ljust(27) + KEY + VALUE[OLDER_AT + 70 :],  # two keys of one id
        VALUE[:OLDER_AT] + "dzIifQ.".ljust(70) + VALUE[OLDER_AT + 70 :],  # a head without its key
        VALUE[:OLDER_AT] + " " * 27 + KEY + VALUE[OLDER_AT + 70 :],
    ],
)
def test_text_is_refused_when_it_is_no_gate(text: str) -> None:
    assert text not in (VALUE, BEFORE)
    assert errors_of(text)


def test_every_reason_is_listed_when_several_fields_are_wrong() -> None:
    assert len(errors_of(value(p=99, x=0, s="?"))) == 3


def test_a_full_gate_fits_when_everything_is_at_its_longest() -> None:
    long_kid = "k" * 16
    epochs = tuple(Epoch(NOW_S + 0.123 + n, n / 3 + 1000, 1 / 301) for n in range(EPOCHS_MAX))
    keys = {long_kid: bytes(32), long_kid[1:] + "2": bytes(32)}
    gate = make_gate(
        token_keys=keys,
        token_kid=long_kid,
        token_signed=dict.fromkeys(keys, Signed(NOW_S)),
        auth_keys=keys,
        epochs=epochs,
    )
    assert len(dump_gate(gate)) <= 1024


def test_h_bends_without_a_step_when_an_epoch_is_added() -> None:
    gate = make_gate()
    bent = with_epoch(gate, NOW_S + 60, 1 / 60)
    assert operational_time(bent.epochs, NOW_S + 60) == operational_time(gate.epochs, NOW_S + 60)
    assert operational_time(bent.epochs, NOW_S + 59.0) == operational_time(
        gate.epochs, NOW_S + 59.0
    )
    after = operational_time(bent.epochs, NOW_S + 120) - operational_time(bent.epochs, NOW_S + 60)
    assert after == pytest.approx(1.0)


def test_later_epochs_are_given_up_when_an_earlier_one_is_added() -> None:
    gate = with_epoch(with_epoch(make_gate(), NOW_S + 60, 1 / 60), NOW_S + 90, 0.0)
    changed = with_epoch(gate, NOW_S + 60, 1 / 30)
    assert [epoch.start_s for epoch in changed.epochs] == [NOW_S - 3600, NOW_S + 60]


def test_the_epoch_in_force_stays_when_old_ones_are_pruned() -> None:
    gate = make_gate(epochs=(Epoch(NOW_S - 10_000, 0.0, 0.01),))
    for n in range(40):
        now = NOW_S + 20 * n
        changed = with_epoch(gate, now + 60, (n % 7) / 300, now_s=now)
        for t in range(now, now + 60, 7):
            assert operational_time(changed.epochs, t) == operational_time(gate.epochs, t)
        gate = changed
    assert len(gate.epochs) <= EPOCHS_MAX


def test_an_epoch_is_refused_when_six_are_in_force_or_to_come() -> None:
    gate = make_gate()
    for n in range(EPOCHS_MAX - 1):
        gate = with_epoch(gate, NOW_S + 10 * (n + 1), 0.01, now_s=NOW_S)
    with pytest.raises(LimitExceededError):
        with_epoch(gate, NOW_S + 100, 0.01, now_s=NOW_S)


@pytest.mark.parametrize("slope", [-1.0, float("nan"), 1e9])
def test_an_epoch_is_refused_when_its_slope_is_out_of_range(slope: float) -> None:
    with pytest.raises((MalformedInputError, ValueError)):
        with_epoch(make_gate(), NOW_S + 60, slope)


def test_too_large_a_gate_is_refused_when_dumped() -> None:
    keys = {str(n) * 300: bytes(32) for n in range(3)}
    with pytest.raises(MalformedInputError):
        dump_gate(replace(make_gate(), token_keys=keys))


def test_the_key_names_the_event_when_made() -> None:
    assert gate_key("summer-night") == "e:summer-night"
