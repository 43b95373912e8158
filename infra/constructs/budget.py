"""A budget: mail when the month's cost of this stage nears what somebody said it may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_budgets as budgets
from constructs import Construct

from infra.naming import name

if TYPE_CHECKING:
    from infra.config import Config

ACTUAL_PERCENT = (50, 80, 100)


class Budget(Construct):
    """Told of what was spent and what is foreseen. AWS adds up some times a day: it stops nothing.

    It counts what carries the tag ``fairgate:stage``, once the account has activated that tag for
    cost allocation (docs/deploying.md).
    """

    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(scope, construct_id)
        hears = budgets.CfnBudget.SubscriberProperty(
            subscription_type="EMAIL", address=config.alarm_email
        )
        told = [("ACTUAL", percent) for percent in ACTUAL_PERCENT] + [("FORECASTED", 100)]
        budgets.CfnBudget(
            self,
            "Month",
            budget=budgets.CfnBudget.BudgetDataProperty(
                budget_name=name(config.stage, "month"),
                budget_type="COST",
                time_unit="MONTHLY",
                budget_limit=budgets.CfnBudget.SpendProperty(
                    amount=config.budget_dollars or 0, unit="USD"
                ),
                cost_filters={"TagKeyValue": [f"user:fairgate:stage${config.stage}"]},
            ),
            notifications_with_subscribers=[
                budgets.CfnBudget.NotificationWithSubscribersProperty(
                    notification=budgets.CfnBudget.NotificationProperty(
                        notification_type=kind,
                        comparison_operator="GREATER_THAN",
                        threshold=percent,
                        threshold_type="PERCENTAGE",
                    ),
                    subscribers=[hears],
                )
                for kind, percent in told
            ],
        )
