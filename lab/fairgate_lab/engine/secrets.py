"""Give keys that open nothing outside this process."""

from __future__ import annotations

from dataclasses import dataclass

from fairgate.ports.world import Secrets

KEYS = Secrets(
    auth={"1": b"a" * 32},
    auth_kid="1",
    session={"1": b"s" * 32},
    session_kid="1",
    webhook=b"w" * 32,
    ticket=b"t" * 32,
    addresses=b"m" * 32,
)


@dataclass
class MemorySecrets:
    """Implements ports.SecretStore; assign ``current`` to rotate."""

    current: Secrets = KEYS

    def secrets(self) -> Secrets:
        return self.current
