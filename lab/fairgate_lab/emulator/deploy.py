"""Deploy a cloud assembly as the CDK's command does: assets, then the stacks in their order."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_lab.emulator.engine import ACCOUNT, emulator_client
from fairgate_ops.run.local.ministack import REGION
from fairgate_ops.run.local.processes import StartError, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ASSETS = f"cdk-hnb659fds-assets-{ACCOUNT}-{REGION}"  # as `cdk bootstrap` names it
_BOOTSTRAP_VERSION = ("/cdk-bootstrap/hnb659fds/version", "30")
_CAPABILITIES = ["CAPABILITY_NAMED_IAM"]
STACK_S = 120  # in which no resource of the stack changes
_COMPLETE = ("CREATE_COMPLETE", "UPDATE_COMPLETE")
_UNCHANGED = "No updates are to be performed"
_UNKNOWN = "does not exist"


@dataclass
class DeployedStack:
    name: str
    status: str = ""
    seconds: float = 0.0
    outputs: dict[str, str] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return self.status in _COMPLETE

    def told(self) -> str:
        lines = [f"{self.name}: {self.status} in {self.seconds:.1f} s"]
        return "\n".join(lines + [f"    {failure}" for failure in self.failures])


class Deployer:
    """Puts the stacks of an assembly into the emulator at ``endpoint``."""

    def __init__(
        self, folder: Path, endpoint: str, say: Callable[[str], None] = lambda _text: None
    ) -> None:
        self._folder, self._endpoint, self._say = folder, endpoint, say
        self._s3 = emulator_client("s3", endpoint)
        self._stacks = emulator_client("cloudformation", endpoint)
        self._uploaded: set[str] = set()

    def deploy_all(self) -> dict[str, DeployedStack]:
        """Every stack by its id. Raises StartError: the first that fails, with each reason."""
        self._bootstrap()
        return self._all(self._create, {})

    def update_all(
        self, after: Mapping[str, Callable[[], object]] | None = None
    ) -> dict[str, DeployedStack]:
        """Every stack as the assembly has it now. Raises StartError: the first that fails.

        Args:
            after: what is done once the stack of this id is updated.
        """
        return self._all(self._update, after or {})

    def _all(
        self, put: Callable[[str, str], None], after: Mapping[str, Callable[[], object]]
    ) -> dict[str, DeployedStack]:
        deployed: dict[str, DeployedStack] = {}
        for stack_id, artifact in self._artifacts():
            for asset in self._assets(stack_id):
                self._upload(asset)
            stack = self._put(stack_id, str(artifact["properties"]["stackName"]), put)
            deployed[stack_id] = stack
            if not stack.complete:
                raise StartError(stack.told())
            if stack_id in after:
                after[stack_id]()
        return deployed

    def _bootstrap(self) -> None:
        """What the CDK's bootstrap leaves, as far as a deployment by hand needs it."""
        self._s3.create_bucket(
            Bucket=ASSETS, CreateBucketConfiguration={"LocationConstraint": REGION}
        )
        parameters = emulator_client("ssm", self._endpoint)
        name, version = _BOOTSTRAP_VERSION
        parameters.put_parameter(Name=name, Value=version, Type="String", Overwrite=True)

    def _artifacts(self) -> list[tuple[str, dict[str, Any]]]:
        """The stacks, each after those that it depends on."""
        manifest = json.loads((self._folder / "manifest.json").read_text())["artifacts"]
        stacks = {
            name: artifact
            for name, artifact in manifest.items()
            if artifact["type"] == "aws:cloudformation:stack"
        }
        ordered: list[tuple[str, dict[str, Any]]] = []
        while len(ordered) < len(stacks):
            done = {name for name, _ in ordered}
            ready = [
                name
                for name in stacks
                if name not in done
                and done >= set(stacks[name].get("dependencies", ())) & set(stacks)
            ]
            if not ready:
                raise StartError("The stacks depend on each other in a circle.")
            ordered += [(name, stacks[name]) for name in sorted(ready)]
        return ordered

    def _assets(self, stack_id: str) -> list[tuple[str, Path, bool]]:
        """Key, source, whether it is packed."""
        files = json.loads((self._folder / f"{stack_id}.assets.json").read_text())["files"]
        return [
            (
                str(destination["objectKey"]),
                self._folder / file["source"]["path"],
                file["source"]["packaging"] == "zip",
            )
            for file in files.values()
            for destination in file["destinations"].values()
        ]

    def _upload(self, asset: tuple[str, Path, bool]) -> None:
        key, source, packed = asset
        if key in self._uploaded:
            return
        body = archive(source) if packed else source.read_bytes()
        self._s3.put_object(Bucket=ASSETS, Key=key, Body=body)
        self._uploaded.add(key)

    def _create(self, name: str, url: str) -> None:
        self._stacks.create_stack(
            StackName=name,
            TemplateURL=url,
            Capabilities=_CAPABILITIES,
            DisableRollback=True,  # what was made stays to be looked at
        )

    def _update(self, name: str, url: str) -> None:
        from botocore.exceptions import ClientError

        try:
            self._stacks.update_stack(StackName=name, TemplateURL=url, Capabilities=_CAPABILITIES)
        except ClientError as error:
            if _UNKNOWN in str(error):
                self._create(name, url)
            elif _UNCHANGED not in str(error):
                raise

    def _put(self, stack_id: str, name: str, put: Callable[[str, str], None]) -> DeployedStack:
        key = f"{stack_id}.template.json"
        body = (self._folder / key).read_bytes()
        self._s3.put_object(Bucket=ASSETS, Key=key, Body=body)
        began = time.monotonic()
        put(name, f"{self._endpoint}/{ASSETS}/{key}")
        stack = DeployedStack(name)

        def settled() -> bool:
            (described,) = self._stacks.describe_stacks(StackName=name)["Stacks"]
            stack.status = described["StackStatus"]
            outputs = described.get("Outputs", [])
            stack.outputs = {entry["OutputKey"]: entry["OutputValue"] for entry in outputs}
            return not stack.status.endswith("IN_PROGRESS")

        def events() -> int:
            return len(self._stacks.describe_stack_events(StackName=name)["StackEvents"])

        wait_until(settled, f"the stack {name}", within_s=STACK_S, every_s=0.2, moved=events)
        stack.seconds = time.monotonic() - began
        if not stack.complete:
            stack.failures = self._failures(name)
        self._say(stack.told())
        return stack

    def _failures(self, name: str) -> list[str]:
        events = self._stacks.describe_stack_events(StackName=name)["StackEvents"]
        return [
            f"{event['LogicalResourceId']} ({event['ResourceType']}):"
            f" {event.get('ResourceStatusReason', 'no reason given')}"
            for event in events
            if event["ResourceStatus"].endswith("FAILED")
        ]


def archive(folder: Path) -> bytes:
    """The folder as a zip file, unpacked at once: not compressed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as file:
        for parent, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = Path(parent) / name
                file.write(path, path.relative_to(folder).as_posix())
    return packed.getvalue()
