"""A short flood of the running system: what it sends, what arrives, and who shops meanwhile.

Its seconds are too few for a p99, and say so; that bound is left to `make flood`.
"""

from __future__ import annotations

import asyncio

import pytest

from fairgate_lab.attack.flood import EVENT, flood_on, sale_of
from fairgate_lab.attack.flood_judge import CREATED, Flood, lines
from fairgate_lab.attack.flood_wrk import missing_wrk
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import put_on_sale
from fairgate_ops.run.local.nginx import edge_available
from tests.support.lengths import at_length

KINDS = ("anonymous", "redeemed", "inside")
SECONDS = at_length(1, 2)  # of each kind, with all that the processors have


@pytest.fixture(scope="module")
def flood(system) -> Flood:
    if reason := missing_wrk() or edge_available():
        pytest.skip(reason)
    put_on_sale(system.system.place.config, sale_of(6, tau_s=3.0), demo_venue(300))
    return asyncio.run(flood_on(system.system, EVENT, KINDS, buyers=4, seconds=SECONDS, seed=3))


def test_each_kind_is_sent_and_refused_when_it_floods(flood: Flood) -> None:
    seen = {window.kind: window for window in flood.windows}
    assert tuple(seen) == KINDS
    assert set(seen["anonymous"].answers) == {401, 404}  # 404: of the desk, asked for by name
    for kind in ("redeemed", "inside"):  # what only the origin knows is counted where it arrives
        assert seen[kind].origin_calls >= seen[kind].requests > 0
        assert CREATED not in {*seen[kind].answers, *seen[kind].reached}
    assert all(window.static_requests > 0 for window in flood.windows)


def test_every_honest_buyer_has_a_clear_end_when_the_flood_is_over(flood: Flood) -> None:
    text = "\n".join(lines(flood))
    assert flood.outcomes, text
    assert {outcome.kind for outcome in flood.outcomes} <= {"ticket", "refusal", "message"}, text
    assert flood.violations == [], text
