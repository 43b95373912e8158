"""Where a command works: the system of this machine, or a deployment in AWS."""

from __future__ import annotations

import getpass
import json
import os
import platform
import secrets
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from fairgate.domain.gate.gate_config import VERSION
from fairgate.errors import MalformedInputError, NotFoundError
from fairgate.service.gate.control_gate import LEAD_S
from fairgate.service.gate.rotate_keys import refuse_when_changed
from fairgate_ops.operate.aws_clients import AwsClients
from fairgate_ops.operate.corrected_clock import CorrectedClock, ahead_ms_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate.bootstrap import Container
    from fairgate.ports.outside import MailQueue, TicketQueue
    from fairgate.ports.payments import Payments
    from fairgate.ports.world import Clock, SecretName
    from fairgate.service.catalog.create_event import EventCreator
    from fairgate.service.gate.control_gate import GateControl
    from fairgate.service.gate.operator_acts import OperatorActs
    from fairgate.service.gate.rotate_keys import SecretDocument

RUN_FILE = Path(".run/local.json")
BRAND_FILE = "brand.toml"  # beside it
_RUN_FILE_NAMES = {"kvs_arn", "public_url", "region", "secrets_dir", "tables"}
LOCAL_LEAD_S = 1.0  # the local store shows a change at once
_INVOKED_S = 35  # longer than a function may take
_NO_PARAMETER = "ParameterNotFound"
_NO_SECRET = "ResourceNotFoundException"  # noqa: S105 an error of AWS
_NOT_THERE = "InvalidParameterException"  # a label that is not at the version that was named
_CURRENT = "AWSCURRENT"
_FORMAT_UNSAID = 3  # the format of deployments that do not say which they read


def local_operator() -> str:
    """Who sits at this machine, as far as it knows."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # no such user, as in some containers; OSError from Python 3.13
        user = f"uid {os.getuid()}"
    return f"{user}@{platform.node() or 'here'}"


@dataclass(frozen=True)
class QueueUrls:
    """A queue, and where its messages go that were tried too often."""

    url: str
    dead: str


def _no_queues() -> dict[str, QueueUrls]:
    return {}


@dataclass(frozen=True)
class Target:
    """Everything that commands reach; nothing of it is connected before it is used.

    ``who`` names the operator for the log: the caller's ARN in AWS.
    """

    name: str
    world: Container
    secret: Callable[[SecretName], SecretDocument]
    dynamodb: Callable[[], Any]
    lead_s: float
    who: Callable[[], str] = local_operator
    sqs: Callable[[], Any] = lambda: None
    queues: Callable[[], Mapping[str, QueueUrls]] = _no_queues
    functions: Callable[[], Any] = lambda: None
    rebuilder: str | None = None  # the function beside the cache; None: the cache is in reach
    # The newest format of a gate's value that all of the system reads.
    gate_format: Callable[[], int] = lambda: VERSION
    clock_ahead_s: int = 0  # of this machine, and made up for
    limits: Mapping[str, int] | None = None  # api_rate and payments_per_s; None: not told
    backup_days: int | None = None  # for so long a daily backup is kept; None: not told
    # AWS's client of a service, in a region or else in the deployment's; None: there is no AWS.
    aws: Callable[[str, str | None], Any] | None = None
    logs: Path | None = None  # of the local run
    brand: Callable[[], str] = lambda: ""  # the stage's, TOML; "": none
    mail_queue: Callable[[], MailQueue] | None = None  # None: that of ``queues``
    # Of the ticketer; None: that of ``queues``.
    ticket_queue: Callable[[], TicketQueue] | None = None
    # Who asked for it first, where another one confirmed it: ``asked_by`` and ``request``.
    asked: Mapping[str, str] = field(default_factory=dict)
    parts_max: int | None = None  # of a ledger, in one answer; None: all
    sends_refunds: bool = True  # False: the sweeper does, which has the provider's key

    @property
    def payments(self) -> Payments | None:
        return self.world.payments if self.sends_refunds else None

    def control(self, *, dry_run: bool = False) -> GateControl:
        from fairgate.adapters.aws.keyvaluestore import wait_with_jitter
        from fairgate.service.gate.control_gate import GateControl

        return GateControl(
            self.world.gate_values, self.world.clock, wait_with_jitter, dry_run=dry_run
        )

    def creator(
        self, *, dry_run: bool = False, written: Callable[[int], None] = lambda _count: None
    ) -> EventCreator:
        """``written`` hears how many seats and counters each batch brought."""
        from fairgate.adapters.aws.keyvaluestore import wait_with_jitter
        from fairgate.adapters.dynamodb.client import table_names
        from fairgate.adapters.dynamodb.guarded_writer import GuardedWriter
        from fairgate.service.catalog.create_event import EventCreator

        names = table_names(self.world.settings)
        return EventCreator(
            table=self.world.table,
            values=self.world.gate_values,
            writer=partial(GuardedWriter, self.world.table, self.dynamodb, names, written=written),
            layouts=self.world.layouts,
            clock=self.world.clock,
            secrets=self.world.secrets,
            who=self.who,
            token_bytes=secrets.token_bytes,
            wait=wait_with_jitter,
            deployed=self.gate_format(),
            dry_run=dry_run,
        )

    def acts(self, *, dry_run: bool = False) -> OperatorActs:
        from fairgate.service.gate.operator_acts import OperatorActs

        gates = self.control(dry_run=dry_run)
        return OperatorActs(self.world.table, self.world.clock, gates, self.who)


@dataclass(frozen=True)
class SecretFile:
    """One secret of the local run."""

    folder: Path
    name: SecretName

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.json"

    def read(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def write(self, before: str, after: str) -> None:
        refuse_when_changed(self.read(), before)
        draft = self.path.with_name(f".{self.path.name}-{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(after)
        draft.replace(self.path)


@dataclass(frozen=True)
class ManagedSecret:
    """One secret of the deployment, in Secrets Manager.

    A put that moves AWSCURRENT replaces whatever is there. So a new version is put beside it under
    a label of its own, and AWSCURRENT is moved to it from the version that was compared: the
    service refuses that when somebody else has moved it meanwhile.

    Source: AWS Secrets Manager API Reference, UpdateSecretVersionStage, RemoveFromVersionId: where
        the label is attached to another version, the operation fails.
    """

    client: Callable[[], Any]
    secret_id: str

    def read(self) -> str:
        return str(self._current()["SecretString"])

    def write(self, before: str, after: str) -> None:
        current = self._current()
        refuse_when_changed(str(current["SecretString"]), before)
        version = str(uuid4())
        label = f"fairgate-{version}"
        self.client().put_secret_value(
            SecretId=self.secret_id,
            ClientRequestToken=version,
            SecretString=after,
            VersionStages=[label],
        )
        try:
            self._move_current(current["VersionId"], version)
        finally:
            # A version without a label is the service's to delete. What is left over by one who
            # broke off here hurts nobody.
            self.client().update_secret_version_stage(
                SecretId=self.secret_id, VersionStage=label, RemoveFromVersionId=version
            )

    def _current(self) -> dict[str, Any]:
        """Raises NotFoundError: the deployment is of a version that had fewer secrets."""
        from botocore.exceptions import ClientError

        try:
            answer: dict[str, Any] = self.client().get_secret_value(
                SecretId=self.secret_id, VersionStage=_CURRENT
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != _NO_SECRET:
                raise
            raise NotFoundError(
                f"There is no secret {self.secret_id}. Deploy the stack Data of this version first"
                " (docs/deploying.md, Upgrading)."
            ) from error
        return answer

    def _move_current(self, before: str, after: str) -> None:
        """Raises VersionConflictError when another version than ``before`` is current."""
        from botocore.exceptions import ClientError

        try:
            self.client().update_secret_version_stage(
                SecretId=self.secret_id,
                VersionStage=_CURRENT,
                MoveToVersionId=after,
                RemoveFromVersionId=before,
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != _NOT_THERE:
                raise
            # An answer that was lost is asked for again, and by then the label has moved.
            now = self._current()["VersionId"]
            refuse_when_changed(str(now), after)


def target_of(options: argparse.Namespace) -> Target:
    """Raises NotFoundError when there is no such system, with what to do."""
    if options.target == "aws":
        return _aws(options.stage, options.region)
    return _local(Path(options.run_file) if options.run_file else _nearest_run_file())


def _nearest_run_file() -> Path:
    """The nearest ``.run/local.json``, here or above."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / RUN_FILE).is_file():
            return folder / RUN_FILE
    raise NotFoundError(
        "No local system is running here: there is no .run/local.json in this folder or above."
        " Start one with `make up`, or work in AWS with --target aws."
    )


def _local(path: Path) -> Target:
    config = _run_file(path)
    keys = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "local")
    clients = AwsClients(endpoint_url=config.get("dynamodb_endpoint"), **keys)
    client = partial(clients.client, "dynamodb", str(config["region"]))
    secret = partial(SecretFile, Path(config["secrets_dir"]))
    return Target(
        "local",
        _world(config, client, secret),
        secret,
        client,
        LOCAL_LEAD_S,
        sqs=partial(clients.client, "sqs", str(config["region"])),
        queues=lambda: {
            name: QueueUrls(url, f"{url}-dead") for name, url in config["queues"].items()
        },
        gate_format=lambda: int(config.get("gate_format", _FORMAT_UNSAID)),
        logs=Path(config["logs_dir"]) if "logs_dir" in config else None,
        brand=partial(_brand_beside, path),
    )


def _brand_beside(run_file: Path) -> str:
    """Return the brand of this machine. Raises MalformedInputError."""
    try:
        return run_file.with_name(BRAND_FILE).read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedInputError(f"{BRAND_FILE} beside {run_file} cannot be read.") from error


def _run_file(path: Path) -> dict[str, Any]:
    """What `make up` wrote. Raises NotFoundError, MalformedInputError."""
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotFoundError(
            f"{path} cannot be read ({error.strerror}). Is `make up` running?"
        ) from error
    except ValueError as error:
        raise MalformedInputError(f"{path} is not JSON. Start `make up` again.") from error
    if not isinstance(config, dict) or not config.keys() >= _RUN_FILE_NAMES:
        raise MalformedInputError(f"{path} is not what `make up` writes. Start it again.")
    return config


def _aws(stage: str, region: str | None) -> Target:
    from botocore.exceptions import ClientError

    from fairgate.adapters.system import SystemClock

    name = f"/fairgate/{stage}/operator"
    clients = AwsClients()
    try:
        parameter = clients.client("ssm", region).get_parameter(Name=name)
    except ClientError as error:
        if error.response["Error"]["Code"] != _NO_PARAMETER:
            raise
        raise NotFoundError(
            f"There is no deployment “{stage}” in this account and region (no parameter {name})."
            " Name it with --stage and --region."
        ) from error
    clock = SystemClock()
    ahead_ms = ahead_ms_of(parameter, clock.now_ms())
    config = json.loads(parameter["Parameter"]["Value"])
    at = str(config["region"])
    client = partial(clients.client, "dynamodb", at)
    keeper = partial(clients.client, "secretsmanager", at)

    def secret(named: SecretName) -> ManagedSecret:
        return ManagedSecret(keeper, f"fairgate/{stage}/{named}")

    return Target(
        "aws",
        _world(config, client, secret, CorrectedClock(clock, ahead_ms)),
        secret,
        client,
        LEAD_S,
        who=lambda: str(clients.client("sts", at).get_caller_identity()["Arn"]),
        sqs=partial(clients.client, "sqs", at),
        queues=lambda: _queues_of(clients, stage, at),
        functions=partial(clients.client, "lambda", at, read_s=_INVOKED_S),
        rebuilder=str(config.get("rebuilder", f"fairgate-{stage}-invalidator")),
        gate_format=partial(_gate_format_of, clients, stage, at),
        clock_ahead_s=round(ahead_ms / 1000),
        limits=config.get("limits"),
        backup_days=config.get("backup_days"),
        aws=lambda service, where: clients.client(service, where or at),
        brand=partial(_brand_of, clients, stage, at),
    )


def _brand_of(clients: AwsClients, stage: str, region: str) -> str:
    """Return the stage's brand; "" where it was deployed without one."""
    from botocore.exceptions import ClientError

    try:
        parameter = clients.client("ssm", region).get_parameter(Name=f"/fairgate/{stage}/brand")
    except ClientError as error:
        if error.response["Error"]["Code"] != _NO_PARAMETER:
            raise
        return ""
    return str(parameter["Parameter"]["Value"])


def _gate_format_of(clients: AwsClients, stage: str, region: str) -> int:
    from botocore.exceptions import ClientError

    try:
        parameter = clients.client("ssm", region).get_parameter(
            Name=f"/fairgate/{stage}/gate-format"
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != _NO_PARAMETER:
            raise
        return _FORMAT_UNSAID
    return int(parameter["Parameter"]["Value"])


def _queues_of(clients: AwsClients, stage: str, region: str) -> dict[str, QueueUrls]:
    parameter = clients.client("ssm", region).get_parameter(Name=f"/fairgate/{stage}/queues")
    document = json.loads(parameter["Parameter"]["Value"])
    return {name: QueueUrls(**urls) for name, urls in document.items()}


def _world(
    config: dict[str, Any],
    client: Callable[..., Any],
    secret: Callable[[SecretName], SecretDocument],
    clock: Clock | None = None,
) -> Container:
    from fairgate import settings
    from fairgate.adapters.aws.secrets import CachedSecrets
    from fairgate.adapters.dynamodb.client import DynamoTable, table_names
    from fairgate.adapters.system import SystemClock
    from fairgate.bootstrap import Container

    run_settings = settings.from_environment(
        {
            settings.SEATS_TABLE: config["tables"]["seats"],
            settings.RESERVATIONS_TABLE: config["tables"]["reservations"],
            settings.CATALOG_TABLE: config["tables"]["catalog"],
            settings.KVS_ARN: config["kvs_arn"],
            settings.KVS_ENDPOINT: config.get("kvs_endpoint", ""),
            settings.LAYOUTS_BUCKET: config.get("layouts_bucket", ""),
            settings.LAYOUTS_DIR: config.get("layouts_dir", ""),
            settings.PAYMENTS_PROVIDER: config.get("payments_provider", ""),
            settings.PAYMENTS_URL: config.get("payments_url", ""),
            settings.PUBLIC_URL: config["public_url"],
            settings.VALKEY_URL: config.get("valkey_url", ""),
            settings.REHEARSAL_BUYERS: str(config.get("rehearsal_buyers", 0)),
        }
    )
    # The adapters of the functions take their region from Lambda's environment; these from here.
    clock = clock or SystemClock()
    return Container(
        run_settings,
        clock=clock,
        # It tries again by itself: a client that did so too would multiply the wait.
        table=DynamoTable(partial(client, attempts=1), table_names(run_settings)),
        secrets=CachedSecrets(lambda name: secret(name).read(), clock),
    )
