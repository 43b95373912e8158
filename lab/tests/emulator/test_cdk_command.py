"""The commands that docs/deploying.md shows, as they stand there, with the emulator for AWS."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from fairgate_lab.emulator.assembly import host_layers
from fairgate_lab.emulator.cache_tls import write_certificate
from fairgate_lab.emulator.engine import Emulator, Told, caller_environment, emulator_client
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.run.local.processes import free_port
from fairgate_ops.shared.paths import ROOT
from tests.support.lengths import in_full_only
from tests.support.waiting import patience_s

COMMAND_S = 900  # twenty seconds to a minute where nothing else runs
STAGE = "dev"  # which the documentation deploys
PAGE = (ROOT / "docs" / "deploying.md").read_text("utf-8")


def documented(verb: str) -> list[str]:
    """The one command of the page that begins with ``npx cdk <verb>`` and leaves no gap to fill."""
    shown = re.findall(rf"npx cdk {verb} [^`#\n]+", PAGE)
    lines = [line for line in shown if "…" not in line]
    assert len(lines) == 1, (verb, lines)
    return str(lines[0]).split()


@pytest.fixture
def emulator(runnable, tmp_path):
    certificate = tmp_path / "cache.pem"
    write_certificate(certificate, tmp_path / "key.pem")
    told = Told("http://127.0.0.1:1", "localhost:1", certificate)  # nothing runs on it
    with Emulator(tmp_path, free_port(), told) as server:
        yield server


def environment(emulator) -> dict[str, str]:
    """Of somebody whose AWS is the emulator; the layers are those for this machine."""
    # Where an endpoint is set for all services, S3 has to be asked by path.
    asked = {"AWS_ENDPOINT_URL_S3": emulator.endpoint}
    return caller_environment(emulator.endpoint, base_environment()) | asked


def run(emulator, command: list[str], *more: str, status: int = 0) -> str:
    done = subprocess.run(
        [*command, *more],
        cwd=ROOT,
        env=environment(emulator),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=patience_s(COMMAND_S),
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def cdk(emulator, verb: str, *more: str) -> None:
    run(emulator, documented(verb), "-c", f"layers={host_layers()}", *more)


def remains(emulator, *more: str, status: int = 0) -> str:
    """As the page says, by this interpreter."""
    (shown,) = re.findall(rf"python (-m \S+remains --stage {STAGE})$", PAGE, re.MULTILINE)
    return run(emulator, [sys.executable, *shown.split()], *more, status=status)


def held(emulator) -> dict[str, list[str]]:
    """What the account has, asked of each service by itself."""

    def client(service: str) -> Any:
        return emulator_client(service, emulator.endpoint)

    stores = client("cloudfront").list_key_value_stores()["KeyValueStoreList"]
    return {
        "buckets": [bucket["Name"] for bucket in client("s3").list_buckets()["Buckets"]],
        "tables": client("dynamodb").list_tables()["TableNames"],
        "secrets": [s["Name"] for s in client("secretsmanager").list_secrets()["SecretList"]],
        "stores": [store["Name"] for store in stores.get("Items", ())],
        "logs": [g["logGroupName"] for g in client("logs").describe_log_groups()["logGroups"]],
        "parameters": [p["Name"] for p in client("ssm").describe_parameters()["Parameters"]],
        "stacks": [name for name, status in stacks(emulator).items() if "DELETE" not in status],
        "functions": [f["FunctionName"] for f in client("lambda").list_functions()["Functions"]],
        "keys": [key["KeyId"] for key in client("kms").list_keys()["Keys"]],
    }


def lift_protection(emulator) -> None:
    """As the page's command of the AWS CLI does, which need not be installed here."""
    (stack,) = re.findall(
        r"aws cloudformation update-termination-protection --no-enable-termination-protection"
        r" --stack-name (\S+)",
        PAGE,
    )
    client = emulator_client("cloudformation", emulator.endpoint)
    client.update_termination_protection(EnableTerminationProtection=False, StackName=stack)


def stacks(emulator) -> dict[str, str]:
    answer = emulator_client("cloudformation", emulator.endpoint).describe_stacks()
    return {stack["StackName"]: stack["StackStatus"] for stack in answer["Stacks"]}


@pytest.mark.parametrize("verb", ["bootstrap", "deploy", "destroy"])
def test_the_page_shows_one_whole_command_of_each_kind(verb):
    assert documented(verb)[:3] == ["npx", "cdk", verb]


@in_full_only("a second deployment, by the page's own commands")
def test_documented_commands_bring_everything_and_leave_nothing(emulator, tmp_path):
    output = ("--output", str(tmp_path / "cdk.out"))
    cdk(emulator, "bootstrap", *output)
    assert stacks(emulator) == {"CDKToolkit": "CREATE_COMPLETE"}
    cdk(emulator, "deploy", *output, "--require-approval", "never")
    named = {f"fairgate-{STAGE}-{part}" for part in ("data", "cache", "edge", "events", "api")}
    deployed = stacks(emulator)
    assert named | {f"fairgate-{STAGE}-watch"} == set(deployed) - {"CDKToolkit"}
    assert set(deployed.values()) == {"CREATE_COMPLETE"}
    assert "still stands" in remains(emulator, "--remove", "--yes", STAGE, status=1)
    lift_protection(emulator)
    cdk(emulator, "destroy", *output, "--force")
    stay = held(emulator)
    assert stay["stacks"] == ["CDKToolkit"]
    assert [len(stay[kind]) for kind in ("buckets", "tables", "secrets", "stores")] == [4, 3, 5, 1]
    assert "12 remain" in remains(emulator, status=1)
    assert "Nothing was removed" in remains(emulator, "--remove", "--yes", "prod", status=1)
    assert held(emulator) == stay
    remains(emulator, "--remove", "--yes", STAGE)
    assert [name for names in held(emulator).values() for name in names if "fairgate" in name] == []
    remains(emulator, "--toolkit", "--remove", "--yes", STAGE)
    assert not any(held(emulator).values()), held(emulator)
