"""The kit of the benchmarks: rounds by turns, paired ratios, whole answers, CPU of a process."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from functools import partial

import pytest

from fairgate_lab.bench.kit.connections import whole
from fairgate_lab.bench.kit.measure import (
    BenchError,
    Range,
    by_turns,
    cpu_ns,
    ratio,
    workers_ns,
)
from fairgate_lab.bench.kit.report import plain


def test_ways_take_turns_and_the_first_round_is_left_out_when_measured() -> None:
    order: list[str] = []

    def measure(name: str) -> int:
        order.append(name)
        return len(order)

    seen = by_turns({name: partial(measure, name) for name in "ab"}, 2)
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


def test_a_figure_keeps_what_it_derives_when_written_as_json() -> None:
    @dataclass
    class Figure:
        us: float

        @property
        def per_s(self) -> float:
            return 1e6 / self.us

    assert json.loads(json.dumps(Figure(10.0), default=plain)) == {"us": 10.0, "per_s": 100_000.0}
    with pytest.raises(TypeError, match="no figure"):
        json.dumps(object(), default=plain)
