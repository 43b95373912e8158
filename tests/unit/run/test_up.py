"""The demonstration's pace: what one machine serves, whatever the size of its crowd."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local import demo_event, up
from fairgate_ops.run.local.up import ADMITTED_A_S, demonstration, options_of
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from fairgate.service.catalog.event_request import NewEvent


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
    sale = demo_event.Sale("demo", name="Demo", sale_starts_in_s=8.0, cancel_for_s=cancel_for_s)
    demo_event.put_on_sale(Path("run.json"), sale, demo_venue(500))
    assert [request.cancel_until for request in asked] == [until]


@pytest.mark.parametrize(
    ("option", "value", "limit"),
    [
        ("--port", "99999", "up to 65,535"),
        ("--port", "-1", "up to 65,535"),
        ("--tau", "-3", "1 to 10,000,000 seconds"),
        ("--tau", "0", "1 to 10,000,000 seconds"),
        ("--tau", "nan", "1 to 10,000,000 seconds"),
        ("--sale-starts-in", "-1", "0 to 864,000"),
        ("--sale-starts-in", "1e300", "0 to 864,000"),
        ("--crowd", "-5", "up to 100,000"),
        ("--crowd", "many", "up to 100,000"),
    ],
)
def test_an_option_out_of_its_limits_is_wrong_usage_before_anything_starts(
    capsys: pytest.CaptureFixture[str], option: str, value: str, limit: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        up.main([f"{option}={value}"])
    assert ended.value.code == 2
    says = capsys.readouterr().err
    assert f"argument {option}: '{value}' is not " in says
    assert limit in says


def test_what_the_gate_refuses_is_listed_as_what_a_chart_lacks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate's errors are texts, a chart's say where."""
    errors = ["epochs: too steep", {"where": "row A", "what": "no seat"}, *map(str, range(30))]

    def refuse(_options: object) -> int:
        raise MalformedInputError("Refused.", errors=errors)

    monkeypatch.setattr(up, "_run", refuse)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    assert up.main([]) == 1
    says = capsys.readouterr().err
    assert "Refused.\n  epochs: too steep\n  row A: no seat\n  0\n" in says
    assert says.endswith("  … and 12 more\n")


WAITS = """
import sys, threading
from fairgate_ops.run.local import up
def waits(_options):
    print("up", flush=True)
    threading.Event().wait(600)
up._run = waits
sys.exit(up.main([]))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_by_each_signal_when_its_parent_ignored_both(number: signal.Signals) -> None:
    ignoring = ["sh", "-c", 'trap "" INT TERM; exec "$@"', "sh", sys.executable, "-c", WAITS]
    with subprocess.Popen(ignoring, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "up\n"
            process.send_signal(number)
            assert process.wait(patience_s(60)) == 130
        finally:
            process.kill()
