"""A buyer's way to a guard of a sale, and what may change between its reading and writing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.record import Key
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.checkout.begin_checkout import CheckoutBeginner, CheckoutBegun
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import (
    dispute_key,
    order_key,
    refund_key,
    reservation_key,
    seat_key,
    session_key,
    task_id,
    task_key,
    user_status_key,
)
from fairgate.service.shared.records.orders import Order
from tests.support.world import EVENT, NAMES, World

PAST, FUTURE = "2001-01-01T00:00:00.000Z", "2099-01-01T00:00:00.000Z"
Change = Callable[["Story", Sequence[Action]], object]


class Meanwhile:
    """A table in which something changes just before the ``nth`` write, whose fate is kept."""

    def __init__(self, story: Story, change: Change, nth: int) -> None:
        self._story, self._change, self._left = story, change, nth
        self.fate = "never written"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._story.world.table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._write(actions, lambda: self._story.world.table.transact(actions, token))

    def update(self, action: Update) -> None:
        self._write([action], lambda: self._story.world.table.update(action))

    def _write(self, actions: Sequence[Action], write: Callable[[], None]) -> None:
        self._left -= 1
        if self._left:
            write()
            return
        self._change(self._story, actions)
        try:
            write()
        except TransactionRefusedError:
            self.fate = "refused"
            raise
        self.fate = "committed"


class Story:
    """One buyer's way, up to where a guard stands."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.mine: Credential = world.session("ann")
        self.hold = ""
        self.places = 1  # of the area
        self.order: Order | None = None
        self.begun: CheckoutBegun | None = None

    def held(self) -> Story:
        units = [
            Unit("seat", self.world.seat_ids[0], "s", "t", "1"),
            Unit("area", "floor", "", "t", "Floor", self.places),
        ]
        holder = SeatHolder(self.world.table, self.world.clock, self.world.ids)
        self.hold = holder.hold(self.mine, units, shards={"floor": 1}).hold
        return self

    def pending(self) -> Story:
        self.begun = self.held().beginner(self.world.table)
        self.order = self.begun.order
        return self

    def paid(self) -> Story:
        self.pending()
        self.settler(self.world.table).settle(self.capture())
        return self

    def owed(self) -> Story:
        """Cancelled while the provider was away."""
        self.paid()
        self.world.payments.fail = DependencyUnavailableError("away")
        with pytest.raises(DependencyUnavailableError):
            self.cancel(self.world.table)
        self.world.payments.fail = None
        return self

    # --- the services over a table

    def beginner(self, table: Any) -> CheckoutBegun:
        world = self.world
        beginner = CheckoutBeginner(table, world.clock, world.ids, world.reminders)
        event = msgspec.structs.replace(world.event, cancel_until=FUTURE)
        return beginner.begin(event, self.mine.session, "ann", "a@example.org")

    def settler(self, table: Any) -> PaymentSettler:
        return PaymentSettler(table, self.world.clock, self.world.payments)

    def refunder(self, table: Any) -> Refunder:
        return Refunder(table, self.world.clock, self.world.payments)

    def cancel(self, table: Any) -> object:
        canceller = OrderCanceller(table, self.world.clock, self.world.payments)
        return canceller.cancel(self.world.event, self.stored())

    def capture(self, kind: Any = "succeeded") -> PaymentEvent:
        order = self.placed
        return PaymentEvent("evt1", kind, order.order_id, order.total_minor, "EUR", "pay1")

    # --- its items

    @property
    def session_key(self) -> Key:
        return session_key(self.mine.session)

    @property
    def order_key(self) -> Key:
        return order_key(self.mine.session, self.placed.order_id)

    @property
    def refund_key(self) -> Key:
        return refund_key(self.mine.session, self.placed.order_id, "pay1")

    @property
    def placed(self) -> Order:
        """The order as it began."""
        assert self.order is not None
        return self.order

    def stored(self) -> Order:
        """The order as the table has it now."""
        found = self.world.table.find(Order, self.order_key)
        assert found is not None
        return found


# --- changes: what only one guard can notice


def changed(table: Any, key: Callable[[Story], tuple[str, str]], **values: Any) -> Change:
    return lambda story, _actions: story.world.table.update(Update(table, *key(story), set=values))


def set_session(**values: Any) -> Change:
    return changed("reservations", lambda story: story.session_key, **values)


def set_order(**values: Any) -> Change:
    return changed("reservations", lambda story: story.order_key, **values)


def set_refund(**values: Any) -> Change:
    return changed("reservations", lambda story: story.refund_key, **values)


def set_seat(number: int = 0, **values: Any) -> Change:
    return changed("seats", lambda story: seat_key(EVENT, story.world.seat_ids[number]), **values)


def set_status(user: str = "ann", **values: Any) -> Change:
    return changed("reservations", lambda _story: user_status_key(user, EVENT), **values)


def set_mark(key: tuple[str, str], **values: Any) -> Change:
    return changed("reservations", lambda _story: key, **values)


def set_dispute(**values: Any) -> Change:
    def key(story: Story) -> tuple[str, str]:
        return dispute_key(story.mine.session, story.placed.order_id, "dp1")

    return changed("reservations", key, **values)


def set_task(**values: Any) -> Change:
    return changed(
        "reservations", lambda _story: task_key(task_id("disputed", "", "ord_1", "", "")), **values
    )


def task_is_gone(story: Story, _actions: Sequence[Action]) -> None:
    _delete(story, task_key(task_id("disputed", "", "ord_1", "", "")))


def set_area(**values: Any) -> Change:
    """Change the reservation of places of an area."""
    return changed(
        "reservations",
        lambda story: reservation_key(story.mine.session, story.hold, "floor"),
        **values,
    )


def exists_already(prefix: str, **values: Any) -> Change:
    """Somebody else has put this item: other content under the same key."""

    def change(story: Story, actions: Sequence[Action]) -> None:
        for action in actions:
            if isinstance(action, Put) and str(action.item["SK"]).startswith(prefix):
                other = {**action.item, "eventId": EVENT, "userId": "x", **values}
                story.world.put_item(action.table, other)
                return
        raise AssertionError(f"nothing is put under {prefix}")

    return change


def refund_is_gone(story: Story, _actions: Sequence[Action]) -> None:
    _delete(story, story.refund_key)


def _delete(story: Story, key_of_item: tuple[str, str]) -> None:
    pk, sk = key_of_item
    key = {"PK": {"S": pk}, "SK": {"S": sk}}
    story.world.client.delete_item(TableName=NAMES["reservations"], Key=key)
