"""What the web application firewall looks at, in the order in which it does, and what that costs.

It imports nothing of the CDK. ``python -m infra.firewall`` prints the cost.
"""

from __future__ import annotations

from dataclasses import dataclass

# AWS's own groups, with the capacity that each takes of the 1,500 that a request's basic price
# covers. Source: AWS WAF Developer Guide, "AWS Managed Rules rule groups list".
MANAGED = {
    "AWSManagedRulesAmazonIpReputationList": 25,
    "AWSManagedRulesKnownBadInputsRuleSet": 200,
    "AWSManagedRulesCommonRuleSet": 700,
}
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


@dataclass(frozen=True)
class RateRule:
    """So many requests from one address in a minute, then 429.

    Attributes:
        limit: far above what a campus or a mobile network's gateway full of buyers sends.
    """

    name: str
    paths: str  # a regular expression
    limit: int


RATES = (
    RateRule("SignIn", r"^/api/auth/", 1_200),
    RateRule("WaitingRoom", r"^/api/events/[^/]+/(queue|admission)$", 6_000),
    RateRule("Sessions", r"^/api/sessions/", 3_000),
    # Who asks there has no sign-in, and the route has little: one address is not to use it up.
    RateRule("FindTickets", r"^/api/tickets/(link|open)", 600),
    RateRule("Api", r"^/api/", 30_000),
)
# At Cognito, of one address; a sign-in there takes some five requests.
USER_POOL_LIMIT = 5 * 1_200
USER_POOL_UNCOUNTED = r"^/oauth2/token$"
# Only a page can be asked to run a script first: a caller of the API could not answer.
PAGES = r"^/(index\.html)?$"

# US dollars. Source: AWS WAF pricing, November 2026; no volume discount, no flat-rate plan. The
# terms, and that each served challenge costs extra: AWS Networking & Content Delivery
# Blog, "Cost-effective ways for securing your web applications using AWS WAF".
ACL_A_MONTH, RULE_A_MONTH, MILLION_REQUESTS = 5.00, 1.00, 0.60
# Forged labels, anonymous addresses, their label, the pages' challenge.
RULES = len(MANAGED) + len(RATES) + 4
SPANS_S = {"a minute": 60, "ten minutes": 600, "an hour": 3_600}


def cost_of(requests_per_s: int, seconds: int) -> float:
    """Model what looking at so many requests costs, in dollars, without the month's price."""
    return requests_per_s * seconds / 1_000_000 * MILLION_REQUESTS


def cost_table(requests_per_s: int = 1_000_000) -> str:
    """Return the modelled cost as a table for docs/deploying.md."""
    month = ACL_A_MONTH + RULES * RULE_A_MONTH
    rows = [
        f"| {span} | {requests_per_s * seconds / 1e6:,.0f} "
        f"| {cost_of(requests_per_s, seconds):,.0f} |"
        for span, seconds in SPANS_S.items()
    ]
    head = f"| modelled, at {requests_per_s:,} requests a second | million requests | dollars |"
    return "\n".join([head, "|---|---|---|", *rows, f"| a month at rest | 0 | {month:,.0f} |"])


if __name__ == "__main__":
    print(cost_table())  # noqa: T201 a command prints
