"""Where the stage asks for it, some acts are done only when another person confirms them."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key
from fairgate.errors import WrongStateError
from fairgate.http.models import ActRequest
from fairgate.ports.table import Update
from fairgate.service.operators.pending_acts import OPEN_S, PendingActs
from fairgate.service.shared.keys import event_key, pending_act_key
from fairgate.service.shared.records.operators import PendingAct
from fairgate_lab.engine.table import InterleavedTable
from fairgate_ops.operate.api.roles import MAY
from fairgate_ops.operate.api.second import BY_TWO
from functions.operator import handler as operator
from tests.support.world import EVENT, START_MS, World, gate
from tests.unit.operate.test_operator_api import LATER, do, log, stored

CLOSE = ("event close", {"event": EVENT})
# Each act as it needs two people, and as it does not.
NEEDING: dict[str, dict[str, Any]] = {
    "event close": {},
    "event cancel": {"refund_all": True, "reason": "Storm"},
    "event edit": {"price_all": "46.00"},
    "event open-until": {"minutes": 5},
    "event open": {"tau": 30, "at": LATER},
    "event resume": {"tau": 30},
    "tau set": {"seconds": 30},
    "tau plan": {"seconds": 30, "at": LATER},
}
FREE: dict[str, dict[str, Any]] = {
    "event close": {"sold_out": True},
    "event edit": {"name": "New"},
    "event open-until": {"off": True},
    "tau set": {"seconds": 60},
    "tau plan": {"seconds": 60, "at": LATER},
}


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)
    settings = world.container.settings._replace(second_person=True)
    monkeypatch.setattr(world.container, "settings", settings)


def asked(world: World, act: str = "event close", **arguments: object) -> Any:
    """Ask for it as olga; return the problem."""
    given = {"event": EVENT, **arguments}
    status, told = do(world, act, given, confirm="yes")
    assert (status, told["code"], told["reason"]) == (409, "wrong-state", "second-person"), told
    return told


def confirm(world: World, request: str, sub: str = "otto", **more: Any) -> tuple[int, Any]:
    return do(world, "act confirm", {"event": EVENT, "request": request}, sub=sub, **more)


def pending(world: World, table: Any = None) -> PendingActs:
    return PendingActs(table or world.table, world.clock)


def kept(world: World, by: str = "olga") -> PendingAct:
    return pending(world).keep(pending(world).of(EVENT, ActRequest(*CLOSE), by))


def test_one_person_does_it_where_nobody_asks_for_two(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = world.container.settings._replace(second_person=False)
    monkeypatch.setattr(world.container, "settings", settings)
    assert do(world, *CLOSE, confirm="yes")[0] == 200


def test_it_is_asked_about_kept_confirmed_and_logged_with_both(world: World) -> None:
    assert do(world, *CLOSE)[1]["reason"] == "unconfirmed"
    assert log(world) == []
    request = asked(world)["request"]
    assert stored(world).state == "open"
    [entry] = log(world)
    assert (entry.who, entry.act, entry.detail["act"]) == ("sign-in olga", "request", "event close")
    status, told = confirm(world, request)
    assert (status, told["result"]["confirmed"]["by"]) == (200, "olga")
    assert stored(world).state == "closed"
    done = log(world)[-1]
    assert (done.who, done.act, done.phase) == ("sign-in otto", "close", "done")
    assert (done.detail["asked_by"], done.detail["request"]) == ("olga", request)


def test_nobody_confirms_what_was_asked_by_a_role_that_was_taken_back(world: World) -> None:
    role = {"event": EVENT, "role": "organiser", "user": "gina"}
    assert do(world, "access grant", role, "owner")[0] == 200
    status, told = do(world, *CLOSE, role="", sub="gina", confirm="yes")
    assert (status, told["reason"]) == (409, "second-person")
    assert confirm(world, told["request"], dry_run=True)[0] == 200
    assert do(world, "access revoke", role, "owner")[0] == 200
    assert confirm(world, told["request"])[0] == 403
    assert stored(world).state == "open"


@pytest.mark.parametrize("act", sorted(BY_TWO.keys() & MAY.keys()))
def test_each_of_these_acts_is_kept_and_nothing_is_written(world: World, act: str) -> None:
    if act == "event open":  # whose sale has not started
        later_s = START_MS // 1000 + 3_600
        before_sale = gate(sale_start_s=later_s, epochs=(Epoch(later_s, 0.0, 1.0),))
        world.edge_config.values[gate_key(EVENT)] = dump_gate(before_sale)
    if act == "event resume":
        assert do(world, "event pause", {"event": EVENT})[0] == 200
    before = stored(world), world.item("catalog", event_key(EVENT))
    asked(world, act, **NEEDING[act])
    assert (stored(world), world.item("catalog", event_key(EVENT))) == before
    assert log(world)[-1].act == "request"
    assert world.job_queue.sent == []


@pytest.mark.parametrize("act", FREE)
def test_what_can_be_undone_needs_one_person(world: World, act: str) -> None:
    assert do(world, act, {"event": EVENT, **FREE[act]}, confirm="yes")[0] == 200


@pytest.mark.parametrize("name", ["fee_order", "fee_ticket", "cancel_fee"])
def test_no_fee_changes_by_one_person(world: World, name: str) -> None:
    asked(world, "event edit", **{name: "1.00"})


def test_nobody_confirms_their_own(world: World) -> None:
    request = asked(world)["request"]
    status, told = confirm(world, request, sub="olga")
    assert (status, told["code"]) == (409, "wrong-state")
    assert "yourself" in told["detail"]
    assert stored(world).state == "open"


def test_who_may_not_do_it_may_not_confirm_it(world: World) -> None:
    request = asked(world)["request"]
    for role in ("viewer", "auditor", ""):
        assert confirm(world, request, role=role)[0] == 403
    assert stored(world).state == "open"


def test_a_request_ends_after_ten_minutes(world: World) -> None:
    request = asked(world)["request"]
    world.clock.ms += OPEN_S * 1000
    status, told = confirm(world, request)
    assert (status, told["detail"][:11]) == (409, "It ended at")
    assert asked(world)["request"] == request  # again, for ten minutes
    world.clock.ms += OPEN_S * 1000 - 1
    assert confirm(world, request)[0] == 200


def test_the_write_refuses_the_one_who_asked(world: World) -> None:
    with pytest.raises(WrongStateError):
        pending(world).take(kept(world), "olga")


def test_the_write_refuses_what_is_over(world: World) -> None:
    request = kept(world)
    world.clock.ms += OPEN_S * 1000
    with pytest.raises(WrongStateError):
        pending(world).take(request, "otto")


def test_it_is_done_once(world: World) -> None:
    request = kept(world)
    table = InterleavedTable(world.table, lambda: pending(world).take(request, "ann"))
    with pytest.raises(WrongStateError):
        pending(world, table).take(request, "otto")
    with pytest.raises(WrongStateError):
        pending(world).must_be_confirmable(pending(world).find(EVENT, request.sk), "otto")


def test_a_confirmation_is_of_the_request_that_was_read(world: World) -> None:
    request = kept(world)
    world.clock.ms += OPEN_S * 1000
    kept(world)
    with pytest.raises(WrongStateError):
        pending(world).take(request, "otto")


def test_a_repeated_request_is_the_same_one(world: World) -> None:
    first, second = asked(world), asked(world)
    assert (first["request"], first["until"]) == (second["request"], second["until"])
    assert len(log(world)) == 1
    world.clock.ms += 1_000
    assert kept(world).at == kept(world).at  # of two at once, too
    assert asked(world, "tau set", seconds=30)["request"] != first["request"]


def test_a_request_that_waits_is_not_renewed(world: World) -> None:
    first = kept(world)
    world.clock.ms += 1_000
    assert kept(world).until == first.until
    pending(world).take(first, "otto")
    assert kept(world).until > first.until


def test_it_is_done_as_it_was_asked_or_not_at_all(world: World) -> None:
    request = asked(world, "tau set", seconds=30)["request"]
    assert confirm(world, request)[1]["result"]["changed"]
    assert 1 / stored(world).epochs[-1].slope == pytest.approx(30)
    request = asked(world, "tau set", seconds=20)["request"]
    other = {"arguments": f'{{"event":"{EVENT}","seconds":1}}'}
    world.table.update(Update("reservations", *pending_act_key(EVENT, request), set=other))
    assert confirm(world, request)[0] == 404


def test_the_version_that_was_seen_counts_at_the_confirmation(world: World) -> None:
    version = do(world, "tau get", {"event": EVENT})[1]["result"]["version"]
    given = {"event": EVENT, "seconds": 30}
    request = do(world, "tau set", given, confirm="yes", if_match=version)[1]["request"]
    assert do(world, "tau set", {"event": EVENT, "seconds": 90}, confirm="yes")[0] == 200
    assert confirm(world, request)[0] == 412


def test_a_refused_act_and_a_dry_run_are_not_kept(world: World) -> None:
    assert do(world, *CLOSE, dry_run=True)[0] == 200
    assert do(world, "event resume", {"event": EVENT, "tau": 30}, "viewer")[0] == 403
    assert do(world, "event close", {"event": "nowhere"}, confirm="yes")[0] == 404
    assert (pending(world).waiting(EVENT), log(world)) == ([], [])


def test_a_confirmation_can_be_tried_and_repeated(world: World) -> None:
    request = asked(world)["request"]
    assert confirm(world, request, dry_run=True)[1]["dry_run"]
    assert stored(world).state == "open"
    shown = do(world, "act pending", {"event": EVENT})[1]["result"]["pending"]
    assert [(one["request"], one["arguments"]) for one in shown] == [(request, {"event": EVENT})]
    first, second = (confirm(world, request, key="k") for _ in range(2))
    assert (first[0], first) == (200, second)
    assert confirm(world, request, key="other")[0] == 409
    assert do(world, "act pending", {"event": EVENT})[1]["result"]["pending"] == []


@pytest.mark.parametrize("request_id", ["", "req_0", "x" * 2_000, "#"])
def test_an_unknown_request_is_not_found(world: World, request_id: str) -> None:
    assert confirm(world, request_id)[0] in (400, 404)


def test_who_confirms_needs_a_role_for_the_act_itself(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = do(world, *CLOSE, role="owner", confirm="yes")[1]["request"]
    monkeypatch.setitem(MAY, "event close", frozenset({"owner"}))
    assert confirm(world, request)[0] == 403
    assert confirm(world, request, role="owner")[0] == 200
