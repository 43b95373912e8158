"""The calls that the services make to DynamoDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

TableName = Literal["seats", "reservations", "catalog"]


@dataclass(frozen=True, slots=True)
class Update:
    """One UpdateItem of a transaction. Conditions name attributes ``#a`` and values ``:v``."""

    table: TableName
    pk: str
    sk: str
    condition: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)  # of the condition, without the colon
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Put:
    """One PutItem of a transaction, by default of an item that must not exist."""

    table: TableName
    item: Mapping[str, Any]
    condition: str = "attribute_not_exists(#PK)"
    values: Mapping[str, Any] = field(default_factory=dict)


Action = Update | Put


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why one action of a cancelled transaction failed, with the item as it is in the table."""

    code: str  # None, ConditionalCheckFailed, …
    item: Mapping[str, Any] | None

    @property
    def failed(self) -> bool:
        return self.code == "ConditionalCheckFailed"


class TransactionRefusedError(Exception):
    """A condition failed and nothing was written; reasons in the order of the actions."""

    def __init__(self, reasons: Sequence[Refusal]) -> None:
        super().__init__(", ".join(r.code for r in reasons))
        self.reasons = tuple(reasons)


class Table(Protocol):
    """The few calls that the services make to DynamoDB, in plain Python values.

    Every method raises DependencyUnavailableError once its retry budget is spent.
    """

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        """All or none, in one TransactWriteItems. Raises TransactionRefusedError."""
        ...

    def update(self, action: Update) -> None:
        """One conditional UpdateItem. Raises TransactionRefusedError with one reason."""
        ...

    def get(self, table: TableName, pk: str, sk: str) -> dict[str, Any] | None:
        """Strongly consistent read of one item."""
        ...

    def get_many(self, table: TableName, keys: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        """Strongly consistent read of up to 100 items, in no particular order."""
        ...

    def query(
        self,
        table: TableName,
        pk: str,
        sk_prefix: str = "",
        *,
        sk_from: str = "",
        index: bool = False,
    ) -> list[dict[str, Any]]:
        """All items of a partition, strongly consistent unless of the ``index``.

        Either those whose sort key begins with ``sk_prefix``, or those from ``sk_from`` on.
        """
        ...
