"""The doctor compares what an account may have with what the crowd asks for."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairgate_ops.operate.capacity.inputs import read_inputs
from fairgate_ops.operate.capacity.plan import needs
from fairgate_ops.operate.doctor import account
from fairgate_ops.operate.doctor.examine import looked_at
from tests.support.aws_stub import AwsStub
from tests.support.doctor_site import CROWD, DEPLOYED, only, site_of, states
from tests.support.world import World

PRODUCTION: dict[str, Any] = {
    "ProductionAccessEnabled": True,
    "SendingEnabled": True,
    "SendQuota": {"Max24HourSend": 50_000.0, "MaxSendRate": 300.0, "SentLast24Hours": 0.0},
}
NEEDS = needs(read_inputs().for_crowd(CROWD))


def quotas(aws: AwsStub, *figures: tuple[str, float], listed: bool = True) -> AwsStub:
    page = {"Quotas": [{"QuotaName": name, "Value": value} for name, value in figures]}
    if listed:
        return aws.answer("service-quotas", "list_service_quotas", page)
    aws.answer("service-quotas", "list_service_quotas", {"Quotas": []})
    return aws.answer("service-quotas", "list_aws_default_service_quotas", page)


@pytest.mark.parametrize(
    ("figure", "listed", "state"),
    [
        (1_000_000.0, True, "ok"),
        (999_999.0, True, "wrong"),
        (1_000_000.0, False, "ok"),
        (250_000.0, False, "wrong"),
    ],
)
def test_the_edge_takes_the_crowd_when_its_quota_does(
    world: World, tmp_path: Path, figure: float, listed: bool, state: str
) -> None:
    aws = quotas(AwsStub(), ("Requests per second per distribution", figure), listed=listed)
    found = only(account.edge_requests, site_of(world, tmp_path, aws))
    assert found.state == state
    if state == "wrong":
        assert "1,000,000" in found.do
        assert found.where
        assert found.takes


def test_a_quota_that_nobody_lists_is_not_called_enough(world: World, tmp_path: Path) -> None:
    aws = quotas(AwsStub(), ("Distributions per account", 500.0), listed=False)
    found = only(account.edge_requests, site_of(world, tmp_path, aws))
    assert found.state == "unseen"
    assert "AWS Support" in found.do


@pytest.mark.parametrize(("more", "state"), [(1, "ok"), (-1, "wrong")])
def test_concurrency_is_what_the_busiest_functions_share_must_be(
    world: World, tmp_path: Path, more: int, state: str
) -> None:
    limit = int(NEEDS.environments) + more
    answer = {"AccountLimit": {"ConcurrentExecutions": limit}}
    aws = AwsStub().answer("lambda", "get_account_settings", answer)
    assert only(account.lambda_concurrency, site_of(world, tmp_path, aws)).state == state


@pytest.mark.parametrize(
    ("throttle", "state"),
    [
        ({"rateLimit": NEEDS.api_rate + 1}, "ok"),
        ({"rateLimit": NEEDS.api_rate - 1}, "wrong"),
        ({}, "unseen"),
    ],
)
def test_the_api_answers_what_passes_the_edge(
    world: World, tmp_path: Path, throttle: dict[str, float], state: str
) -> None:
    aws = AwsStub().answer("apigateway", "get_account", {"throttleSettings": throttle})
    assert only(account.api_rate, site_of(world, tmp_path, aws)).state == state


@pytest.mark.parametrize(
    ("deployed", "states"),
    [
        ({"api_rate": 10**6, "concurrency": 10**5}, ["ok", "ok"]),
        ({"api_rate": 10_000, "concurrency": 1_000}, ["wrong", "wrong"]),
        ({"api_rate": 10**6, "concurrency": None}, ["ok", "off"]),
        ({}, ["unseen", "unseen"]),
    ],
)
def test_an_account_that_has_more_is_told_that_the_deployment_shares_out_less(
    world: World, tmp_path: Path, deployed: dict[str, Any], states: list[str]
) -> None:
    site = site_of(world, tmp_path, AwsStub(), deployed=deployed)
    found = list(account.given(site))
    assert [one.state for one in found] == states
    assert all(one.do for one in found if one.state == "wrong")


def test_a_tables_units_are_what_service_quotas_says_else_describe_limits(
    world: World, tmp_path: Path
) -> None:
    limits = {
        "AccountMaxWriteCapacityUnits": 200_000,
        "TableMaxWriteCapacityUnits": 40_000,
        "TableMaxReadCapacityUnits": math.ceil(max(NEEDS.read_units.values())),
    }
    aws = quotas(
        AwsStub().answer("dynamodb", "describe_limits", limits),
        ("Table-level write throughput limit", max(NEEDS.write_units.values())),
    )
    quotas(aws, ("Maximum number of tables", 2_500.0), listed=False)
    found = states(list(account.table_units(site_of(world, tmp_path, aws))))
    assert found == {
        "write units a second of one table": "ok",
        "read units a second of one table": "ok",
        "write units a second of all tables": "ok",
    }
    aws.all_asked()
    aws = quotas(
        AwsStub().answer("dynamodb", "describe_limits", limits),
        ("Table-level write throughput limit", 40_000.0),
    )
    quotas(aws, ("Table-level read throughput limit", 40_000.0))
    found = states(list(account.table_units(site_of(world, tmp_path, aws))))
    assert found["write units a second of one table"] == "wrong"
    assert found["read units a second of one table"] == "wrong"


def sender_of(aws: AwsStub, verified: bool) -> AwsStub:
    answer = {"VerifiedForSendingStatus": verified}
    aws.answer("sesv2", "get_email_identity", answer, EmailIdentity="tickets@example.org")
    return aws


@pytest.mark.parametrize(
    ("changes", "subject", "state"),
    [
        ({}, "mail", "ok"),
        ({"ProductionAccessEnabled": False}, "mail", "wrong"),
        ({"SendingEnabled": False}, "mail", "wrong"),
        ({"SendQuota": PRODUCTION["SendQuota"] | {"MaxSendRate": 14.0}}, "mails a second", "wrong"),
        (
            {"SendQuota": PRODUCTION["SendQuota"] | {"SentLast24Hours": 40_000.0}},
            "mails a day",
            "wrong",
        ),
    ],
)
def test_mail_is_ready_when_ses_sends_to_everybody_fast_enough(
    world: World, tmp_path: Path, changes: dict[str, Any], subject: str, state: str
) -> None:
    aws = sender_of(AwsStub().answer("sesv2", "get_account", PRODUCTION | changes), verified=True)
    site = site_of(world, tmp_path, aws, deployed=DEPLOYED)
    found = states(list(account.mail(site)))
    assert found[subject] == state
    assert [one for one in found if found[one] == "wrong"] == [subject] * (state == "wrong")


def test_a_sender_is_verified_by_its_address_or_its_domain(world: World, tmp_path: Path) -> None:
    aws = AwsStub().answer("sesv2", "get_account", PRODUCTION)
    aws.refuse("sesv2", "get_email_identity", "NotFoundException")
    domain = {"VerifiedForSendingStatus": True}
    aws.answer("sesv2", "get_email_identity", domain, EmailIdentity="example.org")
    site = site_of(world, tmp_path, aws, deployed=DEPLOYED)
    assert states(list(account.mail(site)))["mail sender"] == "ok"
    aws = sender_of(AwsStub().answer("sesv2", "get_account", PRODUCTION), verified=False)
    aws.refuse("sesv2", "get_email_identity", "NotFoundException")
    site = site_of(world, tmp_path, aws, deployed=DEPLOYED)
    assert states(list(account.mail(site)))["mail sender"] == "wrong"


def test_nothing_is_asked_of_ses_when_no_mail_is_sent(world: World, tmp_path: Path) -> None:
    site = site_of(world, tmp_path, AwsStub(), deployed=DEPLOYED | {"mail_sender": ""})
    finding = only(account.mail, site)
    assert finding.state == "off"
    assert "found by mail" in finding.text


@pytest.mark.parametrize(("held", "state"), [(1, "ok"), (0, "unseen")])
def test_an_account_with_a_distribution_may_create_one(
    world: World, tmp_path: Path, held: int, state: str
) -> None:
    listed = {"Marker": "", "MaxItems": 1, "IsTruncated": False, "Quantity": held}
    aws = AwsStub().answer("cloudfront", "list_distributions", {"DistributionList": listed})
    found = only(account.new_account, site_of(world, tmp_path, aws))
    assert (found.state, "verified" in found.text) == (state, state == "unseen")


@pytest.mark.parametrize(("checkouts", "asked"), [(25.0, False), (25.1, True)])
def test_stripes_limit_is_asked_for_where_the_plan_is_above_it(
    world: World, tmp_path: Path, checkouts: float, asked: bool
) -> None:
    site = site_of(world, tmp_path, AwsStub())
    site = replace(site, needs=replace(NEEDS, checkouts_per_s=checkouts))
    found = only(account.stripe, site)
    assert (found.state, "six weeks" in found.do) == ("off", asked)


@pytest.mark.parametrize(
    ("check", "service", "operation"),
    [
        (account.new_account, "cloudfront", "list_distributions"),
        (account.edge_requests, "service-quotas", "list_service_quotas"),
        (account.lambda_concurrency, "lambda", "get_account_settings"),
        (account.api_rate, "apigateway", "get_account"),
        (account.table_units, "dynamodb", "describe_limits"),
        (account.mail, "sesv2", "get_account"),
    ],
)
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("AccessDeniedException", "You may not look"),
        ("ThrottlingException", "too many calls"),
        ("InternalFailure", "failed (InternalFailure)"),
    ],
)
def test_what_is_refused_is_never_called_good(
    world: World, tmp_path: Path, check: Any, service: str, operation: str, code: str, says: str
) -> None:
    aws = AwsStub().refuse(service, operation, code)
    (found,) = looked_at(site_of(world, tmp_path, aws, deployed=DEPLOYED), "it", check)
    assert found.state == "unseen"
    assert says in found.text
