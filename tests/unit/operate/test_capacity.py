"""The capacity plan is computed, and the page says what was computed."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairgate.http import paths
from fairgate.service.gate.exchange_identity import AUTH_TTL_S
from fairgate.service.watch.history import COLUMNS, POINTS_MAX, Kept
from fairgate_ops.operate.capacity import access, cost, plan, rest, watching
from fairgate_ops.operate.capacity.__main__ import main
from fairgate_ops.operate.capacity.inputs import Inputs, read_inputs
from fairgate_ops.operate.capacity.kept_figures import history_units
from fairgate_ops.operate.capacity.page import page, quotas
from infra.cognito_plans import PLANS, dollars_a_month
from infra.concurrency import reserved
from infra.routes import ROUTES
from infra.throttles import throttles

ROOT = Path(__file__).parents[3]
SALE = read_inputs()


def test_the_page_is_what_the_script_computes_from_the_inputs() -> None:
    assert (ROOT / "docs" / "capacity.md").read_text("utf-8") == page(SALE)


def test_the_plan_is_for_a_million_a_second_and_ten_million_who_wait() -> None:
    assert (SALE.edge_requests_per_s, SALE.waiting) == (1_000_000, 10_000_000)


def test_a_holds_units_are_those_that_were_measured() -> None:
    measured = (ROOT / "lab" / "docs" / "measurements.md").read_text("utf-8")
    for seats in (1, 4, 10):
        units, _ = access.units_by_table(replace(SALE, seats_a_hold=seats), {"hold": 1})
        # The measured hold had no key of its caller: one item less.
        own = units["reservations"] - access.TRANSACTIONAL
        text = f"| {units['seats']:.0f}, {own:.0f} |"
        (row,) = [
            line
            for line in measured.splitlines()
            if line.startswith((f"| {seats} |", f"| {seats} seat |"))
        ]
        assert text in row


def test_half_the_crowd_asks_for_half_at_the_edge_and_as_many_seats() -> None:
    half = SALE.for_crowd(SALE.waiting / 2)
    assert half.edge_requests_per_s == SALE.edge_requests_per_s / 2
    assert half.seats == SALE.seats
    assert plan.needs(half).write_units["seats"] == plan.needs(SALE).write_units["seats"] / 2


def test_each_quota_that_is_not_enough_is_asked_for_with_headroom() -> None:
    short = [quota for quota in quotas(plan.needs(SALE)) if quota.need > quota.default]
    assert "CloudFront, requests a second of a distribution" in {quota.what for quota in short}
    for quota in short:
        assert plan.to_request(quota.need, SALE) >= quota.need * SALE.headroom


def test_the_rate_that_is_asked_for_carries_the_worst_second_of_each_route() -> None:
    need, asked = plan.needs(SALE), plan.asked_of_routes(SALE)
    bounds = throttles(math.ceil(need.api_rate))
    assert [key for key, rate in asked.items() if bounds[key].rate < math.floor(rate)] == []
    fewer = throttles(math.floor(need.api_rate * 0.99))
    assert any(fewer[key].rate < math.floor(rate) for key, rate in asked.items())
    assert sum(asked.values()) == pytest.approx(need.api_requests_per_s)


def test_every_function_that_buyers_ask_is_in_the_plan_or_said_why_not() -> None:
    planned = {route: name for name, route in plan.ANSWERED_AT.items()}
    asked = {r.function for r in ROUTES if f"{r.method} {r.path}" in planned}
    assert asked | set(plan.LEFT_OUT) == {r.function for r in ROUTES if r.function}
    assert not asked & set(plan.LEFT_OUT)
    assert set(plan.rates_at_origin(SALE)) == set(plan.ANSWERED_AT) == set(plan.CALL_S)


def test_each_ticket_of_the_orders_of_a_second_is_drawn_in_it() -> None:
    """The page of an order that is paid loads all of its pictures at once."""
    drawn = SALE.checkouts_per_s * SALE.seats_a_hold
    assert plan.asked_of_routes(SALE)[f"GET {paths.TICKET_SVG}"] == drawn
    page_js = (ROOT / "edge" / "web" / "assets" / "js" / "ticket.js").read_text("utf-8")
    assert "Array.from({ length: count }" in page_js
    assert "getTicketSvg(order, { unit })" in page_js


def test_the_concurrency_that_is_asked_for_carries_each_function() -> None:
    need = plan.needs(SALE)
    at_work = defaultdict[str, float](float)
    functions = {f"{route.method} {route.path}": route.function for route in ROUTES}
    for name, count in need.concurrency.items():
        at_work[str(functions[plan.ANSWERED_AT[name]])] += count
    for account, enough in ((need.environments * 1.01, True), (need.environments * 0.98, False)):
        kept = reserved(math.ceil(account))
        assert all(kept[name] >= math.floor(count) for name, count in at_work.items()) == enough
        assert kept["authorizer"] >= plan.authorizers(SALE)


def test_a_sign_in_is_renewed_as_often_as_the_page_does_it() -> None:
    page_js = (ROOT / "edge" / "web" / "assets" / "js" / "auth.js").read_text("utf-8")
    before = re.search(r"RENEW_AT_S = (\d+);", page_js)
    assert before
    first_h, spread_h = (AUTH_TTL_S - int(before[1])) / 3600, int(before[1]) / 2 / 3600
    assert spread_h == plan.RENEWED_WITHIN_H
    assert first_h + spread_h / 2 == plan.RENEWED_EVERY_H


@pytest.mark.parametrize(("hours", "renewals"), [(0.1, 5_556), (1, 2_778), (2, 2_222)])
def test_a_crowd_that_signs_in_at_once_renews_spread_over_half_an_hour(
    hours: float, renewals: float
) -> None:
    rates = plan.rates_at_origin(replace(SALE, sign_in_hours=hours))
    assert round(rates["renewals"]) == renewals


@pytest.mark.parametrize(("need", "asked"), [(1, 2), (37, 74), (1_551, 3_200), (1e6, 2_000_000)])
def test_what_is_asked_for_is_a_figure_that_one_writes_into_a_form(need: float, asked: int) -> None:
    assert plan.to_request(need, SALE) == asked


def test_partitions_carry_writes_and_reads() -> None:
    assert plan.partitions(63_000, 40_000) == 63
    assert plan.partitions(1_000, 40_000) == 14
    assert plan.partitions(0, 0) == 1


def test_a_sale_of_ten_million_fits_into_no_flat_rate_plan() -> None:
    requests, gb = cost.edge_requests(SALE), cost.edge_gb(SALE)
    assert not any(one.carries(requests, gb) for one in cost.FLAT_PLANS)
    assert cost.FLAT_PLANS[-1].carries(500e6, 50_000)
    assert not cost.FLAT_PLANS[-1].carries(500e6 + 1, 50_000)


def test_the_script_refuses_inputs_that_nobody_knows(tmp_path: Path, capsys: object) -> None:
    path = tmp_path / "inputs.json"
    values = asdict(SALE)
    path.write_text(json.dumps(values))
    assert main(["--inputs", str(path)]) == 0
    path.write_text(json.dumps(values | {"weather": 1}))
    assert main(["--inputs", str(path)]) == 1
    values.pop("seats")
    path.write_text(json.dumps(values))
    assert main(["--inputs", str(path)]) == 1


@pytest.mark.parametrize(
    "words",
    [["--crowd", "0"], ["--crowd=-5"], ["--crowd", "nan"], ["--crowd", "inf"]],
)
def test_a_crowd_that_is_none_is_wrong_usage(words: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "--crowd" in capsys.readouterr().err


@pytest.mark.parametrize("name", [field.name for field in fields(Inputs)])
@pytest.mark.parametrize("value", [0, -1, None, "many", [], math.nan, math.inf])
def test_an_input_that_is_no_figure_is_named(
    tmp_path: Path, capsys: Any, name: str, value: Any
) -> None:
    path = tmp_path / "inputs.json"
    path.write_text(json.dumps({**asdict(SALE), name: value}))
    assert main(["--inputs", str(path)]) == 1
    assert f"{name} must be" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[]", "7", "null", "{", ""])
def test_inputs_that_are_none_are_refused(tmp_path: Path, capsys: Any, text: str) -> None:
    path = tmp_path / "inputs.json"
    path.write_text(text)
    assert main(["--inputs", str(path)]) == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_a_page_that_cannot_be_written_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["--write"]) == 1
    assert "docs/capacity.md" in capsys.readouterr().err


def test_costs_of_the_deploying_page_are_those_that_the_script_computes() -> None:
    page = (ROOT / "docs" / "deploying.md").read_text("utf-8")
    deploying = page + " ".join(page.split())  # a sentence may go on in the next line
    accounts = (100_000, 1_000_000, 10_000_000)
    month = f"{rest.streams_read(rest.SHARDS_NEW):.0f} dollars a month of new tables"
    figures = [
        rest.rest_table(),
        watching.options_table(),
        f"{rest.trial_cost(SALE):.2f} dollars",
        f"{rest.a_month() / 730 * 100:.0f} cents an hour",
        f"{month} ({rest.SHARDS_NEW} shards",
        f"{rest.streams_read(rest.SHARDS_WARM):.0f} of tables",
        {4: "in four hours"}[rest.TRIAL_HOURS],
        *(
            f"| `{plan}` | " + " | ".join(f"{dollars_a_month(plan, n):,.0f}" for n in accounts)
            for plan in PLANS
        ),
    ]
    assert [figure for figure in figures if figure not in deploying] == []


def test_a_history_of_weeks_fits_one_item_and_costs_little_more_than_one_of_hours() -> None:
    hours, weeks = (history_units(replace(read_inputs(), sale_hours=n)) for n in (3, 24 * 28))
    widest: list[list[float | int | None]] = [[10**13, *(10**7 for _ in COLUMNS)]] * POINTS_MAX
    assert len(msgspec.json.encode(Kept(rows=widest))) < hours.item_bytes < 400 * 1_024 / 3
    assert weeks.item_bytes == hours.item_bytes
    assert weeks.writes < 10 * hours.writes
    assert weeks.writes_per_s == hours.writes_per_s < 11
