"""What the command does, over HTTP: by role, checked and logged alike."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from fairgate.domain.gate.gate_config import gate_key
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Update
from fairgate.service.gate.control_gate import parsed
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.api import perform
from fairgate_ops.operate.api.job_acts import JOB_ACTS
from fairgate_ops.operate.api.job_runs import JOB_RUNS
from fairgate_ops.operate.api.later import BY_GROUP
from fairgate_ops.operate.api.roles import MAY, PREFIX, ROLES
from fairgate_ops.shared.paths import ROOT
from functions.operator import handler as operator
from tests.support.sale import CHART
from tests.support.world import EVENT, START_MS, World, gate
from tests.unit.refunds.test_give_back import ticketed

ACTS = "/api/operator/acts"
ADDRESS = "ann@example.org"
LATER = rfc3339(START_MS + 3_600_000)
ON_AN_EVENT = (
    *("event show", "event log", "event preview", "event publish", "event hide"),
    *("event show-again", "event open", "event pause", "event resume", "event drain"),
    *("event close", "tau get", "tau cancel"),
)
# What each act is asked for in the walk; a dry run writes nothing.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "event list": {},
    **{act: {"event": EVENT} for act in ON_AN_EVENT},
    "event say": {"event": EVENT, "text": "Doors open at seven."},
    "event open-until": {"event": EVENT, "minutes": 5},
    "event target": {"event": EVENT, "live_max": 50},
    "tau preview": {"event": EVENT, "seconds": 300},
    "tau set": {"event": EVENT, "seconds": 300},
    "tau plan": {"event": EVENT, "seconds": 300, "at": LATER},
    "seats list": {"event": EVENT},
    "seats block": {"event": EVENT, "area": {"floor": 2}, "reason": "Guests"},
    "seats free": {"event": EVENT, "area": {"floor": 2}},
    "venue validate": {"chart": "chart.json"},
    "event cancel": {"event": EVENT, "refund_all": True, "reason": "Storm"},
    "orders reconcile": {},
    "orders invoice": {"event": EVENT},
    "books check": {"event": EVENT},
    "books import": {},
    "draw show": {"event": EVENT},
    "draw announce": {"event": EVENT, "source": "drand quicknet round 1", "at": LATER},
    "draw beacon": {"event": EVENT, "value": "ab"},
    "draw reveal": {"event": EVENT},
    "draw verify": {"event": EVENT, "user": "ann"},
    "audit check": {"event": EVENT},
    "audit export": {"event": EVENT},
    "audit items": {},
    "ticket void-list": {"event": EVENT},
    "export orders": {"event": EVENT},
    "export ledger": {"event": EVENT},
    "export movements": {},
    "simulate": {"event": EVENT, "buyers": [100], "assume": {"hours": 0.2}, "keep": True},
    "report": {"event": EVENT},
    "job show": {"job": "job_0"},
    "job list": {},
    "access list": {"event": EVENT},
    "access token": {"event": EVENT, "role": "viewer", "until": LATER},
    "access tokens": {},
    "access end-token": {"token": "abcdefghijkl"},
    "act confirm": {"event": EVENT, "request": "req_0a"},
    "act pending": {"event": EVENT},
    "access grant": {"event": EVENT, "role": "door", "user": "otto"},
    "access revoke": {"event": EVENT, "role": "door", "user": "otto"},
    "orders list": {"event": EVENT},
    "orders show": {},
    "orders tasks": {"all": True},
    "orders done": {"reason": "Called them"},
    "orders refund": {"amount": 5, "reason": "Row without a view"},
    "orders resend": {"reason": "Lost"},
    "orders edit": {"email": "new@example.org", "reason": "Typed wrongly"},
    "orders void": {"event": EVENT, "reason": "Resold"},
    "orders take-back": {"event": EVENT, "reason": "Passed on by mistake"},
    "desk show": {"event": EVENT, "user": "ann"},
    "desk appeals": {"event": EVENT},
    "desk pardon": {"event": EVENT, "user": "ann", "reason": "Called us"},
    "desk extend": {"event": EVENT, "user": "ann", "minutes": 60, "reason": "A farm."},
    "buyer show": {"email": ADDRESS},
    "buyer erase": {"user": "ann", "reason": "Asked by letter"},
    "event create": {
        "event": "new",
        "name": "New",
        "venue": "chart.json",
        "price_all": "45.00",
        "sale_starts_in": 60,
    },
    "event edit": {"event": EVENT, "name": "New"},
    "event clone": {"event": EVENT, "new": "new"},
    "event rehearse": {"event": EVENT, "buyers": 10},
    "event delete": {"event": EVENT},
    "check": {"event": EVENT},
    "live alarms": {"event": EVENT},
    "live cost": {"event": EVENT},
    "forecast show": {"event": EVENT},
    "books sales": {"event": EVENT},
    "books ledger": {"event": EVENT},
    "books movements": {},
    "books payouts": {},
}
FILES = {"chart.json": {"text": CHART.read_text("utf-8")}}
# Some acts are refused in this state of the event, for every role, but never with 403.
POSSIBLE = (200, 404, 409)
NOT_FOUND = ("act confirm", "access end-token", "job show")  # there is no such one
ROLE = ("fairgate-organiser",)


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)


def call(
    world: World,
    method: str,
    body: object = None,
    groups: tuple[str, ...] | None = (),
    *,
    key: str | None = None,
    sub: str = "olga",
) -> tuple[int, Any]:
    """Ask the function. Each request has an Idempotency-Key of its own unless ``key`` is given."""
    signing = world.secrets.current.auth["1"]
    token = issue_auth_token(sub, groups or (), signing, "1", world.clock.ms // 1000, 600)
    headers = {"idempotency-key": world.ids.hex32() if key is None else key}
    if groups is not None:
        headers["authorization"] = f"Bearer {token}"
    answer = operator.handler(
        {
            "version": "2.0",
            "routeKey": f"{method} {ACTS}",
            "rawPath": ACTS,
            "rawQueryString": "",
            "headers": headers,
            "requestContext": {
                "http": {"method": method, "path": ACTS},
                "requestId": "r1",
                "stage": "$default",
            },
            "body": json.dumps(body) if body is not None else "",
            "isBase64Encoded": False,
        },
        object(),
    )
    return answer["statusCode"], json.loads(answer["body"])


def do(
    world: World,
    act: str,
    arguments: object,
    role: str = "organiser",
    *,
    key: str | None = None,
    sub: str = "olga",
    **more: object,
) -> tuple[int, Any]:
    """Ask for an act; role "": of no role."""
    body = {"act": act, "arguments": arguments, **more}
    return call(world, "POST", body, (PREFIX + role,) if role else (), key=key, sub=sub)


def log(world: World) -> list[Any]:
    return OperatorLog.of(world.table, world.clock, EVENT, gate()).read()


def stored(world: World) -> Any:
    return parsed(EVENT, world.container.gate_values.read(gate_key(EVENT))[0])


def prepared(world: World, act: str) -> dict[str, Any]:
    """Make what the act needs; return its arguments."""
    group, _, verb = act.partition(" ")
    if act == "seats free":
        assert do(world, "seats block", ARGUMENTS["seats block"])[0] == 200
    if act == "orders done":
        tasks = ManualTasks(world.table, world.clock)
        tasks.note("change-untold", "Write to them.", event=EVENT)
        return {**ARGUMENTS[act], "task": tasks.open()[0].task_id}
    if group not in ("orders", "desk", "buyer") or verb in ("list", "tasks", "reconcile"):
        return ARGUMENTS[act]
    order = ticketed(world)
    if group != "orders":
        return ARGUMENTS[act]
    named = {"ticket": order.tickets[0].ticket} if verb == "take-back" else {}
    return {**ARGUMENTS[act], "order": order.order_id, **named}


@pytest.mark.parametrize("act", ARGUMENTS)
def test_each_act_is_for_its_roles_and_for_nobody_else(world: World, act: str) -> None:
    arguments = prepared(world, act)
    logged = log(world)
    for role in ROLES:
        status, answer = do(world, act, arguments, role, dry_run=True, files=FILES)
        if role in MAY[act]:
            assert status in POSSIBLE or (status == 404 and act in NOT_FOUND), (role, answer)
        else:
            assert (status, answer["code"]) == (403, "forbidden"), role
    assert log(world) == logged


def test_the_walk_and_the_roles_name_the_acts_that_are_served() -> None:
    served = set(perform._RUN).union(JOB_ACTS, *(group() for group in BY_GROUP.values()))
    assert set(ARGUMENTS) == set(MAY) == served
    assert set(JOB_ACTS) == set(JOB_RUNS)


@pytest.mark.parametrize(
    ("groups", "status"),
    [
        (None, 401),
        ((), 403),
        (("operators",), 403),
        (("organiser",), 403),  # the provider's group for something else
        (("fairgate-door",), 200),
    ],
)
def test_who_has_no_role_may_nothing(
    world: World, groups: tuple[str, ...] | None, status: int
) -> None:
    assert call(world, "GET", None, groups)[0] == status
    asked = {"act": "event list"}
    assert call(world, "POST", asked, groups)[0] == status


def test_an_act_is_done_and_logged_with_who_and_why(world: World) -> None:
    status, answer = do(world, "event pause", {"event": EVENT, "reason": "Rain", "starts_in": 60})
    assert (status, answer["failed"], answer["result"]["changed"]) == (200, False, True)
    assert answer["said"][0].endswith("Nobody is admitted; everyone keeps their place.")
    assert stored(world).state == "paused"
    asked, done = log(world)
    assert (asked.who, asked.act, asked.phase) == ("sign-in olga", "pause", "asked")
    assert (done.phase, done.detail) == ("done", {"reason": "Rain"})


def test_a_dry_run_writes_nothing(world: World) -> None:
    before = stored(world)
    status, answer = do(world, "tau set", {"event": EVENT, "seconds": 300}, dry_run=True)
    assert (status, answer["dry_run"]) == (200, True)
    assert answer["said"][0] == "Dry run, nothing written."
    assert (stored(world), log(world)) == (before, [])


def test_what_cannot_be_undone_is_asked_about_first(world: World) -> None:
    status, asked = do(world, "event close", {"event": EVENT})
    assert (status, asked["code"], asked["reason"]) == (409, "wrong-state", "unconfirmed")
    assert asked["detail"].startswith(f"Closes {EVENT} for good")
    assert "--yes" not in asked["detail"]
    assert stored(world).state != "closed"
    assert do(world, "event close", {"event": EVENT}, confirm="no")[0] == 409
    assert do(world, "event close", {"event": EVENT}, confirm=asked["confirm"])[0] == 200
    assert stored(world).state == "closed"


@pytest.mark.parametrize(
    ("act", "arguments", "detail"),
    [
        ("event pause", {}, "the following arguments are required: event."),
        (
            "event pause",
            {"event": EVENT, "yes": True},
            "'yes' is none of: event, reason, starts_in.",
        ),
        ("event pause", {"event": EVENT, "starts_in": -5}, "argument starts_in: "),
        ("event pause", {"event": [EVENT]}, "event is a text or a number."),
        ("event pause", {"event": True}, "event is a text or a number."),
        ("event pause", {"event": "--"}, "event has no letter."),
        ("event pause", {"event": ""}, "event has 1 to 2,000 characters."),
        (
            "event pause",
            {"event": EVENT, "reason": "x" * 2001},
            "reason has 1 to 2,000 characters.",
        ),
        ("event close", {"event": EVENT, "sold_out": "true"}, "sold_out is true or false."),
        ("event say", {"event": EVENT, "in": "de=x"}, "in is an object."),
        (
            "event say",
            {"event": EVENT},
            "write the message, name a template, or ",
        ),
        ("event open-until", {"event": EVENT}, "one of the arguments at minutes off is required."),
        (
            "tau set",
            {"event": EVENT},
            "say what to set: seconds, sample_violations or session_mean_s.",
        ),
        ("tau set", {"event": EVENT, "seconds": "--tau TAU"}, "argument seconds: '--tau TAU' is "),
        ("tau set", {"event": EVENT, "seconds": 9, "sample_violations": 5}, "sample_violations is"),
        ("event target", {"event": EVENT, "live_max": "x"}, "argument live_max: 'x' is not"),
        ("event say", {"event": EVENT, "in": {"de=a": "x"}}, "in has no 'de=a'."),
        ("event list", {"json": True}, "'json' is not taken: nothing is."),
        ("seats free", {"event": EVENT, "names": "s-1-1"}, "names is a list."),
        ("seats free", {"event": EVENT, "names": ["--"]}, "names has no letter."),
        ("seats free", {"event": EVENT, "row": [["A/1"]]}, "row is a text or a number."),
        ("seats free", {"event": EVENT}, "Name blocks, seats, rows, sections or places of areas."),
        ("event open", {"event": EVENT, "at": "soon"}, "The time “soon” "),
    ],
)
def test_a_mistake_is_named_as_the_body_has_it(
    world: World, act: str, arguments: dict[str, Any], detail: str
) -> None:
    status, answer = do(world, act, arguments)
    assert (status, answer["code"]) == (400, "malformed-input")
    assert answer["detail"].startswith(detail), answer["detail"]
    assert log(world) == []


@pytest.mark.parametrize(
    ("zone", "at"),
    [
        ("America/Los_Angeles", "9999-12-31T23:59:59"),
        ("Asia/Tokyo", "9999-12-31T12:00-11:00"),
        ("Asia/Tokyo", "9999-12-31T23:59:59Z"),
    ],
)
def test_a_time_after_the_last_year_here_or_there_is_refused(
    world: World, zone: str, at: str
) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"timeZone": zone}))
    status, answer = do(world, "event open", {"event": EVENT, "at": at})
    detail = f"The time “{at}” is in no year from 1000 to 9999."
    assert (status, answer["detail"]) == (400, detail)


def test_a_refusal_is_in_the_words_of_the_body(world: World) -> None:
    status, answer = do(world, "tau set", {"event": EVENT, "session_mean_s": 9})
    assert (status, answer["detail"][:24]) == (400, "session_mean_s is 10 to ")


@pytest.mark.parametrize(
    ("act", "arguments", "missing"),
    [
        ("tau set", {"seconds": EVENT, "session_mean_s": 60}, "event"),
        ("event say", {"event": None, "text": EVENT, "off": True}, "event"),
        ("event target", {"live_max": 50}, "event"),
        ("tau plan", {}, "event, seconds, at"),
    ],
)
def test_what_is_missing_is_named_and_no_other_takes_its_place(
    world: World, act: str, arguments: dict[str, Any], missing: str
) -> None:
    status, answer = do(world, act, arguments)
    detail = f"the following arguments are required: {missing}."
    assert (status, answer["detail"]) == (400, detail)
    assert log(world) == []


def test_a_number_is_whole_however_it_is_written(world: World) -> None:
    assert do(world, "event target", {"event": EVENT, "live_max": 50.0})[0] == 200


def test_a_value_is_never_taken_for_an_option(world: World) -> None:
    for text in ("--off", "--to=shopping", "-x", "-- x"):
        status, answer = do(world, "event say", {"event": EVENT, "text": text})
        assert (status, answer["result"]["message"]["texts"]) == (200, {"en": text})
        assert answer["result"]["message"]["to"] == "all"
    assert do(world, "event pause", {"event": "--help"})[0] == 404


def test_texts_in_several_languages_are_one_object(world: World) -> None:
    texts = {"de": "Gleich = jetzt.", "fr": "Bientôt."}
    assert do(world, "event say", {"event": EVENT, "in": texts, "for": "10min"})[0] == 200
    sale = world.table.find(Event, event_key(EVENT))
    assert sale
    assert sale.message
    assert sale.message.texts == texts


@pytest.mark.parametrize(
    ("act", "arguments"),
    [
        ("orders show", {"order": "x" * 2_000}),
        ("orders done", {"task": "x" * 2_000, "reason": "Done"}),
        ("orders done", {"task": "\x00", "reason": "Done"}),
        ("seats free", {"event": EVENT, "names": ["blk_" + "x" * 1_900]}),
        ("seats free", {"event": EVENT, "names": ["ä" * 2_000]}),
        ("desk show", {"event": EVENT, "user": "ä" * 2_000}),
        ("buyer show", {"user": "ä" * 2_000}),
        ("orders refund", {"order": "", "amount": "1", "reason": "x"}),
    ],
)
def test_a_name_that_no_table_takes_is_refused_in_words(
    world: World, act: str, arguments: dict[str, Any]
) -> None:
    assert do(world, act, arguments, "owner")[0] in (400, 404)


def test_an_act_sees_what_the_act_before_did(world: World) -> None:
    event = {"event": EVENT}
    assert not do(world, "event show", event)[1]["result"]["hidden"]
    assert do(world, "event hide", event)[0] == 200
    assert do(world, "event show", event)[1]["result"]["hidden"]


def test_a_damaged_event_is_named_and_can_be_paced_and_closed(world: World) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"name": 7}))
    status, answer = do(world, "event show", {"event": EVENT})
    assert (status, answer["code"]) == (409, "wrong-state")
    assert answer["detail"].startswith("A Event is damaged: ")
    for act in ("tau get", "tau set", "event pause", "event close"):
        status, answer = do(world, act, ARGUMENTS[act], confirm="yes")
        assert status == 200, (act, answer)
    assert stored(world).state == "closed"


@pytest.mark.parametrize("act", ["keys init", "keys rotate", "event", "x y", "x y z"])
def test_what_is_not_served_is_not_found(world: World, act: str) -> None:
    status, answer = do(world, act, {}, "owner")
    assert status == (400 if act == "x y z" else 404), answer


@pytest.mark.parametrize("event", ["nowhere", "x" * 2_000, "*", f"{EVENT}#1", "\x00"])
def test_an_unknown_event_is_not_found(world: World, event: str) -> None:
    status, answer = do(world, "event pause", {"event": event})
    assert (status, answer["code"]) == (404, "not-found")
    assert answer["detail"] == (
        f"There is no event {event[:60]}. `event list` shows what there is."
    )


def test_the_list_says_what_a_role_may_and_how_it_is_asked(world: World) -> None:
    status, listed = call(world, "GET", None, ("fairgate-viewer", "fairgate-auditor"))
    assert (status, listed["roles"]) == (200, ["viewer", "auditor"])
    acts = {one["act"]: one for one in listed["acts"]}
    assert set(acts) == {act for act, roles in MAY.items() if roles & {"viewer", "auditor"}}
    assert not any(one["changes"] for one in acts.values() if not one["job"])
    assert acts["tau preview"]["arguments"]["required"] == ["event", "seconds"]


def test_what_is_a_number_may_be_given_as_one(world: World) -> None:
    acts = {one["act"]: one["arguments"] for one in call(world, "GET", None, ROLE)[1]["acts"]}
    for act, name, value in (
        ("event pause", "starts_in", 60),
        ("event say", "for", 600),
        ("event open-until", "minutes", 0.5),
        ("seats block", "area", {"floor": 2}),
        ("seats block", "seat", ["s-1-1"]),
    ):
        jsonschema.validate({**ARGUMENTS[act], name: value}, acts[act])


def test_the_documents_have_the_same_table() -> None:
    table = (ROOT / "docs/people.md").read_text("utf-8")
    for act, may in MAY.items():
        marks = "".join(" ✓ |" if role in may else " |" for role in ROLES)
        assert f"| `{act}` |{marks}" in table


def test_what_the_log_has_no_room_for_is_refused_before_anything_is_written(world: World) -> None:
    many = {f"{number:0200}": 5 for number in range(2_000)}
    status, told = do(world, "event edit", {"event": EVENT, "price": many}, confirm="yes")
    assert (status, told["code"]) == (400, "malformed-input")
    assert told["detail"].startswith("It asks for too much at once: the log keeps 350,000 char")
    assert log(world) == []


def test_an_option_is_repeated_so_often_and_no_more(world: World) -> None:
    for many in ({"row": ["9/9"] * 2_001}, {"area": {str(n): 1 for n in range(2_001)}}):
        status, told = do(world, "seats block", {"event": EVENT, "reason": "Guests", **many})
        assert (status, told["detail"]) == (400, f"{next(iter(many))} has at most 2,000 entries.")


def test_a_number_that_no_float_can_hold_is_refused(world: World) -> None:
    asked = {**ARGUMENTS["event create"], "pow": "9" * 400}
    assert do(world, "event create", asked, files=FILES, dry_run=True)[0] == 400
