"""The gate's benchmark: that it measures what it says. Its times are for people, not for tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairgate_lab.bench.gate import beside, nginx, njs
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.measure import BenchError, Range
from fairgate_ops.run.local.nginx import edge_available
from tests.edge.gate_tools import missing_tool
from tests.support.gate_build import gate_source

needs_njs = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
needs_nginx = pytest.mark.skipif(
    (missing_tool() or edge_available()) is not None,
    reason=str(missing_tool() or edge_available()),
)
MEMORY_BYTES_MAX = 2 * 1024 * 1024  # CloudFront Developer Guide, cloudfront-limits


@pytest.fixture(scope="module")
def measured() -> tuple[Part, list[njs.NjsFigures]]:
    return njs.measure(gate_source(), processes=1, rounds=2)


@needs_njs
def test_a_decision_reads_once_signs_as_often_and_fits_when_it_admits_and_when_it_does_not(
    measured: tuple[Part, list[njs.NjsFigures]],
) -> None:
    part, figures = measured
    assert [row[:2] for row in part.rows] == [
        ("not yet", "4 HMAC, 1 SHA-256"),
        ("admitted", "4 HMAC, 1 SHA-256"),
    ]
    assert [figure.reads for figure in figures] == [1, 1]
    assert all(0 < each.loaded_bytes + each.first_bytes < MEMORY_BYTES_MAX for each in figures)


@needs_njs
def test_the_steps_and_the_rest_add_up_to_the_decision_when_shown(
    measured: tuple[Part, list[njs.NjsFigures]],
) -> None:
    figure = measured[1][0]
    assert len(figure.steps_us) == 5
    assert all(us > 0 for us in figure.steps_us.values())
    rows = {str(name): us for name, us, _ in njs.steps(figure).rows}
    rest_us = figure.decision_us - figure.bare_us - sum(figure.steps_us.values())
    assert rows["all else that the gate does"] == f"{rest_us:.1f}"
    assert set(figure.steps_us) < set(rows)


@needs_njs
def test_the_benchmark_refuses_to_measure_when_a_pattern_is_missing() -> None:
    lame = gate_source(readable=True).replace("const SHAPE =", "const SHAPE = 0 ||")
    with pytest.raises(BenchError, match="0 patterns"):
        njs.measure(lame, processes=1, rounds=1)


@needs_njs
def test_the_benchmark_refuses_to_measure_when_the_gate_does_not_decide() -> None:
    lame = gate_source(readable=True).replace("u < admissionProbability(x, rules[CURVE])", "false")
    with pytest.raises(BenchError, match="should have admitted"):
        njs.measure(lame, processes=1, rounds=1)


@needs_nginx
def test_each_function_is_asked_when_measured_through_nginx(tmp_path: Path) -> None:
    gate = tmp_path / "gate.js"
    gate.write_text(gate_source())
    rows = nginx.measure(gate, rounds=1, requests=16).rows
    assert [row[0] for row in rows] == [nginx.BARE, nginx.EMPTY, nginx.DECISION]
    assert [row for row in rows if str(row[1]).startswith("0 ")] == []


@needs_nginx
def test_the_benchmark_refuses_to_measure_when_nginx_answers_otherwise(tmp_path: Path) -> None:
    gate = tmp_path / "gate.js"
    begin = "  var named,"
    gate.write_text(gate_source(readable=True).replace(begin, "  missing;\n" + begin))
    with pytest.raises(BenchError, match="unexpected answer"):
        nginx.measure(gate, rounds=1, requests=16)


@needs_njs
def test_each_kind_is_answered_and_set_beside_the_sample_when_measured() -> None:
    _, figures = beside.measure(gate_source(), processes=1, rounds=2)
    kinds = {figure.kind: figure for figure in figures}
    assert set(beside.GOALS) < set(kinds)
    assert kinds[beside.SAMPLE].reads == 1
    assert kinds[beside.SAMPLE].samples.median == 1.0
    assert kinds[beside.REPEATED].hmacs.median > 1.0


@needs_njs
def test_the_benchmark_refuses_to_measure_when_a_kind_gets_another_answer() -> None:
    lame = gate_source(readable=True).replace("refused(401, why", "refused(418, why")
    with pytest.raises(BenchError, match="'anonymous' was not answered"):
        beside.measure(lame, processes=1, rounds=1)


@pytest.mark.parametrize(
    ("kind", "hmacs", "samples", "met"),
    [
        (beside.REPEATED, 20.0, 1.0, "yes"),
        (beside.REPEATED, 1.0, 1.01, "no"),
        (beside.JOINING, 13.0, 9.0, "yes"),
        (beside.JOINING, 13.1, 0.1, "no"),
        (beside.ANONYMOUS, 2.5, 9.0, "yes"),
        (beside.MALFORMED, 2.6, 0.1, "no"),
        (beside.ADMITTED, 99.0, 1.61, "no"),
        (beside.FORGED, 99.0, 99.0, ""),
    ],
)
def test_a_goal_is_met_when_its_own_unit_says_so(
    kind: str, hmacs: float, samples: float, met: str
) -> None:
    figures = beside.KindFigures(kind, 1.0, Range.of([hmacs]), Range.of([samples]), 1)
    assert figures.row()[-1] == met
