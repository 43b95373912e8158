"""What must never be lost: the tables and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Stack

from infra.constructs.backups import Backups
from infra.constructs.keys import Keys
from infra.constructs.tables import Tables
from infra.naming import name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config


class DataStack(Stack):
    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "data"),
            description="Fairgate: tables and keys",
            termination_protection=True,
        )
        self.tables = Tables(self, "Tables", config).by_name
        if config.backup_days:
            Backups(self, "Backups", config)
        self.secrets = Keys(self, "Keys", config).by_name
