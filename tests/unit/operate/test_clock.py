"""What an operator's machine dates is dated by AWS's clock, wherever its own stands."""

from __future__ import annotations

import argparse
import json
from email.utils import formatdate

import pytest

from fairgate.adapters import system
from fairgate_lab.engine.clock import START_MS
from fairgate_ops.operate import target
from fairgate_ops.operate.aws_clients import AwsClients
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.corrected_clock import CLOCK_NEAR_S

OFF_S = 200  # within the five minutes in which AWS takes a signature
PARAMETER = {
    "region": "eu-central-1",
    "tables": {"seats": "s", "reservations": "r", "catalog": "c"},
    "kvs_arn": "arn:aws:cloudfront::1:key-value-store/k",
    "public_url": "https://tickets.example",
}


class Parameters:
    """Answers as AWS does, whose clock says START_MS."""

    def __init__(self, date: str | None) -> None:
        self.headers = {} if date is None else {"date": date}

    def get_parameter(self, *, Name: str) -> dict[str, object]:  # noqa: N803 as boto names it
        metadata = {"HTTPHeaders": self.headers}
        return {"Parameter": {"Name": Name, "Value": json.dumps(PARAMETER)}} | {
            "ResponseMetadata": metadata
        }


NOW = formatdate(START_MS / 1000, usegmt=True)


def reached(monkeypatch: pytest.MonkeyPatch, ahead_s: int, date: str | None = NOW) -> target.Target:
    monkeypatch.setattr(system.SystemClock, "now_ms", lambda _clock: START_MS + ahead_s * 1000)
    monkeypatch.setattr(AwsClients, "client", lambda *_which, **_how: Parameters(date))
    return target.target_of(argparse.Namespace(target="aws", stage="prod", region=None))


@pytest.mark.parametrize("ahead_s", [OFF_S, -OFF_S, 6, -6])
def test_a_clock_that_is_off_is_put_right_and_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ahead_s: int
) -> None:
    at = reached(monkeypatch, ahead_s)
    assert at.world.clock.now_ms() == START_MS
    at_target(lambda _options, _target: Report({}, []))(
        argparse.Namespace(target="aws", stage="prod", region=None)
    )
    where = "ahead" if ahead_s > 0 else "behind"
    assert f"This clock is {abs(ahead_s)} s {where}" in capsys.readouterr().err


@pytest.mark.parametrize("ahead_s", [0, CLOCK_NEAR_S, -CLOCK_NEAR_S])
def test_a_clock_that_is_about_right_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ahead_s: int
) -> None:
    at = reached(monkeypatch, ahead_s)
    assert at.world.clock.now_ms() == START_MS + ahead_s * 1000
    at_target(lambda _options, _target: Report({}, []))(
        argparse.Namespace(target="aws", stage="prod", region=None)
    )
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("date", [None, "", "yesterday"])
def test_an_answer_without_a_time_says_nothing_of_a_clock(
    monkeypatch: pytest.MonkeyPatch, date: str | None
) -> None:
    assert reached(monkeypatch, OFF_S, date).world.clock.now_ms() == START_MS + OFF_S * 1000
