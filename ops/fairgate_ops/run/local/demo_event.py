"""Put a sale on the running local system, by the same steps as ``fairgate event create``."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from fairgate.domain.catalog.sale_terms import SaleTerms
from fairgate.domain.shared.times import rfc3339
from fairgate.service.catalog.create_event import GateRules, PaceControl
from fairgate.service.catalog.event_request import NewEvent
from fairgate_ops.operate.target import target_of

if TYPE_CHECKING:
    from pathlib import Path

    from fairgate.domain.seating.venue import Venue

CHEAPEST_MINOR = 2_500
STEP_MINOR = 2_000


class Sale(SaleTerms, frozen=True):
    """How a local sale is set up; times in seconds.

    Attributes:
        sale_starts_in_s: until the sale starts; earlier buyers wait in the pre-queue.
        tau_s: the pace of admission.
        curve: k of the draw: 1 is luck over time, 3 mostly order of arrival.
        pow_bits: leading zero bits of the proof of work.
        backoff_max_s: the longest pause between two requests of a waiting page.
        cancel_for_s: how long from the sale start on buyers may cancel their orders; 0: not at all.
        transfer_for_s: how long from the sale start on tickets may be passed on; 0: not at all.
        control: who sets the pace from the sale start on, ``auto``: the controller.
        sample: the share of accounts that is counted.
    """

    event: str
    sale_starts_in_s: float = 8.0
    tau_s: float = 6.0
    curve: float = 1.0
    pow_bits: int = 12
    backoff_max_s: int = 15
    cancel_for_s: int = 0
    transfer_for_s: int = 0
    control: PaceControl = "manual"
    sample: float = 0.05


def put_on_sale(run_file: Path, sale: Sale, venue: Venue) -> None:
    """Publish ``venue`` as ``sale`` on the system that ``run_file`` names.

    Raises: what ``EventCreator.create`` raises for a venue or a sale that is not right.
    """
    sale_starts_at_s = int(time.time() + sale.sale_starts_in_s) + 1
    terms = sale.terms()
    if sale.cancel_for_s:
        terms["cancel_until"] = rfc3339((sale_starts_at_s + sale.cancel_for_s) * 1000)
    if sale.transfer_for_s:
        terms["transfer_until"] = rfc3339((sale_starts_at_s + sale.transfer_for_s) * 1000)
    request = NewEvent(
        event=sale.event,
        sale_starts_at=rfc3339(sale_starts_at_s * 1000),
        currency="EUR",
        prices_minor=prices(venue),
        draw_commitment="",  # made with the draw key
        **terms,
    )
    rules = GateRules(
        sale_start_s=sale_starts_at_s,
        tau_s=sale.tau_s,
        curve=sale.curve,
        pow_bits=sale.pow_bits,
        backoff_min_s=1,
        backoff_max_s=sale.backoff_max_s,
        sample=sale.sample,
    )
    target = target_of(argparse.Namespace(target="local", run_file=str(run_file)))
    target.creator().create(request, venue, rules, control=sale.control)


def prices(venue: Venue) -> dict[str, int]:
    """A plausible price for each tier, the first the dearest."""
    last = len(venue.tiers) - 1
    return {
        tier.id: CHEAPEST_MINOR + STEP_MINOR * (last - place)
        for place, tier in enumerate(venue.tiers)
    }
