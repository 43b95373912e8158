"""One browser serves the modules that need one, and is gone before any other test begins."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import browser
from tests.edge import conftest

HERE = Path(__file__).parent


class Item:
    """A test, as far as it is looked at."""

    def __init__(self, file: str, *fixturenames: str, folder: Path = HERE) -> None:
        self.path, self.fixturenames = folder / file, fixturenames


PAGE: Any = Item("test_a.py", "window", "chromium")


@pytest.mark.parametrize(
    ("following", "stays"),
    [
        (Item("test_a.py", "tmp_path"), True),
        (Item("test_b.py", "window", "chromium"), True),
        (Item("test_b.py", "tmp_path"), False),
        (Item("test_b.py", "chromium", folder=HERE.parent / "e2e"), False),
        (None, False),
    ],
)
def test_it_stays_for_the_module_and_for_the_next_one_that_needs_it(
    following: Any, stays: bool
) -> None:
    assert conftest.goes_on(PAGE, following) is stays


class Fake:
    connected = True

    def is_connected(self) -> bool:
        return self.connected


def test_it_is_started_once_and_anew_when_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    made: list[Fake] = []

    @contextmanager
    def started() -> Iterator[Fake]:
        said.append("started")
        made.append(Fake())
        yield made[-1]
        said.append("ended")

    monkeypatch.setattr(browser, "started", started)
    shared = conftest.Shared()
    one = shared.taken()
    assert shared.taken() is one
    made[0].connected = False
    assert shared.taken() is not one
    assert said == ["started", "ended", "started"]
    shared.close()
    shared.close()
    assert said == ["started", "ended", "started", "ended"]
