"""What a running local system says of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class LocalConfig:
    """What ``.run/local.json`` says about the running system."""

    document: Mapping[str, Any]

    @classmethod
    def read(cls, run_dir: Path) -> LocalConfig:
        """Raises FileNotFoundError when no system runs from ``run_dir``."""
        return cls(json.loads((run_dir / "local.json").read_text("utf-8")))

    def __getitem__(self, key: str) -> Any:
        return self.document[key]

    def dynamodb(self) -> Any:
        """A client of the local engine, and of nothing else."""
        import boto3
        from botocore.config import Config

        return boto3.client(
            "dynamodb",
            endpoint_url=self["dynamodb_endpoint"],
            region_name=self["region"],
            aws_access_key_id="local",
            aws_secret_access_key="local",  # noqa: S106 an engine on loopback checks none
            config=Config(connect_timeout=2, read_timeout=30, retries={"total_max_attempts": 2}),
        )
