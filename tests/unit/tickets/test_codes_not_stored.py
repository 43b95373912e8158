"""No table holds what admits: codes are signed when they are drawn, older ones dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.adapters.dynamodb.codec import read_item
from fairgate.adapters.tickets.ed25519 import public_key_of
from fairgate.domain.gate.gate_config import gate_key, parse_gate
from fairgate.domain.gate.preview import is_preview_token, preview_token
from fairgate.domain.shared.auth_token import issue_auth_token, verify_auth_token
from fairgate.domain.shared.credential import verify_credential
from fairgate.domain.tickets.offer_token import NamedOffer, offer_token, read_offer_token
from fairgate.domain.tickets.ticket import Ticket, encode, ticket_id
from fairgate.domain.tickets.ticket_link import TicketLink, sign_link, verify_link
from fairgate.errors import FairgateError
from fairgate.ports.record import Key
from fairgate.ports.table import Update
from fairgate.service.orders.drop_codes import CodeDropper
from fairgate.service.shared.keys import CATALOG_PK, CREATION, shape_of
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import faces_of
from fairgate.service.tickets.mail_link import LinkDeps, mail_link
from fairgate_lab.engine.outside import MemoryMailer
from fairgate_ops.operate.tickets import Door
from tests.support.world import EVENT, NAMES, World
from tests.unit.tickets.test_passing_on import Hands

_WORDS = re.compile(r"[A-Za-z0-9._-]+")
KINDS = {"order", "session", "user status", "reservation", "held order", "mailbox order", "event"}
KINDS |= {"mailed link", "idempotency record", "ledger entry", "sales tally", "seat", "due entry"}


@pytest.fixture
def hands(world: World) -> Hands:
    """One ticket passed on, one offered, and the buyer has asked for a link."""
    hands = Hands(world)
    hands.accept(hands.offer(key="k"), idempotency_key="k")
    hands.offer(ticket=hands.now.tickets[1].ticket)
    mailer = MemoryMailer()
    deps = LinkDeps(
        world.table, world.clock, mailer, lambda: world.secrets.current.links, "https://x"
    )
    assert mail_link(deps, hands.now.mailbox, "0" * 32)
    return hands


def seen(world: World) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each item that the reader's role may read, with its kind; infra/constructs/operator_roles."""
    for table, name in NAMES.items():
        for typed in world.client.scan(TableName=name)["Items"]:
            item = read_item(typed)
            if table != "catalog" or item["PK"] in (CATALOG_PK, CREATION):
                yield str(shape_of(table, Key(item["PK"], item["SK"]))), item


def words(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from (*words(name), *words(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from words(inner)
    elif isinstance(value, str):
        yield from (value, *_WORDS.findall(value))


def opening(world: World) -> dict[str, Callable[[str], object]]:
    """Each other way in; it raises an error, or returns False, for what opens nothing."""
    keys, now_ms = world.secrets.current, world.clock.now_ms()
    gate = parse_gate(world.edge_config.values[gate_key(EVENT)])
    return {
        "offer": lambda text: read_offer_token(text, keys.session),
        "mailed link": lambda text: verify_link(text, keys.links, now_ms // 1000),
        "session": lambda text: verify_credential(text, keys.session, now_ms),
        "sign-in": lambda text: verify_auth_token(text, keys.auth, now_ms // 1000),
        "preview": lambda text: is_preview_token(text, gate, EVENT),
    }


def found(world: World) -> dict[str, set[str]]:
    """What the reader finds in the tables that opens something: by what it opens, of which kind."""
    texts = {(text, kind) for kind, item in seen(world) for text in words(item)}
    kind_of = dict(texts)
    door, opens = Door(public_key_of(world.secrets.current.ticket)), opening(world)
    ways = {"ticket": {kind_of[one["code"]] for one in door.judge(list(kind_of)) if one["valid"]}}
    for way, opened in opens.items():
        for text, kind in texts:
            with suppress(FairgateError):
                if opened(text) is not False:
                    ways.setdefault(way, set()).add(kind)
    return {way: kinds for way, kinds in ways.items() if kinds}


def older(hands: Hands, **changes: Any) -> list[str]:
    """Make the order one of an older version, with stored codes; return them."""
    order = hands.now
    faces = [
        face for user in ("bob", "ann") for face in faces_of(order, None, hands.world.sign, user)
    ]
    codes = {face.ticket: face.code for face in faces}
    entries = [entry.as_map() | {"code": codes[entry.ticket]} for entry in order.tickets]
    update = {"tickets": entries} | changes
    hands.world.table.update(Update("reservations", *order.key, set=update))
    return list(codes.values())


def drawn(hands: Hands, order: Order) -> list[str]:
    sign = hands.world.sign
    return [face.code for user in ("bob", "ann") for face in faces_of(order, None, sign, user)]


def test_a_code_says_what_it_was_issued_for_and_when(world: World) -> None:
    hands, bought_s = Hands(world), world.clock.ms // 1000
    order = hands.order
    world.clock.tick(3_600)
    hands.accept(hands.offer())
    world.clock.tick(60)
    signed = [
        Ticket(ticket_id(order.order_id, unit, passed), EVENT, order.order_id, unit, seat, issued_s)
        for unit, passed, seat, issued_s in (
            (0, 1, order.units[0].seat, bought_s + 3_600),
            (1, 0, order.units[1].seat, bought_s),
        )
    ]
    assert drawn(hands, hands.now) == [encode(ticket, world.sign) for ticket in signed]


def test_nothing_that_the_reader_sees_admits(hands: Hands) -> None:
    assert {kind for kind, _ in seen(hands.world)} >= KINDS
    assert found(hands.world) == {}


def test_a_stored_code_of_an_older_version_is_found(hands: Hands) -> None:
    older(hands)
    assert found(hands.world) == {"ticket": {"order"}}


def test_what_opens_is_known_where_it_is_stored(hands: Hands) -> None:
    """Else the reader would find nothing because nobody looks well."""
    world, keys = hands.world, hands.world.secrets.current
    named = NamedOffer(hands.order.order_id, 1)
    link = TicketLink(hands.order.mailbox, world.clock.now_ms() // 1000 + 60)
    gate = parse_gate(world.edge_config.values[gate_key(EVENT)])
    kept = {
        "offer": offer_token(named, keys.session["1"]),
        "mailed link": sign_link(link, keys.links),
        "session": world.signed(world.session("eve")),
        "sign-in": issue_auth_token("eve", [], keys.auth["1"], "1", world.clock.ms // 1000, 60),
        "preview": preview_token(gate, EVENT, world.event.created_at),
    }
    for way, token in kept.items():
        page = {"payPage": f"https://x/#/{token}"}
        world.table.update(Update("reservations", *hands.order.key, set=page))
        assert found(world) == {way: {"order"}}


def test_an_older_order_draws_its_code_and_loses_it_with_its_next_change(hands: Hands) -> None:
    codes = drawn(hands, hands.now)
    assert older(hands) == codes == drawn(hands, hands.now)
    hands.world.table.update(order_changed(hands.now, updated_at="2027-01-01T00:00:00.000Z")[1])
    assert not any(entry.code for entry in hands.now.tickets)
    assert drawn(hands, hands.now) == codes
    assert found(hands.world) == {}


def test_a_code_that_would_not_be_signed_the_same_stays(hands: Hands) -> None:
    world, codes = hands.world, drawn(hands, hands.now)
    dropper = CodeDropper(world.table, world.clock)
    older(hands, units=[unit.as_map() | {"seat": "s-9"} for unit in hands.now.units])
    assert not dropper.drop(hands.now)
    assert drawn(hands, hands.now) == codes
    for units in ([], [hands.order.units[0].as_map() | {"quantity": 0}]):
        older_units = Update("reservations", *hands.order.key, set={"units": units})
        world.table.update(older_units)
        assert not dropper.drop(hands.now)
    tickets = [entry.as_map() | {"code": "FG1.x"} for entry in hands.now.tickets]
    units = [unit.as_map() for unit in hands.order.units]
    update = {"tickets": tickets, "units": units}
    world.table.update(Update("reservations", *hands.order.key, set=update))
    assert not dropper.drop(hands.now)
    assert drawn(hands, hands.now) == ["FG1.x"] * 2


def test_another_key_signs_what_is_drawn_from_then_on(hands: Hands) -> None:
    world, codes = hands.world, drawn(hands, hands.now)
    world.secrets.current = replace(world.secrets.current, ticket=b"n" * 32)
    again = drawn(hands, hands.now)
    door = Door(public_key_of(world.secrets.current.ticket))
    assert [one["valid"] for one in door.judge([*codes, *again])] == [False, False, True, True]
