"""The kit of the benchmarks: rounds by turns, paired ratios, whole answers, CPU of a process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from fairgate_lab.bench.__main__ import TABLE, named
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Options, Part
from fairgate_lab.bench.kit.child import answer_of, start
from fairgate_lab.bench.kit.connections import whole
from fairgate_lab.bench.kit.measure import (
    BenchError,
    Range,
    Spread,
    alternating,
    cpu_ns,
    ratio,
    workers_ns,
)
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT


def test_ways_take_turns_and_the_first_round_is_left_out_when_measured() -> None:
    order: list[str] = []

    def measure(name: str) -> int:
        order.append(name)
        return len(order)

    seen = alternating({name: partial(measure, name) for name in "ab"}, 2)
    assert order == ["a", "b"] * 3
    assert seen == {"a": [3, 5], "b": [4, 6]}


def test_a_ratio_is_of_the_same_round_when_a_machine_slows_down() -> None:
    assert ratio([10.0, 100.0, 30.0], [5.0, 50.0, 10.0]) == Range(2.0, 2.0, 3.0)
    with pytest.raises(ValueError, match="longer"):
        ratio([1.0], [1.0, 2.0])


def test_a_range_shows_its_median_and_its_ends() -> None:
    assert Range.of([3.0, 1.0, 2.25]).shown() == "2.2 (1.0–3.0)"
    assert Range.of([1_234.0]).shown(0) == "1,234 (1,234–1,234)"


@pytest.mark.parametrize(
    ("answer", "ended"),
    [
        (b"", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", True),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n", False),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", True),
    ],
)
def test_an_answer_is_whole_when_its_length_or_its_last_chunk_says_so(
    answer: bytes, ended: bool
) -> None:
    assert whole(answer) is ended


def test_cpu_of_a_process_grows_when_it_works() -> None:
    before = cpu_ns(os.getpid())
    sum(number * number for number in range(200_000))
    assert cpu_ns(os.getpid()) > before


def test_a_server_without_workers_is_refused_when_measured() -> None:
    with (
        subprocess.Popen(["cat"], stdin=subprocess.PIPE) as childless,
        pytest.raises(BenchError, match="no workers"),
    ):
        workers_ns(childless.pid)


def test_percentiles_are_values_that_occurred_when_asked_for() -> None:
    assert Spread.of([]) == Spread(0, 0.0, 0.0, 0.0)
    assert Spread.of(range(100, 0, -1)) == Spread(100, 50, 99, 100)
    assert Spread.of([7.0]) == Spread(1, 7.0, 7.0, 7.0)


@pytest.mark.parametrize(("met", "status"), [(True, 0), (False, 1)])
def test_a_benchmark_shows_its_parts_and_ends_by_its_goals(
    met: bool, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure(options: Options, folder: Path) -> Iterator[Part]:
        assert list(folder.iterdir()) == []
        yield Part("T", ("a", "b"), [(options.runs, "x")], "Below.", {"it is fast": met})

    benchmark = Benchmark(about="It.", measure=measure, options={"runs": Option(3)})
    assert benchmark.run(["--runs", "1"]) == status
    shown = capsys.readouterr().out
    assert "T\n\n| a | b |\n|---|---|\n| 1 | x |\n\nBelow.\n" in shown
    assert ("BROKEN  it is fast" in shown) is not met


def test_a_benchmark_that_cannot_run_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    def refused(_options: Options, _folder: Path) -> Iterator[Part]:
        yield Part("Begun.")
        raise BenchError("no engine")

    missing = Benchmark(about="It.", measure=refused, missing=lambda _options: "no server")
    assert [missing.run(), Benchmark(about="It.", measure=refused).run()] == [1, 1]
    assert capsys.readouterr().err == "no server\nno engine\n"


def test_every_target_of_make_is_a_benchmark_and_each_takes_its_options() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^bench-([a-z]+): .*##", makefile, re.MULTILINE))
    assert targets == set(TABLE) - {"availability-cost", "landing"}
    for name in TABLE:
        benchmark = named(name)
        options = vars(benchmark.read([]))
        assert options == {key: option.default for key, option in benchmark.options.items()}


def told(words: str) -> dict[str, str]:
    """Write before it answers, and answer with what it read."""
    print("thrown away")
    print("first", file=sys.__stdout__, flush=True)
    return {"words": words, "read": sys.stdin.read()}


def test_a_function_answers_from_a_process_of_its_own() -> None:
    with start(told, words="given") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "first\n"
        assert answer_of(process) == {"words": "given", "read": ""}


def test_a_function_that_fails_in_its_process_is_named() -> None:
    with (
        start(told, stderr=subprocess.DEVNULL, unknown=1) as process,
        pytest.raises(StartError, match="told"),
    ):
        answer_of(process)
