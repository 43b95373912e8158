"""``fairgate keys …``: new signing keys, without refusing anything honestly signed."""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.acts import logged
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from fairgate_ops.operate.target import Target

TICK_S = 1.0


def run_init(options: argparse.Namespace, target: Target) -> Report:
    """Give a new deployment its keys. Raises WrongStateError when it has any."""
    from fairgate_ops.operate.first_keys import make_first_keys

    make_first_keys(target.document, dry_run=options.dry_run)
    if options.dry_run:
        return Report({"dry_run": True}, ["Dry run, nothing written: there are no keys yet."])
    text = f"{target.name} has its keys. Every function sees them within a minute."
    return Report({"dry_run": False}, [text])


def run_ticket(_options: argparse.Namespace, target: Target) -> Report:
    """The ticket key's public half, which is no secret."""
    from fairgate.adapters.tickets.ed25519 import public_key_of
    from fairgate.domain.shared.jws import b64url

    key = b64url(public_key_of(target.world.secrets.secrets().ticket))
    return Report({"algorithm": "Ed25519", "public_key": key}, [key])


def run_rotate(options: argparse.Namespace, target: Target) -> Report:
    """Add a key, wait until everybody has it, let it sign; or only the step that is named."""
    steps = _auth_steps(options, target) if options.auth else _token_steps(options, target)
    names = [options.step] if options.step else ["add", "switch"]
    if options.dry_run:
        names = names[:1]  # what comes after depends on what would have been written
    for position, name in enumerate(names):
        if position:
            _wait_for_spread()
        _logged(options, target, f"keys {name}", steps[name])
    which = "auth keys" if options.auth else f"token keys of {options.event}"
    data: dict[str, Any] = {"keys": which, "steps": names, "dry_run": options.dry_run}
    lines = [f"Dry run, nothing written: {which}, {names[0]} is possible."]
    if not options.dry_run:
        lines = [f"{which}: {_DONE[names[-1]]}"]
    return Report(data, lines)


_DONE = {
    "add": "the new key verifies. Let it sign in two minutes, with --step switch.",
    "switch": "the new key signs. The old one verifies what it signed before; once that has"
    " expired, end it with --step retire.",
    "retire": "the old key verifies no longer.",
}


def _token_steps(options: argparse.Namespace, target: Target) -> dict[str, Any]:
    from fairgate.service.gate.rotate_keys import TokenKeyRotation

    control = target.control(dry_run=options.dry_run)
    rotation = TokenKeyRotation(control, target.world.clock, secrets.token_bytes)
    return {
        name: partial(getattr(rotation, name), options.event)
        for name in ("add", "switch", "retire")
    }


def _auth_steps(options: argparse.Namespace, target: Target) -> dict[str, Any]:
    from fairgate.service.gate.rotate_keys import AuthKeyRotation

    control = target.control(dry_run=options.dry_run)
    rotation = AuthKeyRotation(control, target.document, target.world.clock, secrets.token_bytes)
    events = _events(target)
    return {
        "add": partial(rotation.add, events),
        "switch": rotation.switch,
        "retire": partial(rotation.retire, events),
    }


def _logged(
    options: argparse.Namespace, target: Target, act: str, do: Callable[[], object]
) -> None:
    """The auth keys stand in every event's value, so the act stands in every event's log."""
    for event in _events(target) if options.auth else [options.event]:
        name = f"auth {act}" if options.auth else act
        do = partial(logged, options, target, name, {}, do, event=event)
    do()


def _events(target: Target) -> list[str]:
    from fairgate.service.shared.keys import CATALOG_PK

    return [str(item["SK"]) for item in target.world.table.query("catalog", CATALOG_PK)]


def _wait_for_spread() -> None:
    from fairgate.service.gate.rotate_keys import SPREAD_S

    with progress("Waiting until every edge has the new key (s)", SPREAD_S + 1) as step:
        for _ in range(SPREAD_S + 1):
            time.sleep(TICK_S)
            step()
