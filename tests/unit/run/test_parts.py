"""A system's parts end together: at its end, or when one of them does not start."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from fairgate_ops.run.local.parts import Parts
from fairgate_ops.run.local.processes import StartError, start_child

if TYPE_CHECKING:
    from fairgate_ops.run.local.local_server import LocalServer

NAMES = ("first", "second")


class Sleepers(Parts):
    """Two processes that do nothing; the start may fail after them."""

    def __init__(self, logs: Path, *, fails: BaseException | None = None) -> None:
        super().__init__()
        self.logs, self.fails = logs, fails
        self.ended: list[str] = []

    def _start(self) -> None:
        for name in NAMES:
            child = start_child(name, ["sleep", "60"], logs_dir=self.logs, env={}, cwd=self.logs)
            self._keep(child)
            self._stops.append(partial(self.ended.append, name))
        if self.fails is not None:
            raise self.fails


@pytest.fixture
def sleepers(tmp_path: Path) -> Iterator[Sleepers]:
    with Sleepers(tmp_path) as system:
        yield system


def test_the_last_part_ends_first(sleepers: Sleepers) -> None:
    children = list(sleepers._children)
    assert [child.running for child in children] == [True, True]
    sleepers.stop()
    assert sleepers.ended == ["second", "first"]
    assert [child.running for child in children] == [False, False]


@pytest.mark.parametrize("fails", [StartError("no"), KeyboardInterrupt()])
def test_nothing_runs_on_when_a_part_does_not_start(tmp_path: Path, fails: BaseException) -> None:
    system = Sleepers(tmp_path, fails=fails)
    with pytest.raises(type(fails)):
        system.start()
    assert system.ended == ["second", "first"]


class Interrupted:
    """A server that is interrupted while it starts."""

    child = None

    def __init__(self) -> None:
        self.ended = False

    def start(self) -> None:
        raise KeyboardInterrupt

    def stop(self) -> None:
        self.ended = True


def test_a_server_that_is_interrupted_while_it_starts_is_ended(sleepers: Sleepers) -> None:
    server = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        sleepers._serve(cast("LocalServer", server))
    sleepers.stop()
    assert server.ended


def test_the_part_that_died_is_named(sleepers: Sleepers) -> None:
    sleepers.watch()
    sleepers._children[1].stop()
    with pytest.raises(StartError, match="second ended with"):
        sleepers.watch()
