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
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import patch

from fairgate import service
from fairgate.ports.record import Record
from fairgate.ports.table import Put
from fairgate.service.shared import keys
from fairgate_lab.simulate.sale.cache_guards import cache_guards
from fairgate_lab.simulate.sale.check_guards import check_guards
from fairgate_lab.simulate.sale.guard import Guard

# The modules whose conditions decide about seats, sessions, orders and money.
MODULES = (
    "checkout.await_turn",
    "checkout.begin_checkout",
    "refunds.disputes",
    "ledger.manual_tasks",
    "ledger.ledger",
    "books.number_documents",
    "holds.hold_seats",
    "house.house_writes",
    "sessions.capacity_reached",
    "shared.capacity_slot",
    "sessions.capacity_shards",
    "shared.idempotency",
    "shared.order_update",
    "refunds.owe_refund",
    "sessions.open_session",
    "shared.shared_count",
    "books.reconcile_payments",
    "refunds.refund_attempts",
    "refunds.refunds",
    "holds.release_seats",
    "refunds.return_seats",
    "checkout.settle_payment",
    "expiry.sweep_cursors",
    "orders.erase_buyer",
    "tickets.accept_ticket",
    "gate.appeals",
    "gate.desk_by_hand",
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


@cache
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
    """Items with this start of the sort key are written over, by any writer."""

    def unguarded(record: Record, *arguments: Any, **named: Any) -> Put:
        if record.sk.startswith(prefix):
            return Put.of(record, condition="")
        return Put.of(record, *arguments, **named)

    return lambda: patch.object(module(name), "Put", SimpleNamespace(of=unguarded))


def put_guards() -> Sequence[Guard]:
    sites = {
        ("sessions.open_session", keys.TOKEN): "a redeemed token",
        ("sessions.open_session", keys.SESSION): "a session",
        ("sessions.capacity_shards", "CAP"): "a cap's record",
        ("holds.hold_seats", keys.RESERVATION): "a reservation",
        ("checkout.begin_checkout", keys.ORDER): "an order",
        ("house.block_seats", "blk_"): "a house block",
        ("checkout.settle_payment", keys.PAYMENT_EVENT): "a payment event",
        ("refunds.owe_refund", keys.REFUND): "an owed refund",
        ("refunds.disputes", keys.DISPUTE): "a dispute",
        ("ledger.ledger", keys.LEDGER): "an entry",
        ("ledger.manual_tasks", "dty_"): "a task",
        ("books.number_documents", keys.DOCUMENT): "a document",
    }
    return [
        Guard(f"{stem(name)}: {what} is written once", _without_put(name, prefix))
        for (name, prefix), what in sites.items()
    ]


def table_guards() -> Iterator[Guard]:
    """What the table refuses."""
    yield from clause_guards()
    yield from put_guards()


def all_guards() -> Iterator[Guard]:
    yield from table_guards()
    yield from check_guards()
    yield from cache_guards()
