"""What the web application firewall looks at, in the order in which it does, and what that costs.

It imports nothing of the CDK. ``python -m infra.firewall`` prints the rates and the cost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fairgate.http import paths
from infra.routes import ROUTES
from infra.throttles import API_RATE, throttles

# AWS's own groups, with the capacity that each takes of the 1,500 that a request's basic price
# covers. Source: AWS WAF Developer Guide, "AWS Managed Rules rule groups list".
MANAGED = {
    "AWSManagedRulesAmazonIpReputationList": 25,
    "AWSManagedRulesKnownBadInputsRuleSet": 200,
    "AWSManagedRulesCommonRuleSet": 700,
}
# Those of them that have versions; the other two are lists of addresses. A version that an account
# does not have stops the deployment, and the newest of the known bad inputs is in no public list
# that was found: the context says it. Source: the same guide, "AWS Managed Rules changelog".
VERSIONED = {
    "AWSManagedRulesKnownBadInputsRuleSet": "",
    "AWSManagedRulesCommonRuleSet": "Version_1.19",
}
# What lets somebody in, or proves who sent it.
SECRET_HEADERS = (
    paths.HEADER_AUTHORIZATION,
    "cookie",
    paths.HEADER_SESSION,
    paths.HEADER_TOKEN,
    paths.HEADER_SLIP,
    paths.HEADER_EDGE,
    "stripe-signature",
)
ANONYMOUS = "AWSManagedRulesAnonymousIpList"  # counted, not refused: honest buyers use proxies, too
ANONYMOUS_LABEL = "awswaf:managed:aws:anonymous-ip-list:"
# WAF puts x-amzn-waf- before the name, in the place of such a header that a caller sent; but only
# where its rule matches. So a caller that sends one is refused. Source: AWS WAF Developer Guide,
# "Inserting custom request headers for non-blocking actions".
LABEL_PREFIX = "x-amzn-waf-"
LABEL_HEADER, LABEL_VALUE = "fairgate-label", "anonymous"

# A payment provider's word is verified by its signature, and one that is turned away costs money.
NOT_LOOKED_AT = r"^/api/payments/webhook$"

WINDOW_S = 60  # the least that a rate rule counts over
LIMIT_MIN = 10  # AWS WAF Developer Guide, "AWS WAF quotas"

# What one address may take of a route's throttle (``infra/throttles.py``), unless its rule says
# otherwise: ten addresses have to work together before honest callers meet a full route.
FRACTION = 0.1
# Where no request counts against a throttle unless the edge lets it pass: the gate decides, or a
# cache answers for all callers at once. Thousands of honest buyers share one address of a mobile
# network, and each waiting page asks every ten seconds on average: 10,000 of them ask 1,000 times.
AT_THE_EDGE = 1_000 * WINDOW_S


@dataclass(frozen=True)
class RateRule:
    """So many requests from one address in ``WINDOW_S``, then 429.

    Attributes:
        about: what it counts, and how many honest buyers behind one address that is (modelled).
        paths: a regular expression of the paths that it counts.
        query: another of the query string: what has such a one counts as well, on any path.
        fraction: of the least throttle among its routes; None: what it counts is answered at the
            edge, within ``AT_THE_EDGE``.
    """

    name: str
    about: str
    paths: str
    query: str = ""
    fraction: float | None = FRACTION

    def counts(self, path: str, query: str = "") -> bool:
        asked = bool(self.query) and re.search(self.query, query) is not None
        return asked or re.search(self.paths, path) is not None


RATES = (
    # A caller chooses the section, so no cache knows each answer already.
    RateRule(
        "Sections",
        "seats and changes of one section; 90 buyers who follow one each",
        r"^/api/events/[^/]+/sections/",
        query="(^|&)section=",
    ),
    # Two in one: AWS takes ten rules of rates.
    RateRule(
        "LookingAndWaiting",
        "events, layouts, counts, the queue and admission; 10,000 waiting pages",
        r"^/api/events(/[^/]+(/(layout|availability|changes|status\.bin|queue|admission))?)?$",
        fraction=None,
    ),
    RateRule(
        "Holds",
        "holds; 2,000 buyers who choose every 20 seconds",
        r"^/api/sessions/[^/]+/holds(/best-available)?$",
    ),
    RateRule(
        "Sessions",
        "checkout, giving back, a page that finds its session again",
        r"^/api/sessions/[^/]+/(checkout|holds/hld_\w+)$|/(session|preview)$",
    ),
    RateRule(
        "Orders",
        "an order that waits for its payment, pictures of its tickets; 80 buyers",
        r"^/api/orders/[^/]+(/ticket\.svg)?$",
    ),
    RateRule(
        "Tickets",
        "files of tickets, transfers, lost tickets, appeals, what operators ask",
        r"^/api/(tickets|transfers|operator)|/(offer|google-pass|appeal)$|\.(png|pdf|pkpass|ics)$",
    ),
    RateRule("SignIn", "sign-ins and their renewal", r"^/api/auth/"),
    # A provider has about a dozen addresses. Source: Stripe, "Domains and IP addresses", webhooks.
    RateRule("Payments", "the provider's messages", NOT_LOOKED_AT, fraction=0.25),
)
# Of the API, what has no rule by its path: lists and cancellations, and what is no route at all.
REST = RateRule("Rest", "lists of orders, cancellations, what is no route", "^/api/")


def rules_of(path: str, query: str = "") -> list[RateRule]:
    """Return the rules that count such a request of the API."""
    by_path = [rule for rule in RATES if re.search(rule.paths, path)]
    counting = [rule for rule in RATES if rule.counts(path, query)]
    return counting if by_path else [*counting, REST]


def limits(api_rate: int = API_RATE) -> dict[RateRule, int]:
    """Return each rule's requests of one address in ``WINDOW_S``, by the routes it counts."""
    rates: dict[RateRule, list[int]] = {rule: [] for rule in (*RATES, REST)}
    for key, throttle in throttles(api_rate).items():
        path, query = asked(key)
        for rule in rules_of(path, query):
            rates[rule].append(throttle.rate)
    return {
        rule: AT_THE_EDGE
        if rule.fraction is None
        else max(LIMIT_MIN, int(min(rates[rule]) * rule.fraction * WINDOW_S))
        for rule in rates
    }


def asked(key: str) -> tuple[str, str]:
    """Return a path and a query string as somebody asks for a route: with all that it takes."""
    path = key.partition(" ")[2] or "/api/unknown"
    query = next((r.query for r in ROUTES if f"{r.method} {r.path}" == key), ())
    filled = re.sub(r"\{(\w+)\}", r"\1_1", path.replace("{hold}", "hld_1"))
    return filled, "&".join(f"{name}=1" for name in query)


# Of one sign-in: a page joins once. Accounts of the sample are answered by a function, and must not
# be told from others, so all accounts are held back. Ten is the least that a rule counts.
# Source: AWS WAF Developer Guide, "Rate-based rule high-level settings".
JOINS = RateRule("JoinsOfOneSignIn", "joins of one sign-in", r"^/api/events/[^/]+/queue$")
JOINS_A_MINUTE = 10

# At Cognito, of one address; a sign-in there takes some five requests.
USER_POOL_LIMIT = 5 * 1_200
USER_POOL_UNCOUNTED = r"^/oauth2/token$"
# Only a page can be asked to run a script first: a caller of the API could not answer.
PAGES = r"^/(index\.html)?$"

# US dollars. Source: AWS WAF pricing, November 2026; no volume discount, no flat-rate plan. The
# terms, and that each served challenge costs extra: AWS Networking & Content Delivery
# Blog, "Cost-effective ways for securing your web applications using AWS WAF".
ACL_A_MONTH, RULE_A_MONTH, MILLION_REQUESTS = 5.00, 1.00, 0.60
# The rest's rate, joins of one sign-in, forged labels, anonymous addresses, their label, the pages'
# challenge.
RULES = len(MANAGED) + len(RATES) + 6
SPANS_S = {"a minute": 60, "ten minutes": 600, "an hour": 3_600}


def unbounded(api_rate: int = API_RATE) -> str:
    """Return what one address may do to a stage without a firewall: the scarcest of each rule."""
    scarce: dict[str, tuple[int, str]] = {}
    for key, throttle in throttles(api_rate).items():
        for rule in rules_of(*asked(key)):
            if rule.fraction is not None:
                scarce[rule.name] = min(scarce.get(rule.name, (api_rate, "")), (throttle.rate, key))
    named = ", ".join(f"{key} {rate}" for rate, key in sorted(scarce.values()))
    return (
        "without a firewall nothing bounds one address. So many requests a second of a single"
        f" caller are enough to take a route from all buyers: {named}"
    )


def a_month() -> float:
    """Return the dollars of the firewall without requests."""
    return ACL_A_MONTH + RULES * RULE_A_MONTH


def limit_table(api_rate: int = API_RATE) -> str:
    """Return what one address may do, as a table for docs/deploying.md."""
    rows = [
        f"| {rule.name} | {rule.about} | {limit:,} "
        f"| {f'{rule.fraction:.0%} of the throttle' if rule.fraction else 'answered at the edge'} |"
        for rule, limit in limits(api_rate).items()
    ]
    head = f"| rule, with `api_rate` {api_rate:,} | what it counts | a minute | why |"
    return "\n".join([head, "|---|---|---|---|", *rows])


def cost_of(requests_per_s: int, seconds: int) -> float:
    """Model what looking at so many requests costs, in dollars, without the month's price."""
    return requests_per_s * seconds / 1_000_000 * MILLION_REQUESTS


def cost_table(requests_per_s: int = 1_000_000) -> str:
    """Return the modelled cost as a table for docs/deploying.md."""
    rows = [
        f"| {span} | {requests_per_s * seconds / 1e6:,.0f} "
        f"| {cost_of(requests_per_s, seconds):,.0f} |"
        for span, seconds in SPANS_S.items()
    ]
    head = f"| modelled, at {requests_per_s:,} requests a second | million requests | dollars |"
    return "\n".join([head, "|---|---|---|", *rows, f"| a month at rest | 0 | {a_month():,.0f} |"])


if __name__ == "__main__":
    print(limit_table(), cost_table(), sep="\n\n")  # noqa: T201 a command prints
