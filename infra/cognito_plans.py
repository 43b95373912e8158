"""What Cognito's plans cost, by the accounts that sign in. It imports nothing of the CDK."""

from __future__ import annotations

import math
from collections.abc import Mapping

# Of each plan: up to so many accounts that sign in, renew or change anything within a month, each
# at so many US dollars. Source: Amazon Cognito pricing, as of September 2026.
PLANS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "lite": (
        (10_000, 0.0),
        (100_000, 0.0055),
        (1_000_000, 0.0046),
        (10_000_000, 0.00325),
        (math.inf, 0.0025),
    ),
    "essentials": ((10_000, 0.0), (math.inf, 0.015)),
    "plus": ((math.inf, 0.02),),
}
CHEAPEST, *_, PROTECTED = PLANS  # with the classic pages alone; with threat protection


def dollars_a_month(plan: str, accounts: float) -> float:
    """Return what a month costs in which so many accounts sign in."""
    total, before = 0.0, 0.0
    for until, price in PLANS[plan]:
        total += max(0.0, min(accounts, until) - before) * price
        before = until
    return total


def prices(accounts: float) -> str:
    """Say what each plan costs: ``lite 33,885, …``."""
    return ", ".join(f"{plan} {dollars_a_month(plan, accounts):,.0f}" for plan in PLANS)
