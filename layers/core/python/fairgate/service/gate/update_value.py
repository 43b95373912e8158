"""Replace a gate's value in a store that has ETags; ``shared/change.py`` is for tables."""

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
    """Replace a value by the result of ``change``; return the values before and after.

    If another writer was faster, try again from the present value, at most ATTEMPTS_MAX times with
    ``wait(attempt)`` in between. So ``change`` may run more than once. Writes nothing if the value
    stays the same.

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
