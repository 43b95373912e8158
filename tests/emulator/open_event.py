"""``python -m tests.emulator.open_event``: an event whose orders buyers may cancel, in AWS.

``fairgate event create`` has no option for that; the environment says where AWS is.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.shared.times import rfc3339
from fairgate.service.catalog.create_event import GateRules
from fairgate.service.catalog.publish_event import NewEvent
from fairgate_ops.operate.target import target_of

CANCELLED_FOR_S = 86_400


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("event")
    parser.add_argument("--stage", required=True)
    parser.add_argument("--venue", type=Path, required=True)
    parser.add_argument("--opens-in", type=int, required=True)
    parser.add_argument("--checkout-s", type=int, required=True)
    options = parser.parse_args()
    venue = parse_venue(json.loads(options.venue.read_text("utf-8")))
    doors_s = int(time.time()) + options.opens_in
    event = NewEvent(
        event=options.event,
        name=venue.name,
        sale_opens_at=rfc3339(doors_s * 1000),
        currency="EUR",
        prices_minor={tier.id: 4500 for tier in venue.tiers},
        draw_commitment="",  # made with the draw key
        cancel_until=rfc3339((doors_s + CANCELLED_FOR_S) * 1000),
        checkout_s=options.checkout_s,
    )
    rules = GateRules(
        doors_s=doors_s,
        tau_s=1,
        curve=1,
        pow_bits=6,
        backoff_min_s=1,
        backoff_max_s=2,
        sample=0.05,
    )
    target = target_of(argparse.Namespace(target="aws", stage=options.stage, region=None))
    target.creator().create(event, venue, rules)
    return 0


if __name__ == "__main__":
    sys.exit(main())
