"""``fairgate event rehearse``: a hidden copy of an event, and a simulated crowd for it."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from fairgate.errors import MalformedInputError, WrongStateError
from fairgate.service.operators.rehearsals import Rehearsals
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.event_clone import cloning
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.cli.times import shown
from fairgate_ops.shared.rehearsal_scripts import SCRIPTS

if TYPE_CHECKING:
    from fairgate.service.catalog.create_event import CreatedEvent
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.operators import Rehearsal
    from fairgate_ops.operate.target import Target

OFF = "rehearsals-off"  # the reason
_ID_CHARS_MAX, _NAME_CHARS_MAX = 40, 100
# What simulated buyers cannot meet: its value without it, and how it is called.
_LEFT_OUT: dict[str, tuple[Any, str]] = {
    "members": ("", "the presale's memberships"),
    "members_until": ("", "the presale's end"),
    "account_days": (0, "the least age of an account"),
    "verified_phone": (False, "the verified phone number"),
    "card_limit": (0, "the limit for one payment card"),
    "address_limit": (0, "the limit for one postal address"),
    "ask_address": (False, "the buyer's postal address"),
    "terms_url": ("", "the terms that buyers accept"),
}


@at_target
def run_rehearse(options: argparse.Namespace, target: Target) -> Act[CreatedEvent]:
    """Ask for the crowd before the copy is made: an act that broke off goes on when asked again."""
    world, of = target.world, options.event
    crowds, most = Rehearsals(world.table, world.clock), world.settings.rehearsal_buyers
    if not most:
        raise WrongStateError(
            "Nothing is rehearsed here, because no simulated buyer may come to real sales. Rehearse"
            " on the local system (`make up`), or on a test stage with -c rehearsal_buyers=….",
            reason=OFF,
        )
    if (itself := crowds.find(of)) is not None:
        raise WrongStateError(f"{of} is a rehearsal itself. Rehearse {itself.of}.")
    if not 1 <= options.buyers <= most:
        raise MalformedInputError(f"--buyers is 1 to {most:,} here, not {options.buyers:,}.")
    sale, new, number = world.catalog.event(of), *_free_id(of, world.catalog.all().ids)
    left_out = _left_out(sale)
    making = cloning(
        _creation(options, new),
        target,
        name=f"{sale.name[:_NAME_CHARS_MAX]} (rehearsal {number})",
        hidden=True,
        **{name: _LEFT_OUT[name][0] for name in left_out},
    )

    def make() -> CreatedEvent:
        making.would()  # what is refused leaves no request
        who = target.who()
        crowds.ask(new, of, buyers=options.buyers, script=options.script, by=who)
        return making.do()

    def report(made: Report, starts: str) -> Report:
        without = [_LEFT_OUT[name][1] for name in left_out]
        data = {
            "event": new,
            "of": of,
            "sale_starts_at": made.data["sale_starts_at"],
            "buyers": options.buyers,
            "buyers_max": most,
            "script": options.script,
            "scripts": {name: script.about for name, script in SCRIPTS.items()},
            "left_out": without,
        }
        what = (
            f"{new} rehearses {of}: {options.buyers:,} simulated buyers, and its sale starts"
            f" {starts}. No list shows it, and nothing of {of} changes."
        )
        lines = [
            what,
            f"{options.script}: {SCRIPTS[options.script].about}",
            f"`fairgate event close {new}` ends it.",
        ]
        if without:
            lines.insert(1, f"Left out, as simulated buyers cannot meet it: {', '.join(without)}.")
        return Report(data, lines)

    def done(created: CreatedEvent) -> Report:
        starts = shown(created.gate.sale_start_s, options)
        return report(making.report(created), f"at {starts}")

    later = f"{options.sale_starts_in:g} s after it is made"
    return Act(do=make, would=lambda: report(making.would(), later), report=done)


def rehearsals_of(target: Target) -> dict[str, Rehearsal]:
    """Return the rehearsals by their events; none where nothing is rehearsed. Cost: a query."""
    world = target.world
    if not world.settings.rehearsal_buyers:
        return {}
    return {one.sk: one for one in Rehearsals(world.table, world.clock).all()}


def rehearsal_data(one: Rehearsal | None) -> dict[str, Any] | None:
    """Return what JSON says of a rehearsal."""
    if one is None:
        return None
    names = ("of", "buyers", "script", "by", "at", "state", "arrived", "tickets", "gone")
    return {name: getattr(one, name) for name in names}


def _creation(options: argparse.Namespace, new: str) -> argparse.Namespace:
    """Return the options as of ``event clone --publish``: in the list of nothing from the start."""
    given = {**vars(options), "new": new, "publish": True}
    for name in ("buyers", "script"):
        del given[name]
    return argparse.Namespace(**given)


def _free_id(of: str, taken: Collection[str]) -> tuple[str, int]:
    """Return the first id that no event has, and its number."""
    number = 1
    while (event := _id(of, number)) in taken:
        number += 1
    return event, number


def _id(of: str, number: int) -> str:
    end = f"-rehearsal-{number}"
    return of[: _ID_CHARS_MAX - len(end)].rstrip("-") + end


def _left_out(sale: Event) -> list[str]:
    return [name for name, (without, _) in _LEFT_OUT.items() if getattr(sale, name) != without]
