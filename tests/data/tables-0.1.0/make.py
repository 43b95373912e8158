"""How ``items.json`` was made: a sale by the code of version 0.1.0 itself, its tables written down.

Run it again in a checkout of that version (commit 6a8e3e0e; no tag), with this project's packages:

    git worktree add ../v0.1.0 6a8e3e0e
    cd ../v0.1.0
    PYTHONPATH=layers/core/python:ops:. ../fairgate/.venv/bin/python \
        ../fairgate/tests/data/tables-0.1.0/make.py > ../fairgate/tests/data/tables-0.1.0/items.json

Imports of that version are of another shape than today's, hence no linter looks at this file.
"""

import json
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from fairgate.service.orders.begin_checkout import CheckoutBeginner
from fairgate.service.orders.cancel_order import OrderCanceller
from fairgate.service.orders.settle_payment import PaymentSettler

from fairgate.adapters.tickets.ed25519 import signer
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.table import Update
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from tests.support.sale import EVENT, small_sale
from tests.support.world import NAMES


class NoMail:
    def send(self, **_mail):
        """Nobody reads it."""


def main():
    with small_sale(Path(tempfile.mkdtemp())) as sale, redirect_stdout(sys.stderr):
        sale.create()
        world, table, clock = sale.world, sale.table, sale.clock
        closes = rfc3339(clock.ms + 90 * 86_400_000)
        table.update(Update("catalog", "EVENT", EVENT, set={"cancelUntil": closes}))
        sessions = {}
        waiting = {user: sale.join(user) for user in ("ann", "bob", "cas", "dan", "eve")}
        while waiting:
            sessions |= sale.admit_when_due(list(waiting.values()), until_s=10)
            waiting = {user: place for user, place in waiting.items() if user not in sessions}

        def hold(user, *units):
            [head] = table.query("reservations", sessions[user], "S#")
            credential = Credential(
                head["PK"], EVENT, user, head["expiresAt"], 10, sale.item["layout"]
            )
            SeatHolder(table, clock, world.ids).hold(credential, units, shards={"floor": 3})

        def check_out(user):
            beginner = CheckoutBeginner(table, clock, world.ids, world.reminders)
            return beginner.begin(sale.item, sessions[user], user, f"{user}@example.org").order

        def buy(user):
            order = check_out(user)
            paid = PaymentEvent(
                f"evt-{user}",
                "succeeded",
                order["orderId"],
                order["totalMinor"],
                "EUR",
                f"pay-{user}",
            )
            assert PaymentSettler(table, clock, world.payments).settle(paid) == "paid"
            sign = signer(lambda: world.secrets.kept.ticket)
            office = TicketOffice(table, clock, NoMail(), sign, _nothing, _nothing)
            assert issue_tickets(office, order["orderId"]).issued
            [order] = table.query("reservations", sessions[user], "O#")
            return order

        hold("ann", _seat(1, 1), _seat(1, 2))
        hold("ann", _floor(2))
        buy("ann")
        hold("bob", _seat(1, 3))
        cancelled = OrderCanceller(table, clock, world.payments).cancel(sale.item, buy("bob"))
        assert cancelled["state"] == "refunded", cancelled
        hold("cas", _seat(2, 1), _floor(1))
        check_out("cas")
        hold("dan", _floor(2))
        made = {
            "made_by": "version 0.1.0, commit 6a8e3e0e; see make.py",
            "at_ms": clock.ms,
            "sessions": sessions,
            "tables": {
                name: [item for item in world.client.scan(TableName=table)["Items"] if _sold(item)]
                for name, table in NAMES.items()
            },
        }
    write(made)


def _sold(item):
    """Whether it is of the sale; the support of the tests has made another event, too."""
    return not item["PK"]["S"].startswith("show#") and item["SK"]["S"] != "show"


def write(made):
    """An item a line, sorted by its keys."""
    tables = {
        name: sorted(json.dumps(item, sort_keys=True) for item in items)
        for name, items in made.pop("tables").items()
    }
    lines = ",\n".join(
        f' "{name}": [\n  ' + ",\n  ".join(items) + "\n ]" for name, items in tables.items()
    )
    head = json.dumps(made, indent=1, sort_keys=True).removesuffix("\n}")
    sys.stdout.write(head + ',\n "tables": {\n' + lines + "\n }\n}\n")


def _nothing(_faces):
    return b""  # what is mailed is in no table


def _seat(row, number):
    return Unit("seat", f"A-1-{row}-{number}", "A", "stalls", f"Row {row}, seat {number}", 1, 0)


def _floor(quantity):
    return Unit("area", "floor", "", "standing", "Floor", quantity, 0)


if __name__ == "__main__":
    main()
