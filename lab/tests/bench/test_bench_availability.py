"""The arithmetic of the availability benchmark; its measurements are its own proof."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fairgate_lab.bench.availability.cost import (
    BENCHMARK,
    Inputs,
    Prices,
    api_reads,
    costs,
    measured,
    uncached,
)
from fairgate_lab.bench.availability.world import Request, busiest_second


def at(*times_ms: float) -> list[Request]:
    return [Request(time_ms, "/x") for time_ms in times_ms]


def test_the_busiest_second_slides_when_requests_cross_a_whole_second() -> None:
    assert busiest_second([]) == 0
    assert busiest_second(at(0, 999, 1_000, 1_500, 1_998)) == 4
    assert busiest_second(at(5_000, 0, 2_500)) == 1


def test_costs_are_inputs_times_prices_when_modelled() -> None:
    inputs = replace(
        Inputs(),
        viewers=1_000,
        seconds=100.0,
        look_every_s=1.0,
        loads_a_viewer=2.0,
        hot_sections=4,
        caches=3,
        api_per_s=0.5,
        follow_bytes=500.0,
        load_bytes=1_000.0,
    )
    prices = Prices()
    found = {cost.what: cost for cost in costs(inputs, prices)}
    assert found["CloudFront, requests"].amount == 102_000
    assert found["CloudFront, requests"].dollars == pytest.approx(0.102)
    assert found["CloudFront, data out"].amount == pytest.approx(0.052)  # GB
    assert api_reads(inputs) == 0.5 * 10 * 3 * 100
    assert found["HTTP API"].dollars == pytest.approx(0.0015)
    # 0.35 ms of a core is 1.24 ms of 512 MB, billed as 2; ten changes of 0.07 ms as 3.
    assert found["Lambda, duration"].amount == pytest.approx(1_500 * 0.001 + 2_000 * 0.0015)
    assert uncached(inputs, prices) > 102_000 * 10 * prices.read_unit


def test_what_was_measured_replaces_what_was_assumed_when_given() -> None:
    hot = [
        {"origin_per_s": 0.6, "answer_bytes": 700.0},
        {"origin_per_s": 0.9, "answer_bytes": 1_100.0},
    ]
    inputs = measured(Inputs(), {"hot": hot})
    assert (inputs.api_per_s, inputs.follow_bytes, inputs.load_bytes) == (0.9, 700.0, 1_100.0)
    assert inputs.read_cpu_ms == Inputs().read_cpu_ms
    speed = {
        "reads": [{"way": "handler, `changes?section=`", "own_us": 210.0, "valkey_us": 54.0}],
        "changes": [{"batch": 10, "handler_us": 70.0, "valkey_us": 41.0}],
    }
    inputs = measured(inputs, {"speed": speed})
    assert (inputs.read_cpu_ms, inputs.change_valkey_us) == (0.21, 41.0)


def test_an_input_said_by_hand_counts_when_there_is_a_measurement(tmp_path, capsys) -> None:
    file = tmp_path / "measured.json"
    file.write_text(json.dumps({"hot": [{"origin_per_s": 0.6, "answer_bytes": 700.0}] * 2}))
    words = ["--measured", str(file), "--set", "viewers=5", "api_per_s=0.25"]
    assert BENCHMARK.run(words) == 0
    shown = capsys.readouterr().out
    assert "| viewers | 5 |" in shown
    assert "| api_per_s | 0.25 |" in shown
    assert "| load_bytes | 700 |" in shown


@pytest.mark.parametrize("words", [["--measured", "no-such-file"], ["--set", "guests=5"]])
def test_inputs_that_are_not_there_are_refused(words, capsys) -> None:
    assert BENCHMARK.run(words) == 1
    assert words[1].partition("=")[0] in capsys.readouterr().err
