"""``fairgate ticket …``: what a door needs, with or without a network."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from fairgate.adapters.tickets.ed25519 import public_key_of
from fairgate.domain.shared.jws import from_b64url
from fairgate.errors import MalformedInputError, NotFoundError
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Listing, Report, Spoken, count_text, one_line
from fairgate_ops.operate.target import Target
from fairgate_ops.operate.tickets import Door, no_key, parse_void_list, void_list
from fairgate_ops.shared.whole_file import check_writable, write_whole


def run_verify(options: argparse.Namespace) -> Spoken:
    """With --public-key: no system, no network, nothing but this machine."""
    if not options.public_key:
        return _verify_at_target(options)

    try:
        key = from_b64url(options.public_key)
    except ValueError as error:
        raise no_key() from error
    return _verify(options, key)


@at_target
def _verify_at_target(options: argparse.Namespace, target: Target) -> Report:
    return _verify(options, public_key_of(target.world.secrets.tickets().ticket))


def _verify(options: argparse.Namespace, key: bytes) -> Report:
    """Every code's verdict; failed when one of them admits nobody."""
    void = frozenset[str]()
    if options.void_list:
        void = _read_void_list(options.void_list, options.event)
    door = Door(key, options.event, void)
    codes = options.code or [line.strip() for line in sys.stdin if line.strip()]
    if not codes:
        raise MalformedInputError("Name at least one code, or send some to standard input.")
    verdicts = door.judge(codes)
    bad = sum(not verdict["valid"] for verdict in verdicts)
    rows = [_verdict_row(verdict) for verdict in verdicts]
    listing = Listing(
        ("", "Ticket", "Event", "Place"), rows, ["  ".join(filter(None, row)) for row in rows]
    )
    total = "Every code admits." if not bad else f"{bad} of {len(verdicts)} codes admit nobody."
    return Report({"tickets": verdicts, "refused": bad}, [listing, total], failed=bool(bad))


def _verdict_row(verdict: dict[str, Any]) -> tuple[str, str, str, str]:
    if verdict["valid"]:
        return "valid", verdict["ticket"], verdict["event"], verdict["place"]
    return "REFUSED", one_line(f"{verdict['code'][:24]}…"), "", verdict["why"]


def _read_void_list(path: str, event: str | None) -> frozenset[str]:
    """Raises NotFoundError, MalformedInputError: no such list, or one of another event."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error
    except ValueError as error:
        raise MalformedInputError(f"{path} is no list of `ticket void-list`.") from error
    void = parse_void_list(document)
    if void is None:
        raise MalformedInputError(f"{path} is no list of `ticket void-list`.")
    if event and document.get("event", event) != event:
        raise MalformedInputError(f"{path} is the list of {document['event']}, not of {event}.")
    return void


@at_target
def run_void_list(options: argparse.Namespace, target: Target) -> Act[None]:
    check_writable(options.out)
    void = void_list(target, options.event)
    document = {"event": options.event, "void": void}
    text, count = json.dumps(document, indent=1) + "\n", count_text(len(void), "void ticket")
    data = document | {"out": options.out}
    return Act(
        do=lambda: write_whole(options.out, text),
        would=lambda: Report(data, [f"{count} would be written: {options.out}"]),
        report=lambda _: Report(data, [f"{count} written: {options.out}"]),
    )
