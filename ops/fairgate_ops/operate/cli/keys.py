"""``fairgate keys …``: new signing keys, without refusing anything honestly signed."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli import client_secret, payment_keys
from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.report import Report

if TYPE_CHECKING:
    from fairgate.service.gate.rotate_in_steps import KeySteps
    from fairgate_ops.operate.target import Target

TICK_S = 1.0
HOURS_MAX = 8_760.0


def add_arguments(group: argparse.ArgumentParser) -> None:
    verbs = Verbs(group)
    add_reason(verbs.add("init", "Make the keys of a new deployment, once.", run_init))
    add_reason(
        verbs.add(
            "addresses",
            "Make the key by which tickets are found by a mail address, once, for a deployment of"
            " before.",
            run_addresses,
        )
    )
    verbs.add("ticket", "Show the public key with which the door checks tickets.", run_ticket)
    payment_keys.add_arguments(verbs)
    client_secret.add_arguments(verbs)
    rotating = verbs.add(
        "rotate", "Retire the old signing key if it may be, and let a new one sign.", run_rotate
    )
    which = rotating.add_mutually_exclusive_group(required=True)
    which.add_argument("event", nargs="?", help="whose waiting tokens")
    which.add_argument("--auth", action="store_true", help="the auth JWTs' key instead")
    rotating.add_argument(
        "--step",
        choices=("add", "switch", "retire"),
        help="only this one; else retire, add, wait two minutes, switch",
    )
    rotating.add_argument(
        "--every-h",
        type=_hours,
        default=0.0,
        metavar="HOURS",
        help="for a timer: leave a key alone that has signed for less, and do what is due",
    )


@at_target
def run_init(options: argparse.Namespace, target: Target) -> Report:
    """Give a new deployment its keys. Raises WrongStateError when it has any."""
    from fairgate_ops.operate.cli.every_log import NOWHERE, logged_in
    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.first_keys import check_no_keys, make_first_keys

    check_no_keys(target.document)
    if options.dry_run:
        return Report({"dry_run": True}, ["Dry run, nothing written: there are no keys yet."])
    events = logged_in(target, target.world.catalog.all().ids)
    target.acts().do_in_each(
        events, "keys init", reasoned(options), partial(make_first_keys, target.document)
    )
    text = f"{target.name} has its keys. Every function sees them within a minute."
    return Report({"dry_run": False}, [text, *([] if events else [NOWHERE])])


@at_target
def run_addresses(options: argparse.Namespace, target: Target) -> Report:
    """Give a deployment of before its key of addresses. Raises WrongStateError when it has one."""
    from fairgate_ops.operate.cli.every_log import NOWHERE, logged_in
    from fairgate_ops.operate.cli.gate_report import reasoned
    from fairgate_ops.operate.first_keys import check_no_addresses_key, make_addresses_key

    check_no_addresses_key(target.document)
    if options.dry_run:
        return Report({"dry_run": True}, ["Dry run, nothing written: there is no such key yet."])
    events = logged_in(target, target.world.catalog.all().ids)
    target.acts().do_in_each(
        events, "keys addresses", reasoned(options), partial(make_addresses_key, target.document)
    )
    text = "Written. Orders from the next minute on are found by their mail address."
    return Report({"dry_run": False}, [text, *([] if events else [NOWHERE])])


@at_target
def run_ticket(_options: argparse.Namespace, target: Target) -> Report:
    """The ticket key's public half, which is no secret."""
    from fairgate.adapters.tickets.ed25519 import public_key_of
    from fairgate.domain.shared.jws import b64url

    key = b64url(public_key_of(target.world.secrets.secrets().ticket))
    return Report({"algorithm": "Ed25519", "public_key": key}, [key])


@at_target
def run_rotate(options: argparse.Namespace, target: Target) -> Report:
    """Do the steps that are due, waiting until everybody has a new key; or only the one named."""
    steps = _auth_steps(options, target) if options.auth else _token_steps(options, target)
    names = steps.rotate(options.step)
    which = "auth keys" if options.auth else f"token keys of {options.event}"
    left_out = sorted(_unreadable(target)) if options.auth else []
    data: dict[str, Any] = {"keys": which, "steps": names, "dry_run": options.dry_run}
    notes = [f"{event} is closed and its gate cannot be read: left as it is." for event in left_out]
    if not names:
        return Report(data, [f"{which}: nothing is due yet.", *notes])
    if options.dry_run:
        lines = [f"Dry run, nothing written: {which}, {names[0]} is possible."]
        return Report(data, [*lines, *notes])
    data["at_edges"], left_behind = _at_edges(options, target)
    return Report(data, [*(f"{which}: {_DONE[name]}" for name in names), *left_behind, *notes])


def _at_edges(options: argparse.Namespace, target: Target) -> tuple[bool | None, list[str]]:
    """Say whether edges have the keys as they are written; of the first event where they do not."""
    from fairgate.domain.gate.gate_config import gate_key
    from fairgate_ops.operate.cli.gate_report import at_edges

    for event in _events(target) if options.auth else [options.event]:
        written = target.world.gate_values.read(gate_key(event))[0]
        same, notes = at_edges(target, event, written)
        if not same:
            return same, [f"{event}: {note}" for note in notes]
    return True, []


_DONE = {
    "add": "the new key verifies. Let it sign in two minutes, with --step switch.",
    "switch": "the new key signs. The old one verifies what it signed before; once that has"
    " expired, the next rotation retires it.",
    "retire": "the old key verifies no longer.",
}


def _token_steps(options: argparse.Namespace, target: Target) -> KeySteps:
    import secrets

    from fairgate.service.gate.rotate_in_steps import KeySteps
    from fairgate.service.gate.rotate_keys import TokenKeyRotation

    acts = target.acts(dry_run=options.dry_run)
    rotation = TokenKeyRotation(acts.gates, target.world.clock, secrets.token_bytes)
    event = options.event
    return KeySteps(
        acts,
        "keys",
        lambda: [event],
        partial(rotation.next_step, event, _every_s(options)),
        {
            "add": partial(rotation.add, event),
            "switch": partial(rotation.switch, event),
            "retire": partial(rotation.retire, event),
        },
        _wait_for_spread,
    )


def _auth_steps(options: argparse.Namespace, target: Target) -> KeySteps:
    import secrets

    from fairgate.service.gate.rotate_in_steps import KeySteps
    from fairgate.service.gate.rotate_keys import AuthKeyRotation

    acts = target.acts(dry_run=options.dry_run)
    events = partial(_events, target)
    rotation = AuthKeyRotation(
        acts.gates, target.document, target.world.clock, secrets.token_bytes, events
    )
    return KeySteps(
        acts,
        "auth keys",
        events,
        partial(rotation.next_step, _every_s(options)),
        {"add": rotation.add, "switch": rotation.switch, "retire": rotation.retire},
        _wait_for_spread,
    )


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = -1.0
    if not 0.0 <= hours <= HOURS_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not up to {HOURS_MAX:,.0f} hours")
    return hours


def _every_s(options: argparse.Namespace) -> int:
    hours: float = options.every_h
    return round(hours * 3600)


def _events(target: Target) -> list[str]:
    left_out = _unreadable(target)
    return [event for event in target.world.catalog.all().ids if event not in left_out]


def _unreadable(target: Target) -> set[str]:
    """Find closed events whose gate cannot be read, like one in a format of years ago.

    Nobody comes in there any more, and they must not keep a key that leaked from being replaced.
    """
    from fairgate.errors import MalformedInputError, NotFoundError

    left_out: set[str] = set()
    control = target.control()
    for sale in target.world.catalog.events():
        if sale.state != "closed":
            continue
        try:
            control.read(sale.id)
        except (MalformedInputError, NotFoundError):
            left_out.add(sale.id)
    return left_out


def _wait_for_spread() -> None:
    import time

    from fairgate.domain.gate.key_ring import SPREAD_S
    from fairgate_ops.shared.progress import progress

    with progress("Waiting until every edge has the new key (s)", SPREAD_S + 1) as step:
        for _ in range(SPREAD_S + 1):
            time.sleep(TICK_S)
            step()
