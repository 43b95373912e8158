"""Write the capacity plan: every quota on the way, partitions by table, what a sale costs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from fairgate_ops.operate.capacity import access
from fairgate_ops.operate.capacity.cost import (
    FLAT_PLANS,
    edge_gb,
    edge_requests,
    sale_cost,
    sign_in_costs,
)
from fairgate_ops.operate.capacity.kept_figures import kept_figures
from fairgate_ops.operate.capacity.keys_page import hottest, meeting
from fairgate_ops.operate.capacity.markdown import table
from fairgate_ops.operate.capacity.plan import (
    LEFT_OUT,
    authorizers,
    needs,
    partitions,
    rates_at_origin,
    to_request,
)
from infra.carried import CHECKOUTS_A_SESSION, EVENT_SHARE, HOLDS_A_SESSION, carried
from infra.throttles import API_RATE, STRIPE_PER_S

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate_ops.operate.capacity.inputs import Inputs
    from fairgate_ops.operate.capacity.plan import Needs

HEAD = """\
# Capacity plan

Computed by `python -m fairgate_ops.operate.capacity --write` from
[`inputs.json`](../ops/fairgate_ops/operate/capacity/inputs.json); a test compares this page with
the script. **Every figure here is modelled**: nothing of it was measured in AWS. What a hold or a
read costs comes from [measurements](../lab/docs/measurements.md) where those say so, and is
assumed where `plan.py` says so. `--crowd 500000` plans a smaller sale, `--inputs FILE` another
one, and `fairgate doctor --crowd 500000` compares your account with it.
"""
QUOTAS_FOOT = """\
"Ask for" is the need times the headroom, rounded up; a dash means that the default is enough.
Ask a month ahead: AWS answers small ones within hours and large ones after weeks. Each Lambda
function grows by 1,000 environments in ten seconds at most (Lambda Developer Guide, scaling
behavior), so use provisioned concurrency. A partition carries 1,000 writes and 3,000 reads a
second.

API Gateway and Lambda are shared out to routes and functions (`infra/throttles.py`,
`infra/concurrency.py`), so the account needs more than all requests together. Tell the
deployment what you were given: `api_rate`, `concurrency`.

Cognito (`sign_in=cognito`) has quotas of its own: sign-ins a second (`UserAuthentication`, 120),
new accounts (`UserCreation`, 50) and tokens (`UserToken`, 120); check them in Service Quotas. At
120 a second, 10 million need 23 hours: ask for more, or let buyers sign in days ahead.
"""

CARRIED_HEAD = """\
## What a stage carries

A second, from `api_rate` and Stripe's rate to holds, checkouts and admissions. Functions,
`fairgate check` and `event create` go by the same calculation (`infra/carried.py`). The first row
is AWS's and Stripe's default, the second what this plan asks for.
"""
CARRIED_COLUMNS = ("holds", "checkouts", "admissions", "one event")
CARRIED_FOOT = f"""\
Modelled: {HOLDS_A_SESSION} holds a session, and {CHECKOUTS_A_SESSION:.0%} of them check out.
One event gets {EVENT_SHARE:.0%}: its automatic pace admits no more, and its holds beyond that are
answered 429. A pace set by hand is not bounded.
"""


class Quota(NamedTuple):
    what: str
    need: float
    default: float
    where: str


def quotas(need: Needs) -> list[Quota]:
    """Each on the way, with AWS's default. Sources: the services' pages of quotas, as named."""
    return [
        Quota(
            "CloudFront, requests a second of a distribution",
            need.edge_requests_per_s,
            250_000,
            "AWS Support; cloudfront-limits",
        ),
        Quota(
            "CloudFront, Gbit a second of a distribution",
            need.edge_gbit_per_s,
            150,
            "AWS Support; cloudfront-limits",
        ),
        Quota(
            "API Gateway, requests a second of account and region",
            need.api_rate,
            10_000,
            "Service Quotas, Throttle rate",
        ),
        Quota(
            "Lambda, concurrent executions",
            need.environments,
            1_000,
            "Service Quotas, Concurrent executions",
        ),
        *(
            Quota(
                f"DynamoDB, {kind} units a second of {name}",
                units,
                40_000,
                f"Service Quotas, Table-level {kind} throughput limit",
            )
            for kind, by_table in (("write", need.write_units), ("read", need.read_units))
            for name, units in by_table.items()
        ),
        Quota(
            "Cache, ECPU a second",
            need.ecpu_per_s,
            300_000,
            "`cache_ecpu_max`; the default is ours",
        ),
        Quota("SES, mails a second", need.mails_per_s, 1, "SES, production access"),
        Quota("SES, mails a day", need.mails_a_day, 200, "SES, production access"),
        Quota(
            "Stripe, checkouts a second",
            need.checkouts_per_s,
            STRIPE_PER_S,
            "Stripe Support, six weeks ahead",
        ),
    ]


def page(inputs: Inputs) -> str:
    need = needs(inputs)
    total = sale_cost(inputs)
    return "\n".join(
        [
            HEAD,
            "## Inputs\n",
            table(
                ("input", "value"),
                [(f"`{name}`", f"{value:,g}") for name, value in asdict(inputs).items()],
            ),
            _worst_second(inputs, need),
            "\n## Quotas on the way\n",
            table(
                ("quota", "needed", "AWS's default", "ask for", "where"),
                [_quota_row(quota, inputs) for quota in quotas(need)],
            ),
            "\n" + QUOTAS_FOOT,
            CARRIED_HEAD,
            table(
                (
                    "`api_rate`",
                    "`payments_per_s`",
                    *CARRIED_COLUMNS,
                ),
                [_carried_row(*limits) for limits in _limits(inputs)],
            ),
            "\n" + CARRIED_FOOT,
            "## Partitions by table\n",
            table(
                ("table", "writes a second", "reads a second", "partitions at least"),
                [
                    (
                        name,
                        f"{writes:,.0f}",
                        f"{need.read_units[name]:,.0f}",
                        str(partitions(writes, need.read_units[name])),
                    )
                    for name, writes in need.write_units.items()
                ],
            ),
            (
                "\nWarm throughput before the sale starts makes these partitions. Keys spread over"
                " them only where there are\nmany, and none may be hotter than a partition.\n"
            ),
            hottest(inputs),
            kept_figures(inputs),
            meeting(inputs),
            "## What the sale costs\n",
            table(
                ("what", "amount", "dollars"),
                [(c.what, f"{c.amount:,.0f} {c.unit}", f"{c.dollars:,.2f}") for c in total]
                + [("together", "", f"{sum(c.dollars for c in total):,.2f}")],
            ),
            (
                "\nNot in it: who signs the buyers in (below), payment fees, mail, the keeping of"
                " logs, warm throughput\n(charged once) and provisioned concurrency. Sessions:"
                f" {access.SESSIONS_AN_ORDER:g} an order, with a hold each.\n"
            ),
            _flat(inputs),
            _sign_in(inputs, sum(c.dollars for c in total)),
        ]
    )


def _worst_second(inputs: Inputs, need: Needs) -> str:
    rows = [
        (name, f"{rate:,.0f}", f"{need.concurrency[name]:,.0f}")
        for name, rate in rates_at_origin(inputs).items()
    ]
    rows.append(
        (
            "authorizer, as its hour ends",
            f"{need.api_requests_per_s:,.0f}",
            f"{authorizers(inputs):,.0f}",
        )
    )
    left_out = ", ".join(f"`{function}` ({why})" for function, why in LEFT_OUT.items())
    return "\n".join(
        [
            "\n## The worst second, behind the edge\n",
            table(("what", "requests a second", "environments at work"), rows),
            (
                "\nThe authorizer's answer is kept for an hour. In the moment in which that ends,"
                " each request asks it until the\nfirst answer is there. Its share is ten"
                " environments, or a hundredth of the account's if that is more.\n"
            ),
            f"No row: {left_out}.",
        ]
    )


def _limits(inputs: Inputs) -> Iterator[tuple[int, int]]:
    need = needs(inputs)
    yield API_RATE, STRIPE_PER_S
    yield to_request(need.api_rate, inputs), to_request(need.checkouts_per_s, inputs)


def _carried_row(api_rate: int, payments_per_s: int) -> tuple[str, ...]:
    stage = carried(api_rate, payments_per_s)
    event = stage.of_event()
    of_event = f"{event.holds_per_s:,.0f} holds, {event.admissions_per_s:,.0f} admissions"
    rates = (stage.holds_per_s, stage.checkouts_per_s, stage.admissions_per_s)
    return (f"{api_rate:,}", f"{payments_per_s:,}", *(f"{rate:,.0f}" for rate in rates), of_event)


def _quota_row(quota: Quota, inputs: Inputs) -> tuple[str, ...]:
    enough = quota.need * inputs.headroom <= quota.default
    asked = "—" if enough else f"{to_request(quota.need, inputs):,}"
    return (quota.what, f"{quota.need:,.0f}", f"{quota.default:,.0f}", asked, quota.where)


def _sign_in(inputs: Inputs, rest: float) -> str:
    own, *tiers, more, wall = sign_in_costs(inputs)
    rows = [
        (one.what, f"{one.dollars:,.2f}", f"{one.dollars + rest:,.2f}") for one in (own, *tiers)
    ]
    beside = [(one.what, f"{one.dollars:,.2f}", "") for one in (more, wall)]
    return "\n".join(
        [
            "## What the sign-in costs\n",
            f"For {inputs.waiting:,.0f} accounts that sign in within a month:\n",
            table(("who signs in", "dollars", "the whole sale"), rows + beside),
            (
                "\nChoose it before the deployment"
                " ([deploying](deploying.md#amazon-cognito-made-by-the-deployment)): for a crowd,"
                " the\norganiser's own provider, or `cognito_plan=lite`. Threat protection needs"
                " `plus`. Buyers who sign in over days\nneed no more requests a second than"
                " Cognito takes.\n"
            ),
        ]
    )


def _flat(inputs: Inputs) -> str:
    requests, gb = edge_requests(inputs), edge_gb(inputs)
    rows = [
        (
            plan.name,
            f"{plan.dollars:,}",
            f"{plan.requests / 1e6:,.0f} million",
            f"{plan.gb:,.0f} GB",
            "yes" if plan.carries(requests, gb) else f"{requests / plan.requests:,.1f} times",
        )
        for plan in FLAT_PLANS
    ]
    return "\n".join(
        [
            (
                f"By CloudFront's flat-rate plans, for {requests / 1e6:,.0f} million requests and"
                f" {gb:,.0f} GB in the month:\n"
            ),
            table(("plan", "dollars a month", "requests", "data", "carries the sale"), rows),
            (
                "\nA plan is never charged for more; past its allowance AWS may slow the"
                " distribution down or ask for another\nplan, which is no risk to take in the"
                " middle of a sale. A plan includes WAF and functions, and takes\nneither"
                " Lambda@Edge nor real-time logs, of which Fairgate uses none.\n"
            ),
        ]
    )
