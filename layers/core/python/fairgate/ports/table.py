"""Declare the calls that the services make to DynamoDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field

from fairgate.ports.record import PK, Key, R, Record, TableName, decode


class Update(Struct, frozen=True):
    """One UpdateItem of a transaction. Conditions name attributes ``#a`` and values ``:v``."""

    table: TableName
    pk: str
    sk: str
    condition: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)  # of the condition, without the colon
    set: Mapping[str, Any] = field(default_factory=dict)
    add: Mapping[str, float] = field(default_factory=dict)


IS_NEW = f"attribute_not_exists(#{PK})"  # no item has the key


class Put(Struct, frozen=True):
    """One PutItem of a transaction, by default of an item that must not exist."""

    table: TableName
    item: Mapping[str, Any]
    condition: str = IS_NEW
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        record: Record,
        condition: str = IS_NEW,
        values: Mapping[str, Any] | None = None,
    ) -> Put:
        """Make one PutItem of a record."""
        return cls(record.table, record.item(), condition, values or {})


class Delete(Struct, frozen=True):
    """One DeleteItem of a transaction; without a condition it succeeds without an item too."""

    table: TableName
    pk: str
    sk: str
    condition: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)


class Check(Struct, frozen=True):
    """A condition on an item that the transaction does not write."""

    table: TableName
    pk: str
    sk: str
    condition: str
    values: Mapping[str, Any] = field(default_factory=dict)


Action = Update | Put | Delete | Check


class Refusal(Struct, frozen=True):
    """The reason why one action of a cancelled transaction failed, with the item as it is."""

    code: str  # None, ConditionalCheckFailed, …
    item: Mapping[str, Any] | None

    @property
    def failed(self) -> bool:
        return self.code == "ConditionalCheckFailed"

    def old(self, kind: type[R]) -> R | None:
        """Return the item that refused, as a record; None if there was none."""
        return None if self.item is None else decode(kind, self.item)


class TransactionRefusedError(Exception):
    """Reports that a condition failed and nothing was written; reasons in the actions' order."""

    def __init__(self, reasons: Sequence[Refusal]) -> None:
        super().__init__(", ".join(r.code for r in reasons))
        self.reasons = tuple(reasons)


class Table(Protocol):
    """Makes the few calls that the services need of DynamoDB, in plain Python values.

    Every method raises DependencyUnavailableError once its retry budget is spent.
    """

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        """Write all or none, in one TransactWriteItems.

        Raises TransactionRefusedError; DamagedItemError: an item does not take its update.
        """
        ...

    def update(self, action: Update) -> None:
        """Make one conditional UpdateItem.

        Raises TransactionRefusedError with one reason, DamagedItemError.
        """
        ...

    def count(self, action: Update) -> Mapping[str, Any]:
        """Make one conditional UpdateItem; return the attributes that it wrote, as they are now.

        A call that is tried again after a lost answer may count twice. Raises as ``update``.
        """
        ...

    def find(self, kind: type[R], key: Key) -> R | None:
        """Read one item, strongly consistent."""
        ...

    def find_many(self, kind: type[R], keys: Sequence[Key]) -> list[R]:
        """Read up to 100 items of one kind, strongly consistent, in no particular order."""
        ...

    def find_each(self, wanted: Sequence[tuple[type[Record], Key]]) -> list[Record]:
        """Read as ``find_many``, for items of several kinds of one table."""
        ...

    def query(
        self, kind: type[R], pk: str, sk_prefix: str = "", *, sk_from: str = "", index: bool = False
    ) -> list[R]:
        """Read all items of a partition, strongly consistent unless of the ``index``.

        Either those whose sort key begins with ``sk_prefix``, or those from ``sk_from`` on; all
        of them are of one ``kind``.
        """
        ...

    def pages(
        self, kind: type[R], pk: str, *, size: int, after: str = "", index: bool = False
    ) -> Iterator[Sequence[R]]:
        """Yield a partition as ``query`` reads it, up to ``size`` items at a time.

        It is for partitions that are too large for memory.

        Args:
            after: the sort key after which it begins; "": at the first item.
        """
        ...

    def partition(self, kinds: Mapping[str, type[Record]], pk: str) -> list[Record]:
        """Read all items of a partition that holds several kinds, strongly consistent.

        Args:
            kinds: by the prefix of the sort key. Items of no prefix here are left out.
        """
        ...
