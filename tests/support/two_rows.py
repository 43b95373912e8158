"""The geometry of the small world, for tests of the best seats in it."""

from __future__ import annotations

import json

from tests.support.world import LAYOUT, World

ROW_OF = 6


def draw_two_rows(world: World) -> None:
    """Lay out the world's seats as two rows of six in front of a stage."""
    seats = [
        {"id": seat, "number": str(n % ROW_OF + 1), "x": float(n % ROW_OF), "y": float(n // ROW_OF)}
        | {"tier": "t", "kind": "standard"}
        for n, seat in enumerate(world.seat_ids)
    ]
    rows = [
        {"id": str(r), "name": str(r), "seats": seats[r * ROW_OF : (r + 1) * ROW_OF]}
        for r in (0, 1)
    ]
    section = {"section": "s", "name": "Stalls", "blocks": [{"id": "b", "name": "B", "rows": rows}]}
    overview = {
        "focalPoint": {"x": 2.5, "y": -3.0},
        "zones": [{"id": "z"}, {"id": "far"}],
        "areas": [{"id": "floor", "outline": [[0, 5], [5, 5], [5, 9]], "tier": "t"}],
        "sections": [
            {
                "id": "s",
                "name": "Stalls",
                "zone": "z",
                "outline": [[0, 0], [5, 0], [5, 1]],
                "focalPoint": [2.5, -3.0],
                "nearest": 3.0,
                "tiers": ["t"],
            }
        ],
    }
    world.layouts.write(LAYOUT, "sections/s.json", json.dumps(section).encode())
    world.layouts.write(LAYOUT, "venue.json", json.dumps(overview).encode())
