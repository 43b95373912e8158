"""Check what the account lets a sale have: rates, concurrency, write units, mail.

Quotas are found by their names; AWS's codes for them are not all documented. Defaults: CloudFront
Developer Guide, cloudfront-limits; Lambda Developer Guide, gettingstarted-limits; API Gateway
Developer Guide, limits; DynamoDB Developer Guide, ServiceQuotas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.doctor.finding import Finding, Mend, good, off, unseen, wrong
from infra.throttles import STRIPE_PER_S

if TYPE_CHECKING:
    from fairgate_ops.operate.doctor.site import Site

EDGE_DEFAULT = 250_000
_EDGE = re.compile(r"requests? (rate )?per second per distribution|request rate per distribution")
_TABLE_WRITES = re.compile(r"table-level write throughput limit")
_TABLE_READS = re.compile(r"table-level read throughput limit")
_ASKED = "Service Quotas, or a case with AWS Support"
_DAYS = "days, for a large figure weeks: ask a month ahead"


def edge_requests(site: Site) -> Iterator[Finding]:
    subject, need = "edge requests a second", site.needs.edge_requests_per_s
    limit = _quota(site.aws("service-quotas", "us-east-1"), "cloudfront", _EDGE)
    mend = Mend(
        f"Raise requests per second per distribution to {need:,.0f} or more.",
        "AWS Support, CloudFront distributions; flat-rate plans have no such quota",
        _DAYS,
    )
    if limit is None and need <= EDGE_DEFAULT:
        yield good(subject, f"{need:,.0f} needed; not listed, AWS's default is {EDGE_DEFAULT:,}.")
    elif limit is None:
        text = f"{need:,.0f} needed, and Service Quotas does not list what this account has"
        yield unseen(subject, f"{text} (default {EDGE_DEFAULT:,}).", f"{mend.do} {mend.where}.")
    else:
        yield _compared(subject, need, limit, mend)


def lambda_concurrency(site: Site) -> Iterator[Finding]:
    limits = site.aws("lambda").get_account_settings()["AccountLimit"]
    need = site.needs.environments
    yield _compared(
        "Lambda concurrency",
        need,
        limits["ConcurrentExecutions"],
        Mend("Raise Concurrent executions.", f"{_ASKED}, Lambda", "hours to days"),
    )


def api_rate(site: Site) -> Iterator[Finding]:
    limits = site.aws("apigateway").get_account().get("throttleSettings", {})
    rate = limits.get("rateLimit")
    if rate is None:
        yield unseen("API requests a second", "API Gateway does not say what the account has.")
        return
    yield _compared(
        "API requests a second",
        site.needs.api_rate,
        rate,
        Mend("Raise the Throttle rate.", f"{_ASKED}, API Gateway", "days"),
    )


def given(site: Site) -> Iterator[Finding]:
    """What the deployment shares out among routes and functions; an account may have more."""
    redeploy, quick = "cdk.json or -c, then deploy", "minutes"
    for subject, option, need in (
        ("API rate of the routes", "api_rate", site.needs.api_rate),
        ("concurrency of the functions", "concurrency", site.needs.environments),
    ):
        if option not in site.deployed:
            yield unseen(subject, "This deployment is older than the check.", "Deploy again.")
        elif site.deployed[option] is None:
            yield off(subject, "Not shared out: who looks may take what holds need.")
        else:
            mend = Mend(f"Set {option} to what the account has.", redeploy, quick)
            yield _compared(subject, need, site.deployed[option], mend)


def table_units(site: Site) -> Iterator[Finding]:
    """Compare with Service Quotas, or else with DescribeLimits, which knows provisioned ones."""
    quotas, limits = site.aws("service-quotas"), site.aws("dynamodb").describe_limits()
    for kind, pattern, units in (
        ("write", _TABLE_WRITES, site.needs.write_units),
        ("read", _TABLE_READS, site.needs.read_units),
    ):
        limit = _quota(quotas, "dynamodb", pattern)
        if limit is None:
            limit = limits[f"TableMax{kind.capitalize()}CapacityUnits"]
        table, need = max(units.items(), key=lambda unit: unit[1])
        yield _compared(
            f"{kind} units a second of one table",
            need,
            limit,
            Mend(
                f"Raise the Table-level {kind} throughput limit (the most: {table}).",
                f"{_ASKED}, DynamoDB",
                "hours to days",
            ),
        )
    yield _compared(
        "write units a second of all tables",
        sum(site.needs.write_units.values()),
        limits["AccountMaxWriteCapacityUnits"],
        Mend("Raise the account-level write throughput limit.", f"{_ASKED}, DynamoDB", "days"),
    )


def new_account(site: Site) -> Iterator[Finding]:
    """Say whether the account may create a distribution, which no call tells of a new one."""
    subject = "CloudFront distributions"
    held = site.aws("cloudfront").list_distributions(MaxItems="1")["DistributionList"]
    if held.get("Quantity"):
        yield good(subject, "The account has one, so it may create them.")
    else:
        yield unseen(
            subject,
            "There is none. AWS refuses a new account's first one until it has verified the account"
            " (“Your account must be verified”).",
            "Open a case with AWS Support, Account verification (a day or two).",
        )


def stripe(site: Site) -> Iterator[Finding]:
    """No call tells what an account may do; the default is compared."""
    need = site.needs.checkouts_per_s
    text = f"{need:,.0f} checkouts a second planned; by default Stripe takes {STRIPE_PER_S}."
    ask = "Ask Stripe Support for more, six weeks ahead; without it buyers wait at checkout."
    yield off("Stripe", text, ask if need > STRIPE_PER_S else "")


def mail(site: Site) -> Iterator[Finding]:
    sender = site.deployed.get("mail_sender", "")
    if not sender:
        text = "No tickets are mailed, nor found by mail: the deployment has no mail_sender."
        yield off("mail", text)
        return
    yield from mails(site)
    yield _identity(site.aws("sesv2"), sender)


def mails(site: Site) -> Iterator[Finding]:
    """Compare what SES sends for the account with what the crowd is mailed."""
    ses = site.aws("sesv2")
    account = ses.get_account()
    yield _production(account)
    quota = account["SendQuota"]
    where, takes = "SES, Account dashboard, Request increase", "a day or two"
    yield _compared(
        "mails a second",
        site.needs.mails_per_s,
        quota["MaxSendRate"],
        Mend("Raise the sending rate; until then mails queue, tickets do not.", where, takes),
    )
    yield _compared(
        "mails a day",
        site.needs.mails_a_day + quota["SentLast24Hours"],
        quota["Max24HourSend"],
        Mend("Raise the daily sending quota.", where, takes),
    )


def _production(account: dict[str, Any]) -> Finding:
    if not account.get("ProductionAccessEnabled"):
        mend = Mend("Ask for production access.", "SES, Get set up", "a day or two")
        return wrong("mail", "SES is in its sandbox: only verified addresses get mail.", mend)
    if not account.get("SendingEnabled"):
        mend = Mend("Find out why sending is paused.", "SES, Account dashboard", "days")
        return wrong("mail", "SES does not send for this account.", mend)
    return good("mail", "SES sends to everybody.")


def _identity(ses: Any, sender: str) -> Finding:
    """The address itself, or its domain."""
    for identity in (sender, sender.rpartition("@")[2]):
        try:
            answer = ses.get_email_identity(EmailIdentity=identity)
        except ses.exceptions.NotFoundException:
            continue
        if answer.get("VerifiedForSendingStatus"):
            return good("mail sender", f"{identity} is verified.")
    mend = Mend(f"Verify {sender} or its domain.", "SES, Identities", "minutes; a domain's DNS")
    return wrong("mail sender", f"{sender} is not verified.", mend)


def _quota(client: Any, service: str, name: re.Pattern[str]) -> float | None:
    """The account's own figure, else AWS's default where it is listed."""
    for operation in ("list_service_quotas", "list_aws_default_service_quotas"):
        for page in client.get_paginator(operation).paginate(ServiceCode=service):
            for quota in page["Quotas"]:
                if name.search(quota["QuotaName"].lower()) and "Value" in quota:
                    return float(quota["Value"])
    return None


def _compared(subject: str, need: float, limit: float, mend: Mend) -> Finding:
    text = f"{need:,.0f} needed, {limit:,.0f} allowed."
    return good(subject, text) if need <= limit else wrong(subject, text, mend)
