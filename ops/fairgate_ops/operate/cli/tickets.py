"""``fairgate ticket …``: what a door needs, with or without a network."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, at_target
from fairgate_ops.operate.cli.report import Listing, Report

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
    """Every code's verdict. Raises ForbiddenError when one of them admits nobody."""
    from fairgate.errors import ForbiddenError, MalformedInputError
    from fairgate_ops.operate.tickets import Door

    void = _read_void_list(options.void_list) if options.void_list else frozenset[str]()
    door = Door(key, options.event, void)
    codes = options.code or [line.strip() for line in sys.stdin if line.strip()]
    if not codes:
        raise MalformedInputError("Name at least one code, or send some to standard input.")
    verdicts = door.judge(codes)
    bad = [verdict for verdict in verdicts if not verdict["valid"]]
    if bad:
        raise ForbiddenError(
            f"{len(bad)} of {len(verdicts)} codes admit nobody.",
            tickets=verdicts,
            errors=[{"where": v["code"][:24] + "…", "what": v["why"]} for v in bad],
        )
    listing = Listing(
        ("", "Ticket", "Event", "Place"),
        [("valid", v["ticket"], v["event"], v["place"]) for v in verdicts],
        [f"valid  {v['ticket']}  {v['event']}  {v['place']}" for v in verdicts],
    )
    return Report({"tickets": verdicts}, [listing])


def _read_void_list(path: str) -> frozenset[str]:
    import json
    from pathlib import Path

    from fairgate.errors import MalformedInputError, NotFoundError
    from fairgate_ops.operate.tickets import parse_void_list

    try:
        void = parse_void_list(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read ({error.strerror}).") from error
    except ValueError as error:
        raise MalformedInputError(f"{path} is no list of `ticket void-list`.") from error
    if void is None:
        raise MalformedInputError(f"{path} is no list of `ticket void-list`.")
    return void


@at_target
def run_void_list(options: argparse.Namespace, target: Target) -> Report:
    import json
    from pathlib import Path

    from fairgate_ops.operate.tickets import void_list

    void = void_list(target, options.event)
    document = {"event": options.event, "void": void}
    if not options.dry_run:
        Path(options.out).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    written = "would be written" if options.dry_run else "written"
    return Report(
        document | {"out": options.out}, [f"{len(void)} void tickets {written}: {options.out}"]
    )
