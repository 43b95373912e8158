"""Compute what a sale asks of AWS in its worst second, from inputs.json. Modelled, not measured.

Each figure is a rate of the inputs times what one of them costs; what it costs comes from
lab/docs/measurements.md or from the code that is named beside it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.http import paths
from fairgate_ops.operate.capacity import access
from infra import concurrency, throttles
from infra.functions import BY_NAME, EVENTS
from infra.routes import ROUTES

if TYPE_CHECKING:
    from fairgate_ops.operate.capacity.inputs import Inputs

# Seconds that a call keeps an execution environment; modelled, Lambda in AWS is not measured here.
CALL_S = {
    "sign-ins": 0.3,  # it waits for the identity provider
    "renewals": 0.05,
    "sessions": 0.15,
    "holds": 0.2,
    "orders": 1.0,  # it waits for the payment provider
    "webhooks": 0.3,
    "seatmap": 0.02,
    "desk": 0.05,
    "asked": 0.05,
    "ticket pictures": 0.05,  # 10 ms of CPU by `make bench-tickets`, of which 512 MB have a third
    "passed on": 0.1,
    "found again": 0.1,
}
# Of the authorizer: 1 ms of CPU, and what Lambda takes beside it. Modelled.
AUTHORIZER_CALL_S = 0.003
# The route whose function answers it.
ANSWERED_AT = {
    "sign-ins": f"POST {paths.AUTH_EXCHANGE}",
    "renewals": f"POST {paths.AUTH_RENEW}",
    "sessions": f"POST {paths.ADMISSION}",
    "holds": f"POST {paths.HOLDS}",
    "orders": f"POST {paths.CHECKOUT}",
    "webhooks": f"POST {paths.PAYMENT_WEBHOOK}",
    "seatmap": f"GET {paths.SECTION_SEATS}",
    "desk": f"POST {paths.DESK}",
    "asked": f"GET {paths.ORDER}",
    "ticket pictures": f"GET {paths.TICKET_SVG}",
    "passed on": f"POST {paths.TRANSFERS}",
    "found again": f"POST {paths.TICKETS_LINK}",
}
# Functions that no row asks, and why.
LEFT_OUT = {
    "catalog": "each cache asks once in five seconds",
    "operator": "operators are few",
}
# Modelled: of the tickets that are passed on as soon as they are there, to who came along; and of
# the orders whose buyer has the tickets mailed again.
PASSED_ON, FOUND_AGAIN = 0.02, 0.01
PASSING_CALLS = 4  # offered, looked at, accepted, listed
# A page renews its sign-in in the half hour that begins an hour after it was made, and again as
# long after that (edge/web/assets/js/auth.js, RENEW_AT_S of the two hours that a sign-in lasts).
RENEWED_WITHIN_H, RENEWED_EVERY_H = 0.5, 1.25
MAILS_A_CHECKOUT = 1
# Valkey's time by `make bench-availability`, at the 3 µs an ECPU of AWS's own worked example.
ECPU_A_READ, ECPU_A_CHANGE = 75 / 3, 42 / 3


@dataclass(frozen=True)
class Needs:
    """What the worst second asks for, without headroom.

    Attributes:
        api_rate: that the account needs, so that each route's share of it is enough.
        environments: that the account needs, so that each function's share of them is enough.
    """

    edge_requests_per_s: float
    edge_gbit_per_s: float
    api_requests_per_s: float
    api_rate: float
    concurrency: dict[str, float]  # environments at work, by what they answer
    environments: float
    write_units: dict[str, float]  # a second, by table
    read_units: dict[str, float]
    ecpu_per_s: float
    mails_per_s: float
    mails_a_day: float
    checkouts_per_s: float  # each is a call of the payment provider


def needs(inputs: Inputs) -> Needs:
    rates = rates_at_origin(inputs)
    holds, seats = inputs.holds_per_s, inputs.seats_a_hold
    paid = inputs.checkouts_per_s
    write_units, read_units = access.units_by_table(
        inputs, access.actions_a_second(inputs, catalogue_readers(inputs))
    )
    return Needs(
        edge_requests_per_s=inputs.edge_requests_per_s,
        edge_gbit_per_s=inputs.edge_requests_per_s * inputs.answer_bytes * 8 / 1e9,
        api_requests_per_s=sum(rates.values()),
        api_rate=api_rate(inputs),
        concurrency={name: rate * CALL_S[name] for name, rate in rates.items()},
        environments=environments(inputs),
        write_units=write_units,
        read_units=read_units,
        ecpu_per_s=rates["seatmap"] * ECPU_A_READ + holds * seats * ECPU_A_CHANGE,
        mails_per_s=paid * MAILS_A_CHECKOUT,
        mails_a_day=inputs.seats / inputs.seats_a_hold,
        checkouts_per_s=paid,
    )


def rates_at_origin(inputs: Inputs) -> dict[str, float]:
    """Requests a second that pass the edge, by what answers them."""
    # Those who signed in at once renew in one half hour; later all who wait do, by and by.
    renewed_in_h = min(max(inputs.sign_in_hours, RENEWED_WITHIN_H), RENEWED_EVERY_H)
    tickets = inputs.checkouts_per_s * inputs.seats_a_hold
    return {
        "sign-ins": inputs.waiting / (inputs.sign_in_hours * 3_600),
        "renewals": inputs.waiting / (renewed_in_h * 3_600),
        "sessions": inputs.admissions_per_s,
        "holds": inputs.holds_per_s,
        "orders": inputs.checkouts_per_s,
        "webhooks": inputs.checkouts_per_s,
        "seatmap": inputs.origin_caches * inputs.keys_looked_at,
        "desk": inputs.edge_requests_per_s * inputs.desk_share,
        "asked": inputs.orders_asked_per_s,
        # The page of an order that is paid shows all of its tickets at once.
        "ticket pictures": tickets,
        "passed on": tickets * PASSED_ON * PASSING_CALLS,
        "found again": inputs.checkouts_per_s * FOUND_AGAIN,
    }


def asked_of_routes(inputs: Inputs) -> dict[str, float]:
    """Requests a second that each route is asked for, by its key; the worst second has them all."""
    rates = rates_at_origin(inputs)
    looks, passing = inputs.keys_looked_at, rates["passed on"] / PASSING_CALLS
    look = rates["seatmap"] / looks
    return {
        f"POST {paths.AUTH_EXCHANGE}": rates["sign-ins"],
        f"POST {paths.AUTH_RENEW}": rates["renewals"],
        f"POST {paths.ADMISSION}": rates["sessions"],
        f"POST {paths.HOLDS}": rates["holds"] * (1 - inputs.best_share),
        f"POST {paths.BEST_AVAILABLE}": rates["holds"] * inputs.best_share,
        f"POST {paths.CHECKOUT}": rates["orders"],
        f"POST {paths.PAYMENT_WEBHOOK}": rates["webhooks"],
        # One read is of the event's counts, one of its changes; of each section likewise.
        f"GET {paths.AVAILABILITY}": look,
        f"GET {paths.CHANGES}": look * looks / 2,
        f"GET {paths.SECTION_SEATS}": look * max(looks - 2, 1) / 2,
        f"POST {paths.DESK}": rates["desk"],
        f"GET {paths.ORDER}": rates["asked"],
        f"GET {paths.TICKET_SVG}": rates["ticket pictures"],
        f"POST {paths.TICKET_OFFER}": passing,
        f"POST {paths.TRANSFERS}": 2 * passing,  # looked at, then accepted
        f"GET {paths.HELD_TICKETS}": passing,
        f"POST {paths.TICKETS_LINK}": rates["found again"],
    }


def api_rate(inputs: Inputs) -> float:
    """Return what the account's rate must be, so that each route's share of it is enough."""
    shares, asked = throttles.shares(), asked_of_routes(inputs)
    return max(sum(asked.values()), *(rate / shares[key] for key, rate in asked.items()))


def environments(inputs: Inputs) -> float:
    """Return what the account's concurrency must be, so that each function's share is enough."""
    at_work = environments_at_work(inputs)
    shared = max(count * 100 / concurrency.PERCENT[name] for name, count in at_work.items())
    account = shared + concurrency.UNRESERVED_MIN + sum(concurrency.FIXED.values())
    for _ in range(3):  # what is fixed grows by a hundredth of the account
        kept = sum(concurrency.fixed(math.ceil(account)).values())
        account = shared + concurrency.UNRESERVED_MIN + kept
    return max(account, authorizers(inputs) * 100)


def authorizers(inputs: Inputs) -> float:
    """Return how many environments of the authorizer work when its kept answer has just ended.

    Then each request asks it until the first answer is there. That is once an hour, in each place
    that keeps one; AWS does not say how many there are.
    """
    return sum(rates_at_origin(inputs).values()) * AUTHORIZER_CALL_S


def environments_at_work(inputs: Inputs) -> dict[str, float]:
    """Return how many of each function work in the worst second."""
    functions = {f"{route.method} {route.path}": route.function for route in ROUTES}
    at_work = defaultdict[str, float](float)
    for name, rate in rates_at_origin(inputs).items():
        at_work[str(functions[ANSWERED_AT[name]])] += rate * CALL_S[name]
    return dict(at_work)


def catalogue_readers(inputs: Inputs) -> float:
    """Return how many environments at work read events, each for itself."""
    return sum(
        count
        for name, count in environments_at_work(inputs).items()
        if any(EVENTS in grant.partitions for grant in BY_NAME[name].grants)
    )


def partitions(write_units: float, read_units: float) -> int:
    """Count the partitions that carry so much, if keys spread evenly."""
    return math.ceil(
        max(write_units / access.PARTITION_WRITES, read_units / access.PARTITION_READS, 1)
    )


def to_request(need: float, inputs: Inputs) -> int:
    """Round the need with its headroom up to a figure that one writes into a form."""
    wanted = need * inputs.headroom
    digits = max(math.floor(math.log10(max(wanted, 1))) - 1, 0)
    step = int(10**digits)
    return math.ceil(wanted / step) * step
