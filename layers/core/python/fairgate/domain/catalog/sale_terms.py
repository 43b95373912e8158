"""Declare what a sale has beside the facts of its event: limits, fees and times."""

from __future__ import annotations

from typing import Annotated, Any

from fairgate.domain.catalog.event_facts import FACTS, Declared, EventFacts, Fact, declared

HOLD_LIMIT_MAX = 40  # a hold of n seats is 1 + 2n of a transaction's 100 actions


class SaleTerms(EventFacts, frozen=True, kw_only=True):
    """Adds the limits, fees and times of a sale; the defaults suit most sales."""

    fee_order_minor: Annotated[
        int,
        Fact(
            "fee for each order",
            "number",
            metavar="AMOUNT",
            option="fee-order",
            change="for later sessions",
        ),
    ] = 0
    fee_ticket_minor: Annotated[
        int,
        Fact(
            "fee for each ticket",
            "number",
            metavar="AMOUNT",
            option="fee-ticket",
            change="for later sessions",
        ),
    ] = 0
    requests_per_s: Annotated[
        int,
        Fact(
            "first attempts a second at the sale start, with --control auto; 0 means 125,000",
            "number",
            metavar="REQUESTS",
            change="never",
        ),
    ] = 0
    live_max: Annotated[
        int,
        Fact(
            "sessions that may be open at once",
            "number",
            least=1,
            most=10_000_000,
            metavar="SESSIONS",
            change="never",
        ),
    ] = 5_000
    hold_limit: Annotated[
        int,
        Fact(
            "seats allowed in one hold",
            "number",
            least=1,
            most=HOLD_LIMIT_MAX,
            metavar="SEATS",
            change="for later sessions",
        ),
    ] = 10
    user_limit: Annotated[
        int,
        Fact(
            "seats allowed for one account",
            "number",
            least=1,
            most=1_000,
            metavar="SEATS",
            change="for later sessions",
        ),
    ] = 10
    sessions_limit: Annotated[
        int,
        Fact(
            "sessions allowed for one account",
            "number",
            least=1,
            most=1_000,
            metavar="SESSIONS",
            change="never",
        ),
    ] = 1
    session_s: Annotated[
        int,
        Fact(
            "time to choose seats",
            "number",
            least=30,
            most=7_200,
            metavar="SECONDS",
            change="never",
        ),
    ] = 600
    session_mean_s: Annotated[
        int,
        Fact(
            "assumed mean length of a session until some have ended; 0 means the longest",
            "number",
            most=7_200,
            metavar="SECONDS",
            change="never",
        ),
    ] = 0
    checkout_s: Annotated[
        int,
        Fact(
            "time to pay",
            "number",
            least=30,
            most=7_200,
            metavar="SECONDS",
            change="never",
            fixed="the search for payments depends on it",
        ),
    ] = 420

    def terms(self) -> dict[str, Any]:
        """Return the fields with their values, for another record that has them."""
        return {name: getattr(self, name) for name in SaleTerms.__struct_fields__}


def declared_terms() -> list[Declared]:
    """Return the facts that SaleTerms adds."""
    return declared(SaleTerms)[len(FACTS) :]
