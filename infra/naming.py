"""Names that are chosen, not generated: those that people and tools look for."""

from __future__ import annotations


def name(stage: str, what: str) -> str:
    """``fairgate-prod-seats``: the same scheme as the local system's names."""
    return f"fairgate-{stage}-{what}"


CACHE = "availability"
CACHE_USER = "functions"  # as whom the functions sign in at the cache
PREWARM = "prewarm"  # the schedules' group, and the role as which they call AWS
BACKUPS = "backups"  # the vault and its plan
LIVE = "live"  # the alias by which every function is called


def live(stage: str, function: str) -> str:
    """Name a function with its alias, as Lambda's API takes it."""
    return f"{name(stage, function)}:{LIVE}"


def metrics_namespace(stage: str) -> str:
    """Stages in one account keep their figures, and so their alarms, apart."""
    return f"Fairgate/{stage}"


def secrets_prefix(stage: str) -> str:
    """How the names of the stage's secrets begin; ``fairgate.ports.world.SecretName`` ends them."""
    return f"fairgate/{stage}/"


def operator_parameter(stage: str) -> str:
    """The SSM parameter in which the operator's tools find a deployment."""
    return f"/fairgate/{stage}/operator"


def queues_parameter(stage: str) -> str:
    """The SSM parameter that names each queue and its dead letters."""
    return f"/fairgate/{stage}/queues"


def stream_parameter(stage: str, table: str) -> str:
    """The SSM parameter with the ARN of a table's stream, which no name tells."""
    return f"/fairgate/{stage}/streams/{table}"


def prewarm_parameter(stage: str) -> str:
    """The SSM parameter that says what can be made ready ahead of the sale start, and as whom."""
    return f"/fairgate/{stage}/prewarm"


def sign_in_parameter(stage: str, what: str) -> str:
    """The SSM parameter with one thing of the user pool: ``pool``, ``domain`` or ``client``."""
    return f"/fairgate/{stage}/sign-in/{what}"


def brand_parameter(stage: str) -> str:
    """The SSM parameter with the brand of events whose organiser says nothing of it."""
    return f"/fairgate/{stage}/brand"


def gate_format_parameter(stage: str) -> str:
    """The SSM parameter that says which format of a gate's value all of the deployment reads."""
    return f"/fairgate/{stage}/gate-format"


def deployed_parameter(stage: str) -> str:
    """The SSM parameter with what was asked for, which `fairgate doctor` compares with what is."""
    return f"/fairgate/{stage}/deployed"


def pascal(text: str) -> str:
    """A construct id: ``best-available`` becomes ``BestAvailable``."""
    return "".join(part.capitalize() for part in text.replace("_", "-").split("-"))


# Tables of the API's log (infra/stacks/api_logs.py), each with a delivery stream.
API_LOG_TABLES = ("api_requests", "admissions")


def delivery_name(stage: str, table: str) -> str:
    return name(stage, f"api-logs-{table.replace('_', '-')}")


def access_logs(stage: str, distribution: str) -> str:
    """The stack, and the workgroup, of the log of a distribution's requests."""
    return name(stage, f"access-logs-{distribution.lower()}")


def api_logs(stage: str) -> str:
    """The stack, and the workgroup, of the API's log."""
    return name(stage, "api-logs")


def log_reader(workgroup: str, region: str) -> str:
    """The role as which functions ask a workgroup; IAM has one name for all regions."""
    return f"{workgroup}-{region}"
