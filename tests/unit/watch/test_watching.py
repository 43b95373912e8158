"""What operators are shown beside an event's figures: alarms, and the cost so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import boto3
import msgspec
import numpy as np
import pytest
from botocore.exceptions import ClientError, ReadTimeoutError
from moto import mock_aws

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.service.watch import figures
from fairgate.service.watch.history import Kept, columns_of
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.operate.forecast import maths
from fairgate_ops.operate.forecast.assumptions import default_assumptions
from fairgate_ops.operate.forecast.outcome import forecast
from fairgate_ops.operate.watch import alarms
from fairgate_ops.operate.watch.alarm_book import steps
from fairgate_ops.operate.watch.cost_so_far import (
    NO_HISTORY,
    NO_SAMPLE,
    NOTHING_KNOWN,
    Known,
    cost_so_far,
    polls_every_s,
)
from infra.edge_alarms import REGION
from tests.unit.operate.test_forecast import START_S, sale

if TYPE_CHECKING:
    from collections.abc import Callable


HERE = "eu-central-1"


def reader(
    asked: Callable[..., Any] | None, distribution: str = "E1ABC", clock: MemoryClock | None = None
) -> alarms.AlarmReader:
    return alarms.AlarmReader(asked, clock or MemoryClock(), "prod", distribution)


def sources(read: alarms.AlarmReader) -> dict[str, alarms.AlarmSource]:
    return {one.of: one for one in read.read().sources}


def put(client: Any, name: str, state: str, *, mute: bool = False) -> None:
    client.put_metric_alarm(
        AlarmName=name,
        AlarmDescription=f"What {name} means.",
        MetricName="Errors",
        Namespace="AWS/Lambda",
        Period=60,
        Statistic="Sum",
        EvaluationPeriods=1,
        Threshold=1.0,
        ComparisonOperator="GreaterThanThreshold",
        AlarmActions=[] if mute else [f"arn:aws:sns:{HERE}:123456789012:alarms"],
    )
    client.set_alarm_state(AlarmName=name, StateValue=state, StateReason="a test")


@mock_aws
def test_alarms_that_are_up_come_with_their_step_from_both_regions() -> None:
    here, edge = (boto3.client("cloudwatch", region_name=name) for name in (HERE, REGION))
    put(here, "fairgate-prod-ErrorsSweeper", "ALARM")
    put(here, "fairgate-prod-HoldP99", "OK")
    put(here, "fairgate-prod-SweeperSilent", "INSUFFICIENT_DATA")
    put(here, "fairgate-prod-SloBurnFastHour", "ALARM", mute=True)  # a window: it tells nobody
    put(here, "fairgate-prod-two-HoldP99", "ALARM")  # of the stage prod-two
    put(edge, "fairgate-prod-GateErrors-e1abc", "ALARM")
    put(edge, "fairgate-prod-GateErrors-e2xyz", "ALARM")  # another region's distribution
    clients = {None: here, REGION: edge}
    found = sources(reader(lambda region, prefix: alarms.described(clients[region], prefix)))
    service = found["service"]
    assert (service.state, service.watching, service.without_data) == ("read", 3, 1)
    [up] = service.up
    assert (up.name, up.do) == ("ErrorsSweeper", steps()["Errors…"])
    assert up.means == "What fairgate-prod-ErrorsSweeper means."
    assert [one.name for one in found["edge"].up] == ["GateErrors-e1abc"]


REFUSED = ClientError({"Error": {"Code": "AccessDenied", "Message": ""}}, "DescribeAlarms")
SLOW = ReadTimeoutError(endpoint_url="https://monitoring")


@pytest.mark.parametrize("error", [REFUSED, SLOW, DependencyUnavailableError("Out of time.")])
def test_alarms_that_cannot_be_read_are_unknown_and_the_others_are_shown(error: Exception) -> None:
    def asked(region: str | None, _prefix: str) -> list[Any]:
        if region is None:
            raise error
        return [
            {"AlarmName": "fairgate-prod-GateErrors-e1abc", "AlarmActions": ["arn"]}
            | {"StateValue": "OK"}
        ]

    found = sources(reader(asked))
    assert found["service"].state == "unknown"
    assert found["service"].why
    assert (found["edge"].state, found["edge"].watching) == ("read", 1)


def test_no_alarms_are_said_to_be_none() -> None:
    assert sources(reader(None))["service"].why == alarms.NOT_HERE
    bare = sources(reader(lambda _region, _prefix: [], distribution=""))
    assert [one.state for one in bare.values()] == ["none", "none"]
    assert [one.why for one in bare.values()] == [alarms.NOT_DEPLOYED, alarms.NOT_WATCHED]


def test_cloudwatch_is_asked_once_in_ten_seconds_however_many_watch() -> None:
    asked: list[str] = []

    def ask(_region: str | None, prefix: str) -> list[Any]:
        asked.append(prefix)
        return []

    clock = MemoryClock()
    read = reader(ask, distribution="", clock=clock)
    first = read.read()
    clock.ms += alarms.KEPT_MS - 1
    assert (read.read().at, len(asked)) == (first.at, 1)
    clock.ms += 1
    assert read.read().at != first.at
    assert len(asked) == 2


def counted(**changes: Any) -> figures.Figures:
    """Figures a quarter of an hour after the sale start."""
    parts: dict[str, Any] = {
        "gate": figures.GateFigures(sale_starts_at=rfc3339(START_S * 1000)),
        "room": figures.RoomFigures(joined=10_000, live=100),
        "sale": figures.SaleFigures(
            paid=300, tickets=600, ended_unpaid=80, failed=10, found_nothing=30
        ),
        "seats": figures.SeatFigures(total=1_000),
    }
    at = rfc3339((START_S + 900) * 1000)
    return figures.Figures(event="final", name="Final", at=at, **(parts | changes))


def test_a_cost_names_what_it_is_made_of_and_adds_up() -> None:
    found = cost_so_far(counted(), None, Known())
    basis = {one.what: one.count for one in found.basis}
    assert basis["sessions"] == 100 + 300 + 80
    assert basis["holds, one a session"] == 480 - 30
    assert found.dollars == round(sum(row.dollars for row in found.rows), 2)
    rows = {row.what: row for row in found.rows}
    # Join, two pages with eight files each.
    assert rows["CloudFront, requests"].amount == pytest.approx(10_000 * 17)
    assert found.missing == NO_HISTORY


def test_a_cost_is_unknown_where_sales_are_not_counted_and_says_what_it_lacks() -> None:
    bare = cost_so_far(counted(sale=figures.SaleFigures(error="not counted")), None, Known())
    assert (bare.dollars, bare.missing) == (None, NOTHING_KNOWN)
    room = figures.RoomFigures(live=100)
    assert NO_SAMPLE in cost_so_far(counted(room=room), None, Known()).missing


def test_those_who_wait_longer_cost_more() -> None:
    def history(waiting: int) -> Any:
        rows = [[(START_S + 10 * n) * 1000, 10_000, waiting, 0, 0, 0.0, 300.0] for n in range(90)]
        return columns_of("final", Kept(rows=rows))  # type: ignore[arg-type]

    def requests(waiting: int) -> float:
        found = cost_so_far(counted(), history(waiting), Known(backoff_s=(2, 60)))
        return next(one.count for one in found.basis if one.what == "requests at the edge")

    # τ 300 s: a look each minute, and a tenth of jitter.
    assert requests(9_000) - requests(0) == pytest.approx(9_000 * 890 / 66, abs=1)


@pytest.mark.parametrize("tau_s", [None, 0.5, 40.0, 300.0, 1e6])
def test_who_waits_looks_as_often_as_in_a_forecast(tau_s: float | None) -> None:
    slopes = np.array([0.0 if tau_s is None else 1 / tau_s])
    assert polls_every_s(tau_s, (2, 60)) == pytest.approx(maths.polls_every_s(slopes, (2, 60))[0])


def test_a_sale_that_goes_as_forecast_costs_about_what_was_forecast() -> None:
    predicted = forecast(sale(live_max=2_000, places=8_000), default_assumptions(), 40_000)
    shown, curve = predicted.figures(), predicted.curve()
    rows = [
        [round((START_S + offset) * 1000), 40_000, waiting, live, 2_000, 0.0, tau_s]
        for offset, waiting, live, tau_s in zip(
            *(curve[name] for name in ("offset_s", "waiting", "live", "tau_s")), strict=True
        )
    ]
    live, paid = int(predicted.course.live[-1]), shown["orders"]
    unpaid = shown["admitted"] - live - paid
    one = counted(
        room=figures.RoomFigures(joined=40_000, live=live),
        sale=figures.SaleFigures(
            paid=paid, tickets=shown["sold"], ended_unpaid=unpaid, failed=0, found_nothing=0
        ),
        seats=figures.SeatFigures(total=8_000),
    )
    ends = rfc3339((START_S + shown["simulated_s"]) * 1000)
    one = msgspec.structs.replace(one, at=ends)
    step_s = shown["simulated_s"] // len(rows)
    history = columns_of("final", Kept(step_s=step_s, rows=rows))
    found = cost_so_far(one, history, Known(backoff_s=(2, 60)))
    assert found.dollars == pytest.approx(shown["cost"]["dollars"], rel=0.1)
