"""What `fairgate doctor` finds in a deployment is what the stacks write."""

from __future__ import annotations

import json

from fairgate_ops.operate.doctor.deployment import FIRED
from infra.throttles import API_RATE

from .conftest import CONCURRENCY, ECPU_MIN, STAGE, Assembly


def test_the_doctor_finds_topics_cache_and_sender_in_the_last_stack(assembly: Assembly) -> None:
    (deployed,) = [
        parameter
        for (stack, _), resource in assembly.resources("AWS::SSM::Parameter").items()
        if (parameter := resource["Properties"])["Name"] == f"/fairgate/{STAGE}/deployed"
        and stack == "Watch"
    ]
    written = deployed["Value"]["Fn::Join"][1]
    topics = {part["Ref"] for part in written if isinstance(part, dict)}
    arns = {logical for _, logical in assembly.resources("AWS::SNS::Topic")}
    assert topics == arns
    document = json.loads("".join(part if isinstance(part, str) else "arn" for part in written))
    assert document["topics"] == {"critical": "arn", "warning": "arn"}
    cache = assembly.only("AWS::ElastiCache::ServerlessCache")["ServerlessCacheName"]
    assert document["cache"] == cache
    assert document["cache_ecpu_min"] == ECPU_MIN
    assert document["mail_sender"] == "tickets@example.org"
    assert document["edge_alarms"] == ""
    assert (document["firewall"], document["sells"]) == (False, False)
    assert document["api_rate"] == API_RATE
    assert document["concurrency"] == CONCURRENCY


def test_the_alarms_that_the_doctor_fires_tell_a_topic_each(assembly: Assembly) -> None:
    alarms = {alarm["AlarmName"]: alarm for alarm in assembly.properties("AWS::CloudWatch::Alarm")}
    topics = {
        topic["Properties"]["TopicName"]: {"Ref": logical}
        for (_, logical), topic in assembly.resources("AWS::SNS::Topic").items()
    }
    for severity, name in FIRED.items():
        told = alarms[f"fairgate-{STAGE}-{name}"]["AlarmActions"]
        assert told == [topics[f"fairgate-{STAGE}-alarms-{severity}"]]
