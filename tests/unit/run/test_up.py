"""The demonstration's pace: what one machine serves, whatever the size of its crowd."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local import demo_event
from fairgate_ops.run.local.up import ADMITTED_A_S, demonstration, options_of

if TYPE_CHECKING:
    from fairgate.service.catalog.publish_event import NewEvent


@pytest.mark.parametrize(
    ("arguments", "tau_s"),
    [
        ([], 3.0),
        (["--crowd", "50"], 40.0),
        (["--crowd", "2000"], 200.0),
        (["--crowd", "2000", "--tau", "40"], 40.0),
    ],
)
def test_pace_follows_the_crowd_until_it_is_named(arguments: list[str], tau_s: float) -> None:
    assert demonstration(options_of(arguments)).tau_s == tau_s


@pytest.mark.parametrize("crowd", [1_000, 5_000, 100_000])
def test_no_large_crowd_is_let_in_faster_than_two_cores_serve(crowd: int) -> None:
    tau_s = demonstration(options_of(["--crowd", str(crowd)])).tau_s
    assert crowd / tau_s == pytest.approx(ADMITTED_A_S)


def test_a_visitors_orders_can_be_cancelled_for_a_day() -> None:
    assert demonstration(options_of([])).cancel_for_s == 86_400


@pytest.mark.parametrize(("cancel_for_s", "until"), [(86_400, "2030-06-02T18:00:09.000Z"), (0, "")])
def test_a_local_sale_says_until_when_its_orders_can_be_cancelled(
    monkeypatch: pytest.MonkeyPatch, cancel_for_s: int, until: str
) -> None:
    asked: list[NewEvent] = []

    def create(request: NewEvent, *_: object, **_options: object) -> None:
        asked.append(request)

    creator = SimpleNamespace(create=create)
    target = SimpleNamespace(creator=lambda: creator)
    monkeypatch.setattr(demo_event, "target_of", lambda _: target)
    monkeypatch.setattr(time, "time", lambda: 1_906_567_200.0)
    sale = demo_event.Sale("demo", "Demo", opens_in_s=8.0, cancel_for_s=cancel_for_s)
    demo_event.put_on_sale(Path("run.json"), sale, demo_venue(500))
    assert [request.cancel_until for request in asked] == [until]
