"""A real Valkey for the simulator: the scripts that keep the cache true are the ones that run."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate_ops.run.local.valkey_server import ValkeyServer, valkey_server_binary

PATIENCE_S = 60.0  # a busy machine must not look like a lost cache: that is the seed's to decide


@contextmanager
def simulated_cache(*, wanted: bool = True) -> Iterator[ValkeyAvailability | None]:
    """An adapter of an empty server of its own; None, and a word, where there is no server."""
    if not wanted or valkey_server_binary() is None:
        if wanted:
            print("No Valkey server here (make setup): the cache is left out.", file=sys.stderr)
        yield None
        return
    with (
        tempfile.TemporaryDirectory(prefix="fairgate-simulated-") as folder,
        ValkeyServer(Path(folder)) as server,
    ):
        cache = ValkeyAvailability(server.url, timeout_s=PATIENCE_S)
        try:
            yield cache
        finally:
            cache.close()
