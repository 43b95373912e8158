"""Stages that are synthesised in one process, because the CDK's engine takes seconds to start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.waiting import patience_s

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
    "dev": {"payments_provider": "sandbox", "sign_in": "cognito", "load_workers": "on"},
    "prod": {
        "payments_provider": "stripe",
        "alarm_email": "operator@example.org",
        "api_logs": "on",
        "alarm_https": "https://events.pagerduty.example/integration/0123/enqueue",
        "backup_days": "35",
        "brand": "tests/data/brand.toml",
        "canary_event": "canary",
        "slack_workspace": "T0123ABCDEF",
        "slack_channel": "C0123ABCDEF",
        "api_domain": "api.tickets.example",
        "api_certificate_arn": CERTIFICATE.replace("us-east-1", "eu-central-1"),
        "budget_dollars": "1000",
        "certificate_arn": CERTIFICATE,
        "concurrency": "1000",
        "critical_alarm_email": "night@example.org",
        "domain": "tickets.example",
        "access_logs": "E1ABCDEFGHIJKL",
        "edge_alarms": "E1ABCDEFGHIJKL",
        "mail_sender": "tickets@example.org",
        "warm_writes": "40000",
        "web_acl_arn": "arn:aws:wafv2:us-east-1:111122223333:global/webacl/x/y",
        "zones": ",".join(ZONES),
        **PROVIDER,
    },
    "shop": {
        "payments_provider": "stripe",
        "sign_in": "cognito",
        "cognito_plan": "plus",
        "mail_sender": "tickets@shop.example",
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
NOT_VALIDATED = {"CDK_VALIDATION": "false"}
# Python's sockets and Node's refuse to leave the process.
_OFFLINE_PYTHON = """
import runpy, socket, sys
def refuse(*_args, **_kwargs):
    raise OSError("the synthesis reached for the network")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
_OFFLINE_NODE = """
function refuse() { throw new Error('the synthesis reached for the network') }
require('net').Socket.prototype.connect = refuse
require('dns').lookup = refuse
"""
Nags = dict[str, dict[str, list[list[str]]]]


@dataclass(frozen=True)
class Stages:
    """Where they are, a folder each; what was said while making them; what cdk-nag finds."""

    folder: Path
    said: str
    nags: Nags


def run_offline(
    home: Path, script: list[str], environment: dict[str, str], given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run it with nothing of AWS in its environment and no way out of its processes."""
    block = home / "offline.cjs"
    block.write_text(_OFFLINE_NODE)
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", _OFFLINE_PYTHON, *script],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),  # no ~/.aws either
            # Else each new HOME would have the CDK's library unpacked into it again.
            "JSII_RUNTIME_PACKAGE_CACHE": "enabled",
            "JSII_RUNTIME_PACKAGE_CACHE_ROOT": str(ROOT / "build" / "jsii"),
            "NODE_OPTIONS": f"--require {block}",
            **environment,
        },
        input=given,
        capture_output=True,
        text=True,
        timeout=patience_s(LIMIT_S),
        check=False,
    )


def synthesise_all(folder: Path, files: dict[str, str]) -> None:
    """Write all stages and ``said.txt`` into the folder, with these built files as options."""
    asked = {
        kind: {name: {"stage": name, **files, **context} for name, context in stages.items()}
        for kind, stages in (("nagged", NAGGED), ("plain", PLAIN))
    }
    script = str(ROOT / "tests" / "infra" / "nagged.py")
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "layers" / "core" / "python")))
    # What CloudFormation's schemas say is tests/infra/test_lint.py's; it would take longer.
    environment = {"PYTHONPATH": paths, **NOT_VALIDATED}
    done = run_offline(folder, [script, str(folder)], environment, json.dumps(asked))
    assert done.returncode == 0, done.stderr
    (folder / "said.txt").write_text(done.stdout + done.stderr, "utf-8")


def read_all(folder: Path) -> Stages:
    """What ``synthesise_all`` has written there."""
    nags: Any = json.loads((folder / "told.json").read_text("utf-8"))
    return Stages(folder, (folder / "said.txt").read_text("utf-8"), dict(nags))
