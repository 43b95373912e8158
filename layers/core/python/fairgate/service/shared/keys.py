"""Make the keys of items. docs/data.md shows them as a table."""

from __future__ import annotations

import hashlib
import zlib

from fairgate.domain.shared.ids import OrderId, session_of_order
from fairgate.ports.record import Key, TableName
from fairgate.service.shared.mailbox_keys import shape_of_mail

CATALOG_PK = "EVENT"  # the partition of every event
# How sort keys of a session begin.
SESSION, RESERVATION, ORDER, REFUND = "S#", "R#", "O#", "F#"
DISPUTE, LEDGER, DOCUMENT = "D#", "M#", "N#"
DESK_COUNT, DESK_DECISION = "W#", "X#"  # of the risk desk
APPEALS = "APPEALS"  # how partitions of appeals to the desk begin
SEAT, AREA = "META", "GA"  # the sort key of a seat, and of an area's counters
USER, TOKEN, PAYMENT_EVENT = "U#", "T#", "P#"  # how partitions begin
RATE = "L#"  # how partitions of token buckets begin
SHARED = "A#"  # how partitions of shared counts begin
TABLE_READS, TABLE_READS_BUCKETS = f"{RATE}reads#", 4
IDEMPOTENCY, HELD = "I#", "H#"  # of a kept answer; of an order with a ticket passed on to a user
PROVIDER = "PROVIDER"  # both keys of the payment provider's state
SWEPT, RECONCILED = "SWEPT", "RECONCILED"  # sort keys: how far a run got
VALUE, FIGURES = "VALUE", "FIGURES"  # sort keys: of a gate's value, of an event's figures
FORECAST = "FORECAST"
# Partitions: of all creations that began, of the edges' store, of all manual tasks.
CREATION, STORE, TASK = "CREATION", "STORE", "DUTY"
HOUSE = "HOUSE"  # how partitions of house blocks begin
API_TOKENS = "APITOKEN"  # the partition of tokens for programs
GRANTS = "GRANT"  # the partition of the roles at single events
JOBS = "JOB"  # the partition of operators' jobs
PENDING_ACTS = "PENDING#"  # how partitions begin of acts that wait for a second person
REHEARSALS = "REHEARSAL"  # the partition of simulated crowds that were asked for
ACT_ANSWERS = "ACT#"  # how partitions of an operator's answered acts begin
REFUNDS = "REFUNDS"  # in place of an event's id: the due refunds of all events
# Partitions of what is due in a minute, and of what an event counts. A partition takes 1,000 write
# units a second; docs/capacity.md has what each gets in a sale's worst second (docs/adr/0048).
DUE_SHARDS = TALLY_SHARDS = ORDERS_SHARDS = LEDGER_SHARDS = 4
LIVE_SHARDS, LIVE_SHARDS_FIRST = 16, 4  # of two digits; of one digit, in older events
# Of an event's sales, so that few transactions meet at one. It is nowhere stored: whoever reads
# adds up all that there are, so that another number changes no sum.
TALLY_COUNTERS = 256
# Partitions and counters of a sampled minute. Ten million who join within a minute make 1,700
# transactions a second, about 26 at each counter, so that few of them meet (docs/adr/0022).
SAMPLE_SHARDS, SAMPLE_COUNTERS = 4, 64
SAMPLED_ACCOUNT = "ACCOUNT"  # the sort key of an account of the sample


def seat_key(event: str, seat: str) -> Key:
    return Key(f"{event}#{seat}", SEAT)


def area_key(event: str, area: str, shard: int) -> Key:
    return Key(f"{event}#{area}#{shard}", AREA)


def user_status_key(user: str, event: str) -> Key:
    return Key(user_key(user), event)


def session_key(session: str) -> Key:
    return Key(session, f"{SESSION}{session}")


def reservation_key(session: str, hold: str, unit: str) -> Key:
    return Key(session, f"{RESERVATION}{hold}#{unit}")


def order_key(session: str, order: str) -> Key:
    return Key(session, f"{ORDER}{order}")


def refund_key(session: str, order: str, payment: str, part: int = 0) -> Key:
    """Key an owed refund of a capture: of one part, or (0) of the rest."""
    return Key(session, f"{refund_prefix(order)}{payment}" + (f"#{part}" if part else ""))


def refund_prefix(order: str) -> str:
    """Return how the sort keys of an order's refunds begin."""
    return f"{REFUND}{order}#"


def dispute_key(session: str, order: str, dispute: str) -> Key:
    return Key(session, f"{dispute_prefix(order)}{dispute}")


def dispute_prefix(order: str) -> str:
    """Return how the sort keys of an order's disputes begin."""
    return f"{DISPUTE}{order}#"


def ledger_key(session: str, order: str, entry: str) -> Key:
    return Key(session, f"{ledger_prefix(order)}{entry}")


def ledger_prefix(order: str) -> str:
    """Return how the sort keys of an order's entries in the ledger begin."""
    return f"{LEDGER}{order}#"


def ledger_index(event: str, session: str) -> str:
    """Name the index partition of a session's entries in its event's ledger."""
    return ledger_indexes(event)[zlib.crc32(session.encode()) % LEDGER_SHARDS]


def ledger_indexes(event: str) -> list[str]:
    return [f"{event}#LEDGER#{shard}" for shard in range(LEDGER_SHARDS)]


def document_key(order: OrderId, cause: str = "") -> Key:
    """Key an order's ``invoice`` or a refund's ``credit#<part>``; "": how all of them begin."""
    return Key(session_of_order(order), f"{DOCUMENT}{order}#{cause}")


def document_counter_key(event: str) -> Key:
    return Key(f"{event}#NUMBERS", "NUMBERS")


def task_key(task: str) -> Key:
    return Key(TASK, task)


def task_id(*about: str) -> str:
    """Name a manual task by what it is about, so that it is entered only once."""
    return "dty_" + hashlib.sha256("#".join(about).encode()).hexdigest()[:12]


def token_key(token: str) -> Key:
    return Key(f"{TOKEN}{token}", f"{TOKEN}{token}")


def payment_event_key(event: str) -> Key:
    return Key(f"{PAYMENT_EVENT}{event}", f"{PAYMENT_EVENT}{event}")


def idempotency_key(owner: str, route: str, key: str) -> Key:
    """Key an idempotency record by the hash of the caller's key, which may hold any character."""
    return Key(owner, f"{IDEMPOTENCY}{route}#{hashlib.sha256(key.encode()).hexdigest()[:32]}")


def held_order_key(user: str, order: str) -> Key:
    return Key(user_key(user), f"{HELD}{order}")


def user_key(user: str) -> str:
    return f"{USER}{user}"


def user_of(pk: str) -> str:
    return pk.removeprefix(USER)


def due_key(event: str, minute: str, name: str) -> Key:
    """Key an entry in one of the minute's partitions, by the hash of its name."""
    return Key(due_partitions(event, minute)[zlib.crc32(name.encode()) % DUE_SHARDS], name)


def due_partitions(event: str, minute: str) -> list[str]:
    return [f"{event}#DUE#{minute}#{shard}" for shard in range(DUE_SHARDS)]


def swept_key(event: str) -> Key:
    """Key the last minute of which the sweeper has done everything."""
    return Key(f"{event}#DUE", SWEPT)


def reconciled_key() -> Key:
    """Key how far the provider's books have been compared with the orders."""
    return Key(RECONCILED, RECONCILED)


def live_key(event: str, bucket: str) -> Key:
    """Key a counter in the partition that its bucket's last hexadecimal digit names."""
    digits = bucket.rpartition("#")[2]
    shards = LIVE_SHARDS_FIRST if len(digits) == 1 else LIVE_SHARDS
    return Key(live_partitions(event)[int(digits[-1], 16) % shards], bucket)


def live_partitions(event: str) -> list[str]:
    """Name all partitions of the live counters. Older events use the first four."""
    return [f"{event}#LIVE#{shard}" for shard in range(LIVE_SHARDS)]


def tally_key(event: str, name: str) -> Key:
    """Key the counter of an event's sales for a name, by its hash."""
    number = zlib.crc32(name.encode()) % TALLY_COUNTERS
    return Key(tally_partitions(event)[number % TALLY_SHARDS], f"{number:02d}")


def tally_partitions(event: str) -> list[str]:
    return [f"{event}#TALLY#{shard}" for shard in range(TALLY_SHARDS)]


def figures_key(event: str) -> Key:
    """Key the figures that operators watch, in a partition with their history only."""
    return Key(f"{FIGURES}#{event}", FIGURES)


def history_key(event: str) -> Key:
    """Key what the figures were since the sale start."""
    return Key(f"{FIGURES}#{event}", "HISTORY")


def forecast_key(event: str) -> Key:
    """Key what was forecast of the sale."""
    return Key(f"{FIGURES}#{event}", FORECAST)


def figures_memory_key(event: str) -> Key:
    """Key what the maker of the figures remembers from one run to the next."""
    return Key(f"{event}#CONTROL", FIGURES)


def orders_index(user: str) -> str:
    """Name the index partition of a user's orders of all events."""
    return user_key(user)


def event_orders_index(event: str, session: str) -> str:
    """Name the index partition of a session's order among its event's orders."""
    return event_orders_indexes(event)[zlib.crc32(session.encode()) % ORDERS_SHARDS]


def event_orders_indexes(event: str) -> list[str]:
    return [f"{event}#ORDERS#{shard}" for shard in range(ORDERS_SHARDS)]


def order_in_event(created_at: str, order: str, email: str) -> str:
    """Make a sort key: by time, with a few bits of the address to tell most addresses apart."""
    return f"{created_at}#{order}#{email_tag(email)}"


def email_tag(email: str) -> str:
    """Hash an address to 16 bits: enough to search few orders, too few to name a person."""
    return hashlib.sha256(email.strip().lower().encode()).hexdigest()[:4]


def order_named_in(gsi1_sk: str) -> tuple[OrderId, str]:
    """Return the order and the hash of its address from a sort key of an event's index."""
    _, order, tag = gsi1_sk.split("#")
    return OrderId(order), tag


def section_index(event: str, section: str) -> str:
    """Name the index partition of a section's seats."""
    return f"{event}#{section}"


def own_order_key(order: OrderId) -> Key:
    """Make an order's key from its id alone."""
    return order_key(session_of_order(order), order)


def hold_prefix(hold: str) -> str:
    """Return how the sort keys of a hold's reservations begin."""
    return f"{RESERVATION}{hold}#"


def event_key(event: str) -> Key:
    return Key(CATALOG_PK, event)


def gate_value_key(event: str) -> Key:
    """Key the gate's value in a partition that few functions may read: it contains keys."""
    return Key(f"VALUE#{event}", VALUE)


def creation_key(event: str) -> Key:
    return Key(CREATION, event)


def store_comparison_key() -> Key:
    """Key the result of the last comparison of the edges' store with the catalogue."""
    return Key(STORE, STORE)


def gate_version_key(event: str, number: int) -> Key:
    """Key a version, zero-padded, so that the table sorts versions."""
    return Key(f"GATE#{event}", f"{number:08d}")


def log_entry_key(event: str, number: int) -> Key:
    """Key an entry, zero-padded, so that the table sorts entries."""
    return Key(f"LOG#{event}", f"{number:08d}")


def house_block_key(event: str, block: str) -> Key:
    """Key a house block; all of an event's are in one partition."""
    return Key(f"{HOUSE}#{event}", block)


def desk_pk(event: str, subject: str) -> str:
    """Name the partition of a user, address or network at the risk desk."""
    return f"D#{event}#{subject}"


def desk_count_key(event: str, subject: str, window_s: int) -> Key:
    return Key(desk_pk(event, subject), f"{DESK_COUNT}{window_s:011d}")


def desk_decision_key(event: str, user: str, at: str) -> Key:
    return Key(desk_pk(event, f"u#{user}"), f"{DESK_DECISION}{at}")


def appeals_pk(event: str) -> str:
    return f"{APPEALS}#{event}"


def appeal_key(event: str, user: str, until: str) -> Key:
    """Key the appeal against a lock-out by its end, so that those still locked out are in order."""
    return Key(appeals_pk(event), f"{until}#{user}")


def act_answer_key(sub: str, key: str) -> Key:
    """Key an operator's act by the hash of the Idempotency-Key."""
    return Key(f"{ACT_ANSWERS}{sub}", hashlib.sha256(key.encode()).hexdigest()[:32])


def api_token_key(name: str) -> Key:
    return Key(API_TOKENS, name)


def pending_act_key(event: str, name: str) -> Key:
    return Key(f"{PENDING_ACTS}{event}", name)


def rehearsal_key(event: str) -> Key:
    """Key the crowd of a rehearsal by the copy at which it buys."""
    return Key(REHEARSALS, event)


def job_key(name: str) -> Key:
    return Key(JOBS, name)


def role_grant_key(event: str, role: str, who: str) -> Key:
    return Key(GRANTS, f"{grants_of(event)}{role}#{who}")


def grants_of(event: str) -> str:
    """Return how the sort keys of an event's grants begin."""
    return f"{event}#"


def rate_key(event: str, subject: str, limit: str) -> Key:
    """Key the token bucket of an account or a hashed address in an event."""
    return Key(f"{RATE}{event}#{subject}", limit)


def shared_count_key(event: str, tag: str) -> Key:
    """Key the count of an event's places that go to one address."""
    return Key(f"{SHARED}{event}#{tag}", "PLACES")


def provider_key() -> Key:
    return Key(PROVIDER, PROVIDER)


def table_reads_key(environment: str) -> Key:
    """Key the bucket of table reads that an environment uses while the cache is gone."""
    number = zlib.crc32(environment.encode()) % TABLE_READS_BUCKETS
    return Key(f"{TABLE_READS}{number}", "reads")


def sampled_key(event: str, minute: str, user: str = "") -> Key:
    """Key the counter of a minute for an account, by its hash."""
    number = zlib.crc32(user.encode()) % SAMPLE_COUNTERS
    return Key(sampled_partitions(event)[number % SAMPLE_SHARDS], f"{minute}#{number:02d}")


def sampled_partitions(event: str) -> list[str]:
    """Name all partitions of the crowd's counters. The first has no number, for older items."""
    return [f"Q#{event}", *(f"Q#{event}#{shard}" for shard in range(1, SAMPLE_SHARDS))]


def sampled_account_key(event: str, user: str) -> Key:
    return Key(f"Q#{event}#u#{user}", SAMPLED_ACCOUNT)


def controller_memory_key(event: str) -> Key:
    return Key(f"{event}#CONTROL", "LOOK")


def seats_memory_key(event: str) -> Key:
    return Key(f"{event}#CONTROL", "SEATS")


def admission_threshold_key(event: str) -> Key:
    """Key the admission threshold of an event."""
    return Key(f"{event}#CONTROL", "HALL")


def capacity_limit_key(event: str) -> Key:
    """Key the capacity limit of an event, with what is allocated."""
    return Key(f"{event}#CONTROL", "CAP")


def capacity_shard_key(event: str, number: int) -> Key:
    """Key a capacity shard. Each has its own partition, because every admission writes one."""
    return Key(f"{event}#ROOM#{number}", "ROOM")


def shape_of(table: TableName, key: Key) -> str | None:
    """Name the kind of an item by its key, as docs/data.md does; None: no kind has this key."""
    from fairgate.service.shared.movement_keys import shape_of_balance

    pk, sk = key
    if table == "seats":
        return {(SEAT, 1): "seat", (AREA, 2): "area shard"}.get((sk, pk.count("#")))
    if table == "catalog":
        return _SHAPES_IN_CATALOG.get(pk.partition("#")[0])
    if pk.startswith("ses_"):
        return _SHAPES_OF_A_SESSION.get(sk.partition("#")[0])
    return shape_of_balance(pk) or _shape_of_a_prefix(pk, sk) or _shape_of_an_event(pk, sk)


_SHAPES_IN_CATALOG = {
    CATALOG_PK: "event",
    "VALUE": "gate value",
    "GATE": "gate version",
    "LOG": "log entry",
    CREATION: "creation",
    STORE: "store comparison",
    HOUSE: "house block",
    GRANTS: "role grant",
    API_TOKENS: "api token",
}
_SHAPES_OF_A_SESSION = {
    SESSION[0]: "session",
    RESERVATION[0]: "reservation",
    ORDER[0]: "order",
    REFUND[0]: "owed refund",
    DISPUTE[0]: "dispute",
    LEDGER[0]: "ledger entry",
    DOCUMENT[0]: "document",
    IDEMPOTENCY[0]: "idempotency record",
}


def _shape_of_a_prefix(pk: str, sk: str) -> str | None:
    """Name items of users, of the desk and single ones. No event's id has a capital letter."""
    first = pk.partition("#")[0]
    if first == USER[0]:
        return {IDEMPOTENCY: "idempotency record", HELD: "held order"}.get(sk[:2], "user status")
    if first == "D":
        return {DESK_COUNT: "desk count", DESK_DECISION: "desk decision"}.get(sk[:2])
    alone = {TOKEN[0]: "redeemed token", PAYMENT_EVENT[0]: "payment event"}
    alone |= {RECONCILED: "reconcile cursor", PROVIDER: "provider state"}
    if first == FIGURES:
        return {FIGURES: "figures", FORECAST: "forecast"}.get(sk, "figures history")
    kinds = {TASK: "manual task", RATE[0]: "rate bucket"}
    kinds |= {SHARED[0]: "shared count", ACT_ANSWERS[:-1]: "act answer"}
    kinds |= {PENDING_ACTS[:-1]: "pending act", REHEARSALS: "rehearsal", JOBS: "job"}
    kinds |= {APPEALS: "desk appeal"}
    if first in kinds:
        return kinds[first]
    if first == "Q":
        return "sampled account" if sk == SAMPLED_ACCOUNT else "sampled minute"
    return alone.get(first) if pk == sk else shape_of_mail(first, sk)


def _shape_of_an_event(pk: str, sk: str) -> str | None:
    event, _, rest = pk.partition("#")
    name, _, shard = rest.partition("#")
    if name == "DUE" and "#" in shard:
        return "due entry"
    if name == "ROOM" and shard.isdecimal():
        return "capacity shard"
    if name == "TALLY" and shard:
        return "sales tally"
    return {
        capacity_limit_key(event): "capacity limit",
        swept_key(event): "sweep cursor",
        document_counter_key(event): "document counter",
        controller_memory_key(event): "controller memory",
        seats_memory_key(event): "seats memory",
        admission_threshold_key(event): "admission threshold",
        figures_memory_key(event): "figures memory",
    }.get(Key(pk, sk), "live counter" if name == "LIVE" and shard else None)
