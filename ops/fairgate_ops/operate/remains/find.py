"""Find by name what a stage has in an account: everything that the templates name is found so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

# AWS's client of a service in a region.
Aws = Callable[[str, str], Any]
Kind = Literal[
    "table",
    "secret",
    "KeyValueStore",
    "bucket",
    "backup vault",
    "log group",
    "parameter",
    "stack",
    "asset bucket",
]

US = "us-east-1"  # where firewall, alarms and log of requests of the distribution stand
TOOLKIT = "CDKToolkit"
TOOLKIT_BUCKET = "cdk-hnb659fds-assets-"  # the CDK's default qualifier
_TOOLKIT_USERS = "BootstrapVersion"  # a parameter of each template that the CDK makes
_LOG_GROUPS = ("/aws/lambda/", "/aws/vendedlogs/")
_EDGE_LOG_GROUPS = "/aws/cloudfront/function/"  # in one region; a name's end says whose it is
# CloudFormation puts the first 24 characters of the stack's name before a name that it makes.
# Source: CloudFormation User Guide, "Name type"; the stage's own part ends before them.
_STACK_CHARS = 24


@dataclass(frozen=True, order=True)
class Remnant:
    """A thing that remains."""

    kind: Kind
    name: str
    region: str

    def __str__(self) -> str:
        return f"{self.kind:<13} {self.name}  ({self.region})"


@dataclass(frozen=True)
class Place:
    """A stage in a region of an account."""

    stage: str
    region: str
    aws: Aws

    @property
    def prefix(self) -> str:
        """Return how names of the stage begin; no stage's name has a hyphen in it."""
        return f"fairgate-{self.stage}-"

    def here(self, service: str) -> Any:
        return self.aws(service, self.region)

    def find(self) -> list[Remnant]:
        """List what remains, in the order in which it can be removed."""
        return [
            *self._tables(),
            *self._secrets(),
            *self._stores(),
            *self._stage_buckets(),
            *self._vaults(),
            *self._log_groups(),
            *self._parameters(),
        ]

    def standing(self) -> list[str]:
        """Name the stage's stacks that stand in its region."""
        return self._ours(self.region, self.prefix)

    def elsewhere(self) -> list[str]:
        """Name the stage's stacks in us-east-1, which may be those of another region's."""
        if self.region == US:
            return []
        begins = (f"{self.prefix}firewall", f"{self.prefix}edge-alarms-", self._logs)
        return [name for each in begins for name in self._ours(US, each)]

    @property
    def _logs(self) -> str:
        return f"{self.prefix}access-logs-"

    def _ours(self, region: str, begins: str) -> list[str]:
        names = [stack["StackName"] for stack in self._stacks(region)]
        return [name for name in names if name.startswith(begins)]

    def toolkit(self) -> list[Remnant]:
        """List what `cdk bootstrap` made: the bucket first, because the stack leaves it."""
        found = [
            Remnant("asset bucket", name, self.region)
            for name in self._buckets(self.region)
            if name.startswith(TOOLKIT_BUCKET) and name.endswith(f"-{self.region}")
        ]
        names = [stack["StackName"] for stack in self._stacks(self.region)]
        return [*found, *([Remnant("stack", TOOLKIT, self.region)] if TOOLKIT in names else [])]

    def uses_toolkit(self) -> list[str]:
        """Name the stacks here, anybody's, that the CDK deployed."""
        return [
            stack["StackName"]
            for stack in self._stacks(self.region)
            if stack["StackName"] != TOOLKIT
            and any(p["ParameterKey"] == _TOOLKIT_USERS for p in stack.get("Parameters", ()))
        ]

    def _stacks(self, region: str) -> Iterator[dict[str, Any]]:
        for page in self.aws("cloudformation", region).get_paginator("describe_stacks").paginate():
            for stack in page["Stacks"]:
                if stack["StackStatus"] != "DELETE_COMPLETE":
                    yield stack

    def _tables(self) -> Iterator[Remnant]:
        for page in self.here("dynamodb").get_paginator("list_tables").paginate():
            for name in page["TableNames"]:
                if name.startswith(self.prefix):
                    yield Remnant("table", name, self.region)

    def _secrets(self) -> Iterator[Remnant]:
        for page in self.here("secretsmanager").get_paginator("list_secrets").paginate():
            for secret in page["SecretList"]:
                if secret["Name"].startswith(f"fairgate/{self.stage}/"):
                    yield Remnant("secret", secret["Name"], self.region)

    def _stores(self) -> Iterator[Remnant]:
        """CloudFront is of no region; the store's name says whose it is."""
        cloudfront = self.aws("cloudfront", US)
        marker: dict[str, str] = {}
        while True:
            listed = cloudfront.list_key_value_stores(**marker)["KeyValueStoreList"]
            for store in listed.get("Items", ()):
                if store["Name"] == f"{self.prefix}gate-{self.region}":
                    yield Remnant("KeyValueStore", store["Name"], self.region)
            if not listed.get("NextMarker"):
                return
            marker = {"Marker": listed["NextMarker"]}

    def _stage_buckets(self) -> Iterator[Remnant]:
        for name in self._buckets(self.region):
            if name.startswith(self.prefix):
                yield Remnant("bucket", name, self.region)
        if self.region != US and not self._ours(US, self._logs):
            for name in self._buckets(US):
                if name.startswith(self._logs[:_STACK_CHARS]):
                    yield Remnant("bucket", name, US)

    def _vaults(self) -> Iterator[Remnant]:
        for page in self.here("backup").get_paginator("list_backup_vaults").paginate():
            for vault in page["BackupVaultList"]:
                if vault["BackupVaultName"].startswith(self.prefix):
                    yield Remnant("backup vault", vault["BackupVaultName"], self.region)

    def _log_groups(self) -> Iterator[Remnant]:
        parents = [(parent, self.region, "") for parent in _LOG_GROUPS]
        parents.append((_EDGE_LOG_GROUPS, US, f"-{self.region}"))
        for parent, region, end in parents:
            groups = self.aws("logs", region).get_paginator("describe_log_groups")
            for page in groups.paginate(logGroupNamePrefix=parent + self.prefix):
                for group in page["logGroups"]:
                    if group["logGroupName"].endswith(end):
                        yield Remnant("log group", group["logGroupName"], region)

    def _parameters(self) -> Iterator[Remnant]:
        parameters = self.here("ssm").get_paginator("get_parameters_by_path")
        for page in parameters.paginate(Path=f"/fairgate/{self.stage}", Recursive=True):
            for parameter in page["Parameters"]:
                yield Remnant("parameter", parameter["Name"], self.region)

    def _buckets(self, region: str) -> list[str]:
        """Name the account's buckets of a region."""
        s3 = self.aws("s3", region)
        names = [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]
        return [name for name in names if _region_of(s3, name) == region]


def _region_of(s3: Any, bucket: str) -> str:
    """Return the bucket's region; S3 has no word for its first one."""
    return str(s3.get_bucket_location(Bucket=bucket).get("LocationConstraint") or US)
