"""The table of the gate's cases: what it expands to, and that it refuses what it cannot mean."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.gate import admission
from fairgate.domain.gate.gate_config import parse_gate
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate_ops.operate.gate_check.rows import TABLE, Row, RowError, read_rows

# Of every request, value and answer, byte for byte. Tokens, values and signed words of these forms
# are in browsers and stores during a sale. After a change of form on purpose, write the new digest
# here, and says in the change log what happens to those that are out.
EXPANDED_SHA256 = "c09f9bbc4b50e7d4f0543153839d0844413738a75fa9cdba22883364dff1b5eb"
DECIDED = [row for row in read_rows() if "body" in row.expect]
CHARS_MAX = 290  # of a row's one line


def digest(rows: list[Row]) -> str:
    found = {row.name: [row.event, row.now_s, row.value, row.expect] for row in rows}
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


def changed(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    table = json.loads(TABLE.read_text())
    change(table)
    path = folder / "rows.json"
    path.write_text(json.dumps(table))
    return path


def test_the_table_expands_to_the_same_bytes_as_ever() -> None:
    assert digest(read_rows()) == EXPANDED_SHA256


def test_the_bytes_are_others_when_one_claim_of_the_base_is(tmp_path: Path) -> None:
    path = changed(tmp_path, lambda table: table["base"]["caller"].update(ttl_s=601))
    assert digest(read_rows(path)) != EXPANDED_SHA256


@pytest.mark.parametrize("row", DECIDED, ids=lambda row: row.name)
def test_the_origin_names_the_row_s_time_and_estimate_when_it_decides(row: Row) -> None:
    """The edge is held to the row in njs; here the same draw in Python is."""
    gate = parse_gate(row.value or "")
    headers, body = row.event["request"]["headers"], row.expect["body"]
    joins = "x-fairgate-token" not in headers
    text = body["token"] if joins else headers["x-fairgate-token"]["value"]
    token = parse_waiting_token(text, gate, row.now_s)
    decision = admission.decide(gate, token, row.now_s)
    assert not decision.admitted or body["state"] == "paused"
    assert body["estimate"] == (decision.estimate.as_json() if decision.estimate else None)
    first_s = admission.backoff(gate, token.id, token.lot, decision.u, 0.0, row.now_s)
    assert body["boff"] == (first_s if joins else decision.boff_s)
    assert body["state"] == admission.state_shown(gate, row.now_s)


def test_every_row_stands_on_a_line_of_its_own() -> None:
    lines = TABLE.read_text().splitlines()
    for row in read_rows():
        [line] = [line for line in lines if line.lstrip().startswith(f'"{row.name}":')]
        assert line.rstrip(",").endswith("}}")
        assert len(line) <= CHARS_MAX


@pytest.mark.parametrize(
    ("name", "field", "told", "error"),
    [
        ("queue-open", "geat", {}, "queue-open: the row has no geat"),
        ("queue-open", "caller", {"subject": "x"}, "queue-open: caller has no subject"),
        ("admission-early", "token", {"boff": 3}, "admission-early: token has no boff"),
        ("queue-open", "value", {"drop": [0, 1]}, "queue-open: value has no drop"),
        ("queue-open", "gate", {"stat": "open"}, "queue-open: gate: .*stat"),
        ("queue-open", "expect", {"status": 200}, "queue-open: expect is none of the three"),
        ("queue-open", "expect", {"verdict": "admit", "x": 1}, "none of the three"),
    ],
)
def test_a_row_is_refused_when_it_says_what_no_row_can_mean(
    name: str, field: str, told: object, error: str, tmp_path: Path
) -> None:
    def change(table: dict[str, Any]) -> None:
        for group in table["rows"].values():
            if name in group:
                group[name][field] = told

    with pytest.raises(RowError, match=error):
        read_rows(changed(tmp_path, change))


def test_a_table_is_refused_when_two_rows_have_one_name(tmp_path: Path) -> None:
    def twin(table: dict[str, Any]) -> None:
        table["rows"]["Nothing here"]["queue-open"] = table["rows"]["A buyer joins"]["queue-open"]

    with pytest.raises(RowError, match=r"twice: .*queue-open"):
        read_rows(changed(tmp_path, twin))
    path = tmp_path / "rows.json"
    path.write_text(TABLE.read_text().replace('"queue-paused":', '"queue-open":'))
    with pytest.raises(RowError, match=r"twice: .*queue-open"):
        read_rows(path)
