"""The dashboard shows a sale from figures that are emitted; the budget tells a person."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from fairgate import metrics
from fairgate_ops.operate.capacity import cost
from infra.option_values import ConfigError
from tests.support import needs

from .conftest import ROOT, STAGE, Assembly


def body(assembly: Assembly) -> dict[str, Any]:
    """The dashboard, with names in place of what CloudFormation fills in."""
    parts = assembly.only("AWS::CloudWatch::Dashboard")["DashboardBody"]["Fn::Join"][1]
    text = "".join(part if isinstance(part, str) else "name" for part in parts)
    document: dict[str, Any] = json.loads(text)
    return document


def test_each_part_of_a_sale_has_its_widget(assembly: Assembly) -> None:
    widgets = body(assembly)["widgets"]
    titles = " ".join(widget["properties"]["title"] for widget in widgets)
    for part in ("Room", "Sessions against", "Holds", "Money", "Feeds", "Cost so far"):
        assert part in titles
    places = {(widget["x"], widget["y"]) for widget in widgets}
    assert len(places) == len(widgets)
    assert max(widget["x"] + widget["width"] for widget in widgets) <= 24


def test_every_figure_of_ours_is_emitted_by_the_service_that_it_names(assembly: Assembly) -> None:
    shown = [
        one
        for widget in body(assembly)["widgets"]
        for one in widget["properties"]["metrics"]
        if one[0] == f"Fairgate/{STAGE}"
    ]
    assert len(shown) >= 15
    for _, figure, dimension, service, *_ in shown:
        assert dimension == "service"
        assert metrics.EMITTED_BY[figure] == service
    assert {metrics.QUEUE_WAITING, metrics.SESSIONS_LIVE, metrics.SESSIONS_TARGET} <= {
        figure for _, figure, *_ in shown
    }


def test_the_cost_is_computed_with_the_prices_of_the_capacity_plan() -> None:
    from infra.constructs import dashboard

    for price in ("WRITE_UNIT", "HTTP_API_REQUEST", "CLOUDFRONT_REQUEST"):
        assert getattr(dashboard, price) == pytest.approx(getattr(cost, price))


def test_edges_figures_are_read_where_aws_has_them(assembly: Assembly) -> None:
    text = json.dumps(body(assembly))
    assert re.search(r'"AWS/CloudFront", "Requests", [^]]*"us-east-1"', text)


def test_no_budget_stands_where_nobody_asked_for_one(assembly: Assembly) -> None:
    assert assembly.properties("AWS::Budgets::Budget") == []


def test_a_budget_without_anybody_to_hear_of_it_is_refused(tmp_path: Path) -> None:
    from infra.config import Config

    given = {"stage": "test", "payments_provider": "sandbox", "budget_dollars": "100"}
    with pytest.raises(ConfigError, match="alarm_email"):
        Config.from_context(given.get, tmp_path)
    with pytest.raises(ConfigError, match="budget_dollars"):
        Config.from_context((given | {"budget_dollars": "much"}).get, tmp_path)


def test_a_budget_tells_the_alarms_address_of_what_is_spent_and_foreseen() -> None:
    made = needs.cdk("infra.constructs.budget").Budget
    from dataclasses import replace

    from aws_cdk import App, Stack
    from aws_cdk.assertions import Template

    from infra.config import Config

    given = {"stage": "test", "payments_provider": "sandbox"}
    with patch.object(Config, "check", lambda _config: None):  # nothing is built here
        config = Config.from_context(given.get, ROOT)
    stack = Stack(App(), "Watch")
    made(stack, "Budget", replace(config, budget_dollars=500, alarm_email="a@example.org"))
    (resource,) = Template.from_stack(stack).find_resources("AWS::Budgets::Budget").values()
    budget = resource["Properties"]
    assert budget["Budget"]["BudgetLimit"] == {"Amount": 500, "Unit": "USD"}
    assert budget["Budget"]["CostFilters"] == {"TagKeyValue": ["user:fairgate:stage$test"]}
    told = [
        (one["Notification"]["NotificationType"], one["Notification"]["Threshold"])
        for one in budget["NotificationsWithSubscribers"]
    ]
    assert told == [("ACTUAL", 50), ("ACTUAL", 80), ("ACTUAL", 100), ("FORECASTED", 100)]
    for one in budget["NotificationsWithSubscribers"]:
        assert one["Subscribers"] == [{"Address": "a@example.org", "SubscriptionType": "EMAIL"}]
