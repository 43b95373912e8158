"""The commands that docs/deploying.md shows, as they stand there, with the emulator for AWS."""

from __future__ import annotations

import re
import subprocess

import pytest

from fairgate_ops.run.emulator.assembly import host_layers
from fairgate_ops.run.emulator.cache_tls import write_certificate
from fairgate_ops.run.emulator.engine import Emulator, Told, caller_environment, emulator_client
from fairgate_ops.run.local.environment import base_environment
from fairgate_ops.run.local.processes import free_port
from fairgate_ops.shared.paths import ROOT
from tests.support.lengths import in_full_only

COMMAND_S = 300
STAGE = "dev"  # which the documentation deploys
DOCUMENT = ROOT / "docs" / "deploying.md"


def documented(verb: str) -> list[str]:
    """The one command of the page that begins with ``npx cdk <verb>`` and leaves no gap to fill."""
    shown = re.findall(rf"npx cdk {verb} [^`#\n]+", DOCUMENT.read_text("utf-8"))
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


def run(emulator, command: list[str], *more: str) -> str:
    """Run it with the emulator for AWS; the layers are those for this machine."""
    environment = caller_environment(emulator.endpoint, base_environment())
    # Where an endpoint is set for all services, S3 has to be asked by path.
    environment["AWS_ENDPOINT_URL_S3"] = emulator.endpoint
    done = subprocess.run(
        [*command, "-c", f"layers={host_layers()}", *more],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=COMMAND_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def lift_protection(emulator) -> None:
    """As the page's command of the AWS CLI does, which need not be installed here."""
    text = DOCUMENT.read_text("utf-8")
    (stack,) = re.findall(
        r"aws cloudformation update-termination-protection --no-enable-termination-protection"
        r" --stack-name (\S+)",
        text,
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
def test_documented_commands_bring_everything_and_take_it_away(emulator, tmp_path):
    output = ("--output", str(tmp_path / "cdk.out"))
    run(emulator, documented("bootstrap"), *output)
    assert stacks(emulator) == {"CDKToolkit": "CREATE_COMPLETE"}
    run(emulator, documented("deploy"), *output, "--require-approval", "never")
    named = {f"fairgate-{STAGE}-{part}" for part in ("data", "cache", "edge", "events", "api")}
    deployed = stacks(emulator)
    assert named | {f"fairgate-{STAGE}-watch"} == set(deployed) - {"CDKToolkit"}
    assert set(deployed.values()) == {"CREATE_COMPLETE"}
    lift_protection(emulator)
    run(emulator, documented("destroy"), *output, "--force")
    left = {name for name, status in stacks(emulator).items() if status != "DELETE_COMPLETE"}
    assert left == {"CDKToolkit"}
