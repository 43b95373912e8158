"""Read ``os.environ``, here only. Infra sets these names from the same constants."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

STAGE = "FAIRGATE_STAGE"
SEATS_TABLE = "FAIRGATE_SEATS_TABLE"
RESERVATIONS_TABLE = "FAIRGATE_RESERVATIONS_TABLE"
CATALOG_TABLE = "FAIRGATE_CATALOG_TABLE"
SECRETS = "FAIRGATE_SECRETS"  # how the names of the deployment's secrets begin
SECRETS_DIR = "FAIRGATE_SECRETS_DIR"  # local run: a folder of files instead of Secrets Manager
FRONT_DOOR_SECRET_ID = "FAIRGATE_FRONT_DOOR_SECRET_ID"  # noqa: S105 the secret's name
FRONT_DOOR_FILE = "FAIRGATE_FRONT_DOOR_FILE"  # local run: a file instead of it
VALKEY_URL = "FAIRGATE_VALKEY_URL"
TABLE_READS_PER_S = "FAIRGATE_TABLE_READS_PER_S"  # one environment's share, the cache gone
FIREWALL = "FAIRGATE_FIREWALL"  # "on": one stands before the distribution, and labels addresses
SECOND_PERSON = "FAIRGATE_SECOND_PERSON"  # "on": some acts of operators need two people
REHEARSAL_BUYERS = "FAIRGATE_REHEARSAL_BUYERS"  # the most of one rehearsal; unset: there are none
KVS_ARN = "FAIRGATE_KVS_ARN"
KVS_ENDPOINT = "FAIRGATE_KVS_ENDPOINT"
EXPIRY_QUEUE_URL = "FAIRGATE_EXPIRY_QUEUE_URL"
MAIL_QUEUE_URL = "FAIRGATE_MAIL_QUEUE_URL"
TICKETS_QUEUE_URL = "FAIRGATE_TICKETS_QUEUE_URL"
JOBS_QUEUE_URL = "FAIRGATE_JOBS_QUEUE_URL"
JOB_FILES_BUCKET = "FAIRGATE_JOB_FILES_BUCKET"
LOG_WORKGROUPS = "FAIRGATE_LOG_WORKGROUPS"  # "name region role" of each, between commas
LOGS_DIR = "FAIRGATE_LOGS_DIR"  # local run: a folder instead of them
LAYOUTS_BUCKET = "FAIRGATE_LAYOUTS_BUCKET"
LAYOUTS_DIR = "FAIRGATE_LAYOUTS_DIR"  # local run: a folder instead of the bucket
PAGES_BUCKET = "FAIRGATE_PAGES_BUCKET"
PAGES_DIR = "FAIRGATE_PAGES_DIR"  # local run: a folder instead of the bucket
MAIL_DIR = "FAIRGATE_MAIL_DIR"  # local run: files instead of mail
MAIL_SENDER = "FAIRGATE_MAIL_SENDER"
PAYMENTS_URL = "FAIRGATE_PAYMENTS_URL"
PAYMENTS_PROVIDER = "FAIRGATE_PAYMENTS_PROVIDER"
PAYMENTS_PER_S = "FAIRGATE_PAYMENTS_PER_S"
EVENT_HOLDS_PER_S = "FAIRGATE_EVENT_HOLDS_PER_S"
EVENT_ADMISSIONS_PER_S = "FAIRGATE_EVENT_ADMISSIONS_PER_S"
PAYMENT_PROVIDERS = ("sandbox", "stripe")
CONSOLE = "console"  # the operators' page, below the site's first
PUBLIC_URL = "FAIRGATE_PUBLIC_URL"
OIDC_ISSUER = "FAIRGATE_OIDC_ISSUER"
OIDC_CLIENT_ID = "FAIRGATE_OIDC_CLIENT_ID"
OIDC_AUDIENCE = "FAIRGATE_OIDC_AUDIENCE"
OIDC_TOKEN_URL = "FAIRGATE_OIDC_TOKEN_URL"  # noqa: S105 an address
OIDC_JWKS_URL = "FAIRGATE_OIDC_JWKS_URL"
ACCOUNT_CREATED_CLAIM = "FAIRGATE_ACCOUNT_CREATED_CLAIM"
PHONE_CLAIM = "FAIRGATE_PHONE_CLAIM"
MEMBERSHIP_CLAIM = "FAIRGATE_MEMBERSHIP_CLAIM"
CANARY_EVENT = "FAIRGATE_CANARY_EVENT"  # where the canary goes a buyer's way
SIGN_IN_FUNCTION = "FAIRGATE_SIGN_IN_FUNCTION"  # which signs the canary in
EDGE_DISTRIBUTION = "FAIRGATE_EDGE_DISTRIBUTION"  # whose alarms are read; unset: none are
BRAND_PARAMETER = "FAIRGATE_BRAND_PARAMETER"  # of SSM, with the stage's brand
TIMEOUT_S = "FAIRGATE_TIMEOUT_S"  # after which Lambda ends the function
LOG_STREAM = "AWS_LAMBDA_LOG_STREAM_NAME"  # each environment has one of its own
SERVICE = "POWERTOOLS_SERVICE_NAME"  # the function, as logs and metrics name it
METRICS_NAMESPACE = "POWERTOOLS_METRICS_NAMESPACE"


class AccountClaims(NamedTuple):
    """The claims of identity tokens that say more about an account; "": the provider has none."""

    created: str = ""
    phone: str = ""
    membership: str = ""


class Settings(NamedTuple):  # not a Struct: the authorizer does without msgspec
    """A function's environment. Empty strings mean: not for this function."""

    stage: str
    seats_table: str
    reservations_table: str
    catalog_table: str
    secrets: str
    secrets_dir: str
    front_door_secret_id: str
    front_door_file: str
    valkey_url: str
    table_reads_per_s: int
    firewall: bool
    second_person: bool
    rehearsal_buyers: int  # the most simulated buyers of one rehearsal; 0: nothing is rehearsed
    kvs_arn: str
    kvs_endpoint: str
    expiry_queue_url: str
    mail_queue_url: str
    tickets_queue_url: str
    jobs_queue_url: str
    job_files_bucket: str
    log_workgroups: str
    logs_dir: str
    layouts_bucket: str
    layouts_dir: str
    pages_bucket: str
    pages_dir: str
    mail_dir: str
    mail_sender: str
    payments_url: str
    payments_provider: str  # of PAYMENT_PROVIDERS; no default, as the wrong one takes no money
    payments_per_s: int  # checkouts that the provider takes a second; 0: any number
    event_holds_per_s: int  # the most that one event gets of the stage; 0: any number
    event_admissions_per_s: int
    public_url: str
    oidc_issuer: str
    oidc_client_id: str
    oidc_audience: str
    oidc_token_url: str
    oidc_jwks_url: str
    account_claims: AccountClaims
    canary_event: str
    sign_in_function: str
    brand_parameter: str
    edge_distribution: str
    environment: str
    service: str
    metrics_namespace: str

    @property
    def sends_mail(self) -> bool:
        """Say whether mail is sent, or written to files on one machine."""
        return bool(self.mail_sender or self.mail_dir)


def signed_in_uri(public_url: str) -> str:
    """Return the address to which the identity provider sends buyers back.

    The provider, the page and the function need exactly the same text.
    """
    return f"{public_url}/"


def signed_in_uris(public_url: str) -> tuple[str, ...]:
    """Return every address to which the provider may send somebody back, the buyers' first."""
    first = signed_in_uri(public_url)
    return first, f"{first}{CONSOLE}"


class SettingsError(Exception):
    """A setting is missing or invalid."""


def from_environment(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings. Raises SettingsError for an unknown payment provider."""
    env = os.environ if environ is None else environ
    return Settings(
        stage=env.get(STAGE, "local"),
        seats_table=env.get(SEATS_TABLE, "fairgate-local-seats"),
        reservations_table=env.get(RESERVATIONS_TABLE, "fairgate-local-reservations"),
        catalog_table=env.get(CATALOG_TABLE, "fairgate-local-catalog"),
        secrets=env.get(SECRETS, ""),
        secrets_dir=env.get(SECRETS_DIR, ""),
        front_door_secret_id=env.get(FRONT_DOOR_SECRET_ID, ""),
        front_door_file=env.get(FRONT_DOOR_FILE, ""),
        valkey_url=env.get(VALKEY_URL, ""),
        table_reads_per_s=int(env.get(TABLE_READS_PER_S, "50")),
        firewall=env.get(FIREWALL) == "on",
        second_person=env.get(SECOND_PERSON) == "on",
        rehearsal_buyers=int(env.get(REHEARSAL_BUYERS, "0")),
        kvs_arn=env.get(KVS_ARN, ""),
        kvs_endpoint=env.get(KVS_ENDPOINT, ""),
        expiry_queue_url=env.get(EXPIRY_QUEUE_URL, ""),
        mail_queue_url=env.get(MAIL_QUEUE_URL, ""),
        tickets_queue_url=env.get(TICKETS_QUEUE_URL, ""),
        jobs_queue_url=env.get(JOBS_QUEUE_URL, ""),
        job_files_bucket=env.get(JOB_FILES_BUCKET, ""),
        log_workgroups=env.get(LOG_WORKGROUPS, ""),
        logs_dir=env.get(LOGS_DIR, ""),
        layouts_bucket=env.get(LAYOUTS_BUCKET, ""),
        layouts_dir=env.get(LAYOUTS_DIR, ""),
        pages_bucket=env.get(PAGES_BUCKET, ""),
        pages_dir=env.get(PAGES_DIR, ""),
        mail_dir=env.get(MAIL_DIR, ""),
        mail_sender=env.get(MAIL_SENDER, ""),
        payments_url=env.get(PAYMENTS_URL, ""),
        payments_provider=_provider(env.get(PAYMENTS_PROVIDER, "")),
        payments_per_s=int(env.get(PAYMENTS_PER_S, "0")),
        event_holds_per_s=int(env.get(EVENT_HOLDS_PER_S, "0")),
        event_admissions_per_s=int(env.get(EVENT_ADMISSIONS_PER_S, "0")),
        public_url=env.get(PUBLIC_URL, "http://127.0.0.1:8080"),
        oidc_issuer=env.get(OIDC_ISSUER, ""),
        oidc_client_id=env.get(OIDC_CLIENT_ID, ""),
        oidc_audience=env.get(OIDC_AUDIENCE, ""),
        oidc_token_url=env.get(OIDC_TOKEN_URL, ""),
        oidc_jwks_url=env.get(OIDC_JWKS_URL, ""),
        account_claims=AccountClaims(
            env.get(ACCOUNT_CREATED_CLAIM, ""),
            env.get(PHONE_CLAIM, ""),
            env.get(MEMBERSHIP_CLAIM, ""),
        ),
        canary_event=env.get(CANARY_EVENT, ""),
        sign_in_function=env.get(SIGN_IN_FUNCTION, ""),
        brand_parameter=env.get(BRAND_PARAMETER, ""),
        edge_distribution=env.get(EDGE_DISTRIBUTION, ""),
        environment=env.get(LOG_STREAM, ""),
        service=env.get(SERVICE, "local"),
        metrics_namespace=env.get(METRICS_NAMESPACE, "Fairgate"),
    )


@cache
def function_timeout_s() -> float:
    """Return the function's timeout in seconds; infinite if unset."""
    return float(os.environ.get(TIMEOUT_S, math.inf))


def service_name() -> str:
    """Return the function's name in logs."""
    return os.environ.get(SERVICE, "local")


def _provider(name: str) -> str:
    if name and name not in PAYMENT_PROVIDERS:
        raise SettingsError(f"{PAYMENTS_PROVIDER} is {name!r}: {_CHOICE}")
    return name


_CHOICE = f"say who takes the payments, {' or '.join(PAYMENT_PROVIDERS)}"


def payments_unset() -> SettingsError:
    return SettingsError(f"{PAYMENTS_PROVIDER} is not set: {_CHOICE}; there is no default")


# Regions whose addresses end in amazonaws.com; the SDK knows the other partitions.
_REGION = re.compile(r"(af|ap|ca|eu|il|me|mx|sa|us)(-gov)?-[a-z]+-[0-9]")
_SDK_ONLY = ("AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT", "AWS_CA_BUNDLE")


# A service's id where it is not its name. Source: botocore's service models, ``serviceId``.
_SERVICE_IDS = {"secretsmanager": "Secrets Manager"}


def endpoint_variable(service: str) -> str:
    """Return the name of the SDK's variable for a service's address.

    Source: AWS SDKs and Tools Reference Guide, "Service-specific endpoints".
    """
    name = _SERVICE_IDS.get(service, service)
    return f"AWS_ENDPOINT_URL_{name.replace(' ', '_').upper()}"


class AwsAccess:
    """The address of one AWS service, and the keys that sign requests to it.

    It is no tuple, because JSON would write the keys that ``repr`` hides.
    """

    __slots__ = ("endpoint", "key_id", "region", "secret_key", "session_token")

    def __init__(
        self, endpoint: str, region: str, key_id: str, secret_key: str, session_token: str = ""
    ) -> None:
        self.endpoint, self.region = endpoint, region  # scheme://host[:port]
        self.key_id, self.secret_key, self.session_token = key_id, secret_key, session_token

    def __repr__(self) -> str:  # no secret in a line of log
        return (
            f"AwsAccess(endpoint={self.endpoint!r}, region={self.region!r}, key_id={self.key_id!r})"
        )


def aws_access(service: str, environ: Mapping[str, str] | None = None) -> AwsAccess | None:
    """Read the address and the keys in Lambda's environment; None if only the SDK can find them.

    The SDK finds keys from a profile, a container or SnapStart, other partitions, FIPS or
    dual-stack endpoints, and a private certificate authority.
    """
    env = os.environ if environ is None else environ
    region = env.get("AWS_DEFAULT_REGION", "") or env.get("AWS_REGION", "")
    key_id, secret_key = env.get("AWS_ACCESS_KEY_ID", ""), env.get("AWS_SECRET_ACCESS_KEY", "")
    if not (key_id and secret_key and _REGION.fullmatch(region)):
        return None
    if any(env.get(name) for name in _SDK_ONLY):
        return None
    endpoint = (
        env.get(endpoint_variable(service))
        or env.get("AWS_ENDPOINT_URL")
        or f"https://{service}.{region}.amazonaws.com"
    )
    return AwsAccess(endpoint, region, key_id, secret_key, env.get("AWS_SESSION_TOKEN", ""))
