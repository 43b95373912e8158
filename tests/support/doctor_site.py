"""What the doctor looks at in tests: the world's sale, AWS as a test has it, a web of answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from fairgate import settings
from fairgate.bootstrap import Container
from fairgate.domain.shared.jws import b64url
from fairgate_ops.operate.capacity.inputs import read_inputs
from fairgate_ops.operate.capacity.plan import needs
from fairgate_ops.operate.doctor.finding import Finding
from fairgate_ops.operate.doctor.site import Answer, Site, UnreachableError
from fairgate_ops.operate.target import SecretFile, Target
from fairgate_ops.shared.secret_file import write_secret_files
from tests.support.aws_stub import AwsStub
from tests.support.world import NAMES, World

STAGE = "prod"
CROWD = 10_000_000
TOPICS = {
    level: f"arn:aws:sns:eu-central-1:000000000000:fairgate-prod-alarms-{level}"
    for level in ("critical", "warning")
}
DEPLOYED = {
    "topics": TOPICS,
    "cache": "fairgate-prod-availability",
    "mail_sender": "tickets@example.org",
    "oidc_jwks_url": "https://idp.example.org/jwks.json",
}
KEYS: dict[str, Any] = {
    "auth": {"1": b64url(b"a" * 32)},
    "auth_kid": "1",
    "session": {"1": b64url(b"s" * 32)},
    "session_kid": "1",
    "webhook": b64url(b"w" * 32),
    "ticket": b64url(b"t" * 32),
    "links": b64url(b"l" * 32),
    "addresses": b64url(b"m" * 32),
}
# An RSA key that signs nothing: as an identity provider publishes it.
MODULUS = b64url(bytes([0xC1, *range(1, 255), 0xC1]))
PROVIDER_KEYS = json.dumps(
    {"keys": [{"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256", "n": MODULUS, "e": "AQAB"}]}
)
# What the pages are told, and what the provider says of itself.
ISSUER = "https://id.example.org/idp"
TOLD = json.dumps({"identity": {"issuer": ISSUER}})
DESCRIBED = json.dumps({"issuer": ISSUER, "id_token_signing_alg_values_supported": ["RS256"]})
URL = "https://tickets.example.org"


class Web:
    """Answers by the end of an address; nobody is at the others."""

    def __init__(self, answers: Mapping[str, tuple[int, str]]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str, bytes | None, str]] = []

    def __call__(
        self, url: str, *, method: str = "GET", body: bytes | None = None, bearer: str = ""
    ) -> Answer:
        self.asked.append((method, url, body, bearer))
        for end, (status, text) in self.answers.items():
            if url.endswith(end):
                return Answer(status, text.encode())
        raise UnreachableError(f"{url} does not answer")


OTHER = "after"


def put_other(world: World, **changes: Any) -> None:
    """Write a second event into the catalogue, OTHER."""
    world.put(msgspec.structs.replace(world.event, sk=OTHER, **changes))


def site_of(
    world: World,
    folder: Path,
    aws: AwsStub | None = None,
    web: Web | None = None,
    *,
    deployed: Mapping[str, Any] | None = None,
    keys: Mapping[str, Any] = KEYS,
    provider: str = "stripe",
    **changes: Any,
) -> Site:
    """A site whose parameter says ``deployed``; without ``aws`` it is this machine's."""
    write_secret_files(folder / "secrets", keys)
    target = Target(
        "aws" if aws else "local",
        _container(world, provider),
        partial(SecretFile, folder / "secrets"),
        lambda: world.client,
        1.0,
        clock_ahead_s=changes.pop("ahead_s", 0),
        aws=aws.client if aws else None,
    )
    if aws is not None and deployed is not None:
        value = {"Parameter": {"Value": json.dumps(deployed)}}
        aws.answer("ssm", "get_parameter", value, Name="/fairgate/prod/deployed")
    return Site(
        target=target,
        stage=STAGE if aws else "",
        client=aws.client if aws else None,
        needs=needs(read_inputs().for_crowd(CROWD)),
        fetch=web or Web({}),
        **changes,
    )


def states(findings: list[Finding]) -> dict[str, str]:
    return {one.subject: one.state for one in findings}


def only(check: Callable[[Site], Any], site: Site) -> Finding:
    finding: Finding
    (finding,) = check(site)
    return finding


def _container(world: World, provider: str) -> Container:
    return Container(
        settings.from_environment(
            {
                settings.PUBLIC_URL: URL,
                settings.PAYMENTS_PROVIDER: provider,
                settings.SEATS_TABLE: NAMES["seats"],
                settings.RESERVATIONS_TABLE: NAMES["reservations"],
                settings.CATALOG_TABLE: NAMES["catalog"],
            }
        ),
        clock=world.clock,
        table=world.table,
        secrets=world.secrets,
        edge_config=world.edge_config,
    )
