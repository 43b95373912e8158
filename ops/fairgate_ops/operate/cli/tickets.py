"""``fairgate ticket …``: what a door needs, with or without a network."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, at_target
from fairgate_ops.operate.cli.report import Listing, Report, one_line

if TYPE_CHECKING:
    from fairgate_ops.operate.target import Target


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    checking = verbs.add(
        "verify", "Check codes from tickets; needs no system with a key.", run_verify
    )
    checking.add_argument("code", nargs="*", help="as scanned; else one a line from standard input")
    checking.add_argument(
        "--public-key",
        metavar="KEY",
        help="as `keys ticket` prints it, after an equals sign; else of the target",
    )
    checking.add_argument("--event", help="refuse tickets of any other event")
    checking.add_argument(
        "--void-list", metavar="FILE", help="as `ticket void-list` wrote it: tickets that are void"
    )
    listing = verbs.add(
        "void-list", "Write the tickets that no longer admit anyone.", run_void_list
    )
    listing.add_argument("event")
    listing.add_argument("--out", required=True, metavar="FILE")


def run_verify(options: argparse.Namespace) -> Report:
    """With --public-key: no system, no network, nothing but this machine."""
    if not options.public_key:
        return _verify_at_target(options)
    from fairgate.domain.shared.jws import from_b64url
    from fairgate_ops.operate.tickets import no_key

    try:
        key = from_b64url(options.public_key)
    except ValueError as error:
        raise no_key() from error
    return _verify(options, key)


@at_target
def _verify_at_target(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.adapters.tickets.ed25519 import public_key_of

    return _verify(options, public_key_of(target.world.secrets.secrets().ticket))


def _verify(options: argparse.Namespace, key: bytes) -> Report:
    """Every code's verdict; failed when one of them admits nobody."""
    from fairgate.errors import MalformedInputError
    from fairgate_ops.operate.tickets import Door

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
    import json
    from pathlib import Path

    from fairgate.errors import MalformedInputError, NotFoundError
    from fairgate_ops.operate.tickets import parse_void_list

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
def run_void_list(options: argparse.Namespace, target: Target) -> Report:
    import json

    from fairgate_ops.operate.tickets import void_list
    from fairgate_ops.shared.whole_file import check_writable, write_whole

    check_writable(options.out)
    void = void_list(target, options.event)
    document = {"event": options.event, "void": void}
    if not options.dry_run:
        write_whole(options.out, json.dumps(document, indent=1) + "\n")
    written = "would be written" if options.dry_run else "written"
    return Report(
        document | {"out": options.out}, [f"{_counted(len(void))} {written}: {options.out}"]
    )


def _counted(count: int) -> str:
    return "1 void ticket" if count == 1 else f"{count} void tickets"
