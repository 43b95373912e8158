"""``fairgate event clone``: make a draft with the seats and settings of another event."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate.service.catalog.published_venue import published_venue
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.event_create import creation
from fairgate_ops.operate.cli.event_fields import defaults
from fairgate_ops.operate.cli.event_file import EventFile, take
from fairgate_ops.operate.cli.event_toml import toml_of
from fairgate_ops.operate.importers.assembly import Reading

if TYPE_CHECKING:
    from fairgate.service.catalog.create_event import CreatedEvent
    from fairgate_ops.operate.cli.act import Act
    from fairgate_ops.operate.target import Target


@at_target
def run_clone(options: argparse.Namespace, target: Target) -> Act[CreatedEvent]:
    return cloning(options, target)


def cloning(options: argparse.Namespace, target: Target, **instead: object) -> Act[CreatedEvent]:
    """Create it as from the event's file, and from the chart that was published with it.

    Args:
        instead: values that take the place of the event's, by the names of the parsed options.
    """
    sale = target.world.catalog.event(options.event)
    file = EventFile(sale.id, toml_of(sale, target.control().read(sale.id)))
    venue = published_venue(target.world.layouts, sale.layout)
    for dest, value in defaults().items():
        if not hasattr(options, dest):
            setattr(options, dest, value)
    options.event = options.new
    take(options, file)
    options.chart, options.place = sale.chart, str  # what is wrong is to be typed
    options.venue = sale.chart
    vars(options).update(instead)
    return creation(options, target, venue, Reading())
