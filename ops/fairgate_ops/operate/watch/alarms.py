"""Read the alarms of a deployment for all who watch: each that is up with its next step.

CloudWatch is asked when somebody watches. It has some seconds for its answer, which is kept for
ten. What cannot be read is unknown: that is not the same as "none is up".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from botocore.exceptions import BotoCoreError, ClientError
from msgspec import Struct

from fairgate.adapters.aws.client import SdkClient
from fairgate.deadline import within
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError
from fairgate_ops.operate.watch.alarm_book import step_of
from fairgate_ops.operate.watch.source import reason_of
from infra.edge_alarms import REGION, edge_suffix

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.world import Clock
    from fairgate.settings import Settings

KEPT_MS = 10_000
ASKED_S = 4.0  # the longest time of one region
TRIES = 2
KINDS = ("MetricAlarm", "CompositeAlarm")
NOT_HERE = "This machine has no alarms: CloudWatch has those of a deployment."
NOT_WATCHED = "Nothing watches CloudFront: docs/alarms.md says how to change that, under The edge."
NOT_DEPLOYED = "There are no alarms: the stack Watch is not deployed."

Alarm = Any  # as CloudWatch describes one


class AlarmUp(Struct, frozen=True, kw_only=True):
    """An alarm that is up.

    Attributes:
        name: without the stage's prefix.
        since: when it rose, RFC 3339.
        means: what the deployment says of it.
        do: the next step, by the runbook.
    """

    name: str
    since: str
    means: str
    do: str


class AlarmSource(Struct, frozen=True, kw_only=True):
    """The alarms of a region: of the service, or of the edge.

    Attributes:
        state: ``read``; ``none``: nothing here has alarms; ``unknown``: they could not be read.
        why: of the other two, in a sentence.
        watching: how many alarms tell somebody when they rise.
        without_data: how many of them have seen no figure yet.
        up: the last one to rise first.
    """

    of: Literal["service", "edge"]
    state: Literal["read", "none", "unknown"]
    why: str = ""
    watching: int = 0
    without_data: int = 0
    up: Sequence[AlarmUp]


class Alarms(Struct, frozen=True, kw_only=True):
    """The alarms of the deployment; ``at``: when they were read."""

    at: str
    now: str = ""
    sources: Sequence[AlarmSource]


def described(client: Any, prefix: str, **which: str) -> list[Alarm]:
    """Return the alarms whose names begin so. Raises what the client raises."""
    pages = client.get_paginator("describe_alarms").paginate(
        AlarmNamePrefix=prefix, AlarmTypes=list(KINDS), **which
    )
    return [alarm for page in pages for kind in KINDS for alarm in page.get(f"{kind}s", [])]


def shown(alarm: Alarm, prefix: str) -> AlarmUp:
    """Return an alarm with its step in the runbook."""
    name = str(alarm["AlarmName"]).removeprefix(prefix)
    return AlarmUp(
        name=name,
        since=rfc3339(round(alarm["StateUpdatedTimestamp"].timestamp() * 1000)),
        means=str(alarm.get("AlarmDescription") or ""),
        do=step_of(name),
    )


def prefix_of(stage: str) -> str:
    """Return how the names of a stage's alarms begin."""
    return f"fairgate-{stage}-"


class AlarmReader:
    """Keeps an answer for KEPT_MS, also that there was none.

    Args:
        asked: lists a region's alarms whose names begin so; None: there is no CloudWatch. Regions:
            None is the deployment's own.
        distribution: the one whose alarms are read; "": nothing watches it.
    """

    def __init__(
        self,
        asked: Callable[[str | None, str], Sequence[Alarm]] | None,
        clock: Clock,
        stage: str,
        distribution: str,
    ) -> None:
        self._asked, self._clock, self._prefix = asked, clock, prefix_of(stage)
        self._end = edge_suffix(distribution) if distribution else ""
        self._kept: Alarms | None = None
        self._read_ms = 0

    def read(self) -> Alarms:
        """Read the alarms, ``now`` filled in. It never fails: what could not be read says so."""
        now_ms = self._clock.now_ms()
        if self._kept is None or not 0 <= now_ms - self._read_ms < KEPT_MS:
            self._kept = Alarms(at=rfc3339(now_ms), sources=self._sources())
            self._read_ms = now_ms
        return msgspec.structs.replace(self._kept, now=rfc3339(now_ms))

    def _sources(self) -> list[AlarmSource]:
        if self._asked is None:
            return [AlarmSource(of="service", state="none", why=NOT_HERE, up=[])]
        # Names at the edge, and those of a stage whose name begins with this one's, have a hyphen.
        service = self._source("service", None, lambda short: "-" not in short)
        if not self._end:
            edge = AlarmSource(of="edge", state="none", why=NOT_WATCHED, up=[])
            return [service, edge]
        return [service, self._source("edge", REGION, lambda short: short.endswith(self._end))]

    def _source(self, of: Any, region: str | None, ours: Callable[[str], bool]) -> AlarmSource:
        """Read one region. Of several windows one alarm tells somebody; the others are left out."""
        if self._asked is None:
            raise ValueError("there is no CloudWatch to ask")
        try:
            with within(ASKED_S):
                every = self._asked(region, self._prefix)
        except (BotoCoreError, ClientError, FairgateError) as error:
            return AlarmSource(of=of, state="unknown", why=f"{reason_of(error)}.", up=[])
        short = [(str(one["AlarmName"]).removeprefix(self._prefix), one) for one in every]
        telling = [one for name, one in short if ours(name) and one.get("AlarmActions")]
        if not telling:
            return AlarmSource(of=of, state="none", why=NOT_DEPLOYED, up=[])
        up = [shown(one, self._prefix) for one in telling if one["StateValue"] == "ALARM"]
        return AlarmSource(
            of=of,
            state="read",
            watching=len(telling),
            without_data=sum(one["StateValue"] == "INSUFFICIENT_DATA" for one in telling),
            up=sorted(up, key=lambda one: one.since, reverse=True),
        )


def alarm_reader(settings: Settings, clock: Clock) -> AlarmReader:
    """Return what reads the alarms of the system that these settings are of."""
    regions: dict[str | None, SdkClient] = {}

    def asked(region: str | None, prefix: str) -> list[Alarm]:
        if region not in regions:
            regions[region] = SdkClient(
                "cloudwatch", attempts_max=TRIES, make=lambda config: _client(config, region)
            )
        return regions[region].run(lambda client: described(client, prefix))

    deployed = bool(settings.kvs_arn) and not settings.kvs_endpoint
    return AlarmReader(
        asked if deployed else None, clock, settings.stage, settings.edge_distribution
    )


def _client(config: Any, region: str | None) -> Any:
    from botocore.session import get_session

    return get_session().create_client("cloudwatch", config=config, region_name=region)
