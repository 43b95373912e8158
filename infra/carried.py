"""How many buyers a stage carries: API rate → holds and checkouts → admissions → sessions.

One calculation for the capacity plan, `fairgate check`, the creation of an event and the functions
themselves. It imports nothing of the CDK. Figures marked so are modelled.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairgate.domain.shared.rate_limit import USER_LIMITS
from fairgate.http import paths
from infra.throttles import API_RATE, throttles

# Modelled: a session holds so often, and so many of them go to checkout.
HOLDS_A_SESSION, CHECKOUTS_A_SESSION = 6, 0.8
# Of what the stage carries, for one event at most: the others always have the rest.
EVENT_SHARE = 0.75
# What one account may ask for, as the page never does (domain/shared/rate_limit.py).
HOLDS_ALLOWED_PER_S = USER_LIMITS["holds"].quota / USER_LIMITS["holds"].window_s


@dataclass(frozen=True)
class Carried:
    """What a stage, or one event of it, carries in a second.

    Attributes:
        one_route_per_s: of the holds, at the route that takes fewer.
    """

    holds_per_s: float
    one_route_per_s: float
    checkouts_per_s: float
    admissions_per_s: float

    def of_event(self) -> Carried:
        """Return the most that one event gets."""
        return Carried(
            self.holds_per_s * EVENT_SHARE,
            self.one_route_per_s * EVENT_SHARE,
            self.checkouts_per_s,  # all stand in one line
            self.admissions_per_s * EVENT_SHARE,
        )

    def sessions(self, session_s: float) -> int:
        """Return how many sessions of this mean length are open at that pace (Little's law)."""
        return int(self.admissions_per_s * session_s)

    def hardest_sessions(self) -> int:
        """Return how many sessions may all hold at one route as often as an account is allowed to.

        API Gateway counts a request that is refused later, so only the number of sessions keeps
        an event from filling a route.
        """
        return int(self.one_route_per_s / HOLDS_ALLOWED_PER_S)


def carried(api_rate: int = API_RATE, payments_per_s: int = 0) -> Carried:
    """Compute what a stage carries.

    Args:
        payments_per_s: checkouts that the payment provider takes; 0: any number.
    """
    routes = throttles(api_rate)
    by_route = [routes[f"POST {path}"].rate for path in (paths.HOLDS, paths.BEST_AVAILABLE)]
    holds = sum(by_route)
    checkouts = routes[f"POST {paths.CHECKOUT}"].rate
    checkouts = min(checkouts, payments_per_s) if payments_per_s else checkouts
    admissions = min(
        routes[f"POST {paths.ADMISSION}"].rate,
        holds / HOLDS_A_SESSION,
        checkouts / CHECKOUTS_A_SESSION,
    )
    return Carried(holds, min(by_route), checkouts, admissions)
