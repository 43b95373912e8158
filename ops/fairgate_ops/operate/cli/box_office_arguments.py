"""What can be typed of ``fairgate orders``, ``fairgate ticket`` and ``fairgate queue``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    AddVerb = Callable[[Any, str, str], argparse.ArgumentParser]

QUEUES = ("expiry", "invalidations", "tickets")


def add_orders(verbs: Any, add_verb: AddVerb) -> None:
    comparing = add_verb(
        verbs, "reconcile", "The payment provider's books against the orders; repair what differs."
    )
    comparing.add_argument(
        "--since", metavar="TIME", help="RFC 3339; else since the last complete run, less an hour"
    )


def add_payment_keys(verbs: Any, add_verb: AddVerb) -> None:
    keeping = add_verb(verbs, "payments", "Keep the payment provider's API key and webhook secret.")
    keeping.add_argument("--api-key-file", required=True, metavar="FILE")
    keeping.add_argument("--webhook-secret-file", required=True, metavar="FILE")


def add_ticket(verbs: Any, add_verb: AddVerb) -> None:
    checking = add_verb(verbs, "verify", "Check codes from tickets; needs no system with a key.")
    checking.add_argument("code", nargs="*", help="as scanned; else one a line from standard input")
    checking.add_argument(
        "--public-key",
        metavar="KEY",
        help="as `keys ticket` prints it, after an equals sign; else of the target",
    )
    checking.add_argument("--event", help="refuse tickets of any other event")
    checking.add_argument(
        "--void-list", metavar="FILE", help="as `ticket void-list` wrote it: cancelled tickets"
    )
    listing = add_verb(verbs, "void-list", "Write the tickets that no longer admit anyone.")
    listing.add_argument("event")
    listing.add_argument("--out", required=True, metavar="FILE")


def add_queue(verbs: Any, add_verb: AddVerb) -> None:
    add_verb(verbs, "list", "Each queue: how many messages wait, and how many were given up.")
    again = add_verb(verbs, "redrive", "Send the messages that were given up once more.")
    again.add_argument("queue", choices=QUEUES)
    again.add_argument("--max", type=int, default=1_000, metavar="MESSAGES")
