"""The emulator as a server of this run: found, guarded, started, stopped."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairgate_lab.emulator.additions import told
from fairgate_ops.run.local.ministack import REGION, Ministack
from fairgate_ops.shared.paths import ROOT

ACCOUNT = "000000000000"
# The root of the emulator's account; accepted by no service of AWS.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
INTERPRETER = ROOT / "lab/fairgate_lab/emulator/interpreter"
_PYTHON = (3, 13)  # of the functions: infra/constructs/layers.py
_MINISTACK = "import ministack, sys; print(*sys.version_info[:2])"


def emulator_python(root: Path = ROOT) -> Path | None:
    """The interpreter of ``.venv-emulator``, or None where it has not been installed."""
    python = root / ".venv-emulator" / "bin" / "python"
    return python if python.is_file() else None


def missing() -> str | None:
    """What this machine lacks for the emulator, or None."""
    python = emulator_python()
    if python is None:
        return (
            "the emulator is not installed: `make emulator-packages` installs it where there is"
            " a Python 3.13 (EMULATOR_PYTHON=… names it)"
        )
    said = subprocess.run(
        [str(python), "-c", _MINISTACK], capture_output=True, text=True, check=False, timeout=60
    )
    if said.stdout.split() != [str(part) for part in _PYTHON]:
        return f"{python} is no Python 3.13 with the emulator: remove .venv-emulator"
    if platform.system() != "Linux":
        return "the emulator's functions need wheels that are built for Linux here"
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "Node.js with npm is not installed"
    if not (ROOT / "node_modules").is_dir():
        return "the npm packages are not installed (npm ci)"
    return None


@dataclass(frozen=True)
class Told:
    """What the additions are told: where buyers go, and where the cache is."""

    public_url: str
    cache: str
    certificate: Path


class Emulator(Ministack):
    """All services on one loopback port, with IAM enforced and our additions."""

    title = "emulator"
    missing = "The emulator is not installed: make emulator-packages."
    ready_s = 60.0

    def __init__(self, logs_dir: Path, port: int, hints: Told) -> None:
        super().__init__(logs_dir, port)
        self._told = hints
        self.decisions = logs_dir / "decisions.jsonl"

    def _binary(self) -> Path | None:
        return emulator_python()

    def _arguments(self) -> Sequence[str]:
        return ("-m", "fairgate_lab.emulator.additions.start")

    def _environment(self) -> Mapping[str, str]:
        return {
            "PATH": os.environ.get("PATH", os.defpath),  # Node.js runs CloudFront Functions
            "PYTHONPATH": os.pathsep.join(
                str(folder)
                for folder in (INTERPRETER, ROOT / "lab", ROOT / "ops", ROOT / "layers/core/python")
            ),
            "PYTHONUNBUFFERED": "1",
            "BIND_HOST": "127.0.0.1",  # its own default is every interface
            "GATEWAY_PORT": str(self.port),
            "MINISTACK_REGION": REGION,
            "MINISTACK_ACCOUNT_ID": ACCOUNT,
            "AUTH": "true",  # roles are enforced
            "LAMBDA_EXECUTOR": "local",  # never a container
            "LOG_LEVEL": "INFO",
            "SFTP_ENABLED": "0",
            "IOT_MTLS_ENABLED": "0",
            "HOME": str(self._logs_dir),
            "TMPDIR": str(self._logs_dir),
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            **CREDENTIALS,
            "SSL_CERT_FILE": str(self._told.certificate),
            told.PUBLIC_URL: self._told.public_url,
            told.CACHE: self._told.cache,
            told.INTERPRETER: str(INTERPRETER),
            told.DECISIONS: str(self.decisions),
        }


def caller_environment(endpoint: str, base: Mapping[str, str]) -> dict[str, str]:
    """What a command needs that shall speak to the emulator and to nothing else."""
    kept = {name: value for name, value in base.items() if not name.startswith("AWS_")}
    paths = [str(INTERPRETER), *filter(None, [base.get("PYTHONPATH", "")])]
    return {
        **kept,
        **CREDENTIALS,
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "PYTHONPATH": os.pathsep.join(paths),
    }


# A botocore session's variables: name in files, in the environment, default, conversion.
_NOTHING_OF_THE_SHELL = {
    "profile": (None, None, None, None),
    "config_file": (None, None, os.devnull, None),
    "credentials_file": (None, None, os.devnull, None),
}


def emulator_client(service: str, endpoint: str) -> Any:
    """A botocore client of the emulator's account, that can reach nothing but ``endpoint``."""
    from botocore.config import Config
    from botocore.session import Session

    config = Config(
        connect_timeout=2,
        read_timeout=120,
        retries={"total_max_attempts": 1},
        s3={"addressing_style": "path"},
        proxies={},  # none of the shell's
    )
    client = Session(_NOTHING_OF_THE_SHELL).create_client(
        service,
        region_name=REGION,
        endpoint_url=endpoint,
        aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
        config=config,
    )
    client.meta.events.register("before-send.cloudfront-keyvaluestore", _without_account)
    return client


def _without_account(request: Any, **_named: Any) -> None:
    """Name the host as it is: botocore puts the account before that of a KeyValueStore."""
    request.url = request.url.replace(f"//{ACCOUNT}.", "//", 1)
