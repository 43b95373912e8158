"""The capacity plan counts what the services write, key by key, and what that costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from fairgate import metrics
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.ports.record import GSI1PK, PK, SK, Key
from fairgate.ports.table import Action, Put
from fairgate.service.catalog.event_record import event_record
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.gate.count_crowd import CrowdMember
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.shared import keys
from fairgate.service.shared.records.catalog import Event
from fairgate_lab.engine.sizes import item_bytes
from fairgate_ops.operate.capacity import access, cost, meetings, plan
from fairgate_ops.operate.capacity.inputs import Inputs, read_inputs
from fairgate_ops.operate.capacity.keys_page import hottest
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.operate.models import KINDS
from infra.cognito_plans import PLANS, dollars_a_month
from infra.functions import FUNCTIONS
from tests.support.creations import REQUEST
from tests.support.world import EVENT, World, gate
from tests.unit.checkout.test_checkout_and_settle import settle
from tests.unit.sessions.test_capacity_shards import ask, capped

pytestmark = pytest.mark.table_in_memory

ROOT = Path(__file__).parents[3]
SALE = read_inputs()
SEATS = int(SALE.seats_a_hold)


class Noting:
    """A table that notes what its transactions write, and which items get an index's key."""

    def __init__(self, world: World) -> None:
        self._table = world.table
        self.written: Counter[str] = Counter()
        self.indexed: set[str] = set()
        self.keys: list[tuple[Any, Key]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: list[Action], token: str | None = None) -> None:
        self._table.transact(actions, token)
        for action in actions:
            put = action.item if isinstance(action, Put) else None
            key = Key(put[PK], put[SK]) if put else Key(action.pk, action.sk)  # type: ignore[union-attr]
            kind = str(keys.shape_of(action.table, key))
            self.written[kind] += 1
            self.keys.append((action.table, key))
            if GSI1PK in (put or getattr(action, "set", {})):
                self.indexed.add(kind)


@pytest.fixture
def noted(world: World) -> dict[str, Noting]:
    """What each action of a buyer writes, near the capacity limit."""
    capped(world, 1_000)
    ask(world, "first")  # it deals the shards
    found: dict[str, Noting] = {}
    table = world.table

    def note(action: str, act: Callable[[], Any]) -> Any:
        world.table = found[action] = Noting(world)  # type: ignore[assignment]
        try:
            return act()
        finally:
            world.table = table

    def shopping(user: str, first: int) -> Credential:
        opened = note("opening", lambda: ask(world, user))
        mine = Credential(
            SessionId(opened.session), EventId(EVENT), UserId(user), opened.expires_at, 10, ""
        )
        seats = world.seat_ids[first : first + SEATS]
        units = [Unit("seat", seat, "s", "t", seat) for seat in seats]
        note(
            "hold",
            lambda: SeatHolder(world.table, world.clock, world.ids).hold(
                mine, units, shards={}, idempotency_key="key"
            ),
        )
        return mine

    def begin(mine: Credential) -> Any:
        beginner = CheckoutBeginner(
            *(world.table, world.clock, world.ids, world.reminders),
            addresses_key=world.secrets.current.addresses,
        )
        return beginner.begin(
            world.event, mine.session, mine.user, "ann@example.org", idempotency_key="key"
        )

    mine = shopping("ann", 0)
    order = note("checkout", lambda: begin(mine)).order
    assert note("payment", lambda: settle(world, order)) == "paid"
    other = shopping("bob", SEATS)
    note(
        "end",
        lambda: SeatReleaser(world.table, world.clock).end_session(other.session, "cancelled"),
    )
    member = CrowdMember(EVENT, gate(sample_queue=1.0), "cid")
    note("joining", lambda: member.count(world.table, world.clock.ms))
    return found


def test_each_action_writes_what_the_plan_counts(noted: dict[str, Noting]) -> None:
    planned = access.writes(SEATS)
    assert {name: dict(one.written) for name, one in noted.items()} == {
        name: dict(planned[name]) for name in noted
    }
    assert set(noted) == set(planned) - access.PLAIN - {"creation"}
    assert {(action, kind) for action, one in noted.items() for kind in one.indexed} == (
        access.INDEXED
    )


def test_no_item_is_larger_than_the_plan_counts(world: World, noted: dict[str, Noting]) -> None:
    for one in noted.values():
        for table, key in one.keys:
            kind = str(keys.shape_of(table, key))
            size = item_bytes(to_item(world.item(table, key) or {}))
            assert 0 < size <= 1_024 * access.KB.get(kind, 1), kind


def created(seats: int) -> Event:
    venue = demo_venue(seats)
    request = structs.replace(REQUEST, prices_minor={tier.id: 1_000 for tier in venue.tiers})
    return event_record(request, venue, "0" * 32, "2026-01-01T00:00:00.000Z")


def test_an_event_of_so_many_seats_is_no_larger_than_the_plan_counts() -> None:
    assert item_bytes(to_item(created(int(SALE.seats)).item())) <= 1_024 * access.EVENT_KB


def test_every_kind_of_item_has_a_key_in_the_plan_or_a_reason_why_not() -> None:
    planned = {item for pattern in access.PATTERNS for item in pattern.items}
    left_out = {kind for kinds in access.LEFT_OUT.values() for kind in kinds}
    assert planned | left_out == set(KINDS)
    assert not planned & left_out
    counted = [*access.writes(SEATS).values(), *access.reads(SALE).values()]
    known = planned | {read for pattern in access.PATTERNS for read in pattern.reads}
    assert {item for some in counted for item in some} <= known


def test_keys_are_spelt_as_the_page_about_the_data_spells_them() -> None:
    lines = (ROOT / "docs" / "data.md").read_text("utf-8").splitlines()
    rows = [line for line in lines if line.count("|") >= 6]
    for pattern in access.PATTERNS:
        for item in pattern.items:
            (row,) = [row for row in rows if row.startswith(f"| {item} |")][:1]
            assert f"`{pattern.key}`" in row, (item, pattern.key)
            assert f"| {pattern.table.capitalize()} |" in row


def heats(sale: Inputs = SALE) -> dict[tuple[str, bool], access.Heat]:
    found = access.hottest_keys(sale, plan.catalogue_readers(sale))
    return {(heat.pattern.key, heat.pattern.index): heat for heat in found}


def test_no_key_takes_more_than_a_partition_in_the_worst_second() -> None:
    assert [key for key, heat in heats().items() if heat.too_hot] == []


def test_four_keys_of_live_counters_are_too_hot_and_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """833 openings and as many ends of two units, 250 checkouts of four: 1,083 on each of four."""
    assert "None is too hot." in hottest(SALE)
    monkeypatch.setattr(keys, "LIVE_SHARDS", 4)
    live = heats()["<event>#LIVE#<shard>", False]
    assert live.writes == (833 * 2 + 833 * 2 + 250 * 4) / 4 == 1_083
    assert live.too_hot
    assert "**Too hot: `<event>#LIVE#<shard>`.**" in hottest(SALE)


def test_a_tables_units_are_those_of_its_keys() -> None:
    """What keys shared by many take, and what each buyer's own do, is all that a table takes."""
    rates = access.actions_a_second(SALE, plan.catalogue_readers(SALE))
    needs = plan.needs(SALE)
    for table, units in needs.write_units.items():
        shared = sum(
            heat.writes * heat.keys
            for heat in heats().values()
            if heat.pattern.table == table and heat.keys
        )
        own = {
            item
            for pattern in access.PATTERNS
            for item in pattern.items
            if pattern.table == table and pattern.count is None and not pattern.index
        }
        rest = sum(
            rates.get(action, 0)
            * count
            * access.KB.get(item, 1)
            * (1 if action in access.PLAIN else 2)
            for action, some in access.writes(SEATS).items()
            for item, count in some.items()
            if item in own
        )
        listed = rates["checkout"] if table == "reservations" else 0  # an order, by its buyer
        assert units == pytest.approx(shared + rest + listed), table


# --- transactions that meet


def test_more_counters_mean_fewer_further_tries() -> None:
    for share in meetings.HELD_SHARES:
        tries = [meetings.simulated(SALE, one, share).retries for _, one in meetings.designs(SALE)]
        assert tries == sorted(tries, reverse=True)
        assert tries[0] > 2 * tries[-1] > 0


def test_the_counters_of_now_are_those_that_the_services_use() -> None:
    _, now = meetings.designs(SALE)[-1]
    event = created(80)
    ends = {keys.tally_key("e", f"{number}") for number in range(5_000)}
    assert (now.live, now.tally) == (event.live_counters, len(ends))
    assert now.shards == access.capacity_shards(SALE)


def test_nobody_tries_again_where_nothing_is_held_and_all_do_at_one_counter() -> None:
    one = meetings.Counters(1, 1, 1)
    assert meetings.simulated(SALE, one, 0.0) == meetings.Met(0.0, 0.0)
    assert meetings.simulated(SALE, one, 1.0).given_up > 0.9
    alone = replace(SALE, admissions_per_s=0.4, checkouts_per_s=0.4)
    assert meetings.simulated(alone, meetings.Counters(256, 128, 256), 1.0).retries == 0.0


# --- what the sale costs


def test_sessions_orders_and_holds_are_counted_once_for_all_rows() -> None:
    orders = SALE.seats / SALE.seats_a_hold
    calls, actions = cost.calls_a_sale(SALE), access.actions_a_sale(SALE, 0)
    assert calls["orders"] == calls["webhooks"] == actions["payment"] == orders
    assert calls["sessions"] == calls["holds"] == actions["opening"] == actions["hold"]
    assert orders / calls["sessions"] == pytest.approx(0.77, abs=0.005)
    assert actions["payment"] + actions["end"] == actions["opening"]
    assert set(calls) == set(plan.rates_at_origin(SALE))


@pytest.mark.parametrize("name", ["holds_per_s", "admissions_per_s"])
def test_a_sales_writes_do_not_depend_on_its_worst_second(name: str) -> None:
    hurried = replace(SALE, **{name: getattr(SALE, name) * 3})
    written = [
        next(one for one in cost.sale_cost(sale) if one.what == "DynamoDB, writes").amount
        for sale in (SALE, hurried)
    ]
    assert written[0] == written[1] > 0


def test_half_the_seats_write_half_as_much_of_seats() -> None:
    half = replace(SALE, seats=SALE.seats / 2)
    units = [
        access.units_by_table(sale, access.actions_a_sale(sale, 0))[0]["seats"]
        for sale in (half, SALE)
    ]
    assert units[0] * 2 == units[1] > 0


@pytest.mark.parametrize(
    ("plan", "accounts", "dollars"),
    [
        ("lite", 10_000, 0),
        ("lite", 100_000, 495),
        ("lite", 10_000_000, 33_885),
        ("lite", 11_000_000, 36_385),
        ("essentials", 10_000, 0),
        ("essentials", 10_000_000, 149_850),
        ("plus", 10_000_000, 200_000),
    ],
)
def test_cognito_costs_by_plan_and_account(plan: str, accounts: float, dollars: float) -> None:
    assert dollars_a_month(plan, accounts) == pytest.approx(dollars)


def test_a_row_a_plan_and_nothing_for_more_requests_where_buyers_come_in_time() -> None:
    rows = {one.what: one.dollars for one in cost.sign_in_costs(SALE)}
    assert {plan: rows[f"Cognito's plan {plan}"] for plan in PLANS} == {
        plan: dollars_a_month(plan, SALE.waiting) for plan in PLANS
    }
    early = cost.sign_in_costs(replace(SALE, sign_in_hours=24))
    assert [one.dollars for one in early if "above 120" in one.what] == [0.0]


def test_figures_at_rest_are_those_that_the_clocks_functions_emit_at_each_run() -> None:
    timers = [spec.name for spec in FUNCTIONS if spec.trigger == "timer"]
    handlers = [ROOT / "functions" / name / "handler.py" for name in timers]
    text = "\n".join(handler.read_text("utf-8") for handler in handlers)
    names = {value: name for name, value in vars(metrics).items() if isinstance(value, str)}
    at_rest = cost.metrics_at_rest()
    assert [one for one in at_rest if f"names.{names[one]}" not in text] == []
    assert len(at_rest) < cost.custom_metrics()
