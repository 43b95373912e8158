"""One synthesis for all infrastructure tests: in a process of its own, without AWS or network."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from infra import bytecode
from infra.config import LAYERS
from infra.naming import secrets_prefix
from tests.infra.stages import (
    NOT_VALIDATED,
    PROVIDER,
    ZONES,
    Stages,
    read_all,
    run_offline,
    synthesise_all,
)
from tests.support import gate_build, needs, pages_build

ROOT = Path(__file__).resolve().parents[2]
STAGE = "test"
WARM_WRITES = 40_000
ECPU_MIN = 20_000
CONCURRENCY = 1_000


@dataclass(frozen=True)
class Assembly:
    """A synthesised application: its templates, and what was said while making it."""

    folder: Path
    said: str
    gate_is_real: bool

    def templates(self) -> dict[str, dict[str, Any]]:
        return {
            path.name.removesuffix(".template.json"): json.loads(path.read_text())
            for path in sorted(self.folder.glob("*.template.json"))
        }

    def complaints(self) -> list[str]:
        """What was said, but for what a machine with an aged Node.js or no Python 3.13 has to hear.

        jsii says the one in a box of exclamation marks, the report the other in paragraphs.
        """
        heard = "\n".join(line for line in self.said.splitlines() if "!!" not in line)
        told = [part.strip() for part in heard.split("\n\n") if part.strip()]
        if bytecode.interpreter() is not None:
            return told
        where = "A copy of this report can be found in: "
        return [one for one in told if bytecode.MISSING not in one and not one.startswith(where)]

    def resources(self, kind: str) -> dict[tuple[str, str], dict[str, Any]]:
        """Of this type, by stack and logical id."""
        return {
            (stack, logical_id): resource
            for stack, template in self.templates().items()
            for logical_id, resource in template["Resources"].items()
            if resource["Type"] == kind
        }

    def properties(self, kind: str) -> list[dict[str, Any]]:
        return [resource["Properties"] for resource in self.resources(kind).values()]

    def only(self, kind: str) -> dict[str, Any]:
        (properties,) = self.properties(kind)
        return properties

    def keys_secrets(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """The secrets with the deployment's keys, by name: logical id and resource of each."""
        prefix = secrets_prefix(STAGE)
        named = {
            resource["Properties"].get("Name", ""): (logical_id, resource)
            for (_, logical_id), resource in self.resources("AWS::SecretsManager::Secret").items()
        }
        return {
            name.removeprefix(prefix): secret
            for name, secret in named.items()
            if name.startswith(prefix)
        }

    def functions(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """The project's own functions by name, each with its stack and properties."""
        prefix = f"fairgate-{STAGE}-"
        found = {}
        for (stack, _), resource in self.resources("AWS::Lambda::Function").items():
            name = resource["Properties"].get("FunctionName", "")
            if name.startswith(prefix):
                found[name.removeprefix(prefix)] = (stack, resource["Properties"])
        return found

    def parameter(self, name: str) -> dict[str, Any]:
        """The JSON of an SSM parameter, with ``x`` for what is known at deployment."""
        (value,) = [
            parameter["Value"]
            for parameter in self.properties("AWS::SSM::Parameter")
            if parameter["Name"] == f"/fairgate/{STAGE}/{name}"
        ]
        parts = value["Fn::Join"][1]
        told = "".join(part if isinstance(part, str) else "x" for part in parts)
        found: dict[str, Any] = json.loads(told)
        return found

    def behind_alias(self, stack: str, alias_id: str) -> str:
        """Name the function that an alias of this logical id stands for."""
        resources = self.templates()[stack]["Resources"]
        alias = resources[alias_id]
        assert alias["Type"] == "AWS::Lambda::Alias", alias_id
        function = resources[alias["Properties"]["FunctionName"]["Ref"]]
        name: str = function["Properties"]["FunctionName"]
        return name.removeprefix(f"fairgate-{STAGE}-")

    def statements(self, stack: str, role_id: str) -> list[dict[str, Any]]:
        """Everything that a role allows, inline and attached; managed policies are refused."""
        resources = self.templates()[stack]["Resources"]
        role = resources[role_id]["Properties"]
        assert "ManagedPolicyArns" not in role, f"{role_id} takes a policy that AWS writes"
        documents = [policy["PolicyDocument"] for policy in role.get("Policies", [])]
        documents += [
            resource["Properties"]["PolicyDocument"]
            for resource in resources.values()
            if resource["Type"] == "AWS::IAM::Policy"
            and {"Ref": role_id} in resource["Properties"]["Roles"]
        ]
        return [statement for document in documents for statement in document["Statement"]]


def listed(value: Any) -> list[Any]:
    """IAM and CloudFormation write a list of one as the one."""
    return value if isinstance(value, list) else [value]


def named(value: Any) -> set[str]:
    """The logical ids that a value refers to."""
    if isinstance(value, dict):
        if "Ref" in value:
            return {value["Ref"]}
        if "Fn::GetAtt" in value:
            return {value["Fn::GetAtt"][0]}
        return {one for inner in value.values() for one in named(inner)}
    if isinstance(value, list):
        return {one for inner in value for one in named(inner)}
    return set()


@dataclass(frozen=True)
class Ran:
    status: int
    said: str


def synthesise(folder: Path, context: dict[str, str], home: Path, *, validated: bool = True) -> Ran:
    """Run app.py with nothing of AWS in its environment and no way out of its processes.

    Args:
        validated: with the CDK's own rules, which take three fifths of its processor time.
    """
    needs.node()
    flags = json.loads((ROOT / "cdk.json").read_text())["context"]  # which the CDK's command adds
    environment = {
        "CDK_OUTDIR": str(folder),
        "CDK_CONTEXT_JSON": json.dumps(flags | context),
        **({} if validated else NOT_VALIDATED),
    }
    ran = run_offline(home, ["app.py"], environment)
    return Ran(ran.returncode, ran.stdout + ran.stderr)


def stand_in_layers(folder: Path) -> Path:
    """Small folders in the shape of the built layers: what they hold is not what is tested."""
    for layer in LAYERS:
        package = folder / layer / "python" / "stand_in"
        package.mkdir(parents=True, exist_ok=True)  # where another worker failed before
        (package / f"{layer}.py").write_text("")
    return folder


def built_gate(folder: Path) -> tuple[Path, bool]:
    """The gate built from its sources; a stand-in where the packages for that are missing."""
    gate = folder / "gate.js"
    if gate_build.missing() is None:
        gate.write_text(gate_build.gate_source(), "utf-8")
        return gate, True
    gate.write_text("async function handler(event) { return event.request }\n")
    return gate, False


def built_pages() -> Path:
    """The pages bundled from their sources; these where the packages for that are missing."""
    return pages_build.pages() if pages_build.missing() is None else pages_build.WEB


@pytest.fixture(scope="session")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Assembly:
    """A stage that sells, with most of its options."""
    return made_once(
        tmp_path_factory,
        "assembly",
        {
            "payments_provider": "sandbox",
            "warm_writes": str(WARM_WRITES),
            "warm_reads": "60000",
            "cache_ecpu_min": str(ECPU_MIN),
            "concurrency": str(CONCURRENCY),
            "zones": ",".join(ZONES),
            "alarm_email": "operator@example.org",
            "canary_event": "canary",
            "mail_sender": "tickets@example.org",
            **PROVIDER,
        },
    )


@pytest.fixture(scope="session")
def stages(tmp_path_factory: pytest.TempPathFactory) -> Stages:
    """Stages of all kinds, with what cdk-nag finds in them."""
    with one_maker(tmp_path_factory, "stages") as shared:
        if not (shared / "said.txt").exists():
            layers, (gate, _) = stand_in_layers(shared / "layers"), built_gate(shared)
            built = {"gate": str(gate), "layers": str(layers), "web": str(built_pages())}
            synthesise_all(shared, built)
    return read_all(shared)


@pytest.fixture(scope="session")
def restored(stages: Stages) -> Assembly:
    """A stage with a restored table in the place of another, and other options."""
    return Assembly(stages.folder / "restored", stages.said, gate_build.missing() is None)


def made_once(
    tmp_path_factory: pytest.TempPathFactory, name: str, options: dict[str, str]
) -> Assembly:
    """Synthesise the test's stage with these options: once, also when several workers ask."""
    with one_maker(tmp_path_factory, name) as shared:
        said = shared / "said.txt"
        if not said.exists():
            gate, _ = built_gate(shared)
            layers = str(stand_in_layers(shared / "layers"))
            built = {"layers": layers, "gate": str(gate), "web": str(built_pages())}
            context = {"stage": STAGE, **built, **options}
            ran = synthesise(shared / "cdk.out", context, shared)
            assert ran.status == 0, ran.said
            said.write_text(ran.said)
    return Assembly(shared / "cdk.out", said.read_text(), gate_build.missing() is None)


@contextmanager
def one_maker(tmp_path_factory: pytest.TempPathFactory, name: str) -> Iterator[Path]:
    """A folder that all workers of the run share, for one of them at a time."""
    needs.node()
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / name
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield shared
