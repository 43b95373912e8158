"""A journey says which step failed, and gives back what it took."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from fairgate import deadline
from fairgate.errors import DependencyUnavailableError
from fairgate.http.journey import Journey, JourneyFailedError

NOW_S = 1_795_770_000
JOINED = {"token": "t", "boff": NOW_S + 2, "now": NOW_S, "challenge": {"ch": "c", "pow": 1}}
OPENED = {"session": "ses_1", "credential": "c"}
Step = tuple[str, str]
Said = tuple[int, Any]


@dataclass
class Site:
    """Answers each step in order, the last answer again; its clock goes by what is waited."""

    said: dict[Step, list[Said]]
    asked: list[Step] = field(default_factory=list)
    now_s: float = NOW_S

    def call(
        self, url: str, _body: bytes | None, _headers: Mapping[str, str], method: str
    ) -> tuple[int, bytes]:
        step = (method, url.rpartition("/")[2])
        self.asked.append(step)
        said = self.said[step]
        status, body = said.pop(0) if len(said) > 1 else said[0]
        if isinstance(body, Exception):
            raise body
        return status, body if isinstance(body, bytes) else json.dumps(body).encode()

    def now_ms(self) -> int:
        return int(self.now_s * 1000)

    def back_off(self, _attempt: int) -> None:
        raise AssertionError("nobody backs off")

    def pause(self, seconds: float) -> None:
        self.now_s += seconds


def well() -> dict[Step, list[Said]]:
    return {
        ("GET", "session"): [(404, {})],
        ("POST", "queue"): [(200, JOINED)],
        ("POST", "admission"): [(202, {"boff": NOW_S + 4}), (201, OPENED)],
        ("POST", "best-available"): [(201, {"hold": "hld_1"})],
        ("DELETE", "hld_1"): [(204, b"")],
        ("DELETE", "ses_1"): [(204, b"")],
    }


def journey(site: Site) -> Journey:
    return Journey(site.call, "https://t.example", "canary", clock=site, pause=site.pause)


def test_it_goes_all_the_way_and_waits_as_it_is_told() -> None:
    site = Site(well())
    journey(site).go("auth")
    assert site.asked == [
        ("GET", "session"),
        ("POST", "queue"),
        ("POST", "admission"),
        ("POST", "admission"),
        ("POST", "best-available"),
        ("DELETE", "hld_1"),
        ("DELETE", "ses_1"),
    ]
    assert site.now_s == NOW_S + 4


@pytest.mark.parametrize(
    ("step", "said", "told"),
    [
        (("GET", "session"), (500, {"code": "internal"}), "look: 500 internal"),
        (("POST", "queue"), (404, {"code": "not-found"}), "join: 404 not-found"),
        (("POST", "queue"), (200, b"<html>"), "join: no answer: JSONDecodeError"),
        (("POST", "queue"), (0, TimeoutError()), "join: no answer: TimeoutError"),
        (("POST", "admission"), (403, {"code": "locked-out"}), "admission: 403 locked-out"),
        (("POST", "best-available"), (409, {"code": "seats-taken"}), "hold: 409 seats-taken"),
        (("DELETE", "hld_1"), (503, {}), "release: 503"),
        (("DELETE", "ses_1"), (500, {}), "leave: 500"),
    ],
)
def test_it_names_the_step_that_failed_and_leaves_what_it_opened(
    step: Step, said: Said, told: str
) -> None:
    site = Site({**well(), step: [said]})
    with pytest.raises(JourneyFailedError) as failed:
        journey(site).go("auth")
    assert str(failed.value) == told
    opened = ("POST", "best-available") in site.asked
    assert (("DELETE", "ses_1") in site.asked) == opened


def test_the_first_failure_is_told_when_the_session_cannot_be_left_either() -> None:
    broken: dict[Step, list[Said]] = {
        ("POST", "best-available"): [(503, {})],
        ("DELETE", "ses_1"): [(503, {})],
    }
    with pytest.raises(JourneyFailedError, match="hold: 503"):
        journey(Site({**well(), **broken})).go("auth")


def test_it_gives_back_what_a_journey_before_left() -> None:
    site = Site({**well(), ("GET", "session"): [(200, OPENED)]})
    journey(site).go("auth")
    assert site.asked[1] == ("DELETE", "ses_1")


@pytest.mark.parametrize(
    ("refused", "found"),
    [
        ({"code": "not-admitted", "retry_after": 2}, (404, {})),  # the origin's clock is behind
        ({"code": "not-admitted", "live_session": "ses_1"}, (200, OPENED)),  # an answer was lost
    ],
)
def test_it_goes_on_as_a_page_does_when_the_origin_says_not_yet_or_already(
    refused: dict[str, Any], found: Said
) -> None:
    admissions: list[Said] = [(403, refused), (201, OPENED)]
    live: list[Said] = [(404, {}), found]
    site = Site({**well(), ("POST", "admission"): admissions, ("GET", "session"): live})
    journey(site).go("auth")
    assert site.asked[-1] == ("DELETE", "ses_1")


def test_it_waits_no_longer_than_leaves_time_to_give_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = Site({**well(), ("POST", "queue"): [(200, {**JOINED, "boff": NOW_S + 60})]})
    frozen: Callable[[], float] = lambda: 0.0  # noqa: E731 a clock that stands
    monkeypatch.setattr(deadline, "monotonic", frozen)
    with deadline.within(54.0), pytest.raises(DependencyUnavailableError):
        journey(site).go("auth")
    assert ("POST", "admission") not in site.asked
