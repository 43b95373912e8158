"""The DynamoDB, Streams, SQS and S3 of one machine: ministack, from its own virtual environment."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.run.local.local_server import LocalServer
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REGION = "eu-central-1"
_KEY = "local"  # accepted by no service of AWS
SERVICES = "dynamodb,dynamodbstreams,sqs,s3"


def ministack_binary(root: Path = ROOT) -> Path | None:
    """The command in ``.venv-local``, or None where the local run has not been installed."""
    binary = root / ".venv-local" / "bin" / "ministack"
    return binary if binary.is_file() else None


class Ministack(LocalServer):
    """DynamoDB with its streams, SQS, and S3."""

    title = "ministack"
    missing = "ministack is not installed: requirements/local.txt in .venv-local."
    ready_s = 30.0

    def ready(self) -> bool:
        try:
            # S310: the address is this module's own, on the loopback.
            with urllib.request.urlopen(f"{self.endpoint}/_ministack/ready", timeout=2) as answer:  # noqa: S310
                return bool(answer.status == 200)  # noqa: PLR2004 HTTP's own number
        except (OSError, urllib.error.URLError):
            return False

    def client(self, service: str) -> Any:
        """A botocore client of this server. The caller closes it."""
        return local_client(service, self.endpoint)

    def _binary(self) -> Path | None:
        return ministack_binary()

    def _arguments(self) -> Sequence[str]:
        return ()

    def _environment(self) -> Mapping[str, str]:
        return {
            "BIND_HOST": "127.0.0.1",  # its own default is every interface
            "GATEWAY_PORT": str(self.port),
            "SERVICES": SERVICES,
            "MINISTACK_REGION": REGION,
            "LOG_LEVEL": "WARNING",
            "SFTP_ENABLED": "0",
            "IOT_MTLS_ENABLED": "0",
            # S3 checks the signature of an address that downloads a file, by these.
            "AWS_ACCESS_KEY_ID": _KEY,
            "AWS_SECRET_ACCESS_KEY": _KEY,
            "TMPDIR": str(self._logs_dir),  # its pid file
            "HOME": str(self._logs_dir),
        }


def local_client(service: str, endpoint: str) -> Any:
    """A botocore client that can reach nothing but ``endpoint``, with a credential of no worth."""
    from botocore.config import Config
    from botocore.session import Session

    config = Config(
        connect_timeout=2,
        read_timeout=30,
        retries={"total_max_attempts": 1},
        max_pool_connections=16,
    )
    return Session().create_client(
        service,
        region_name=REGION,
        endpoint_url=endpoint,
        aws_access_key_id=_KEY,
        aws_secret_access_key=_KEY,
        config=config,
    )
