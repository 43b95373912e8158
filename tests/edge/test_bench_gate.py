"""The gate's benchmark: that it measures what it says. Its times are for people, not for tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairgate_ops.prove.bench import gate as bench
from fairgate_ops.prove.bench import gate_nginx, gate_njs
from fairgate_ops.prove.bench.gate_njs import GateBenchError
from tests.edge.gate_tools import gate_source, missing_tool

needs_njs = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
needs_nginx = pytest.mark.skipif(
    (missing_tool() or gate_nginx.missing_nginx()) is not None,
    reason=str(missing_tool() or gate_nginx.missing_nginx()),
)
MEMORY_BYTES_MAX = 2 * 1024 * 1024  # CloudFront Developer Guide, cloudfront-limits


@pytest.fixture(scope="module")
def report() -> gate_njs.NjsReport:
    return gate_njs.measure(gate_source(), processes=1, rounds=2)


@needs_njs
def test_a_decision_reads_the_store_once_when_it_admits_and_when_it_does_not(
    report: gate_njs.NjsReport,
) -> None:
    assert {figure.answer: figure.reads for figure in report.figures} == {
        "not yet": 1,
        "admitted": 1,
    }


@needs_njs
def test_a_decision_needs_four_hmacs_and_one_sha256_when_counted_as_it_runs(
    report: gate_njs.NjsReport,
) -> None:
    assert {figure.hashes for figure in report.figures} == {"4 HMAC, 1 SHA-256"}


@needs_njs
def test_a_decision_fits_the_runtimes_memory_when_the_gate_is_loaded(
    report: gate_njs.NjsReport,
) -> None:
    most = max(figure.first_bytes for figure in report.figures)
    assert 0 < report.loaded_bytes + most < MEMORY_BYTES_MAX


@needs_njs
def test_the_table_shows_every_answer_when_printed(report: gate_njs.NjsReport) -> None:
    table = bench.njs_table(report)
    assert "| not yet | 4 HMAC, 1 SHA-256 |" in table
    assert "| admitted | 4 HMAC, 1 SHA-256 |" in table
    assert report.engine in table


@needs_njs
def test_the_steps_and_the_rest_add_up_to_the_decision_when_shown(
    report: gate_njs.NjsReport,
) -> None:
    figure = report.figures[0]
    assert len(figure.steps_us) == 6
    assert all(us > 0 for us in figure.steps_us.values())
    assert figure.floor_us == figure.bare_us + sum(figure.steps_us.values())
    table = bench.steps_table(figure)
    assert [name for name in figure.steps_us if f"| {name} |" not in table] == []
    assert f"| all else that the gate does | {figure.decision_us - figure.floor_us:.1f} |" in table


@needs_njs
def test_the_benchmark_refuses_to_measure_when_a_pattern_is_missing() -> None:
    lame = gate_source(readable=True).replace("const AUTH =", "const AUTH = 0 ||")
    with pytest.raises(GateBenchError, match="1 patterns"):
        gate_njs.measure(lame, processes=1, rounds=1)


@needs_njs
def test_the_benchmark_refuses_to_measure_when_the_gate_does_not_decide() -> None:
    lame = gate_source(readable=True).replace("u < admissionProbability(x, rules[CURVE])", "false")
    with pytest.raises(GateBenchError, match="should have admitted"):
        gate_njs.measure(lame, processes=1, rounds=1)


@needs_nginx
def test_each_function_is_asked_when_measured_through_nginx(tmp_path: Path) -> None:
    gate = tmp_path / "gate.js"
    gate.write_text(gate_source())
    seen = gate_nginx.measure(gate, rounds=1, requests=16)
    assert [figure.name for figure in seen.figures] == [
        gate_nginx.BARE,
        gate_nginx.EMPTY,
        gate_nginx.DECISION,
    ]
    assert all(figure.cpu_us > 0 for figure in seen.figures)
    assert "requests/s of one core" in bench.nginx_table(seen)


@needs_nginx
def test_the_benchmark_refuses_to_measure_when_nginx_answers_otherwise(tmp_path: Path) -> None:
    gate = tmp_path / "gate.js"
    begin = "  var name,"
    gate.write_text(gate_source(readable=True).replace(begin, "  missing;\n" + begin))
    with pytest.raises(GateBenchError, match="unexpected answer"):
        gate_nginx.measure(gate, rounds=1, requests=16)
