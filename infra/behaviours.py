"""Which CloudFront behaviours the routes need, in the order in which CloudFront tries them.

It imports nothing of the CDK. CloudFront takes the first behaviour whose pattern matches, and a
``*`` also matches slashes. Source: CloudFront Developer Guide, Cache behavior settings, Path
pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from infra.routes import ROUTES, CachePolicy, Route

BehaviourOrigin = Literal["api", "web", "layouts"]
API_REST = "/api/*"
LAYOUTS = "/layouts/"


@dataclass(frozen=True)
class Behaviour:
    pattern: str
    cache: CachePolicy
    gated: bool
    origin: BehaviourOrigin

    @property
    def kind(self) -> tuple[CachePolicy, bool, BehaviourOrigin]:
        """Two behaviours of one kind differ in nothing but their pattern."""
        return self.cache, self.gated, self.origin

    def matches(self, path: str) -> bool:
        return bool(re.fullmatch(re.escape(self.pattern).replace(r"\*", ".*"), path))


# What no pattern matches: the pages.
DEFAULT = Behaviour("*", "catalog", gated=False, origin="web")
_REST = Behaviour(API_REST, "none", gated=False, origin="api")


def behaviours(routes: Iterable[Route] = ROUTES) -> tuple[Behaviour, ...]:
    """The fewest behaviours that treat every route as the table says, most specific first.

    A pattern that lies within another has at least as many literal characters, so sorting by
    those puts it first. One that the next match would treat the same is left out: CloudFront
    allows a limited number of behaviours in a distribution.
    """
    strictest: dict[str, Behaviour] = {API_REST: _REST}
    for route in routes:
        wanted = Behaviour(route.pattern, route.cache, route.gated, _origin(route))
        known = strictest.setdefault(wanted.pattern, wanted)
        if known.gated != wanted.gated or known.origin != wanted.origin:
            raise ValueError(f"routes of {wanted.pattern} differ in gate or origin")
        if wanted.cache == "none":  # one method of the path must not be cached: none is
            strictest[wanted.pattern] = wanted
    ordered = sorted(
        strictest.values(), key=lambda b: (-len(b.pattern.replace("*", "")), b.pattern)
    )
    kept: list[Behaviour] = []
    for behaviour in reversed([b for b in ordered if b.pattern != "/"]):
        sample = behaviour.pattern.replace("*", "x")
        following = next((b for b in [*reversed(kept), DEFAULT] if b.matches(sample)), DEFAULT)
        if following.kind != behaviour.kind:
            kept.append(behaviour)
    return tuple(reversed(kept))


def _origin(route: Route) -> BehaviourOrigin:
    if route.origin == "api":
        return "api"
    return "layouts" if route.path.startswith(LAYOUTS) else "web"
