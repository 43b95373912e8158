"""One calculation says what a stage carries: to operators, and to the functions that go by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from msgspec import structs

from fairgate.domain.shared.rate_limit import USER_LIMITS
from fairgate.http import paths
from fairgate_ops.operate.doctor import event
from fairgate_ops.operate.doctor.finding import Finding
from fairgate_ops.operate.stage_load import stage_load
from infra.carried import CHECKOUTS_A_SESSION, EVENT_SHARE, HOLDS_A_SESSION, carried
from infra.throttles import throttles
from tests.support.doctor_site import only, site_of
from tests.support.world import EVENT, World

LIMITS = {"api_rate": 10_000, "payments_per_s": 25}


def test_the_slowest_of_routes_and_provider_bounds_admissions() -> None:
    routes = throttles(10_000)
    holds = routes[f"POST {paths.HOLDS}"].rate + routes[f"POST {paths.BEST_AVAILABLE}"].rate
    assert carried(10_000, 25).admissions_per_s == 25 / CHECKOUTS_A_SESSION
    assert carried(10_000).admissions_per_s == holds / HOLDS_A_SESSION
    assert carried(10_000, 100_000) == carried(10_000)
    assert carried(20_000).admissions_per_s > 1.9 * carried(10_000).admissions_per_s


def test_a_session_limit_that_keeps_an_event_within_its_share_of_a_route() -> None:
    limit = USER_LIMITS["holds"]
    sessions = carried(10_000).of_event().hardest_sessions()
    route = throttles(10_000)[f"POST {paths.BEST_AVAILABLE}"].rate
    asked = sessions * limit.quota / limit.window_s
    assert asked <= EVENT_SHARE * route < asked + limit.quota / limit.window_s


def test_an_event_within_its_share_needs_no_advice() -> None:
    assert stage_load(LIMITS, 2_000, 600).advice == ""


def test_an_event_that_fills_a_route_deserves_a_stage_of_its_own() -> None:
    """The default target on the default account: three holds in ten seconds fill the route."""
    advice = stage_load(LIMITS, 5_000, 600).advice
    assert "a stage of its own" in advice
    rate = int(advice.partition("set api_rate to ")[2].rstrip(".").replace(",", ""))
    assert stage_load(LIMITS | {"api_rate": rate}, 5_000, 600).advice == ""
    assert "set api_rate" in stage_load(LIMITS | {"api_rate": rate - 1_001}, 5_000, 600).advice


def test_an_event_is_told_when_its_sessions_cannot_be_reached() -> None:
    reached = carried(10_000, 25).of_event().sessions(60)
    assert f"{reached:,} sessions are reached" in stage_load(LIMITS, reached + 1, 60).advice
    assert "are reached" not in stage_load(LIMITS, reached, 60).advice


def test_check_says_what_the_stage_carries(world: World, tmp_path: Path) -> None:
    def found(live_max: int, limits: dict[str, int] | None = LIMITS) -> Finding:
        world.put(structs.replace(world.event, live_max=live_max))
        site = site_of(world, tmp_path, only=EVENT)
        return only(event.load, replace(site, target=replace(site.target, limits=limits)))

    assert found(1_000, None).state == "unseen"
    assert found(1_000).state == "ok"
    much = found(50_000)
    assert (much.state, "25 checkouts a second" in much.text) == ("off", True)
    assert "a stage of its own" in much.do
