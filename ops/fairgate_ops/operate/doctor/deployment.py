"""Check what was deployed: zones, tables and their warmth, concurrency, and who hears alarms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.client import table_names
from fairgate_ops.operate.doctor.finding import Finding, Mend, good, off, unseen, wrong

if TYPE_CHECKING:
    from fairgate_ops.operate.doctor.site import Site

ZONES_MIN = 2
ALIAS = "live"
PROVISIONED = ("holds", "sessions")
NEAR_SALE_START_S = 3_600
SEVERITIES = ("critical", "warning")
# One of each topic; no function and no person acts on their state but by the mail itself.
FIRED = {"critical": "CacheMemoryCritical", "warning": "CacheMemoryWarning"}
EDGE_REGION = "us-east-1"
DELIVERED_S, _LOOK_S = 30.0, 2.0
_NO_CONFIG = ("ProvisionedConcurrencyConfigNotFoundException", "ResourceNotFoundException")
_DEPLOY = "cdk.json or -c, then deploy"


def zones(site: Site) -> Iterator[Finding]:
    """The cache's subnets; Lambda's in the network are the same ones."""
    caches = site.aws("elasticache").describe_serverless_caches(
        ServerlessCacheName=site.deployed["cache"]
    )["ServerlessCaches"]
    cache = caches[0]
    if cache["Status"] != "available":
        mend = Mend("Wait, or look at its events.", "ElastiCache, Serverless caches", "minutes")
        yield wrong("cache", f"It is {cache['Status']}. Holds go on without it.", mend)
    else:
        yield good("cache", "It is available.")
    subnets = site.aws("ec2").describe_subnets(SubnetIds=cache["SubnetIds"])["Subnets"]
    ids = sorted({subnet["AvailabilityZoneId"] for subnet in subnets})
    if len(ids) < ZONES_MIN:
        mend = Mend("Name two zones that Lambda and the cache both take.", _DEPLOY, "an hour")
        yield wrong("zones", f"Everything beside the cache is in {', '.join(ids)} alone.", mend)
    else:
        yield good("zones", f"{', '.join(ids)}.")


def tables(site: Site) -> Iterator[Finding]:
    dynamodb = site.aws("dynamodb")
    for key, table in table_names(site.target.world.settings).items():
        described = dynamodb.describe_table(TableName=table)["Table"]
        subject = f"table {key}"
        lacks = [] if described["TableStatus"] == "ACTIVE" else [described["TableStatus"].lower()]
        if not described.get("DeletionProtectionEnabled"):
            lacks.append("not protected against deletion")
        backups = dynamodb.describe_continuous_backups(TableName=table)
        recovery = backups["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
        if recovery.get("PointInTimeRecoveryStatus") != "ENABLED":
            lacks.append("without point-in-time recovery")
        if lacks:
            mend = Mend("Put it back as it was deployed.", "deploy the stack Data", "minutes")
            yield wrong(subject, f"It is {', '.join(lacks)}.", mend)
        else:
            yield good(subject, "It is active, protected and restorable to any second.")
        if key in site.needs.write_units:
            yield from _warmth(site, key, described)


def _warmth(site: Site, key: str, described: dict[str, Any]) -> Iterator[Finding]:
    need = {"Write": site.needs.write_units[key], "Read": site.needs.read_units[key]}
    for index, part in [("", described)] + [
        (f", index {one['IndexName']}", one) for one in described.get("GlobalSecondaryIndexes", ())
    ]:
        subject, warm = f"warm throughput of {key}{index}", part.get("WarmThroughput", {})
        if not warm:
            yield unseen(subject, "DynamoDB does not say how warm it is.")
            continue
        cold = [
            f"{warm.get(f'{kind}UnitsPerSecond', 0):,} {kind.lower()}s a second"
            f" where {units:,.0f} are needed"
            for kind, units in need.items()
            if not (index and kind == "Read")  # who needs the index's reads: the cache's refills
            and warm.get(f"{kind}UnitsPerSecond", 0) < units
        ]
        if cold:
            mend = Mend("Warm it: `fairgate prewarm start`.", "this command", "up to an hour")
            yield wrong(subject, f"It takes at once {', '.join(cold)}.", mend)
        elif warm.get("Status") == "UPDATING":
            yield unseen(subject, "It is being warmed.", "Run this again in some minutes.")
        else:
            yield good(subject, "As much as is needed.")


def provisioned(site: Site) -> Iterator[Finding]:
    from botocore.exceptions import ClientError

    opening = _opening_soon(site)
    for function in PROVISIONED:
        subject = f"provisioned concurrency of {function}"
        try:
            config = site.aws("lambda").get_provisioned_concurrency_config(
                FunctionName=site.named(function), Qualifier=ALIAS
            )
        except ClientError as error:
            if error.response["Error"]["Code"] not in _NO_CONFIG:
                raise
            yield _none_provisioned(subject, opening)
            continue
        count = config.get("AllocatedProvisionedConcurrentExecutions", 0)
        wanted = config["RequestedProvisionedConcurrentExecutions"]
        need = site.needs.concurrency[function]
        if config["Status"] == "READY" and opening and count < need:
            mend = Mend("`fairgate prewarm start --crowd N`", "this command", "two to five minutes")
            near = f"and a sale starts soon: {', '.join(opening)}."
            yield wrong(subject, f"{count} are ready where {need:,.0f} are needed, {near}", mend)
        elif config["Status"] == "READY":
            yield good(subject, f"{count} are ready.")
        elif config["Status"] == "FAILED":
            mend = Mend("Look at the reason.", "Lambda, the alias live", "minutes")
            yield wrong(subject, config.get("StatusReason", "It failed."), mend)
        else:
            yield unseen(subject, f"{count} of {wanted} are ready so far.", "Run this again.")


def _none_provisioned(subject: str, opening: list[str]) -> Finding:
    if not opening:
        return off(subject, "None, and no sale starts within the hour.")
    mend = Mend("`fairgate prewarm start`", "this command", "two to five minutes")
    return wrong(subject, f"None, and a sale starts soon: {', '.join(opening)}.", mend)


def _opening_soon(site: Site) -> list[str]:
    from fairgate.domain.shared.times import epoch_ms

    now_ms = site.target.world.clock.now_ms()
    return [
        sale.id
        for sale in site.events
        if 0 <= epoch_ms(sale.sale_starts_at) - now_ms <= NEAR_SALE_START_S * 1000
    ]


def subscriptions(site: Site) -> Iterator[Finding]:
    sns = site.aws("sns")
    for severity in SEVERITIES:
        subject = f"who hears {severity} alarms"
        pages = sns.get_paginator("list_subscriptions_by_topic").paginate(
            TopicArn=site.deployed["topics"][severity]
        )
        arns = [one["SubscriptionArn"] for page in pages for one in page["Subscriptions"]]
        confirmed = sum(arn.startswith("arn:") for arn in arns)
        if confirmed:
            yield good(subject, f"{confirmed} confirmed, {len(arns) - confirmed} not.")
        elif arns:
            mend = Mend("Follow the link in AWS's mail, or have it sent again.", "your mail", "now")
            yield wrong(subject, "Nobody has confirmed: no alarm is heard.", mend)
        else:
            mend = Mend("Deploy with -c alarm_email=…, then confirm.", _DEPLOY, "minutes")
            yield wrong(subject, "Nobody is subscribed.", mend)


def alarms(site: Site) -> Iterator[Finding]:
    """Those that are up or mute."""
    yield from _judged("alarms", "Watch", _alarms_in(site, None))


def edge_alarms(site: Site) -> Iterator[Finding]:
    """The same of the distribution's, which are in another region."""
    subject, distribution = "alarms of the edge", site.deployed.get("edge_alarms", "")
    if not distribution:
        yield off(subject, "Nobody watches CloudFront.", "docs/alarms.md says how to.")
        return
    end = f"-{distribution.lower()}"
    ours = {name: a for name, a in _alarms_in(site, EDGE_REGION).items() if name.endswith(end)}
    yield from _judged(subject, "EdgeAlarms", ours)


def firewall(site: Site) -> Iterator[Finding]:
    subject, deployed = "firewall", site.deployed
    if "firewall" not in deployed:
        yield unseen(subject, "This deployment is older than the check.", "Deploy again.")
    elif deployed["firewall"]:
        yield good(subject, "The distribution has one.")
    elif deployed["sells"]:
        mend = Mend("Deploy Firewall, then all with -c web_acl_arn=….", _DEPLOY, "half an hour")
        yield wrong(subject, "There is none: one address may take a route from all buyers.", mend)
    else:
        yield off(subject, "None. This stage sells nothing.")


def _alarms_in(site: Site, region: str | None) -> dict[str, Any]:
    pages = (
        site.aws("cloudwatch", region)
        .get_paginator("describe_alarms")
        .paginate(AlarmNamePrefix=site.named(""), AlarmTypes=["MetricAlarm"])
    )
    every = [alarm for page in pages for alarm in page["MetricAlarms"]]
    return {alarm["AlarmName"].removeprefix(site.named("")): alarm for alarm in every}


def _judged(subject: str, stack: str, short: dict[str, Any]) -> Iterator[Finding]:
    mute = [n for n, a in short.items() if not a["ActionsEnabled"] or not a["AlarmActions"]]
    up = [name for name, alarm in short.items() if alarm["StateValue"] == "ALARM"]
    if not short:
        mend = Mend(f"Deploy the stack {stack}.", "cdk", "minutes")
        yield wrong(subject, "There are none.", mend)
    elif mute:
        mend = Mend("Enable their actions.", "CloudWatch, Alarms, Actions", "now")
        yield wrong(subject, f"These tell nobody: {', '.join(sorted(mute))}.", mend)
    else:
        yield good(subject, f"{len(short)} tell somebody.")
    if up:
        mend = Mend("docs/alarms.md says what to do about each.", "docs/alarms.md")
        yield wrong(f"{subject} that are up", f"{', '.join(sorted(up))}.", mend)


def delivery(site: Site) -> Iterator[Finding]:
    """One alarm of each topic, on request: both are fired, then followed side by side."""
    if not site.fire:
        for severity in FIRED:
            yield off(_delivery_of(severity), "Not tried.", "With --fire-alarms one is fired.")
        return
    cloudwatch = site.aws("cloudwatch")
    since_ms = site.target.world.clock.now_ms() - 5_000
    for name in FIRED.values():
        cloudwatch.set_alarm_state(
            AlarmName=site.named(name),
            StateValue="ALARM",
            StateReason="A test by `fairgate doctor`: nothing to do. It ends by itself.",
        )
    ends, waited_for = site.monotonic() + DELIVERED_S, dict(FIRED)
    while waited_for and site.monotonic() < ends:
        for severity, name in list(waited_for.items()):
            said = _said_of(cloudwatch, site.named(name), since_ms)
            if said is not None:
                del waited_for[severity]
                yield _delivered(severity, name, said)
        site.pause(_LOOK_S)
    for severity, name in waited_for.items():
        text = f"{name} was fired; CloudWatch did not say in time what became of it."
        yield unseen(_delivery_of(severity), text)


def _said_of(cloudwatch: Any, alarm: str, since_ms: int) -> str | None:
    """Return what CloudWatch says that the alarm's action did since then, if anything."""
    history = cloudwatch.describe_alarm_history(
        AlarmName=alarm, HistoryItemType="Action", ScanBy="TimestampDescending"
    )["AlarmHistoryItems"]
    for item in history:
        said = str(item["HistorySummary"])
        late_enough = item["Timestamp"].timestamp() * 1000 >= since_ms
        if late_enough and said.startswith(("Successfully executed", "Failed")):
            return said
    return None


def _delivered(severity: str, name: str, said: str) -> Finding:
    subject = _delivery_of(severity)
    if said.startswith("Failed"):
        mend = Mend("Does the topic let CloudWatch publish?", "deploy Watch", "minutes")
        return wrong(subject, said, mend)
    return good(subject, f"{name} was published; is its mail in your box?")


def _delivery_of(severity: str) -> str:
    return f"a {severity} alarm's delivery"
