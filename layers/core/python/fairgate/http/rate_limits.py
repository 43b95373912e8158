"""Count a request against its caller's limits, and say in its answer what is left of them.

Source: IETF draft-ietf-httpapi-ratelimit-headers-10, "RateLimit" and "RateLimit-Policy".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.gate.risk import account, hashed_address
from fairgate.domain.shared.rate_limit import USER_LIMITS, LimitName, RateState
from fairgate.errors import TooManyRequestsError
from fairgate.http import answer_headers
from fairgate.http.viewer import viewer_address

if TYPE_CHECKING:
    from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

    from fairgate.bootstrap import Container


def count_request(
    app: APIGatewayHttpResolver,
    world: Container,
    name: LimitName,
    event: str,
    user: str,
    *,
    address: str | None = None,
) -> None:
    """Count one request of a verified user. Raises TooManyRequestsError.

    Args:
        address: of the viewer where the edge has signed it; else it is what the headers say.
    """
    keys = world.secrets.sign_in()
    viewer = viewer_address(app) if address is None else address
    hashed = hashed_address(keys.session[keys.session_kid], viewer)
    try:
        state = world.rates.take(name, event, account(user), hashed)
    except TooManyRequestsError as refused:
        _tell(name, 0, refused.retry_after_s or 1)
        raise
    if state is not None:
        _tell(name, state.remaining, _next_s(state))


def _next_s(state: RateState) -> int:
    """Whole seconds until the bucket has one token more."""
    return -(-(state.ahead_ms % state.limit.token_ms or state.limit.token_ms) // 1000)


def _tell(name: LimitName, remaining: int, next_s: int) -> None:
    limit = USER_LIMITS[name]
    answer_headers.add(
        {
            "ratelimit-policy": f'"{name}";q={limit.quota};w={limit.window_s}',
            "ratelimit": f'"{name}";r={remaining};t={next_s}',
        }
    )
