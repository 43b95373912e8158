"""Every error has its status, every route answers bad input with application/problem+json."""

from __future__ import annotations

import base64
import json
from collections import Counter
from typing import Any

import pytest

from fairgate import errors
from fairgate.domain.orders.order import UnpricedTierError
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.language import LANGUAGES
from fairgate.http import paths
from fairgate.http.problems import STATUS, internal_problem, problem, status_of
from fairgate.ports.record import DamagedItemError
from infra.routes import ROUTES, Route
from tests.contract.http import function, request, stray_request
from tests.support.world import EVENT, START_MS, World

API_ROUTES = [route for route in ROUTES if route.function]
# Whatever a caller can get wrong: a name in the path, or a body. Renewing has neither.
TAKING_INPUT = [
    route
    for route in API_ROUTES
    if "{" in route.path or (route.method == "POST" and route.path != paths.AUTH_RENEW)
]
# A defect of ours rather than of a request: answered as a 500 on purpose.
DEFECTS = {UnpricedTierError, DamagedItemError}


def subclasses(base: type[errors.FairgateError]) -> set[type[errors.FairgateError]]:
    return {c for direct in base.__subclasses__() for c in ({direct} | subclasses(direct))}


def our_errors() -> set[type[errors.FairgateError]]:
    """Leave out what other tests of this run have made of their own."""
    kinds = subclasses(errors.FairgateError)
    return {kind for kind in kinds if kind.__module__.startswith("fairgate.")}


def test_every_error_has_a_status_and_a_code_of_its_own() -> None:
    kinds = our_errors() - DEFECTS
    named = {kind for kind in kinds if "code" in vars(kind)}  # the others share their base's
    unmapped, unused = named - set(STATUS), set(STATUS) - named
    assert not unmapped, (
        f"{unmapped} would be answered as a 500: give each its status in STATUS of "
        "fairgate/http/problems.py; or, where only a defect of ours raises it, add it to DEFECTS"
    )
    assert not unused, f"{unused} is no error any more: remove it from STATUS"
    codes = Counter(kind.code for kind in named)
    shared = {code for code, count in codes.items() if count > 1}
    assert not shared, f"callers tell errors apart by their code: {shared} needs one for each"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_has_a_title_in_every_language(language: str) -> None:
    for kind in STATUS:
        error = kind.__new__(kind)
        errors.FairgateError.__init__(error, "x")
        _, headers, body = problem(error, "req", f"{language}-XX, en;q=0.5")
        title = json.loads(body)["title"]
        assert headers["content-language"] == language
        assert (title == kind.code.replace("-", " ").capitalize()) == (language == "en")
    assert json.loads(internal_problem("req", language)[2])["title"]


def test_only_an_answer_that_no_cache_keeps_speaks_the_callers_language(world: World) -> None:
    german = {"accept-language": "de"}
    own = request("GET", paths.ORDERS, **german, authorization="Bearer x")
    kept = request("GET", paths.EVENT.format(event="none"), **german)
    asked = (("orders", own), ("catalog", kept))
    answers = [function(name).handler(event, None) for name, event in asked]
    titles = [json.loads(answered["body"])["title"] for answered in answers]
    assert titles == ["Nicht angemeldet", "Not found"]
    assert "content-language" not in answers[1]["headers"]


def test_an_error_without_a_code_of_its_own_is_answered_as_its_base() -> None:
    shared = our_errors() - DEFECTS - set(STATUS)
    assert errors.ProviderSetupError in shared
    for kind in shared:
        base = next(one for one in kind.__mro__ if one in STATUS)
        assert status_of(kind) == STATUS[base]
        assert issubclass(base, errors.FairgateError)
        assert kind.code == base.code


def test_a_wrong_setup_at_the_provider_is_told_as_an_outage() -> None:
    status, headers, body = problem(errors.ProviderSetupError("later", retry_after_s=60), "req")
    assert (status, headers["retry-after"]) == (503, "60")
    assert json.loads(body)["code"] == "dependency-unavailable"


def test_a_payment_that_the_provider_refuses_says_why() -> None:
    status, _, body = problem(errors.PaymentRefusedError("Too late.", reason="too-late"), "req")
    told = json.loads(body)
    assert (status, told["code"], told["reason"]) == (409, "payment-refused", "too-late")


def fill(route: Route, **values: str) -> str:
    path = route.path
    known = {"event": EVENT, "section": "s", "session": "ses_" + "0" * 32}
    known |= {"hold": "hld_" + "0" * 32, "order": "ord_" + "0" * 32 + "_" + "0" * 8}
    for name, value in (known | values).items():
        path = path.replace("{" + name + "}", value)
    return path


def call(route: Route, event: dict[str, Any]) -> dict[str, Any]:
    assert route.function
    answer: dict[str, Any] = function(route.function).handler(event, object())
    return answer


def assert_problem(answer: dict[str, Any], *statuses: int) -> None:
    body = json.loads(answer["body"])
    assert answer["statusCode"] in statuses, (
        f"answered {answer['statusCode']} instead of {statuses}: refuse it in the handler with a "
        f"FairgateError that has this status in fairgate/http/problems.py. It said: {body}"
    )
    headers = {k.lower(): v for k, v in (answer.get("headers") or {}).items()}
    headers |= {k.lower(): v[0] for k, v in (answer.get("multiValueHeaders") or {}).items()}
    assert headers["content-type"] == "application/problem+json", (
        "an error that does not come from fairgate.http.app: build the app with create_app and "
        "answer through resolve"
    )
    assert body["status"] == answer["statusCode"]
    assert body["type"] == f"urn:fairgate:problem:{body['code']}"
    assert "Traceback" not in answer["body"]


def signed_in(world: World, user: str = "ann") -> str:
    key = world.secrets.current.auth["1"]
    return "Bearer " + issue_auth_token(user, [], key, "1", START_MS // 1000, 3600)


# What is for nobody in particular, and for whoever has the token of a mailed link in the body.
UNSIGNED = {paths.AUTH_EXCHANGE, paths.PREVIEW, paths.TICKETS_LINK, paths.TICKETS_OPEN}
UNSIGNED |= {paths.FOUND_SVG, paths.FOUND_PNG, paths.FOUND_PDF}
PROTECTED = [r for r in API_ROUTES if r.cache == "none" and r.path not in UNSIGNED]


@pytest.mark.parametrize("route", PROTECTED, ids=lambda r: f"{r.method} {r.path}")
def test_a_problem_when_nobody_is_signed_in(world: World, route: Route) -> None:
    event = request(route.method, fill(route), body={}, query=f"event={EVENT}")
    assert_problem(call(route, event), 401, 403)


@pytest.mark.parametrize("route", TAKING_INPUT, ids=lambda r: f"{r.method} {r.path}")
@pytest.mark.parametrize(
    "body",
    [
        *("{", "[]", "null", '{"seats": 5}', '{"quantity": 0}', '{"email": "x"}', "\u0000"),
        *("9" * 5000, "[" * 1_100, '{"x": ' + "[" * 1_100 + "]" * 1_100 + "}", '{"x":' * 1_100),
        *('{"ticket": "\\ud800"}', '{"email": 1e999}', "\ufeff{}"),
    ],
    ids=[
        *("cut", "list", "null", "type", "zero", "mail", "nul"),
        *("number", "nested", "nested-inside", "nested-maps"),
        *("lone-surrogate", "endless-number", "byte-order-mark"),
    ],
)
def test_a_problem_when_the_body_or_the_names_are_nonsense(
    world: World, route: Route, body: str
) -> None:
    names = dict.fromkeys(("event", "section", "session", "hold", "order"), "no.such-thing")
    headers = {"authorization": signed_in(world), "x_fairgate_session": "a.b.c"}
    event = request(route.method, fill(route, **names), body=body, query="event=none", **headers)
    assert_problem(call(route, event), 400, 401, 403, 404)


def test_a_problem_when_the_address_is_unknown(world: World) -> None:
    for name in {r.function for r in API_ROUTES}:
        answer = function(str(name)).handler(stray_request("GET", "/api/nothing"), object())
        assert_problem(answer, 404)


def test_a_problem_without_detail_when_something_of_ours_breaks(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> Any:
        raise RuntimeError("secret internals")

    monkeypatch.setattr(world.container.catalog, "published", broken)
    answer = function("catalog").handler(request("GET", f"/api/events/{EVENT}"), object())
    assert_problem(answer, 500)
    assert "secret" not in answer["body"]
    assert json.loads(answer["body"])["request_id"] == "req-1"


def holds_event(world: World, body: object, **headers: str) -> dict[str, Any]:
    mine = world.session()
    path = f"/api/sessions/{mine.session}/holds"
    known = {"authorization": signed_in(world), "x_fairgate_session": world.signed(mine)}
    return function("holds").handler(request("POST", path, body, **(known | headers)), object())


@pytest.mark.parametrize(
    ("count", "status", "code"),
    [(0, 400, "malformed-input"), (11, 422, "limit-exceeded"), (1000, 422, "limit-exceeded")],
)
def test_a_hold_of_too_few_or_too_many(world: World, count: int, status: int, code: str) -> None:
    answer = holds_event(world, {"seats": [f"s-1-{n}" for n in range(count)]})
    assert_problem(answer, status)
    assert json.loads(answer["body"])["code"] == code


def test_a_hold_of_an_unknown_seat_names_it(world: World) -> None:
    answer = holds_event(world, {"seats": ["s-1-1", "s-9-9"]})
    assert_problem(answer, 404)
    assert json.loads(answer["body"])["seats"] == ["s-9-9"]


def test_a_hold_through_another_users_session_is_not_found(world: World) -> None:
    answer = holds_event(world, {"seats": ["s-1-1"]}, authorization=signed_in(world, "eve"))
    assert_problem(answer, 404)
    assert world.seat("s-1-1")["availability"] == "available"


def test_a_body_that_is_too_large_is_refused(world: World) -> None:
    assert_problem(holds_event(world, "x" * 10_000_000), 413)


def test_a_body_in_broken_base64_is_refused(world: World) -> None:
    mine = world.session()
    event = request(
        "POST",
        f"/api/sessions/{mine.session}/holds",
        "***",
        authorization=signed_in(world),
        x_fairgate_session=world.signed(mine),
    )
    event["isBase64Encoded"] = True
    assert_problem(function("holds").handler(event, object()), 400)


def test_a_hold_succeeds_and_says_what_it_holds(world: World) -> None:
    body = {"seats": ["s-1-1"], "areas": {"floor": 2}}
    answer = holds_event(world, body)
    assert answer["statusCode"] == 201
    held = json.loads(answer["body"])
    assert [unit["kind"] for unit in held["units"]] == ["seat", "area"]
    assert held["units"][0]["section"] == "s"


def test_a_base64_body_is_read_like_any_other(world: World) -> None:
    mine = world.session()
    event = request(
        "POST",
        f"/api/sessions/{mine.session}/holds",
        base64.b64encode(b'{"seats":["s-1-1"]}').decode(),
        authorization=signed_in(world),
        x_fairgate_session=world.signed(mine),
    )
    event["isBase64Encoded"] = True
    assert function("holds").handler(event, object())["statusCode"] == 201


def test_a_key_stands_for_one_request_when_sent_again(world: World) -> None:
    mine = world.session()
    known = {"authorization": signed_in(world), "x_fairgate_session": world.signed(mine)}
    known |= {"idempotency_key": "0f3a"}
    path = f"/api/sessions/{mine.session}/holds"

    def hold(*seats: str) -> dict[str, Any]:
        event = request("POST", path, {"seats": list(seats)}, **known)
        return function("holds").handler(event, object())

    first = hold("s-1-2", "s-1-1")
    again = hold("s-1-2", "s-1-1")
    assert (first["statusCode"], again["statusCode"]) == (201, 201)
    assert first["body"] == again["body"]
    other = hold("s-1-3")
    assert_problem(other, 422)
    assert json.loads(other["body"])["code"] == "idempotency-mismatch"
