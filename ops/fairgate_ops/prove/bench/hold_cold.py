"""The first call to the database of a cold function: loading the client, making it, one call."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from fairgate_ops.prove.bench.hold_stub import stub
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.shared.paths import ROOT

BOTOCORE, LIGHT = "botocore's client", "signed here"
_PROBE = """
import json, sys, time
import fairgate.http.app  # what the function has imported before its first request

def kb():
    with open("/proc/self/status") as file:
        return int(file.read().partition("VmRSS:")[2].split()[0])

used = kb()
start = time.perf_counter()
if sys.argv[1] == "light":
    from fairgate.adapters.dynamodb.light import dynamodb_client
    client = dynamodb_client()
else:
    from fairgate.adapters.aws.client import aws_client
    client = aws_client("dynamodb", attempts_max=1, parameter_validation=False)
client.get_item(TableName="t", Key={"PK": {"S": "a"}, "SK": {"S": "b"}})
ms = (time.perf_counter() - start) * 1000
mb = (kb() - used) / 1024
print(json.dumps([ms, mb, type(client).__name__]))
"""


def first_calls(runs: int) -> dict[str, tuple[float, float]]:
    """Client → ms and MB that it adds, medians of fresh processes by turns."""
    seen: dict[str, list[tuple[float, float]]] = {BOTOCORE: [], LIGHT: []}
    with stub() as database:
        environment = base_environment() | {
            "AWS_ENDPOINT_URL": database.endpoint,
            "PYTHONPATH": str(ROOT / "layers/core/python"),
        }
        for _ in range(runs):
            for name, word in ((BOTOCORE, "botocore"), (LIGHT, "light")):
                command = [sys.executable, "-c", _PROBE, word]
                done = subprocess.run(
                    command, capture_output=True, text=True, check=True, env=environment
                )
                ms, mb, kind = json.loads(done.stdout)
                if (kind == "LightDynamo") != (name == LIGHT):
                    raise RuntimeError(f"{name} gave a {kind}")
                seen[name].append((ms, mb))
    return {
        name: (
            statistics.median(ms for ms, _ in values),
            statistics.median(mb for _, mb in values),
        )
        for name, values in seen.items()
    }
