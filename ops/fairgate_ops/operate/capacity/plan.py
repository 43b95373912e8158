"""Compute what a sale asks of AWS in its worst second, from inputs.json. Modelled, not measured.

Each figure is a rate of the inputs times what one of them costs; what it costs comes from
lab/docs/measurements.md or from the code that is named beside it.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import dataclass, fields, replace
from pathlib import Path

from fairgate.http import paths
from infra import concurrency, throttles
from infra.routes import ROUTES

INPUTS = Path(__file__).with_name("inputs.json")
# Write units of one hold of 4 seats by table, of `make bench-hold` (lab/docs/measurements.md).
SEATS_UNITS_A_SEAT, SEATS_UNITS_A_HOLD = 3, 0
RESERVATION_UNITS_A_SEAT, RESERVATION_UNITS_A_HOLD = 2, 2
# Modelled: items of under 1 KB that the transaction writes, two units each.
SESSION_UNITS, CHECKOUT_UNITS, PAID_SEAT_UNITS, PAID_UNITS = 12, 8, 3, 12
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
READ_UNITS_A_HOLD, READ_UNITS_A_SESSION = 8, 12  # modelled, strongly consistent
PARTITION_WRITES, PARTITION_READS = 1_000, 3_000  # DynamoDB Developer Guide, partition limits
MAILS_A_CHECKOUT = 1
# Valkey's time by `make bench-availability`, at the 3 µs an ECPU of AWS's own worked example.
ECPU_A_READ, ECPU_A_CHANGE = 75 / 3, 42 / 3


@dataclass(frozen=True)
class Inputs:
    """A sale as somebody expects it.

    Attributes:
        sign_in_hours: they sign in over so long before the sale starts.
        edge_requests_per_s: the worst second at the edge.
        requests_a_waiting_buyer: from the first page to the ticket, or to giving up.
        desk_share: the share of the edge's requests that is forwarded to the desk.
        best_share: of the holds, that leave the choice of seats to us.
        origin_caches: regional caches that ask the origin, each for itself.
        keys_looked_at: cached answers that somebody looks at in any one second.
        headroom: what is asked for is so many times what is needed.
    """

    waiting: float
    sign_in_hours: float
    edge_requests_per_s: float
    requests_a_waiting_buyer: float
    answer_bytes: float
    desk_share: float
    admissions_per_s: float
    holds_per_s: float
    best_share: float
    seats_a_hold: float
    checkouts_per_s: float
    orders_asked_per_s: float
    origin_caches: float
    keys_looked_at: float
    seats: float
    sale_hours: float
    headroom: float

    def for_crowd(self, waiting: float) -> Inputs:
        """Scale what grows with the crowd; seats and caches are what they are."""
        share = waiting / self.waiting
        grown = (
            "edge_requests_per_s",
            "admissions_per_s",
            "holds_per_s",
            "checkouts_per_s",
            "orders_asked_per_s",
        )
        return replace(
            self, waiting=waiting, **{name: getattr(self, name) * share for name in grown}
        )


# Calls of one endpoint, such as a checkout's, in live mode. Source: docs.stripe.com, Rate limits.
STRIPE_PER_S = 25


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


def read_inputs(path: Path = INPUTS) -> Inputs:
    """Read a sale.

    Raises:
        ValueError: the file lacks an input, has one that nobody knows, or one that is no number
            above zero.
    """
    values = json.loads(path.read_text("utf-8"))
    names = {field.name for field in fields(Inputs)}
    if not isinstance(values, dict) or set(values) != names:
        raise ValueError(f"{path} must have exactly {', '.join(sorted(names))}")
    for name, value in values.items():
        if not isinstance(value, int | float) or not 0 < value < math.inf:
            raise ValueError(f"{path}: {name} must be a number above zero, not {value!r}")
    return Inputs(**{name: float(value) for name, value in values.items()})


def needs(inputs: Inputs) -> Needs:
    rates = rates_at_origin(inputs)
    holds, seats = inputs.holds_per_s, inputs.seats_a_hold
    paid = inputs.checkouts_per_s
    return Needs(
        edge_requests_per_s=inputs.edge_requests_per_s,
        edge_gbit_per_s=inputs.edge_requests_per_s * inputs.answer_bytes * 8 / 1e9,
        api_requests_per_s=sum(rates.values()),
        api_rate=api_rate(inputs),
        concurrency={name: rate * CALL_S[name] for name, rate in rates.items()},
        environments=environments(inputs),
        write_units={
            "seats": holds * (SEATS_UNITS_A_HOLD + seats * SEATS_UNITS_A_SEAT)
            + paid * seats * PAID_SEAT_UNITS,
            "reservations": holds * (RESERVATION_UNITS_A_HOLD + seats * RESERVATION_UNITS_A_SEAT)
            + inputs.admissions_per_s * SESSION_UNITS
            + paid * (CHECKOUT_UNITS + PAID_UNITS),
        },
        read_units={
            "seats": holds * READ_UNITS_A_HOLD,
            "reservations": holds * READ_UNITS_A_HOLD
            + inputs.admissions_per_s * READ_UNITS_A_SESSION,
        },
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
    functions = {f"{route.method} {route.path}": route.function for route in ROUTES}
    at_work = defaultdict[str, float](float)
    for name, rate in rates_at_origin(inputs).items():
        at_work[str(functions[ANSWERED_AT[name]])] += rate * CALL_S[name]
    shared = max(count * 100 / concurrency.PERCENT[name] for name, count in at_work.items())
    return shared + concurrency.UNRESERVED_MIN + sum(concurrency.FIXED.values())


def partitions(write_units: float, read_units: float) -> int:
    """Count the partitions that carry so much, if keys spread evenly."""
    return math.ceil(max(write_units / PARTITION_WRITES, read_units / PARTITION_READS, 1))


def to_request(need: float, inputs: Inputs) -> int:
    """Round the need with its headroom up to a figure that one writes into a form."""
    wanted = need * inputs.headroom
    digits = max(math.floor(math.log10(max(wanted, 1))) - 1, 0)
    step = int(10**digits)
    return math.ceil(wanted / step) * step
