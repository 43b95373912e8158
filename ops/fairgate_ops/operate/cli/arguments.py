"""What can be typed: commands, their arguments and their help."""

from __future__ import annotations

import argparse
from typing import Any

from fairgate_ops.operate.cli.box_office_arguments import (
    add_orders,
    add_payment_keys,
    add_queue,
    add_ticket,
)
from fairgate_ops.operate.cli.cache_arguments import add_cache
from fairgate_ops.operate.cli.proof_arguments import add_audit, add_draw

TAU_MAX_S = 10_000_000.0  # as service/gate/control_gate.py, which help does not wait for
MINUTES_MAX = 1_440.0
EXAMPLES = """\
examples:
  fairgate venue validate chart.json
  fairgate event create final --venue chart.json --name "The Final" --price-all 4500 \\
      --opens-at 2030-06-01T18:00:00Z --tau 600
  fairgate tau set final 300
  fairgate --target aws --stage prod event pause final

Amounts are in minor units: 45.00 EUR is 4500. Help for one command: fairgate event create --help
"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="fairgate",
        description="Operate a Fairgate sale, on this machine or in AWS.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_switches(top, top=True)
    groups = top.add_subparsers(dest="group", required=True, metavar="COMMAND")
    _add_event(groups.add_parser("event", help="create, list, and move through its life"))
    _add_tau(groups.add_parser("tau", help="get or set the pace of the room"))
    _add_venue(groups.add_parser("venue", help="import or validate a seating chart"))
    _add_keys(groups.add_parser("keys", help="make, rotate and show keys"))
    _add_desk(groups.add_parser("desk", help="what the risk desk decided, and pardon it"))
    add_orders(_verbs(groups.add_parser("orders", help="compare them with the money")), _verb)
    add_ticket(_verbs(groups.add_parser("ticket", help="verify codes, list void ones")), _verb)
    add_queue(_verbs(groups.add_parser("queue", help="look at them, send dead letters")), _verb)
    add_cache(_verbs(groups.add_parser("cache", help="fill it from the table")), _verb)
    add_draw(_verbs(groups.add_parser("draw", help="commit to it, reveal it, verify it")), _verb)
    add_audit(_verbs(groups.add_parser("audit", help="recompute a whole sale")), _verb)
    return top


def _add_switches(to: argparse.ArgumentParser, *, top: bool = False) -> None:
    """The global switches, which every command takes before or after its name."""

    def default(value: object) -> Any:
        return value if top else argparse.SUPPRESS

    group = to.add_argument_group("where and how")
    group.add_argument("--target", choices=("local", "aws"), default=default("local"))
    group.add_argument(
        "--run-file",
        metavar="FILE",
        default=default(None),
        help="local: of the running system, else the nearest .run/local.json",
    )
    group.add_argument("--stage", default=default("prod"), help="aws: the deployment's stage")
    group.add_argument("--region", default=default(None), help="aws: else the environment's")
    group.add_argument(
        "--json",
        action="store_true",
        default=default(False),
        help="one JSON document on standard output",
    )
    group.add_argument(
        "--dry-run",
        action="store_true",
        default=default(False),
        help="check everything, write nothing, show what would be written",
    )


def _verb(verbs: Any, name: str, text: str) -> argparse.ArgumentParser:
    verb: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text)
    _add_switches(verb)
    return verb


def _verbs(of: argparse.ArgumentParser) -> Any:
    return of.add_subparsers(dest="verb", required=True, metavar="COMMAND")


def _add_event(group: argparse.ArgumentParser) -> None:
    verbs = _verbs(group)
    _add_create(_verb(verbs, "create", "Create an event from a seating chart and publish it."))
    _verb(verbs, "list", "All events, with their state.")
    opening = _verb(verbs, "open", "Set the doors: now, or at a time.")
    opening.add_argument("event")
    opening.add_argument("--at", metavar="TIME", help="RFC 3339; else as soon as edges know")
    _add_pace(opening)
    pausing = _verb(verbs, "pause", "Admit nobody for a while; everyone keeps their place.")
    pausing.add_argument("event")
    _add_act(pausing)
    resuming = _verb(verbs, "resume", "Go on after a pause, or when seats have come back.")
    resuming.add_argument("event")
    _add_pace(resuming)
    draining = _verb(verbs, "drain", "Take nobody new in; those who wait are still let in.")
    draining.add_argument("event")
    _add_reason(draining)
    _add_open_until(_verb(verbs, "open-until", "Let everyone in who waits, until a time."))
    closing = _verb(verbs, "close", "End the sale, for good unless --sold-out.")
    closing.add_argument("event")
    closing.add_argument("--sold-out", action="store_true", help="say so; can be resumed")
    _add_act(closing)
    aiming = _verb(verbs, "target", "How many may shop at once.")
    aiming.add_argument("event")
    aiming.add_argument("live_max", type=int, metavar="SESSIONS")
    aiming.add_argument(
        "--control", choices=("manual", "auto"), help="who sets the pace from now on; else as it is"
    )
    _add_reason(aiming)
    _verb(verbs, "log", "What operators did, checked against its signatures.").add_argument("event")


def _add_open_until(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("event")
    when = verb.add_mutually_exclusive_group(required=True)
    when.add_argument("--at", metavar="TIME", help="RFC 3339 with its zone, at most a day ahead")
    when.add_argument("--minutes", type=_minutes, help="for so long from now")
    when.add_argument("--off", action="store_true", help="back to the draw at once")
    _add_act(verb)


def _add_create(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("event", help="id: small letters, digits and -, at most 40")
    verb.add_argument(
        "--venue",
        required=True,
        metavar="FILE",
        help="Fairgate venue, seats.io chart or pretix seating plan",
    )
    verb.add_argument("--name", required=True)
    verb.add_argument(
        "--price",
        type=_price,
        action="append",
        metavar="TIER=MINOR",
        help="price of a tier in minor units; repeat for each",
    )
    verb.add_argument("--price-all", type=int, metavar="MINOR", help="for tiers without --price")
    verb.add_argument("--fee-order", type=int, default=0, metavar="MINOR", help="added to an order")
    verb.add_argument("--fee-ticket", type=int, default=0, metavar="MINOR", help="added per ticket")
    verb.add_argument("--currency", default="EUR", help="ISO 4217 (default: EUR)")
    when = verb.add_mutually_exclusive_group(required=True)
    when.add_argument("--opens-at", metavar="TIME", help="doors, RFC 3339 with its zone")
    when.add_argument("--opens-in", type=float, metavar="SECONDS")
    verb.add_argument(
        "--tau", type=_tau, default=600.0, metavar="SECONDS", help="pace after doors (default: 600)"
    )
    verb.add_argument(
        "--curve",
        type=float,
        default=1.0,
        help="1: luck over time; 3: mostly order of arrival (default: 1)",
    )
    verb.add_argument(
        "--mode",
        choices=("a", "t"),
        default="a",
        help="a: one draw an account; t: one a token (default: a)",
    )
    verb.add_argument(
        "--pow",
        type=int,
        default=16,
        metavar="BITS",
        help="difficulty of the proof of work (default: 16)",
    )
    verb.add_argument("--token-ttl-s", type=int, default=600, metavar="SECONDS")
    verb.add_argument(
        "--sample",
        type=float,
        default=0.01,
        metavar="SHARE",
        help="of queue requests counted to estimate the crowd (default: 0.01)",
    )
    verb.add_argument(
        "--sample-admissions",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of admissions that go by the risk desk (default: 0)",
    )
    verb.add_argument(
        "--backoff-s",
        type=int,
        nargs=2,
        default=(2, 60),
        metavar=("LEAST", "MOST"),
        help="seconds between two looks of one who waits (default: 2 60)",
    )
    verb.add_argument(
        "--control",
        choices=("manual", "auto"),
        default="manual",
        help="auto: the controller sets the pace to meet --live-max",
    )
    verb.add_argument("--live-max", type=int, default=5_000, metavar="SESSIONS")
    verb.add_argument("--hold-limit", type=int, default=10, metavar="SEATS")
    verb.add_argument("--user-limit", type=int, default=10, metavar="SEATS")
    verb.add_argument("--sessions-limit", type=int, default=1, metavar="SESSIONS")
    verb.add_argument("--session-s", type=int, default=600, metavar="SECONDS")
    verb.add_argument("--checkout-s", type=int, default=420, metavar="SECONDS")


def _add_tau(group: argparse.ArgumentParser) -> None:
    verbs = _verbs(group)
    getting = _verb(verbs, "get", "The pace now, and every epoch that is planned.")
    getting.add_argument("event")
    setting = _verb(verbs, "set", "Change the pace from a dated epoch on; nobody jumps.")
    setting.add_argument("event")
    setting.add_argument("seconds", type=float, metavar="TAU", help="seconds, 1 to 10,000,000")
    _add_act(setting)


def _add_venue(group: argparse.ArgumentParser) -> None:
    verbs = _verbs(group)
    importing = _verb(verbs, "import", "Write a chart as a Fairgate venue file.")
    importing.add_argument("chart")
    importing.add_argument("--out", required=True, metavar="FILE")
    validating = _verb(verbs, "validate", "Check a chart; list what is wrong and where.")
    validating.add_argument("chart")


def _add_desk(group: argparse.ArgumentParser) -> None:
    verbs = _verbs(group)
    showing = _verb(verbs, "show", "How a user stands with the risk desk, and why.")
    pardoning = _verb(verbs, "pardon", "Lift what the desk decided about a user.")
    for verb in (showing, pardoning):
        verb.add_argument("event")
        verb.add_argument("user")
    pardoning.add_argument("--reason", metavar="TEXT", required=True, help="why, for the log")


def _add_keys(group: argparse.ArgumentParser) -> None:
    verbs = _verbs(group)
    _verb(verbs, "init", "The keys of a new deployment, once.")
    _verb(verbs, "ticket", "The public key with which the door checks tickets.")
    add_payment_keys(verbs, _verb)
    rotating = _verb(
        verbs, "rotate", "A new signing key; the old one verifies until it is retired."
    )
    which = rotating.add_mutually_exclusive_group(required=True)
    which.add_argument("event", nargs="?", help="whose waiting tokens")
    which.add_argument("--auth", action="store_true", help="the auth JWTs' key instead")
    rotating.add_argument(
        "--step",
        choices=("add", "switch", "retire"),
        help="only this one; else add, wait two minutes, switch",
    )


def _add_pace(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--tau", type=_tau, metavar="SECONDS", help="else the pace it had")
    _add_act(verb)


def _add_reason(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--reason", metavar="TEXT", help="why, for the log")


def _add_act(verb: argparse.ArgumentParser) -> None:
    _add_reason(verb)
    verb.add_argument(
        "--starts-in",
        type=float,
        metavar="SECONDS",
        help="date the change so far ahead (aws: 60, as edges hear late; local: 1)",
    )


def _price(text: str) -> tuple[str, int]:
    tier, equals, amount = text.partition("=")
    if not equals or not tier or not amount.isdecimal():
        raise argparse.ArgumentTypeError(
            f"{text!r} is not TIER=MINOR, like floor=4500 (45.00 in minor units)"
        )
    return tier, int(amount)


def _minutes(text: str) -> float:
    """Raises ArgumentTypeError outside of a day; a day is the most that the gate stands open."""
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0.0 < minutes <= MINUTES_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not up to {MINUTES_MAX:,.0f} minutes")
    return minutes


def _tau(text: str) -> float:
    """Raises ArgumentTypeError outside of 1 to TAU_MAX_S seconds."""
    try:
        tau_s = float(text)
    except ValueError:
        tau_s = 0.0
    if not 1.0 <= tau_s <= TAU_MAX_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not 1 to 10,000,000 seconds")
    return tau_s
