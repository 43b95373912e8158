"""``fairgate ticket …``: what a door needs, with or without a network."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.jws import from_b64url
from fairgate.domain.tickets.ticket import verify
from fairgate.errors import (
    ForbiddenError,
    MalformedInputError,
    NotFoundError,
    UnauthenticatedError,
)
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from fairgate_ops.operate.target import Target

KEY_BYTES = 32
VOID = ("cancelled", "refunded")
_TICKET = re.compile(r"tkt_[0-9a-f]{16}")


def run_verify_offline(options: argparse.Namespace) -> Report:
    """With --public-key: no system, no network, nothing but this machine."""
    try:
        key = from_b64url(options.public_key)
    except ValueError as error:
        raise _no_key() from error
    return _verify(options, key)


def run_verify(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.adapters.tickets.ed25519 import public_key_of

    return _verify(options, public_key_of(target.world.secrets.secrets().ticket))


def _verify(options: argparse.Namespace, key: bytes) -> Report:
    """Every code's verdict. Raises ForbiddenError when one of them admits nobody."""
    from fairgate.adapters.tickets.ed25519 import verifier

    if len(key) != KEY_BYTES:
        raise _no_key()
    check = verifier(key)
    void = _void_list(options.void_list) if options.void_list else frozenset()
    codes = options.code or [line.strip() for line in sys.stdin if line.strip()]
    if not codes:
        raise MalformedInputError("Name at least one code, or send some to standard input.")
    seen: set[str] = set()
    verdicts = [_verdict(code, check, options.event, void, seen) for code in codes]
    bad = [verdict for verdict in verdicts if not verdict["valid"]]
    if bad:
        raise ForbiddenError(
            f"{len(bad)} of {len(verdicts)} codes admit nobody.",
            tickets=verdicts,
            errors=[{"where": v["code"][:24] + "…", "what": v["why"]} for v in bad],
        )
    lines = [f"valid  {v['ticket']}  {v['event']}  {v['place']}" for v in verdicts]
    return Report({"tickets": verdicts}, lines)


def _verdict(
    code: str, check: Any, event: str | None, void: frozenset[str], seen: set[str]
) -> dict[str, Any]:
    try:
        ticket = verify(code, check)
    except UnauthenticatedError:
        return {"code": code, "valid": False, "why": "not signed with this key"}
    why = ""
    if event and ticket.event != event:
        why = f"for another event: {ticket.event}"
    elif ticket.ticket in void:
        why = "cancelled"
    elif ticket.ticket in seen:
        why = "scanned before in this run"
    seen.add(ticket.ticket)
    return {"code": code, "valid": not why, "why": why, **asdict(ticket)}


def _void_list(path: str) -> frozenset[str]:
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        tickets = document["void"]
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedInputError(f"{path} is no list of `ticket void-list`.") from error
    if not isinstance(tickets, list) or not all(
        isinstance(t, str) and _TICKET.fullmatch(t) for t in tickets
    ):
        raise MalformedInputError(f"{path} is no list of `ticket void-list`.")
    return frozenset(tickets)


def run_void_list(options: argparse.Namespace, target: Target) -> Report:
    """Cost: a read of the whole table of reservations; run it before doors, not during a sale."""
    target.world.catalog.event(options.event)  # raises NotFoundError
    void = sorted(
        str(ticket["ticket"])
        for order in _void_orders(target, options.event)
        for ticket in order.get("tickets") or ()
    )
    document = {"event": options.event, "void": void}
    if not options.dry_run:
        Path(options.out).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    written = "would be written" if options.dry_run else "written"
    return Report(
        document | {"out": options.out}, [f"{len(void)} void tickets {written}: {options.out}"]
    )


def _void_orders(target: Target, event: str) -> Iterator[dict[str, Any]]:
    from fairgate.adapters.dynamodb.codec import from_item, to_item

    wanted = {":event": event, ":order": "O#"} | {f":s{n}": s for n, s in enumerate(VOID)}
    request: dict[str, Any] = {
        "TableName": target.world.settings.reservations_table,
        "ConsistentRead": True,
        "FilterExpression": "begins_with(SK, :order) AND eventId = :event"
        f" AND #state IN ({', '.join(f':s{n}' for n in range(len(VOID)))})",
        "ExpressionAttributeNames": {"#state": "state"},
        "ExpressionAttributeValues": to_item(wanted),
    }
    client = target.dynamodb()
    while True:
        page = client.scan(**request)
        yield from map(from_item, page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _no_key() -> MalformedInputError:
    return MalformedInputError("--public-key is 32 bytes as base64url, as `keys ticket` prints it.")
