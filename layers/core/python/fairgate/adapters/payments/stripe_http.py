"""Let no call to Stripe outlast the request that it is made for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import stripe

from fairgate.deadline import take

if TYPE_CHECKING:
    from collections.abc import Mapping

CONNECT_S, READ_S = 2.0, 6.0


class BoundedClient(stripe.RequestsClient):
    """Gives each attempt CONNECT_S and READ_S, or what is left of the request.

    The library's own pause before another attempt is half a second at most with one retry.
    """

    def request(  # type: ignore[override]  # as RequestsClient has it, which the library ignores too
        self,
        method: str,
        url: str,
        headers: Mapping[str, str] | None,
        post_data: Any = None,
        **more: Any,
    ) -> tuple[bytes, int, Mapping[str, str]]:
        """Make one attempt. Raises DependencyUnavailableError where no time is left for it."""
        take(READ_S, waits=2)
        return super().request(method, url, headers, post_data, **more)

    @property
    def _timeout(self) -> tuple[float, float]:
        """Return how long this thread's attempt may wait to connect, and then for each read."""
        return take(CONNECT_S, waits=2), take(READ_S, waits=2)

    @_timeout.setter
    def _timeout(self, _given: object) -> None:
        """Keep nothing: each attempt asks again."""
