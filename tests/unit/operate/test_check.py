"""``fairgate check``: go only where every line was seen and is right."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key
from fairgate.domain.shared.jws import b64url
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, ProviderSetupError
from fairgate.http.views.events import event_view
from fairgate.ports.payments import Capture
from fairgate.ports.table import Delete, Put, Update
from fairgate.service.shared.keys import (
    area_key,
    creation_key,
    event_key,
    figures_key,
    seat_key,
)
from fairgate.service.shared.records.gate import Creation
from fairgate.service.shared.records.seats import AreaShard, SeatRecord
from fairgate.service.watch.make_figures import FigureMaker
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import doctor, main
from fairgate_ops.operate.doctor import event, rows
from fairgate_ops.operate.doctor.site import Answer
from fairgate_ops.operate.target import QueueUrls
from tests.support.doctor_site import KEYS, Web, only, site_of
from tests.support.world import EVENT, START_MS, World, gate

START_S = START_MS // 1000


class Queues:
    """SQS, as far as counts go: by queue what waits at each look, the last for good."""

    def __init__(self, **waiting: list[int]) -> None:
        self.waiting = waiting

    def get_queue_attributes(self, **asked: Any) -> Any:
        left = self.waiting.get(asked["QueueUrl"].replace("-", "_"), [0])
        count = left.pop(0) if len(left) > 1 else left[0]
        return {"Attributes": {asked["AttributeNames"][0]: str(count)}}


class FromCache(Web):
    """The web, whose answers about availability come from the cache."""

    source = "cache"

    def __call__(self, url: str, **how: Any) -> Answer:
        return super().__call__(url, **how)._replace(headers={"x-fairgate-source": self.source})


def web(world: World, **changes: Any) -> FromCache:
    counts = {"sections": {"s": {}}, "areas": {"floor": {}}} | changes.pop("counts", {})
    told = msgspec.to_builtins(event_view(world.event)) | changes
    return FromCache(
        {
            f"/api/events/{EVENT}/queue": (401, "{}"),
            f"/api/events/{EVENT}/availability": (200, json.dumps(counts)),
            f"/api/events/{EVENT}": (200, json.dumps(told)),
            "/api/payments/webhook": (400, '{"type": "urn:fairgate:problem:malformed"}'),
        }
    )


@pytest.fixture
def ready(world: World, tmp_path: Path) -> Any:
    """A site at which everything about the event is as it must be."""
    sale_start = {"sale_start_s": START_S + 600, "sample_queue": 0.05}
    line = (Epoch(START_S - 60.0, 0.0, 0.0), Epoch(START_S + 600.0, 0.0, 0.01))
    world.edge_config.values[gate_key(EVENT)] = dump_gate(gate(epochs=line, **sale_start))
    for name in ("venue.json", "sections/s.json"):
        world.layouts.write(world.event.layout, name, b"{}")
    FigureMaker(world.table, world.clock).make(world.event)
    here = site_of(world, tmp_path, web=web(world), provider="sandbox", only=EVENT, crowd=10_000)
    here.target.world.__dict__.update(payments=world.payments, layouts=world.layouts)
    names = {name: QueueUrls(name, f"{name}-dead") for name in ("mails", "tickets")}
    queues = Queues()
    there = replace(here.target, sqs=lambda: queues, queues=lambda: names)
    return replace(here, target=there, pause=lambda _s: None)


def run(
    ready: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any, *words: str, of: str = EVENT
) -> tuple[int, Any]:
    monkeypatch.setattr(target, "target_of", lambda _options: ready.target)
    monkeypatch.setattr(doctor, "fetch", ready.fetch)
    monkeypatch.setattr(event, "QUEUE_PAUSE_S", 0.0)
    code = main.main(["check", of, "--json", "--crowd", "10000", *words])
    return code, json.loads(capsys.readouterr().out)


def test_it_is_go_when_every_line_is_right(
    ready: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = run(ready, monkeypatch, capsys)
    bad = [one for one in said["findings"] if one["state"] in ("wrong", "unseen")]
    assert bad == []
    assert (code, said["go"], said["event"]) == (0, True, EVENT)


def test_it_is_no_go_and_says_why_when_there_is_no_such_event(
    ready: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = run(ready, monkeypatch, capsys, of="nothing")
    assert (code, said["go"]) == (1, False)
    state = {one["subject"]: one["state"] for one in said["findings"]}
    assert state["event"] == "wrong"
    assert "ok" not in {state[name] for name in ("layouts", "cache", "public address")}


@pytest.mark.parametrize(
    ("state", "mend"),
    [
        ("paused", f"`fairgate event resume {EVENT}`"),
        ("soldout", f"`fairgate event resume {EVENT}`"),
        ("closed", "create another event"),
    ],
)
def test_a_sale_is_resumed_only_where_that_is_possible(
    ready: Any, world: World, state: str, mend: str
) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"state": state}))
    line = only(event.event, ready)
    assert (line.state, "resume" in line.do) == ("wrong", state != "closed")
    assert mend in line.do


def test_a_cancelled_event_is_shown_as_it_is_written(ready: Any, world: World) -> None:
    ends = {"state": "closed", "cancelledAt": "2030-06-01T18:00:00Z"}
    world.table.update(Update("catalog", *event_key(EVENT), set=ends))
    assert "is cancelled, for good" in only(event.event, ready).text
    assert "other state" in only(event.public, ready).text
    shown = replace(ready, fetch=web(world, state="cancelled"))
    assert only(event.public, shown).state == "ok"


def test_a_line_that_stalls_is_no_go_within_its_time(
    ready: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    never = threading.Event()
    monkeypatch.setattr(ready.target.world.payments, "captures", lambda _since: never.wait(60))
    code, said = run(ready, monkeypatch, capsys, "--within", "1")
    never.set()
    (line,) = [one for one in said["findings"] if one["subject"] == "provider"]
    assert (code, line["state"]) == (1, "unseen")


@pytest.mark.parametrize("error", [DependencyUnavailableError, ProviderSetupError])
def test_a_provider_that_refuses_or_is_away_is_wrong(
    ready: Any, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def captures(_since_ms: int) -> Any:
        raise error("no")

    monkeypatch.setattr(ready.target.world.payments, "captures", captures)
    found = only(event.provider, ready)
    assert found.state == "wrong"
    assert "nothing was written" not in found.text


def test_a_checkout_is_tried_only_where_no_money_can_move(
    ready: Any, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert only(event.checkout, ready).state == "ok"
    for key, state in ((b"sk_live_x", "off"), (b"rk_test_x", "ok"), (b"", "off")):
        stripe = site_of(world, tmp_path, keys=KEYS | {"payments": b64url(key)}, only=EVENT)
        secrets = structs.replace(world.secrets.current, payments=key)
        monkeypatch.setattr(world.secrets, "current", secrets)
        stripe.target.world.__dict__["payments"] = world.payments
        assert only(event.checkout, stripe).state == state


def test_a_page_that_was_paid_by_nobody_is_wrong(
    ready: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = Capture("p", "o", 1, "EUR", START_MS)
    monkeypatch.setattr(ready.target.world.payments, "close_checkout", lambda _page: capture)
    assert only(event.checkout, ready).state == "wrong"


@pytest.mark.parametrize(
    ("waiting", "state"),
    [
        ({"mails": [7, 3, 0]}, "ok"),
        ({"mails": [7, 6, 5, 4]}, "wrong"),
        ({"mails_dead": [1]}, "wrong"),
    ],
)
def test_a_queue_is_empty_once_or_wrong(ready: Any, waiting: Any, state: str) -> None:
    queues = Queues(**waiting)
    there = replace(ready, target=replace(ready.target, sqs=lambda: queues))
    found = {one.subject: one.state for one in event.queues(there)}
    assert found == {"queue mails": state, "queue tickets": "ok"}


def test_a_missing_layout_is_named(ready: Any, world: World) -> None:
    sections = [replace_id(world.event.sections[0], "t"), *world.event.sections]
    world.table.update(
        Update("catalog", *event_key(EVENT), set={"sections": [as_map(s) for s in sections]})
    )
    assert "sections/t.json" in only(event.layouts, ready).text


def replace_id(section: Any, name: str) -> Any:
    return msgspec.structs.replace(section, id=name)


def as_map(part: Any) -> Any:
    return part.as_map()


def test_a_map_from_the_table_or_in_part_is_wrong(
    ready: Any, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert only(event.cache, ready).state == "ok"
    partly = replace(ready, fetch=web(world, counts={"areas": {}}))
    assert "floor" in only(event.cache, partly).text
    monkeypatch.setattr(FromCache, "source", "table")
    assert only(event.cache, ready).state == "wrong"


@pytest.mark.parametrize("changes", [{"state": "paused"}, {"layout": "1" * 32}, {"tiers": []}])
def test_an_event_shown_otherwise_than_it_is_written_is_wrong(
    ready: Any, world: World, changes: Any
) -> None:
    assert only(event.public, ready).state == "ok"
    assert (
        next(iter(changes)).replace("tiers", "prices")
        in only(event.public, replace(ready, fetch=web(world, **changes))).text
    )


def test_of_a_draft_it_is_wrong_once_that_buyers_see_nothing(ready: Any, world: World) -> None:
    gone = {f"/api/events/{EVENT}": (404, "{}"), f"/api/events/{EVENT}/availability": (404, "{}")}
    checks = (event.event, event.cache, event.public)
    world.table.update(Update("catalog", *event_key(EVENT), set={"state": "draft"}))
    draft = replace(ready, fetch=Web(gone))
    assert [only(check, draft).state for check in checks] == ["wrong", "off", "off"]
    world.table.update(Update("catalog", *event_key(EVENT), set={"openUntil": START_S - 1}))
    published = replace(ready, fetch=Web(gone))
    assert [only(check, published).state for check in checks[1:]] == ["wrong", "wrong"]


def test_no_room_for_changes_is_wrong(ready: Any, world: World) -> None:
    assert only(event.spare_for_changes, ready).state == "ok"
    line = tuple(Epoch(START_S + 600.0 * n, 0.01 * n, 0.01 + n / 1e6) for n in range(1, 7))
    full = gate(sale_start_s=START_S - 60, epochs=line)
    world.edge_config.values[gate_key(EVENT)] = dump_gate(full)
    assert only(event.spare_for_changes, ready).state == "wrong"


@pytest.mark.parametrize(
    ("share", "control", "state"),
    [
        (0.05, "manual", "ok"),
        (0.005, "manual", "wrong"),
        (0.0, "manual", "off"),
        (0.0, "auto", "wrong"),
    ],
)
def test_a_sample_has_to_tell_of_the_crowd(
    ready: Any, world: World, share: float, control: str, state: str
) -> None:
    world.edge_config.values[gate_key(EVENT)] = dump_gate(gate(sample_queue=share))
    world.table.update(Update("catalog", *event_key(EVENT), set={"control": control}))
    assert only(event.sample, ready).state == state


def test_a_controller_that_is_silent_is_wrong(ready: Any, world: World) -> None:
    world.clock.tick(50)
    assert only(event.figures, ready).state == "ok"
    world.clock.tick(50)
    assert only(event.figures, ready).state == "wrong"


def test_a_new_event_has_its_first_figures_within_a_minute(ready: Any, world: World) -> None:
    world.table.transact([Delete("reservations", *figures_key(EVENT))])
    made = rfc3339(world.clock.now_ms())
    world.table.update(Update("catalog", *event_key(EVENT), set={"createdAt": made}))
    assert only(event.figures, ready).state == "off"
    world.clock.tick(61)
    assert only(event.figures, ready).state == "wrong"


# --- rows


def strange(world: World, seat: str, section: str, name: str = EVENT) -> None:
    known = world.table.find(SeatRecord, seat_key(EVENT, world.seat_ids[0]))
    assert known
    row = msgspec.structs.replace(
        known, pk=seat_key(name, seat).pk, section_id=section, seat_id=seat, event_id=name
    )
    world.table.transact([Put.of(row)])


def test_rows_of_another_chart_are_found(ready: Any, world: World) -> None:
    assert only(rows.rows, ready).state == "ok"
    strange(world, "z-1", "zoo")
    strange(world, "s-99", "s")
    counter = world.table.find(AreaShard, area_key(EVENT, "floor", 0))
    assert counter
    old = msgspec.structs.replace(counter, pk=area_key(EVENT, "lawn", 0).pk, area_id="lawn")
    world.table.transact([Put.of(old)])
    found = only(rows.rows, ready)
    assert (found.subject, found.state) == ("orphans", "wrong")
    assert "3 rows" in found.text
    assert "lawn, s, zoo" in found.text


def test_missing_rows_are_found(ready: Any, world: World) -> None:
    sections = [{**as_map(world.event.sections[0]), "seats": 14}]
    world.table.update(Update("catalog", *event_key(EVENT), set={"sections": sections}))
    found = only(rows.rows, ready)
    assert (found.subject, found.state) == ("rows", "wrong")
    assert "2 seats" in found.text


@pytest.mark.parametrize("shard", [{"S": "x"}, {"SS": ["x"]}, {"L": []}, None])
def test_a_damaged_row_stops_no_comparison(ready: Any, world: World, shard: Any) -> None:
    world.spoil("seats", seat_key(EVENT, world.seat_ids[0]), sectionId={"SS": ["s"]})
    world.spoil("seats", area_key(EVENT, "floor", 0), shard=shard)
    missing, orphans = rows.rows(ready)
    assert (missing.subject, orphans.subject) == ("rows", "orphans")
    assert missing.text.startswith("2 ")
    assert orphans.text.startswith("2 ")
    assert "{" not in orphans.text


def test_another_event_whose_name_begins_alike_is_not_counted(ready: Any, world: World) -> None:
    strange(world, "s-1-1", "s", name=f"{EVENT}2")
    assert only(rows.rows, ready).state == "ok"


def test_what_a_creation_left_that_broke_off_is_found(ready: Any, world: World) -> None:
    strange(world, "s-1-1", "s", name="broken")
    found = only(rows.rows, replace(ready, only="broken"))
    assert found.state == "wrong"
    assert "broke off and left 1 rows" in found.text
    assert "event create broken" in found.do
    world.put(Creation(*creation_key("begun"), at_ms=START_MS, who="anna"))
    assert "begun by anna" in only(rows.rows, replace(ready, only="begun")).text
    gone = replace(ready, only="never")
    assert only(rows.rows, gone).state == "ok"


# --- what there is to do


def commands() -> set[str]:
    folder = Path(event.__file__).parent
    texts = [path.read_text("utf-8") for path in folder.glob("*.py")]
    return {
        re.sub(r"\{[^}]*\}", "NAME", command)
        for text in texts
        for command in re.findall(r"`fairgate ((?:[^`])+)`", text)
    }


@pytest.mark.parametrize("command", sorted(commands()))
def test_a_command_that_is_to_mend_exists_with_its_options(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for word in command.split() if not word.isupper()]
    verb = [word for word in words if not word.startswith("--")][:2]
    with pytest.raises(SystemExit) as ended:
        main.main([*verb, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"{option}(?![\w-])", shown), command


def test_prices_that_no_checkout_could_take_are_a_no_go(
    ready: Any, world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [tier] = world.event.tiers
    world.put(structs.replace(world.event, tiers=[structs.replace(tier, price_minor=10)]))
    code, said = run(ready, monkeypatch, capsys)
    [found] = [one for one in said["findings"] if one["subject"] == "prices"]
    assert (code, found["state"]) == (1, "wrong")
    assert "no less than 0.50" in found["text"]
