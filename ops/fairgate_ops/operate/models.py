"""Read-only PynamoDB models of the three tables, one for each kind of item.

They are made from the records, so attributes are listed once. They are stricter than the functions:
an attribute that is unknown, missing or of another type is an error. PynamoDB 6.1 itself ignores
unknown attributes and deletes them by ``save()``, accepts missing ones, and leaves items without a
discriminator out of a query for several kinds. Only the function of operators' jobs carries this
module, because it costs more than the rest of a cold start (docs/adr/0018).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import inspect
from pynamodb.attributes import Attribute, BooleanAttribute, NumberAttribute, UnicodeAttribute
from pynamodb.connection.base import Connection
from pynamodb.models import MetaModel, Model

from fairgate.adapters.dynamodb.codec import from_item, from_typed, to_typed
from fairgate.ports.record import PK, SK, DamagedItemError, Key, Part, Record, TableName, decode
from fairgate.service.shared.keys import shape_of
from fairgate.service.shared.records import (
    catalog,
    cursors,
    gate,
    house,
    jobs,
    mails,
    movements,
    operators,
    orders,
    seats,
    sessions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pynamodb.connection import TableConnection

TypedItem = Mapping[str, Mapping[str, Any]]
KINDS: Mapping[str, type[Record]] = {
    "seat": seats.SeatRecord,
    "area shard": seats.AreaShard,
    "user status": sessions.UserStatus,
    "session": sessions.Session,
    "reservation": sessions.Reservation,
    "order": orders.Order,
    "mailbox order": mails.MailboxOrder,
    "mailed link": mails.MailedLink,
    "held order": orders.HeldOrder,
    "owed refund": orders.OwedRefund,
    "dispute": orders.DisputeRecord,
    "ledger entry": orders.LedgerEntry,
    "document": orders.Document,
    "document counter": orders.DocumentCounter,
    "sent mail": mails.SentMail,
    "movement": movements.MovementRecord,
    "payout step": movements.PayoutStep,
    "payout part": movements.PayoutPart,
    "import cursor": movements.ImportCursor,
    "manual task": orders.ManualTask,
    "due entry": sessions.DueEntry,
    "sweep cursor": cursors.SweepCursor,
    "reconcile cursor": cursors.ReconcileCursor,
    "provider state": cursors.ProviderState,
    "redeemed token": sessions.RedeemedToken,
    "payment event": cursors.PaymentEventRecord,
    "idempotency record": sessions.IdempotencyRecord,
    "act answer": operators.ActAnswer,
    "pending act": operators.PendingAct,
    "rehearsal": operators.Rehearsal,
    "job": jobs.Job,
    "live counter": sessions.LiveCounter,
    "sales tally": sessions.SalesTally,
    "capacity limit": sessions.CapacityLimit,
    "capacity shard": sessions.CapacityShardRecord,
    "admission threshold": sessions.AdmissionThresholdRecord,
    "rate bucket": sessions.RateBucket,
    "shared count": sessions.SharedCount,
    "desk count": gate.DeskCount,
    "desk decision": gate.DeskDecision,
    "desk appeal": gate.DeskAppeal,
    "sampled minute": gate.SampledMinute,
    "sampled account": gate.SampledAccount,
    "controller memory": gate.ControllerMemory,
    "seats memory": gate.SeatsMemory,
    "figures": gate.FiguresRecord,
    "figures history": gate.HistoryRecord,
    "forecast": gate.ForecastRecord,
    "figures memory": gate.FiguresMemory,
    "event": catalog.Event,
    "gate value": gate.GateValueRecord,
    "gate version": gate.GateVersionRecord,
    "log entry": gate.LogRecord,
    "creation": gate.Creation,
    "store comparison": gate.StoreComparison,
    "house block": house.HouseBlock,
    "role grant": operators.RoleGrant,
    "api token": operators.ApiToken,
}
_READING = {  # and the client's method for each
    "BatchGetItem": "batch_get_item",
    "DescribeTable": "describe_table",
    "GetItem": "get_item",
    "Query": "query",
    "Scan": "scan",
}
_WRITING = (
    "batch_write",
    "create_table",
    "delete",
    "delete_table",
    "get_delete_kwargs_from_instance",  # these serve transactions and batches
    "get_operation_kwargs_from_class",
    "get_save_kwargs_from_instance",
    "get_update_kwargs_from_instance",
    "save",
    "serialize",
    "update",
    "update_ttl",
)


S = TypeVar("S", bound=msgspec.Struct)


class ReadOnlyError(TypeError):
    """Reports a write through a model: only the services write."""


def kind_of(table: TableName, item: Mapping[str, Any]) -> type[Record]:
    """Return an item's kind, from its keys. Raises DamagedItemError if no kind has such keys."""
    key = Key(str(item.get(PK)), str(item.get(SK)))
    shape = shape_of(table, key)
    if shape is None:
        raise DamagedItemError(f"No kind of item of {table} has the key {key.pk} {key.sk}.")
    return KINDS[shape]


class ReadOnlyModel(Model):
    """One kind of item. Query, scan and get raise DamagedItemError for any other item.

    Attributes:
        record: the item as the services know it.
    """

    record_kind: ClassVar[type[Record]]
    client_maker: ClassVar[Callable[[], Any]]
    record: Any

    @classmethod
    def from_raw_data(cls, data: TypedItem) -> Any:
        model = cls(_user_instantiated=False)
        model.deserialize(data)
        return model

    def deserialize(self, attribute_values: Any) -> None:
        """Load an item. Raises DamagedItemError: it is of another kind or not as records say."""
        kind = self.record_kind
        try:
            item = from_item(attribute_values)
        except TypeError as error:
            keys = " ".join(str(attribute_values.get(name)) for name in (PK, SK))
            raise DamagedItemError(f"A {kind.__name__} is damaged: {error} ({keys})") from error
        actual = kind_of(kind.table, item)
        if actual is not kind:
            where = f"{item[PK]} {item[SK]}"
            raise DamagedItemError(f"A {kind.__name__} is none but a {actual.__name__} ({where})")
        decode(strict(kind), item)
        super().deserialize(attribute_values)
        self.record = decode(kind, item)

    @classmethod
    def _get_connection(cls) -> TableConnection:
        connection = super()._get_connection()
        if not isinstance(connection.connection, _ReadOnlyConnection):
            guarded = _ReadOnlyConnection(cls.client_maker)
            guarded.add_meta_table(connection.get_meta_table())
            connection.connection = guarded
        return connection


def _refuse(name: str) -> Callable[..., NoReturn]:
    def refuse(*_arguments: object, **_options: object) -> NoReturn:
        raise ReadOnlyError(f"{name}: models only read; the services write.")

    return refuse


for _name in _WRITING:
    setattr(ReadOnlyModel, _name, staticmethod(_refuse(_name)))


class _ReadOnlyConnection(Connection):
    """Refuses every operation except reads, and uses the given client.

    PynamoDB makes a client for each model, which waits 15 s to connect and 30 s for an answer.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__()
        self._make = make

    def dispatch(self, operation_name: str, operation_kwargs: dict[str, Any]) -> dict[str, Any]:
        if operation_name not in _READING:
            _refuse(operation_name)()
        answer: dict[str, Any] = getattr(self.client, _READING[operation_name])(**operation_kwargs)
        return answer

    @property
    def client(self) -> Any:
        return self._make()


class Models:
    """The models of one system's tables, each made when it is first asked for.

    Args:
        names: of the tables.
        client: makes botocore's client for DynamoDB, called once; its region, endpoint, time-outs
            and retries are the models'.
    """

    def __init__(self, names: Mapping[TableName, str], client: Callable[[], Any]) -> None:
        self._names = names
        self._client = functools.cache(client)
        self._made: dict[type[Record], type[ReadOnlyModel]] = {}

    def of(self, kind: type[Record]) -> Any:
        """Return the kind's ReadOnlyModel; its attributes have the names of the record's fields."""
        if kind not in self._made:
            self._made[kind] = _model(kind, self._names[kind.table], self._client)
        return self._made[kind]

    def load(self, table: TableName, raw: TypedItem) -> Record:
        """Load an item of any kind as its record. Raises DamagedItemError."""
        keys = {name: from_typed(raw[name]) for name in (PK, SK) if name in raw}
        record: Record = self.of(kind_of(table, keys)).from_raw_data(raw).record
        return record


def problems_of(table: TableName, items: Iterable[TypedItem]) -> Iterator[str]:
    """List what is wrong with items of a table: an unknown kind, attribute or type."""
    for item in items:
        try:
            _UNCONNECTED.load(table, item)
        except DamagedItemError as error:
            yield str(error)


@functools.cache
def strict(kind: type[S]) -> type[S]:
    """Make the same record or part refuse attributes that it does not list, at any depth."""
    fields = [_tightened(field) for field in msgspec.structs.fields(kind)]
    return msgspec.defstruct(  # type: ignore[return-value] # a subclass of kind
        kind.__name__,
        [field for field in fields if field is not None],
        bases=(kind,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


def _tightened(field: msgspec.structs.FieldInfo) -> tuple[str, Any] | tuple[str, Any, Any] | None:
    """Make a field's parts strict; None when it holds no part."""
    tight = _strict_type(field.type)
    if tight is field.type:
        return None
    if field.required:
        return (field.name, tight)
    if field.default_factory is not msgspec.NODEFAULT:
        return (field.name, tight, msgspec.field(default_factory=field.default_factory))
    return (field.name, tight, field.default)


def _strict_type(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return strict(annotation)
    inner = get_args(annotation)
    tight = tuple(_strict_type(argument) for argument in inner)
    if all(new is old for new, old in zip(tight, inner, strict=True)):
        return annotation
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        return functools.reduce(operator.or_, tight)
    return origin[tight]


class _PlainAttribute(Attribute[Any]):
    """A list or map as plain values; with ``attr_type`` None any value."""

    def __init__(self, letter: str | None, **options: Any) -> None:
        super().__init__(**options)
        self.attr_type = letter or ""

    def serialize(self, value: Any) -> Any:
        ((_, plain),) = to_typed(value).items()
        return plain

    def get_value(self, value: dict[str, Any]) -> Any:
        return value if not self.attr_type else {self.attr_type: super().get_value(value)}

    def deserialize(self, value: Any) -> Any:
        return from_typed(value)


def _model(kind: type[Record], table_name: str, client: Callable[[], Any]) -> type[ReadOnlyModel]:
    attributes = {}
    for field in msgspec.structs.fields(kind):
        # SampledMinute.count would hide Model.count
        name = f"{field.name}_" if hasattr(Model, field.name) else field.name
        attributes[name] = _attribute(field)
    namespace = {
        "record_kind": kind,
        "client_maker": staticmethod(client),
        "Meta": type("Meta", (), {"table_name": table_name}),
        **attributes,
    }
    return MetaModel(f"{kind.__name__}Model", (ReadOnlyModel,), namespace)  # type: ignore[return-value]


def _attribute(field: msgspec.structs.FieldInfo) -> Attribute[Any]:
    options: dict[str, Any] = {
        "attr_name": field.encode_name,
        "hash_key": field.name == "pk",
        "range_key": field.name == "sk",
        "null": not field.required,
    }
    if field.default_factory is not msgspec.NODEFAULT:
        options["default"] = field.default_factory
    elif field.default is not msgspec.NODEFAULT:
        options["default"] = functools.partial(_same, field.default)
    match _shown(inspect.type_info(field.type)):
        case inspect.StrType() | inspect.LiteralType() | inspect.EnumType():
            return UnicodeAttribute(**options)
        case inspect.IntType() | inspect.FloatType():
            return NumberAttribute(**options)
        case inspect.BoolType():
            return BooleanAttribute(**options)
        case inspect.AnyType():
            return _PlainAttribute(None, **options)
        case inspect.DictType() | inspect.StructType():
            return _PlainAttribute("M", **options)
        case inspect.CollectionType():
            return _PlainAttribute("L", **options)
        case other:
            raise TypeError(f"no attribute for {field.name}: {other}")


def _shown(info: inspect.Type) -> inspect.Type:
    """Return the type inside an optional type."""
    if isinstance(info, inspect.UnionType):
        (info,) = (kind for kind in info.types if not isinstance(kind, inspect.NoneType))
    return info


def _same(value: Any) -> Any:
    return value


def _no_client() -> NoReturn:
    raise ReadOnlyError("These models load items that were read; they are not connected.")


_UNCONNECTED = Models(
    {"seats": "seats", "reservations": "reservations", "catalog": "catalog"}, _no_client
)
