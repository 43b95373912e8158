"""Every function: what it may touch, and nothing more. One entry, one role.

It imports nothing of the CDK. Actions are written out; a transaction needs the action of each of
its parts. Source: DynamoDB Developer Guide, Using IAM with transactions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairgate.adapters.dynamodb.schema import Name
from fairgate.ports.world import SecretName
from fairgate.service.shared.keys import (
    API_TOKENS,
    CATALOG_PK,
    CREATION,
    GRANTS,
    RATE,
    TABLE_READS,
    TASK,
    gate_value_key,
    gate_version_key,
    house_block_key,
    log_entry_key,
    store_comparison_key,
)
from fairgate.service.shared.mailbox_keys import LINKS, MAILBOX
from infra.config import LAYERS

GET = "dynamodb:GetItem"
QUERY = "dynamodb:Query"
PUT = "dynamodb:PutItem"
UPDATE = "dynamodb:UpdateItem"
BATCH_GET = "dynamodb:BatchGetItem"
DELETE = "dynamodb:DeleteItem"
CHECK = "dynamodb:ConditionCheckItem"
SCAN = "dynamodb:Scan"

Trigger = Literal["http", "queue", "timer", "authorizer"]
VENDOR, CRYPTO, CRT, STRIPE, TICKETS, PICTURES, OPERATORS = LAYERS


@dataclass(frozen=True)
class Grant:
    """Actions on one table, or on its index.

    Attributes:
        partitions: in which; none named: in all. ``*`` stands for any text.
    """

    table: Name
    actions: tuple[str, ...]
    index: bool = False
    partitions: tuple[str, ...] = ()


@dataclass(frozen=True)
class FunctionSpec:
    name: str
    trigger: Trigger
    purpose: str
    grants: tuple[Grant, ...] = ()
    layers: tuple[str, ...] = (VENDOR,)
    memory_mb: int = 512
    timeout_s: int = 10  # HTTP: the buyer's page gives up before API Gateway's 30 s
    cache: bool = False  # runs in the VPC, beside the cache, without a way to the internet
    secrets: tuple[SecretName, ...] = ()  # what each holds: fairgate.ports.world.SECRET_OF
    front_door: bool = False  # knows by which value the distribution is known
    gate: Literal["", "read", "write"] = ""  # its values; writers reach the KeyValueStore
    reminds: bool = False  # sends to the expiry queue
    # Its own messages may call it again more often than Lambda lets a chain be: it drops the 17th.
    # botocore, where it has to send them (docs/adr/0014), adds X-Ray's header, by which they count.
    # Source: Lambda Developer Guide, "Use Lambda recursive loop detection".
    loops: bool = False
    posts: bool = False  # sends to the mail queue
    asks_for_tickets: bool = False  # sends to the tickets' queue
    jobs: bool = False  # sends to the queue of jobs
    job_files: Literal["", "read", "write"] = ""  # what jobs wrote
    asks_logs: bool = False  # of requests, by Athena
    labels: bool = False  # heeds what the firewall says of an address
    layouts: Literal["", "read", "write"] = ""  # and the pictures of brands
    pages: bool = False  # writes those of events
    mail: bool = False
    identity: bool = False  # told about the OIDC provider
    payments: bool = False  # told about the payment provider
    brand: bool = False  # of the stage, which new events take
    alarms: bool = False  # reads those of the deployment
    journeys: bool = False  # goes a buyer's way, signed in by SIGNS_CANARY_IN


# The catalogue's partitions. Values of gates have signing keys in them, so no grant on the
# catalogue leaves its partitions open. Source: DynamoDB Developer Guide, Using IAM policy
# conditions for fine-grained access control (dynamodb:LeadingKeys).
EVENTS, STORE_COMPARISON = CATALOG_PK, store_comparison_key().pk
LOGS = log_entry_key("*", 0).pk
VALUES, HISTORY = gate_value_key("*").pk, gate_version_key("*", 0).pk
HOUSE_BLOCKS = house_block_key("*", "").pk
# Of the reservations: what was bought with a mail address, and requests for its link.
MAILBOXES, LINKS_COUNTED = f"{MAILBOX}*", f"{RATE}{LINKS}#*"
_EVENT_READ = Grant("catalog", (GET,), partitions=(EVENTS,))
_EVENT_LIST = Grant("catalog", (QUERY,), partitions=(EVENTS,))
# All events once an hour, and between them those that are not over.
_CURRENT_EVENTS = Grant("catalog", (QUERY, BATCH_GET), partitions=(EVENTS, CREATION))
_EVENT_AND_GATE_READ = Grant("catalog", (GET,), partitions=(EVENTS, VALUES))
_SESSION_WRITE = Grant("reservations", (GET, QUERY, PUT, UPDATE))
# Availability without the cache: sections from the index, the counters of areas by their keys.
_AVAILABILITY_READ = (
    Grant("seats", (QUERY,), index=True),
    Grant("seats", (BATCH_GET,)),
)

# What all environments read of the table together, counted in partitions of its own.
_READS_COUNTED = Grant("reservations", (UPDATE,), partitions=(f"{TABLE_READS}*",))

# Deployed where the context names its event (docs/adr/0049). It holds no key: the function that
# renews sign-ins makes the token of its account, and of no other.
CANARY, SIGNS_CANARY_IN = "canary", "renewal"

FUNCTIONS: tuple[FunctionSpec, ...] = (
    FunctionSpec(
        "auditor",
        "timer",
        "Compares all holds and sold orders with seats and areas, every ten minutes",
        grants=(
            _EVENT_LIST,
            Grant("seats", (QUERY,), index=True),
            Grant("seats", (BATCH_GET,)),
            Grant("reservations", (GET, QUERY, BATCH_GET)),
            Grant("reservations", (QUERY,), index=True),  # an event's orders
        ),
        memory_mb=1769,  # of 100,000 sold seats, and a whole processor
        timeout_s=540,  # a run ends before the next one starts
    ),
    FunctionSpec(
        "auth",
        "http",
        "Redeems an OIDC provider's code for the short token that the edge can check",
        layers=(VENDOR, CRYPTO),
        secrets=("keys", "identity"),
        identity=True,
    ),
    FunctionSpec(
        "authorizer",
        "authorizer",
        "Lets the API answer what came through the distribution, and nothing else",
        timeout_s=5,
        front_door=True,
    ),
    FunctionSpec(
        CANARY,
        "timer",
        "Goes a buyer's way at a hidden event, each minute",
        memory_mb=256,
        timeout_s=55,  # a run ends before the next one starts
        journeys=True,
    ),
    FunctionSpec(
        "catalog",
        "http",
        "Events and their layouts",
        grants=(_EVENT_READ, _EVENT_LIST),
    ),
    FunctionSpec(
        "checkout",
        "http",
        "Checkout, leaving and cancellation: what may wait for the payment provider",
        grants=(
            _EVENT_READ,
            Grant("seats", (BATCH_GET, UPDATE)),
            _SESSION_WRITE,
        ),
        layers=(VENDOR, STRIPE),
        memory_mb=1024,
        timeout_s=20,  # it waits for the payment provider
        secrets=("keys", "payments", "addresses"),
        reminds=True,
        posts=True,
        payments=True,
    ),
    FunctionSpec(
        "controller",
        "timer",
        "Plans the next epoch, brings to the KeyValueStore what it lacks, writes events' pages",
        grants=(
            Grant(
                "catalog",
                (GET, QUERY, UPDATE, PUT),
                partitions=(EVENTS, VALUES, HISTORY, STORE_COMPARISON, LOGS),
            ),
            _CURRENT_EVENTS,
            Grant("reservations", (GET, QUERY, UPDATE)),
            *_AVAILABILITY_READ,  # whether anything is left to sell
        ),
        layers=(VENDOR, CRT),
        timeout_s=9,  # a step ends before the next one starts
        gate="write",
        pages=True,
    ),
    FunctionSpec(
        "desk",
        "http",
        "Counts violations and samples, judges and answers them, and opens the sampled sessions",
        grants=(_EVENT_AND_GATE_READ, _SESSION_WRITE, Grant("reservations", (BATCH_GET,))),
        secrets=("keys",),
        gate="read",
        reminds=True,
        labels=True,
    ),
    FunctionSpec(
        "expiry",
        "queue",
        "Gives back what a session held when its time is over",
        grants=(
            Grant("seats", (BATCH_GET, UPDATE)),
            Grant("reservations", (GET, QUERY, PUT, UPDATE)),
        ),
        layers=(VENDOR, STRIPE),
        timeout_s=30,
        secrets=("payments",),
        reminds=True,
        loops=True,  # asks again each two minutes for six hours, where the provider does not answer
        payments=True,  # closes the page of an order first, and settles what it took
    ),
    FunctionSpec(
        "finder",
        "http",
        "Asks for the mail by which tickets are found again; it can read no order",
        grants=(Grant("reservations", (UPDATE,), partitions=(LINKS_COUNTED,)),),
        secrets=("addresses",),
        posts=True,
    ),
    FunctionSpec(
        "holds",
        "http",
        "Holds and releases seats",
        grants=(
            _EVENT_READ,
            Grant("seats", (BATCH_GET, UPDATE)),
            *_AVAILABILITY_READ,
            _SESSION_WRITE,
        ),
        memory_mb=1024,
        cache=True,
        secrets=("keys",),
        layouts="read",
    ),
    FunctionSpec(
        "invalidator",
        "queue",
        "Carries seat changes from the stream to the cache; rebuilds sections from the table",
        grants=_AVAILABILITY_READ,
        timeout_s=30,
        cache=True,
    ),
    FunctionSpec(
        "jobs",
        "queue",
        "Operators' acts that take minutes, ask the payment provider or write files",
        grants=(
            Grant(
                "catalog",
                (GET, QUERY, UPDATE, PUT),
                partitions=(EVENTS, CREATION, VALUES, HISTORY, LOGS),
            ),
            Grant("catalog", (QUERY,), partitions=(HOUSE_BLOCKS,)),  # the laws of items
            Grant("seats", (BATCH_GET, UPDATE, SCAN)),
            Grant("reservations", (GET, QUERY, BATCH_GET, PUT, UPDATE, SCAN)),
            Grant("reservations", (QUERY,), index=True),  # an event's orders
        ),
        layers=(VENDOR, TICKETS, OPERATORS),  # of five with our own: OPERATORS has CRT and STRIPE
        memory_mb=1769,  # a whole processor decides admissions again
        timeout_s=900,  # the most that there is; what takes longer goes on in a next run
        secrets=("payments",),
        gate="write",
        loops=True,  # an event of 50,000 orders is given back in some twenty runs
        jobs=True,
        job_files="write",
        asks_logs=True,
        asks_for_tickets=True,
        payments=True,
    ),
    FunctionSpec(
        "operator",
        "http",
        "The operators' live figures, and their acts on events, seats, orders and books",
        grants=(
            Grant(
                "catalog",
                (GET, QUERY, UPDATE, PUT),
                partitions=(EVENTS, CREATION, VALUES, HISTORY, LOGS, HOUSE_BLOCKS),
            ),
            # Events are created and drafts deleted, while no other run does so.
            Grant("catalog", (QUERY, DELETE), partitions=(EVENTS, CREATION, HISTORY, HOUSE_BLOCKS)),
            Grant("catalog", (CHECK,), partitions=(EVENTS, CREATION)),
            Grant("catalog", (QUERY, UPDATE, DELETE), partitions=(GRANTS,)),
            Grant("catalog", (GET, QUERY, PUT, UPDATE), partitions=(API_TOKENS,)),
            Grant("seats", (PUT, DELETE, SCAN)),
            Grant("seats", (BATCH_GET, UPDATE)),  # house seats
            Grant("reservations", (GET, QUERY, BATCH_GET, PUT, UPDATE)),  # orders, their money
            Grant("reservations", (QUERY,), index=True),  # an event's orders
        ),
        layers=(VENDOR, CRT, PICTURES),
        memory_mb=1769,  # a whole processor reads a large chart
        timeout_s=29,  # what is not written until then is written by the next request
        secrets=("keys", "addresses"),
        gate="write",
        posts=True,  # tickets again, and changes of an event
        layouts="write",
        brand=True,
        jobs=True,
        job_files="read",
        alarms=True,
    ),
    FunctionSpec(
        "orders",
        "http",
        "Payment events and order pages; a provider that hangs takes none of their share",
        grants=(
            _EVENT_READ,
            Grant("seats", (BATCH_GET, UPDATE)),
            _SESSION_WRITE,
            Grant("reservations", (QUERY,), index=True),  # a buyer's orders
            Grant("reservations", (BATCH_GET,)),
        ),
        layers=(VENDOR, STRIPE),
        memory_mb=1024,
        timeout_s=20,  # a webhook may have to send a refund
        secrets=("keys", "payments"),
        payments=True,
    ),
    FunctionSpec(
        "reconcile",
        "timer",
        "Compares the payment provider's books with the orders, each hour",
        grants=(
            _EVENT_LIST,
            Grant("seats", (BATCH_GET, UPDATE)),
            Grant("reservations", (GET, QUERY, BATCH_GET, PUT, UPDATE)),
        ),
        layers=(VENDOR, STRIPE),
        memory_mb=1024,
        timeout_s=840,  # a sale's captures, a hundred at a time
        secrets=("payments",),
        asks_for_tickets=True,
        payments=True,
    ),
    FunctionSpec(
        "renewal",
        "http",
        "Renews a sign-in; apart from auth, whose places a slow identity provider may all take",
        secrets=("keys",),
    ),
    FunctionSpec(
        "seatmap",
        "http",
        "Availability and seat status, from the cache or else from the table",
        grants=(_EVENT_READ, *_AVAILABILITY_READ, _READS_COUNTED),
        cache=True,
    ),
    FunctionSpec(
        "sessions",
        "http",
        "Validates an admission again and opens the session",
        grants=(_EVENT_AND_GATE_READ, _SESSION_WRITE, Grant("reservations", (BATCH_GET,))),
        memory_mb=1024,
        secrets=("keys",),
        gate="read",
        reminds=True,
    ),
    FunctionSpec(
        "sweeper",
        "timer",
        "Ends what a lost message left behind, frees house seats, sends and follows refunds",
        grants=(
            _EVENT_READ,
            _CURRENT_EVENTS,
            Grant("catalog", (GET, QUERY, UPDATE), partitions=(HOUSE_BLOCKS,)),
            Grant("seats", (BATCH_GET, UPDATE)),
            Grant("reservations", (GET, QUERY, BATCH_GET, PUT, UPDATE)),
        ),
        layers=(VENDOR, STRIPE),
        timeout_s=55,  # a run ends before the next one starts
        secrets=("payments",),
        reminds=True,  # what one run cannot do alone
        payments=True,
    ),
    FunctionSpec(
        "ticketer",
        "queue",
        "Makes the tickets of a paid order and mails them, and what becomes of it later",
        grants=(
            _EVENT_READ,
            Grant("reservations", (GET, UPDATE)),
            Grant("reservations", (QUERY, PUT), partitions=(MAILBOXES,)),
            Grant("reservations", (PUT,), partitions=(TASK,)),  # a mail that cannot be sent
        ),
        layers=(VENDOR, CRYPTO, TICKETS),
        timeout_s=60,
        secrets=("tickets",),
        layouts="read",  # an event's logo
        posts=True,
        mail=True,
    ),
    FunctionSpec(
        "tickets",
        "http",
        "Draws tickets and invoices; shows what a mailed link opens",
        grants=(_EVENT_READ, Grant("reservations", (GET, QUERY, BATCH_GET))),
        layers=(VENDOR, CRYPTO, TICKETS),
        secrets=("keys", "tickets"),
        layouts="read",  # an event's logo
    ),
    FunctionSpec(
        "transfers",
        "http",
        "Passes tickets on from one account to another",
        grants=(_EVENT_READ, _SESSION_WRITE, Grant("reservations", (BATCH_GET,))),
        secrets=("keys",),
    ),
)

BY_NAME = {spec.name: spec for spec in FUNCTIONS}
AUTHORIZER = "authorizer"
REBUILDER = "invalidator"  # which `fairgate cache rebuild` calls: it stands beside the cache
# Functions that are made ready ahead of the sale start: a buyer's first two steps after the gate.
PREWARMED = ("holds", "sessions")
