"""Replace a gate's value by what a change makes of it, whoever else writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.errors import VersionConflictError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.outside import EdgeConfig, GateStore

ATTEMPTS_MAX = 8


def update(
    store: EdgeConfig | GateStore,
    key: str,
    change: Callable[[str | None], str],
    *,
    wait: Callable[[int], None],
) -> tuple[str | None, str]:
    """Replace a value by what ``change`` makes of it; return the values before and after.

    A write that was beaten by another is made again from what is there now, at most ATTEMPTS_MAX
    times, ``wait(attempt)`` in between. ``change`` may thus run more than once; where it has
    nothing to change, nothing is written.

    Raises:
        VersionConflictError: others kept writing.
        DependencyUnavailableError: the last write may or may not have happened.
    """
    for attempt in range(ATTEMPTS_MAX):
        if attempt:
            wait(attempt)
        before, etag = store.read(key)
        after = change(before)
        if after == before:
            return before, after
        try:
            store.write(key, after, etag)
        except VersionConflictError:
            continue
        return before, after
    raise VersionConflictError("Others keep changing the gate. Please try again.")
