"""``fairgate keys …``: new signing keys, without refusing anything honestly signed."""

from __future__ import annotations

import argparse
import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from fairgate.adapters.tickets.ed25519 import public_key_of
from fairgate.domain.gate.gate_config import gate_key
from fairgate.domain.gate.key_ring import SPREAD_S, Step
from fairgate.domain.shared.jws import b64url
from fairgate.errors import MalformedInputError, NotFoundError
from fairgate.service.gate.rotate_in_steps import KeySteps
from fairgate.service.gate.rotate_keys import AuthKeyRotation, TokenKeyRotation
from fairgate_ops.operate.cli.act import NO_LOG, Act, every_log
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.gate_report import at_edges
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.first_keys import (
    ALL_ONCE,
    check_no_keys,
    check_split,
    make_first_keys,
    remove_left_behind,
    split_keys,
)
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.progress import progress

TICK_S = 1.0


@at_target
def run_init(_options: argparse.Namespace, target: Target) -> Act[object]:
    """Give a new deployment its keys. Raises WrongStateError when it has any."""
    check_no_keys(target.secret)
    events = every_log(target)
    text = f"{target.name} has its keys. Every function sees them within a minute."
    return Act(
        name="keys init",
        events=events,
        do=lambda: make_first_keys(target.secret),
        would=lambda: Report({}, ["There are no keys yet."]),
        report=lambda _: Report({}, [text, *([] if events else [NO_LOG])]),
    )


@at_target
def run_split(options: argparse.Namespace, target: Target) -> Act[list[str]]:
    """Bring the keys of an older version to where this one reads them; it can be repeated.

    Raises WrongStateError: there are no keys yet; with --remove: some have no copy yet.
    """
    return _remove_left_behind(target) if options.remove else _split(target)


def _split(target: Target) -> Act[list[str]]:
    def report(names: Sequence[str], done: str) -> Report:
        return Report({"secrets": names}, [f"{done} {', '.join(names) or 'none'}."])

    def would() -> Report:
        return report(split_keys(target.secret, dry_run=True), "Secrets that get their keys:")

    return Act(
        name="keys split",
        events=every_log(target),
        do=lambda: [*split_keys(target.secret)],
        would=would,
        report=lambda names: report(names, "Secrets that got their keys:"),
        ends=["Until this version is deployed, change no key: its functions would not see it."],
    )


def _remove_left_behind(target: Target) -> Act[list[str]]:
    left = check_split(target.secret)
    named = f"from the secret {ALL_ONCE}: {', '.join(left) or 'nothing'}."
    return Act(
        name="keys split",
        events=every_log(target),
        detail={"remove": True},
        do=lambda: remove_left_behind(target.secret),
        would=lambda: Report({"removed": left}, [f"Goes {named}"]),
        report=lambda names: Report({"removed": names}, [f"Gone {named}"]),
        ends=[f"Goes {named}", "Functions of version 0.2.0 or older find no keys any more."],
    )


@at_target
def run_ticket(_options: argparse.Namespace, target: Target) -> Report:
    """The ticket key's public half, which is no secret."""
    key = b64url(public_key_of(target.world.secrets.tickets().ticket))
    return Report({"algorithm": "Ed25519", "public_key": key}, [key])


@at_target
def run_rotate(options: argparse.Namespace, target: Target) -> Act[list[Step]]:
    """Do the steps that are due, waiting until everybody has a new key; or only the one named."""
    steps = partial(_auth_steps if options.auth else _token_steps, options, target)
    which = "auth keys" if options.auth else f"token keys of {options.event}"
    left_out = sorted(_unreadable(target)) if options.auth else []
    notes = [f"{event} is closed and its gate cannot be read: left as it is." for event in left_out]

    def report(names: Sequence[str], said: Sequence[str], **more: Any) -> Report:
        lines = [f"{which}: {text}" for text in said or ["nothing is due yet."]]
        return Report({"keys": which, "steps": names, **more}, [*lines, *notes])

    def would() -> Report:
        names = steps(dry_run=True).rotate(options.step)
        return report(names, [f"{name} is possible." for name in names[:1]])

    def rotated(names: list[Step]) -> Report:
        if not names:
            return report(names, [])
        same, left_behind = _at_edges(options, target)
        said = report(names, [_DONE[name] for name in names], at_edges=same)
        return said._replace(lines=[*said.lines[: len(names)], *left_behind, *notes])

    # Each step is logged by itself: minutes may lie between them.
    return Act(do=lambda: steps().rotate(options.step), would=would, report=rotated)


def _at_edges(options: argparse.Namespace, target: Target) -> tuple[bool | None, list[str]]:
    """Say whether edges have the keys as they are written; of the first event where they do not."""
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


def _token_steps(options: argparse.Namespace, target: Target, *, dry_run: bool = False) -> KeySteps:
    acts = target.acts(dry_run=dry_run)
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


def _auth_steps(options: argparse.Namespace, target: Target, *, dry_run: bool = False) -> KeySteps:
    acts = target.acts(dry_run=dry_run)
    events = partial(_events, target)
    rotation = AuthKeyRotation(
        acts.gates, target.secret("keys"), target.world.clock, secrets.token_bytes, events
    )
    return KeySteps(
        acts,
        "auth keys",
        events,
        partial(rotation.next_step, _every_s(options)),
        {"add": rotation.add, "switch": rotation.switch, "retire": rotation.retire},
        _wait_for_spread,
    )


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
    left_out: set[str] = set()
    control = target.control()
    for sale in target.world.catalog.all().events:
        if sale.state != "closed":
            continue
        try:
            control.read(sale.id)
        except (MalformedInputError, NotFoundError):
            left_out.add(sale.id)
    return left_out


def _wait_for_spread() -> None:
    with progress("Waiting until every edge has the new key (s)", SPREAD_S + 1) as step:
        for _ in range(SPREAD_S + 1):
            time.sleep(TICK_S)
            step()
