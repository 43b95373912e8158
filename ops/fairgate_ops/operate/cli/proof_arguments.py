"""What can be typed of ``fairgate draw`` and ``fairgate audit``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    AddVerb = Callable[[Any, str, str], argparse.ArgumentParser]

VERBS = ("check", "export")


def with_audit_verb(words: Sequence[str]) -> list[str]:
    """``audit final`` means ``audit check final``; every other command line is as it was."""
    typed = list(words)
    if "audit" in typed:
        after = typed.index("audit") + 1
        if typed[after : after + 1] and typed[after] not in (*VERBS, "-h", "--help"):
            typed.insert(after, VERBS[0])
    return typed


def add_draw(verbs: Any, add_verb: AddVerb) -> None:
    showing = add_verb(verbs, "show", "What everyone may know of an event's draw.")
    showing.add_argument("event")
    announcing = add_verb(
        verbs, "announce", "Name the public value that will decide the draw, before it exists."
    )
    announcing.add_argument("event")
    announcing.add_argument(
        "--source", required=True, metavar="TEXT", help='like "drand quicknet round 12345678"'
    )
    announcing.add_argument(
        "--at", required=True, metavar="TIME", help="when it comes into being, RFC 3339"
    )
    mixing = add_verb(verbs, "beacon", "Mix in the value that was announced, once it exists.")
    mixing.add_argument("event")
    mixing.add_argument("--value", required=True, help="exactly as its source publishes it")
    revealing = add_verb(verbs, "reveal", "Publish the draw key, after the end of the sale.")
    revealing.add_argument("event")
    _add_verify(add_verb(verbs, "verify", "A buyer's check: number and turn, from what is public."))


def _add_verify(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("event", nargs="?", help="else that of --config")
    verb.add_argument("--user", required=True, help="the account's id, as the sign-in shows it")
    verb.add_argument("--key", metavar="HEX", help="the revealed draw key")
    verb.add_argument("--commitment", metavar="HEX", help="as it was published before doors")
    verb.add_argument("--beacon", metavar="VALUE", help="the beacon's value, if there was one")
    verb.add_argument(
        "--token", metavar="ID", help="of the waiting token, where the draw is by token"
    )
    verb.add_argument(
        "--config", metavar="FILE", help="the sale's rules, as `audit export` wrote them"
    )
    verb.add_argument("--log", metavar="FILE", help="the admission log: also find the user's lines")
    verb.add_argument("--joined", metavar="TIME", help="when you joined; else before doors")


def add_audit(verbs: Any, add_verb: AddVerb) -> None:
    checking = add_verb(
        verbs, "check", "Recompute every admission; `check` may be left out. 1: something is found."
    )
    checking.add_argument("event", nargs="?", help="of the running system or deployment")
    checking.add_argument("--log", metavar="FILE", help="an exported log instead")
    checking.add_argument("--config", metavar="FILE", help="with --log: the sale's rules")
    checking.add_argument(
        "--clock-s", type=_seconds, default=2.0, metavar="S", help="how far clocks differ (2)"
    )
    checking.add_argument(
        "--lag-s",
        type=_seconds,
        default=10.0,
        metavar="S",
        help="how long the origin may decide by rules it read before (10)",
    )
    checking.add_argument(
        "--edge-lag-s",
        type=_seconds,
        default=120.0,
        metavar="S",
        help="how long an edge may issue tokens by rules it heard before (120)",
    )
    checking.add_argument("--workers", type=_count, metavar="N", help="processes (one a processor)")
    exporting = add_verb(verbs, "export", "Write the admission log, and the rules to check it by.")
    exporting.add_argument("event")
    exporting.add_argument("--out", required=True, metavar="FILE", help="log, .jsonl.gz")
    exporting.add_argument("--config", metavar="FILE", help="also the rules with the revealed key")
    exporting.add_argument(
        "--publish", action="store_true", help="pseudonyms instead of users and sessions, no orders"
    )


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3_600:  # noqa: PLR2004 an hour
        raise argparse.ArgumentTypeError(f"{text!r} is not 0 to 3600 seconds")
    return seconds


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 64:  # noqa: PLR2004 more helps nobody
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to 64")
    return int(text)
