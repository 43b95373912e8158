"""Mail the owners of tickets about a change by ``fairgate event edit``; count them before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.report import count_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from fairgate.service.shared.records.catalog import LastChange
    from fairgate_ops.operate.target import Target
    from fairgate_ops.operate.tell_change import Told


def mails_of(
    options: argparse.Namespace, target: Target, wanted: Mapping[str, Any], sale_starts_at: str
) -> Told | None:
    """Return who would be mailed; None if nobody would be, or the edit is refused anyway.

    Cost: reads every order of the event, if people with tickets go by what changes.
    """
    from fairgate_ops.operate.tell_change import count_told
    from fairgate_ops.shared.progress import progress

    if options.no_mail or not (
        _untold(target, options.event) or _tells(options, target, wanted, sale_starts_at)
    ):
        return None
    with progress(f"Counting the orders of {options.event} (read)") as step:
        return count_told(target.world.table, options.event, step)


def mails_ends(mails: Told | None) -> list[str]:
    """Return what the operator is asked before anybody gets a mail."""
    if mails is None or not mails.orders:
        return []
    return [f"Writes to the buyers of {count_text(mails.orders, 'order')}; --no-mail does not."]


def tell(options: argparse.Namespace, target: Target, mails: Told | None) -> Told | None:
    """Mail the change that buyers were not told yet; None if there is none.

    The event's log gets an entry if there is anybody to write to.
    """
    from fairgate_ops.operate.cli.act import reasoned
    from fairgate_ops.operate.tell_change import Teller, operators_mail_queue
    from fairgate_ops.shared.progress import progress

    if options.no_mail:
        return None
    change = _untold(target, options.event)
    if change is None:
        return None
    world, number = target.world, change.number
    teller = Teller(world.table, world.clock, lambda: operators_mail_queue(target))
    with progress(f"Writing to the buyers of {options.event} (orders)") as step:
        if mails is None or not mails.orders:
            return teller.tell(options.event, number, step)
        return target.acts().do(
            options.event,
            "event told",
            reasoned(options, change=number),
            lambda: teller.tell(options.event, number, step),
        )


def mails_lines(options: argparse.Namespace, mails: Told | None, told: Told | None) -> list[str]:
    """Say who is, or would be, mailed."""
    count = told or mails
    if count is None:
        return []
    would = "would be" if options.dry_run else "are"
    lines = [f"The buyers of {count_text(count.orders, 'order')} {would} written to."]
    if count.damaged:
        named = ", ".join(count.damaged[:10])
        lines.append(f"{len(count.damaged)} items cannot be read, look into them: {named}")
    return lines


def mails_json(mails: Told | None, told: Told | None) -> dict[str, Any] | None:
    """Return the same for ``--json``."""
    count = told or mails
    return None if count is None else {"orders": count.orders, "damaged": count.damaged}


def _untold(target: Target, event: str) -> LastChange | None:
    from fairgate.service.catalog.last_change import untold_change
    from fairgate.service.shared.keys import event_key
    from fairgate.service.shared.records.catalog import Event

    sale = target.world.table.find(Event, event_key(event))
    return None if sale is None or sale.cancelled_at else untold_change(sale)


def _tells(
    options: argparse.Namespace, target: Target, wanted: Mapping[str, Any], sale_starts_at: str
) -> bool:
    """Say whether the edit would change what people with tickets go by."""
    from fairgate.errors import FairgateError
    from fairgate.service.catalog.edit_event import edit_event
    from fairgate.service.catalog.last_change import TOLD, is_told

    if not set(TOLD) & set(wanted):
        return False
    world = target.world
    try:
        change = edit_event(
            world.table,
            world.clock,
            options.event,
            wanted,
            sale_starts_at=sale_starts_at,
            dry_run=True,
        )
    except FairgateError:
        return False  # the edit itself says and logs why
    return is_told(change.before, change.after)
