"""The event that the stub sells, as its catalogue and its page tell it."""

from __future__ import annotations

from typing import Any

from fairgate.domain.catalog.event_facts import view_examples
from tests.e2e.stub import venue as hall
from tests.e2e.stub.answers import stamp
from tests.e2e.stub.world import World

EVENT = "demo"


def event_summary(world: World) -> dict[str, Any]:
    return view_examples("list") | {
        "event": EVENT,
        "name": world.name or "Lights over the Harbour",
        "state": world.state,
        "sale_starts_at": stamp(world.sale_starts_at),
        "venue": world.name or "Harbour Hall",
        "venue_address": world.name or "Quay 1, 20457 Hamburg",
        "artist": world.name or "The Tides",
        "language": "en",
        "translations": {},
        "category": world.name[:40] or "Concert",
        "sale_ends_at": stamp(world.ends_at) if world.ends_at else None,
        "starts_at": stamp(world.sale_starts_at + 90 * 86_400) if world.dated else None,
        "time_zone": "Europe/Berlin" if world.dated else None,
    }


def tiers(world: World) -> list[dict[str, Any]]:
    per_ticket = world.fees["ticket_minor"]
    named = {"name": world.name} if world.name else {}
    return [
        tier | named | {"whole_minor": tier["price_minor"] + per_ticket}
        for tier in world.hall.tiers
    ]


def event_page(world: World) -> dict[str, Any]:
    return (
        event_summary(world)
        | dict.fromkeys(view_examples("page"))
        | world.sellers
        | world.requires
        | {
            "text": "An evening by the water.\nBring a coat.",
            "currency": "EUR",
            "layout": hall.LAYOUT,
            "colors": world.colors,
            "message": world.message,
            "layout_url": f"/layouts/{hall.LAYOUT}/venue.json",
            "hold_limit": 6,
            "user_limit": 6,
            "session_s": 600,
            "checkout_s": 300,
            "ask_address": world.ask_address,
            "draw_commitment": "0" * 64,
            "draw_beacon": {"source": "drand", "at": stamp(world.sale_starts_at), "value": None},
            "draw_key_revealed": None,
            "tiers": [
                tier
                | {name: tier[name] + world.raised_minor for name in ("price_minor", "whole_minor")}
                for tier in tiers(world)
            ],
            "fees": world.fees,
        }
    )
