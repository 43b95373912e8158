"""Stages that are synthesised in one process, because the CDK's engine takes seconds to start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 1_500  # four syntheses: half a minute where nothing else runs
ZONES = ("euc1-az1", "euc1-az3")
PROVIDER = {
    "oidc_issuer": "https://id.example",
    "oidc_client_id": "tickets",
    "oidc_authorize_url": "https://id.example/authorize",
    "oidc_token_url": "https://id.example/token",
    "oidc_jwks_url": "https://id.example/jwks.json",
}
CERTIFICATE = "arn:aws:acm:us-east-1:111122223333:certificate/x"
# A stage of a test with what is asked of it; one that sells with every option there is; one that
# sells with Cognito, and nothing said of a provider but that.
NAGGED: dict[str, dict[str, str]] = {
    "dev": {"payments_provider": "sandbox", "sign_in": "cognito"},
    "prod": {
        "payments_provider": "stripe",
        "alarm_email": "operator@example.org",
        "api_domain": "api.tickets.example",
        "api_certificate_arn": CERTIFICATE.replace("us-east-1", "eu-central-1"),
        "budget_dollars": "1000",
        "certificate_arn": CERTIFICATE,
        "concurrency": "1000",
        "critical_alarm_email": "night@example.org",
        "domain": "tickets.example",
        "access_logs": "E1ABCDEFGHIJKL",
        "mail_sender": "tickets@example.org",
        "waf": "on",
        "warm_writes": "40000",
        "web_acl_arn": "arn:aws:wafv2:us-east-1:111122223333:global/webacl/x/y",
        "zones": ",".join(ZONES),
        **PROVIDER,
    },
    "shop": {
        "payments_provider": "stripe",
        "sign_in": "cognito",
        "mail_sender": "tickets@shop.example",
        "waf": "on",
    },
}
RESTORED = {
    "seats_table": "fairgate-test-seats-restored",
    "seats_stream": "arn:aws:dynamodb:eu-central-1:000000000000:table/"
    "fairgate-test-seats-restored/stream/2026-11-22T00:00:00.000",
}
# A stage with a restored table in the place of another, and other options.
PLAIN: dict[str, dict[str, str]] = {
    "restored": {
        "stage": "test",
        "payments_provider": "stripe",
        "log_retention_days": "30",
        **RESTORED,
    }
}
Nags = dict[str, dict[str, list[list[str]]]]


@dataclass(frozen=True)
class Stages:
    """Where they are, a folder each; what was said while making them; what cdk-nag finds."""

    folder: Path
    said: str
    nags: Nags


def synthesise_all(folder: Path, files: dict[str, str]) -> None:
    """Write all stages and ``said.txt`` into the folder, with these built files as options."""
    asked = {
        kind: {name: {"stage": name, **files, **context} for name, context in stages.items()}
        for kind, stages in (("nagged", NAGGED), ("plain", PLAIN))
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.infra.nagged", str(folder)],
        cwd=ROOT,
        # What CloudFormation's schemas say is tests/infra/test_lint.py's; it would take longer.
        env={**os.environ, "CDK_VALIDATION": "false"},
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (folder / "said.txt").write_text(done.stdout + done.stderr, "utf-8")


def read_all(folder: Path) -> Stages:
    """What ``synthesise_all`` has written there."""
    nags: Any = json.loads((folder / "told.json").read_text("utf-8"))
    return Stages(folder, (folder / "said.txt").read_text("utf-8"), dict(nags))
