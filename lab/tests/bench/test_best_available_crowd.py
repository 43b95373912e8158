"""The short form of `make bench-best`: counted, not timed; a real Valkey, a table in memory."""

from __future__ import annotations

import pytest

from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.adapters.system import SystemClock
from fairgate_lab.bench.best_available.cost import decision_costs
from fairgate_lab.bench.best_available.crowd import clicks, crowd, parties, promises
from fairgate_lab.bench.best_available.world import Queued, stage
from fairgate_lab.bench.kit.world import Servers, sold_blocks
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.valkey_server import ValkeyServer, valkey_server_binary

CALLERS = 60
VENUE = demo_venue(900)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    if valkey_server_binary() is None:
        pytest.skip("no Valkey server: .venv-local is absent, and so are Debian's packages")
    schemas = {NAMES[schema.name]: schema for schema in SCHEMAS}
    engine = Queued(MemoryDynamo(schemas, SystemClock().now_ms), 1)
    with ValkeyServer(tmp_path_factory.mktemp("crowd")) as valkey:
        yield Servers(lambda: engine, "", 0, valkey.url, valkey.port)


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_crowd_gets_its_seats_at_the_first_try_when_it_claims_them(made, share):
    scene = stage(made, f"claims-{share * 10:.0f}", VENUE, sold_blocks(VENUE, share, 7), CALLERS)
    found = crowd(scene, "claims", parties(CALLERS, 7))
    assert set(promises([found]).values()) == {True}
    assert found.transactions == CALLERS


@pytest.mark.parametrize("mode", ["no claims", "cache gone"])
def test_a_crowd_collides_and_is_seated_all_the_same_without_claims(made, mode):
    # Nearly: an unlucky one may lose to others as often as a request tries.
    scene = stage(made, mode.replace(" ", "-"), VENUE, [], CALLERS)
    found = crowd(scene, mode, parties(CALLERS, 7))
    assert found.first_try < CALLERS < found.transactions
    assert found.held >= 0.95 * CALLERS


@pytest.mark.parametrize(("claims", "reached"), [(True, 1), (False, CALLERS)])
def test_clicks_on_one_seat_reach_the_table_once_when_they_are_claimed(made, claims, reached):
    venue = demo_venue(80)
    scene = stage(made, f"clicks-{reached}", venue, [], CALLERS)
    found = clicks(scene, next(venue.sections[0].seats()).id, CALLERS, claims=claims)
    assert found == (reached, 1)


def test_a_decision_is_timed_for_each_party_and_share():
    decided = decision_costs(1, [400]).rows
    assert [row[2] for row in decided] == [2, 4, 8] * 3 + [10, 20, 40]
    assert all(int(str(row[5])) >= 1 for row in decided[:9])
