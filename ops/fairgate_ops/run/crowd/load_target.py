"""Which system may be put under load: one of this machine, or a stage that sells nothing."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

ASKED_S = 10
_CONFIG_BYTES_MAX = 65_536


class RefusedTargetError(Exception):
    """No load is sent there; the text says why, and what would have to be done."""


@dataclass(frozen=True)
class LoadTarget:
    """An address of buyers.

    Attributes:
        go: the operator's word: the host's name once more. None is needed on this machine.
    """

    base_url: str
    go: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).hostname or ""

    @property
    def here(self) -> bool:
        """Whether it is this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def permit(self) -> None:
        """Return if it may be put under load.

        The stage itself has to say that it sells nothing, in the ``config.json`` beside its pages.

        Raises:
            RefusedTargetError: it may not, or could not be asked.
        """
        if not self.host:
            raise RefusedTargetError(f"{self.base_url!r} is no address of the web.")
        if not self.here:
            self._permit_from_afar()
        if self._config().get("test_stage") is not True:
            raise RefusedTargetError(
                f"{self.host} does not say that it is a test's stage, so real buyers may be there."
                " Load is for stages that sell nothing: docs/testing.md says how one is deployed."
            )

    def _permit_from_afar(self) -> None:
        if not self.base_url.startswith("https://"):
            raise RefusedTargetError(f"{self.host} is not on this machine: it takes https alone.")
        if self.go != self.host:
            raise RefusedTargetError(
                f"{self.host} is not on this machine. Load costs money and fills quotas there:"
                f" if you may load it, confirm with GO={self.host}."
            )

    def _config(self) -> dict[str, object]:
        url = f"{self.base_url.rstrip('/')}/config.json"
        try:
            # http or https: its scheme and host were checked above.
            with urllib.request.urlopen(url, timeout=ASKED_S) as answer:  # noqa: S310
                document = json.loads(answer.read(_CONFIG_BYTES_MAX))
        except (OSError, urllib.error.URLError, ValueError) as error:
            raise RefusedTargetError(f"{url} cannot be read: {error}") from error
        return document if isinstance(document, dict) else {}
