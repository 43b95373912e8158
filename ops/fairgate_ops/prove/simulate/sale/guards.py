"""Every guard of a sale, and how to take it away: the negative controls of the simulator.

A guard is one clause of a condition, a Put that must not find its item, a check of an owner, a
repeated key, a version. Taken away alone, it must make a checker fail within some seeds; if it
does not, either the simulation is blind or the guard is not needed.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from fairgate import service
from fairgate.domain.shared.credential import Credential, verify_credential
from fairgate.domain.shared.ids import UserId
from fairgate.http import session_access
from fairgate.ports.record import Record
from fairgate.ports.table import Put
from fairgate.service.holds import release_seats
from fairgate.service.orders import (
    begin_checkout,
    cancel_order,
    cancel_terms,
    disputes,
    refunds,
    return_place,
    settle_payment,
    void_tickets,
)
from fairgate.service.orders.duties import Duties
from fairgate.service.orders.end_checkout import CheckoutEnder
from fairgate.service.orders.erase_buyer import BuyerEraser
from fairgate.service.orders.number_documents import DocumentOffice
from fairgate.service.orders.refunds import Refunder
from fairgate.service.shared import keys, session_view
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.records.orders import Order
from fairgate_ops.prove.simulate.sale.cache_guards import cache_guards
from fairgate_ops.prove.simulate.sale.guard import Guard

# The modules whose conditions decide about seats, sessions, orders and money.
MODULES = (
    "orders.ask_payment",
    "orders.begin_checkout",
    "orders.cancel_order",
    "orders.disputes",
    "orders.duties",
    "orders.erase_buyer",
    "orders.ledger",
    "orders.number_documents",
    "holds.hold_seats",
    "sessions.full_hall",
    "shared.hall_place",
    "sessions.hall_rooms",
    "shared.idempotency",
    "tickets.issue_tickets",
    "tickets.mail_tickets",
    "orders.open_payment",
    "orders.owe_refund",
    "sessions.open_session",
    "orders.reconcile_payments",
    "orders.refund_part",
    "orders.refunds",
    "holds.release_seats",
    "orders.return_place",
    "orders.return_seats",
    "orders.settle_payment",
    "orders.sweep_expired",
    "orders.void_tickets",
)
SERVICES = Path(service.__path__[0])


def stem(name: str) -> str:
    return name.rpartition(".")[2]


def source_of(name: str) -> Path:
    return SERVICES.joinpath(*name.split(".")).with_suffix(".py")


def module(name: str) -> ModuleType:
    return importlib.import_module(f"fairgate.service.{name}")


def clauses_of(condition: str) -> list[str]:
    """Each part of a condition that can be taken out alone.

    Of ``a AND (b OR (c AND d))``: a, the whole alternative, and within it c and d.
    """
    found: list[str] = []
    conjuncts = _split(condition, " AND ")
    if len(conjuncts) > 1:
        for conjunct in conjuncts:
            found += clauses_of(conjunct)
        return found
    inner = _bare(condition)
    if inner != condition:
        return clauses_of(inner)
    found.append(condition)
    for alternative in _split(condition, " OR "):
        if alternative != condition and len(parts := _split(_bare(alternative), " AND ")) > 1:
            found += [clause for part in parts for clause in clauses_of(part)]
    return found


def _bare(text: str) -> str:
    """Without the brackets around all of it."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth:  # where the first bracket closes, if there is one
            whole = character == ")" and position == len(text) - 1
            return text[1:-1] if whole else text
    return text


def _split(text: str, separator: str) -> list[str]:
    """At the separators that stand outside of brackets."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth and text.startswith(separator, position):
            parts.append(text[start:position])
            start = position + len(separator)
    return [*parts, text[start:]]


def conditions_in(path: Path) -> dict[str, list[str]]:
    """What stands behind ``condition=`` in a module: names of constants, and literals as ``""``."""
    found: dict[str, list[str]] = {"constants": [], "literals": []}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            if keyword.arg != "condition":
                continue
            for part in ast.walk(keyword.value):
                if isinstance(part, ast.Name) and part.id.isupper():
                    found["constants"].append(part.id)
                elif isinstance(part, ast.Constant) and part.value:
                    found["literals"].append(str(part.value))
    return {kind: sorted(set(names)) for kind, names in found.items()}


def clause_guards() -> list[Guard]:
    """One for each clause of each condition of the sale's modules."""
    return [
        Guard(f"{stem(name)}.{constant}: {clause.strip()}", _without_clause(name, constant, clause))
        for name in MODULES
        for constant in conditions_in(source_of(name))["constants"]
        for clause in clauses_of(re.sub(r"^ AND ", "", getattr(module(name), constant)))
    ]


def _without_clause(
    name: str, constant: str, clause: str
) -> Callable[[], AbstractContextManager[Any]]:
    def without() -> AbstractContextManager[Any]:
        condition: str = getattr(module(name), constant)
        # True whatever the item says; names and values stay in use. No bracket twice: DynamoDB
        # refuses redundant ones.
        inverse = f"NOT ({clause})" if " OR " in clause else f"NOT {clause}"
        alone = clause in (condition, condition.removeprefix(" AND "))
        bracketed = alone or f"({clause})" in condition
        always = f"{clause} OR {inverse}" if bracketed else f"({clause} OR {inverse})"
        gone = condition.replace(clause, always)
        return patch.object(module(name), constant, gone)

    return without


def _without_put(name: str, prefix: str) -> Callable[[], AbstractContextManager[Any]]:
    """Items whose sort key begins so are written over, whoever wrote them."""

    def unguarded(record: Record, *arguments: Any, **named: Any) -> Put:
        if record.sk.startswith(prefix):
            return Put.of(record, condition="")
        return Put.of(record, *arguments, **named)

    return lambda: patch.object(module(name), "Put", SimpleNamespace(of=unguarded))


def put_guards() -> Sequence[Guard]:
    sites = {
        ("sessions.open_session", keys.TOKEN): "a redeemed token",
        ("sessions.open_session", keys.SESSION): "a session",
        ("sessions.hall_rooms", "CAP"): "a cap's record",
        ("holds.hold_seats", keys.RESERVATION): "a reservation",
        ("orders.begin_checkout", keys.ORDER): "an order",
        ("orders.settle_payment", keys.PAYMENT_EVENT): "a payment event",
        ("orders.owe_refund", keys.REFUND): "an owed refund",
        ("orders.disputes", keys.DISPUTE): "a dispute",
        ("orders.ledger", keys.LEDGER): "an entry",
        ("orders.duties", "dty_"): "a duty",
        ("orders.number_documents", keys.DOCUMENT): "a document",
    }
    return [
        Guard(f"{stem(name)}: {what} is written once", _without_put(name, prefix))
        for (name, prefix), what in sites.items()
    ]


class Anyone(str):
    """A user whom every check takes for its own."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, _other: object) -> bool:
        return True

    def __ne__(self, _other: object) -> bool:
        return False


def _anyones_session() -> AbstractContextManager[Any]:
    read = session_view._read  # noqa: SLF001 the control takes its check away
    return patch.object(
        session_view, "_read", lambda table, session, _user: read(table, session, None)
    )


def _anyones_credential() -> AbstractContextManager[Any]:
    verify = verify_credential

    def accepted(*arguments: Any) -> Credential:
        credential = verify(*arguments)
        return replace(credential, user=UserId(Anyone(credential.user)))

    return patch.object(session_access, "verify_credential", accepted)


def _any_amount() -> AbstractContextManager[Any]:
    return patch.object(
        settle_payment, "_may_be_paid", lambda order, _payment: order.state == "pending"
    )


def _any_payload() -> AbstractContextManager[Any]:
    return patch.object(IdempotentRequest, "_answer", lambda _request, record: dict(record.answer))


def _half_read() -> AbstractContextManager[Any]:
    return patch.object(session_view.SessionView, "whole", property(lambda _view: True))


def _priced_as_now() -> AbstractContextManager[Any]:
    return patch.object(begin_checkout, "as_agreed", lambda _table, event, _session: event)


def _at_any_time(giver: ModuleType) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(giver, "require_in_time", lambda *_order: None)


def _fees_kept_of_a_cancelled_event() -> AbstractContextManager[Any]:
    return patch.object(cancel_order, "all_back", cancel_terms.whole_back)


def _more_than_is_left() -> AbstractContextManager[Any]:
    """What was kept or given back before is forgotten."""
    return patch.object(Order, "left_minor", property(lambda order: order.total_minor))


def _void_admits() -> AbstractContextManager[Any]:
    return patch.object(Order, "admitting", property(lambda order: list(order.tickets)))


def _void_forgotten() -> AbstractContextManager[Any]:
    """What was made void before is written over."""

    def alone(order: Order, ticket: str = "") -> list[str]:
        return [one.ticket for one in order.tickets if ticket in ("", one.ticket)]

    return patch.object(void_tickets, "still_good", alone)


def _erased_unasked() -> AbstractContextManager[Any]:
    return patch.object(BuyerEraser, "owed", lambda *_what: "")


def _released_unasked() -> AbstractContextManager[Any]:
    closed = CheckoutEnder._closed  # noqa: SLF001 the control takes its answer away

    def unheard(ender: CheckoutEnder, view: Any) -> list[Any]:
        closed(ender, view)
        return []

    return patch.object(CheckoutEnder, "_closed", unheard)


def _nobody_told() -> AbstractContextManager[Any]:
    return patch.object(Duties, "note", lambda *_what, **_about: False)


def _disputes_ignored() -> AbstractContextManager[Any]:
    return patch.object(disputes, "_state_of", lambda order, *_known: order.state)


def _unentered(mover: ModuleType, name: str) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(mover, name, lambda *_what: [])


def _unnumbered(what: str) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(DocumentOffice, what, lambda *_about: 0)


def _refunds_unfollowed() -> AbstractContextManager[Any]:
    return patch.object(Refunder, "look", Refunder.send)


def _listed_elsewhere() -> AbstractContextManager[Any]:
    return patch.object(begin_checkout, "event_orders_index", lambda _event, _session: "nowhere")


def _refunds_unheard() -> AbstractContextManager[Any]:
    return patch.object(Refunder, "heard", lambda _refunder, _refund: "noted")


def _place_kept(ending: ModuleType) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: patch.object(ending, "place_given_back", lambda _session: [])


def check_guards() -> Sequence[Guard]:
    """Checks that are made before the table is asked."""
    return [
        Guard("session_view: a session is shown to its user only", _anyones_session),
        Guard("session_view: a session is read whole", _half_read),
        Guard("session_access: a credential counts for its user only", _anyones_credential),
        Guard("settle_payment: the amount is what was asked for", _any_amount),
        Guard("idempotency: a key stands for one request", _any_payload),
        Guard("release_seats: who ends gives the place back", _place_kept(release_seats)),
        Guard("settle_payment: who has paid gives the place back", _place_kept(settle_payment)),
        Guard("begin_checkout: an order asks for what its session began with", _priced_as_now),
        Guard("cancel_order: the order's terms", _at_any_time(cancel_order)),
        Guard("cancel_order: of a cancelled event all goes back", _fees_kept_of_a_cancelled_event),
        Guard("return_place: the order's terms", _at_any_time(return_place)),
        Guard("cancel_terms: no more than is left goes back", _more_than_is_left),
        Guard("begin_checkout: an order is listed among its event's", _listed_elsewhere),
        Guard("settle_payment: found by its address", _unentered(settle_payment, "_findable")),
        Guard("orders: a void ticket admits nobody", _void_admits),
        Guard("void_tickets: a ticket is made void once", _void_forgotten),
        Guard("erase_buyer: nobody is erased while something is owed", _erased_unasked),
        Guard("end_checkout: what a closed page took is settled", _released_unasked),
        Guard("duties: what only a person can do is written down", _nobody_told),
        Guard("disputes: a disputed order's tickets are void", _disputes_ignored),
        Guard("ledger: a refund is entered as it goes", _unentered(refunds, "refund_entries")),
        Guard("ledger: a dispute is entered as heard of", _unentered(disputes, "dispute_entries")),
        Guard("number_documents: what was sold has its invoice", _unnumbered("invoices")),
        Guard("number_documents: what went back has its note", _unnumbered("credit_note")),
        Guard("refunds: a refund is followed until it is final", _refunds_unfollowed),
        Guard("refunds: a refund that comes back is heard of", _refunds_unheard),
    ]


def table_guards() -> Iterator[Guard]:
    """What the table refuses."""
    yield from clause_guards()
    yield from put_guards()


def all_guards() -> Iterator[Guard]:
    yield from table_guards()
    yield from check_guards()
    yield from cache_guards()
