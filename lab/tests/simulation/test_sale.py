"""Hundreds of simulated sales: real services and handlers, every law, nothing may break.

`make simulate START=0` runs 2,000 that begin with these, `make simulate` 2,000 that nobody has run;
docs/testing.md says what is simulated.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from fairgate_lab.simulate.sale import __main__ as command
from fairgate_lab.simulate.sale.__main__ import main
from fairgate_lab.simulate.sale.cache_server import simulated_cache
from fairgate_lab.simulate.sale.run import Undecided, run_seed
from tests.support.lengths import at_length
from tests.support.waiting import patience_s

SEEDS = at_length(32, 500)
PARTS = 8  # so that several workers share them
# Each broke a law once. A change of the workload makes other sales of them; the defects themselves
# are in test_sale_found.py.
FOUND = (
    *(7_700_515, 91_000_022, 91_000_050, 95_002_481),
    *(1_795_376_540_265, 1_795_377_599_705, 1_795_377_601_033, 1_795_377_601_299),
    *(1_795_377_602_878, 1_795_388_831_089, 1_795_388_842_618),
    *(1_795_410_107_497, 1_795_410_108_315, 1_795_413_906_835, 1_795_413_907_479),
    *(1_795_417_100_692, 1_795_435_524_789, 1_795_531_300_518),
    *(1_795_552_001_167, 1_795_633_386_809, 1_795_641_801_304),
    1_795_703_854_397,
)


@pytest.fixture(scope="module")
def cache() -> Iterator[Any]:
    with simulated_cache() as adapter:
        yield adapter


@pytest.mark.parametrize("part", range(PARTS))
def test_every_law_holds_in_every_simulated_sale(part: int, cache: Any) -> None:
    undecided = Undecided()
    for seed in range(part, SEEDS, PARTS):
        result = run_seed(seed, cache=cache)
        assert not result.failures, result.report()
        undecided.add(result)
    assert undecided.judged >= SEEDS // PARTS
    assert not undecided.too_many, str(undecided)


@pytest.mark.parametrize("seed", FOUND)
def test_every_law_holds_in_a_sale_that_broke_one(seed: int, cache: Any) -> None:
    result = run_seed(seed, cache=cache)
    assert not result.failures, result.report()


# The command, once for each seed that it is given.
EACH_SEED = """
import sys
from fairgate_lab.simulate.sale.__main__ import main
sys.exit(any([main(["--seed", seed]) for seed in sys.argv[1:]]))
"""


def test_a_seed_makes_the_same_sale_again_when_hashes_differ() -> None:
    told = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", EACH_SEED, "7", "8", "9"],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=patience_s(180),
        )
        assert done.stdout.count("Digest") == 3
        told.add(done.stdout)
    assert len(told) == 1


def test_a_trace_changes_nothing_and_tells_every_call(cache: Any) -> None:
    lines: list[str] = []
    plain, traced = run_seed(3, cache=cache), run_seed(3, cache=cache, trace=lines.append)
    assert plain == traced
    assert sum("transact_write_items" in line for line in lines) > 3


def test_a_run_without_a_start_begins_where_nobody_was_and_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[int] = []

    def run_many(first: int, *_: object, **__: object) -> Iterator[Any]:
        ran.append(first)
        yield from ()

    monkeypatch.setattr(command, "run_many", run_many)
    for moment_ms in (1_790_000_000_123, 1_790_000_000_124):
        monkeypatch.setattr(time, "time_ns", lambda ms=moment_ms: ms * 1_000_000)
        assert main(["--seeds", "5"]) == 0
        assert f"--start {moment_ms} " in capsys.readouterr().out
    main(["--seeds", "5", "--start", "0"])
    assert ran == [1_790_000_000_123, 1_790_000_000_124, 0]


@pytest.mark.parametrize("option", ["--seeds", "--jobs", "--controls"])
@pytest.mark.parametrize("count", ["0", "-3", "many"])
def test_a_run_of_no_sale_is_refused_and_says_of_no_law_that_it_holds(
    option: str, count: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([option, count, "--no-cache"])
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert f"argument {option}: {count!r} is not a whole number of at least 1" in said.err
    assert said.out == ""


def test_a_failure_names_its_seed_and_the_command_that_replays_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from fairgate.service.holds import hold_seats

    monkeypatch.setattr(
        hold_seats,
        "SEAT_IS_FREE",
        "#availability = :available OR #availability = :locked OR #expiresAt <= :now",
    )
    found = next(seed for seed in range(200) if main(["--seed", str(seed), "--no-cache"]))
    said = capsys.readouterr().out
    assert f"seed {found} fails" in said
    assert f"python -m fairgate_lab.simulate.sale --seed {found} --trace" in said
