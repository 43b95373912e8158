"""What the local system's processes are told, and what it tells the operator's tools.

Every AWS client of the local run gets explicit loopback endpoints and dummy credentials; no
configuration file, profile or metadata service of the machine is consulted, so nothing can reach
a real account.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairgate import settings
from fairgate.domain.gate.gate_config import VERSION
from fairgate_ops.run.local.identity_provider import CLAIMS, CLIENT_ID, issuer_of
from fairgate_ops.run.local.kvs_fake import LOCAL_ARN
from fairgate_ops.run.local.valkey_server import functions_url
from fairgate_ops.shared.paths import ROOT

REGION = "eu-central-1"
ACCOUNT = "000000000000"
TABLES = {name: f"fairgate-local-{name}" for name in ("seats", "reservations", "catalog")}
QUEUES = {
    name: f"fairgate-local-{name}"
    for name in ("invalidations", "tickets", "mails", "expiry", "jobs")
}
# The most of one rehearsal, each core for so many; measured in docs/organising.md.
REHEARSAL_BUYERS = min(2_000, 500 * (os.cpu_count() or 1))
JOB_FILES = "fairgate-local-job-files"  # the bucket
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")  # of the caller's environment


@dataclass(frozen=True)
class Ports:
    """Where each part listens on 127.0.0.1."""

    public: int
    api: int
    dynamodb: int
    valkey: int
    kvs: int
    idp: int
    sandbox: int
    shares: Mapping[str, int] = field(
        default_factory=dict
    )  # the API host's, each for calls of one kind alone


@dataclass(frozen=True)
class Place:
    """The run's folder and everything in it."""

    run_dir: Path

    @property
    def logs(self) -> Path:
        return self.run_dir / "logs"

    @property
    def kvs(self) -> Path:
        return self.run_dir / "kvs"

    @property
    def layouts(self) -> Path:
        return self.run_dir / "layouts"

    @property
    def mail(self) -> Path:
        return self.run_dir / "mail"

    @property
    def edge(self) -> Path:
        return self.run_dir / "edge"

    @property
    def pages(self) -> Path:
        return self.edge / "web"

    @property
    def secrets(self) -> Path:
        return self.run_dir / "secrets"

    @property
    def front_door(self) -> Path:
        return self.run_dir / "front-door"

    @property
    def config(self) -> Path:
        return self.run_dir / "local.json"


def loopback(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def base_environment() -> dict[str, str]:
    """The caller's PATH and little more, so that no AWS variable of a shell gets in."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    paths = [ROOT / part for part in ("build/fonts", "layers/core/python", "ops", "lab", "")]
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(str(path) for path in paths),
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": "ignore",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "POWERTOOLS_SERVICE_NAME": "fairgate",
        "POWERTOOLS_METRICS_NAMESPACE": "Fairgate",
        "POWERTOOLS_LOG_LEVEL": "WARNING",
    }


def function_environment(ports: Ports, place: Place, queue_urls: dict[str, str]) -> dict[str, str]:
    """What Lambda's configuration says to every function, here for all of them at once."""
    engine = loopback(ports.dynamodb)
    return {
        **base_environment(),
        "AWS_ENDPOINT_URL": engine,  # whatever else is asked for stays on this machine, too
        "AWS_ENDPOINT_URL_DYNAMODB": engine,
        "AWS_ENDPOINT_URL_SQS": engine,
        settings.STAGE: "local",
        settings.SEATS_TABLE: TABLES["seats"],
        settings.RESERVATIONS_TABLE: TABLES["reservations"],
        settings.CATALOG_TABLE: TABLES["catalog"],
        settings.SECRETS_DIR: str(place.secrets),
        settings.FRONT_DOOR_FILE: str(place.front_door),
        settings.VALKEY_URL: functions_url(ports.valkey),
        settings.KVS_ARN: LOCAL_ARN,
        settings.KVS_ENDPOINT: loopback(ports.kvs),
        settings.EXPIRY_QUEUE_URL: queue_urls["expiry"],
        settings.MAIL_QUEUE_URL: queue_urls["mails"],
        settings.TICKETS_QUEUE_URL: queue_urls["tickets"],
        settings.JOBS_QUEUE_URL: queue_urls["jobs"],
        settings.JOB_FILES_BUCKET: JOB_FILES,
        settings.LOGS_DIR: str(place.logs),
        settings.LAYOUTS_DIR: str(place.layouts),
        settings.PAGES_DIR: str(place.pages),
        settings.MAIL_DIR: str(place.mail),
        settings.MAIL_SENDER: "tickets@fairgate.example",
        settings.PAYMENTS_PROVIDER: "sandbox",
        settings.PAYMENTS_URL: loopback(ports.sandbox),
        settings.PUBLIC_URL: loopback(ports.public),
        settings.OIDC_ISSUER: issuer_of(loopback(ports.public)),
        settings.OIDC_CLIENT_ID: CLIENT_ID,
        settings.OIDC_AUDIENCE: CLIENT_ID,
        settings.OIDC_TOKEN_URL: f"{loopback(ports.idp)}/idp/token",
        settings.OIDC_JWKS_URL: f"{loopback(ports.idp)}/idp/jwks.json",
        settings.ACCOUNT_CREATED_CLAIM: CLAIMS.created,
        settings.PHONE_CLAIM: CLAIMS.phone,
        settings.MEMBERSHIP_CLAIM: CLAIMS.membership,
        settings.REHEARSAL_BUYERS: str(REHEARSAL_BUYERS),
    }


def operator_config(ports: Ports, place: Place, queue_urls: dict[str, str]) -> dict[str, Any]:
    """``local.json``: where the operator's tools and the checker find this run."""
    return {
        "dynamodb_endpoint": loopback(ports.dynamodb),
        "kvs_endpoint": loopback(ports.kvs),
        "kvs_arn": LOCAL_ARN,
        "tables": TABLES,
        "layouts_dir": str(place.layouts),
        "secrets_dir": str(place.secrets),
        "region": REGION,
        "public_url": loopback(ports.public),
        "sandbox_url": f"{loopback(ports.sandbox)}/sandbox",
        "payments_provider": "sandbox",
        "payments_url": loopback(ports.sandbox),
        "valkey_url": f"valkey://127.0.0.1:{ports.valkey}",
        "queues": queue_urls,
        "logs_dir": str(place.logs),
        "mail_dir": str(place.mail),
        "pid": os.getpid(),
        "gate_format": VERSION,
        "rehearsal_buyers": REHEARSAL_BUYERS,
    }


def python_module(name: str, *arguments: str) -> list[str]:
    """The command that runs a module of this project with this interpreter."""
    return [sys.executable, "-m", name, *arguments]
