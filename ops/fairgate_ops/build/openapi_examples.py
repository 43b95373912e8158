"""An example of every body and answer of the API: one buyer's way, in the models' own types."""

from __future__ import annotations

from typing import Any

import msgspec

from fairgate.domain.catalog.brand import palette_of
from fairgate.domain.catalog.event_facts import view_examples
from fairgate.http import models
from fairgate.http.views import (
    acts,
    availability,
    events,
    found,
    passes,
    holds,
    orders,
    payments,
    sessions,
    transfers,
    waiting,
)
from fairgate.domain.shared.account import Account
from fairgate.service.gate.exchange_identity import IdentityExchanged
from fairgate.service.watch import figures, history, sections

REQUEST_ID = "8f2c1d5e-7a41"
_EVENT, _SECTION, _SEAT, _AREA, _TIER = "summer-night", "A", "A-1-1", "floor", "front"
_SESSION, _HOLD = "ses_" + "0a" * 16, "hld_" + "0b" * 16
_ORDER = "ord_" + "0c" * 16 + "_" + "0d" * 4
_LAYOUT = "1f" * 16
_NOW, _LATER, _NIGHT = (f"2027-06-01T{t}:00.000Z" for t in ("18:00", "18:10", "20:00"))
_NOW_S = 1_811_872_800
_SEEN = 1_811_872_800_000_000
_TOKEN, _CREDENTIAL, _LINK = "v1.waiting-token.mac", "v1.credential.mac", "header.link.mac"

_TICKET, _OFFER_TOKEN = "tkt_" + "0e" * 8, "DAwMDAwMDAwMDAwMDAwMDA0NDQ0AAAABu3Jm2gTzBx6KJwq1dVJXoQ"
_PASSING = transfers.TransferView(
    _NIGHT, [transfers.PassedTicketView(_TICKET, "Front, row 1, seat 1", "offered", _LATER)]
)
_POSTAL = models.PostalAddressBody("Ann Buyer", "Quay 1", "20457", "Hamburg", "Germany")
_ORDER_SEEN = orders.OrderView(
    order=_ORDER,
    session=_SESSION,
    event=_EVENT,
    state="ticketed",
    total_minor=9_250,
    currency="EUR",
    lines=[orders.LineView("Front, row 1, seat 1", _TIER, "tickets", 2, 4_500, 1_900, 1_437)],
    expires_at=_LATER,
    settling_until=_LATER,
    last_attempt=None,
    email="ann@example.org",
    mailed_at=_NOW,
    postal_address=_POSTAL,
    payment="pi_3Qexample",
    tickets=2,
    ticket_labels=["Front, row 1, seat 1", "Front, row 1, seat 2"],
    refund=None,
    cancellation=orders.CancellationView(
        until=_NIGHT,
        refund_minor=8_250,
        fee_minor=1_000,
        places=[
            orders.CancelPlaceView(
                ["tkt_" + "0e" * 8], _SEAT, "Front, row 1, seat 1", 1, 4_000, 500
            )
        ],
    ),
    returned=[],
    invoice=False,
    void=[],
    event_cancelled=False,
    transfer=_PASSING,
)
_HELD = holds.HoldView(
    _HOLD,
    _SESSION,
    _LATER,
    [
        holds.SeatView(_SEAT, _SECTION, _TIER, "Front, row 1, seat 1"),
        holds.AreaView(_AREA, 2, _TIER, "Floor"),
    ],
)
_SUMMARY = events.EventSummary(
    event=_EVENT,
    state="open",
    sale_starts_at=_NOW,
    translations={"en": events.TranslationView(name="Summer Night", category="concert")},
    **view_examples("list"),
)
_TIERS = [events.TierView(_TIER, "Front", "#336699", 4_500, 4_600)]
_FEES = events.FeesView(250, 100)
_PALETTE = palette_of("#0e5560")
_EVENT_SEEN = events.EventView(
    **msgspec.structs.asdict(_SUMMARY),
    **view_examples("page"),
    currency="EUR",
    layout=_LAYOUT,
    hold_limit=6,
    user_limit=6,
    session_s=600,
    checkout_s=600,
    ask_address=True,
    draw_commitment="2a" * 32,
    draw_beacon=events.BeaconView("drand", _NOW, None),
    draw_key_revealed=None,
    tiers=_TIERS,
    fees=_FEES,
    layout_url=f"/layouts/{_LAYOUT}/venue.json",
    colors=events.ColorsView(_PALETTE.light, _PALETTE.dark, "#ffd400"),
    message=events.MessageView({"en": "The sale starts a little later."}, "all", _NOW, _LATER),
)
_INSTANCES: tuple[Any, ...] = (
    models.HoldRequest(seats=[_SEAT], areas={_AREA: 2}),
    models.BestAvailableRequest(quantity=2, section=_SECTION),
    models.CheckoutRequest("ann@example.org", _POSTAL, "https://example.org/terms-1"),
    models.CancelRequest(ticket="tkt_" + "0e" * 8),
    models.EmailRequest(email="ann@example.org"),
    models.AppealRequest(text="An extension of my browser reloads pages."),
    models.LinkRequest(email="ann@example.org"),
    models.OpenRequest(token=_LINK),
    models.PreviewRequest(token="p" * 22),
    models.ExchangeRequest(code="code-of-the-provider", verifier="v" * 43, nonce="n" * 16),
    events.EventsView([_SUMMARY], None),
    _EVENT_SEEN,
    availability.CountsView(
        _EVENT,
        {_SECTION: availability.SeatCount(120, 80)},
        {_AREA: availability.AreaCount(500, 420)},
        _NOW,
        _SEEN,
    ),
    availability.BlocksView(
        _EVENT, _SECTION, {"A-left": availability.SeatCount(60, 40)}, _NOW, _SEEN
    ),
    availability.SeatsView(_EVENT, _SECTION, "0012030", _NOW, _SEEN),
    waiting.PlaceView(
        state="waiting",
        token=_TOKEN,
        challenge=waiting.ChallengeView("4b" * 16, 16),
        boff=_NOW_S + 30,
        now=_NOW_S,
        estimate=waiting.EstimateView(40, 400),
        sale_starts_at=_NOW,
    ),
    waiting.AppealView(
        level=2,
        noticed="Several attempts before their time.",
        until=_LATER,
        by="rules",
        appealed=True,
    ),
    waiting.WaitingView(
        state="waiting",
        slip="slip",
        boff=_NOW_S + 45,
        now=_NOW_S + 30,
        estimate=waiting.EstimateView(15, None),
    ),
    sessions.LiveSessionView(
        *(_SESSION, _LATER, "reservation", 6, _CREDENTIAL, _EVENT, _TIERS, _FEES),
        ask_address=True,
        terms_url="https://example.org/terms-1",
        holds=[_HELD],
    ),
    _HELD,
    payments.CheckoutView(_ORDER_SEEN, "https://pay.example.org/p/1", _LATER, _CREDENTIAL),
    payments.SettledView("paid"),
    _ORDER_SEEN,
    orders.OrdersView(
        [
            orders.OrderSummaryView(
                _ORDER, _EVENT, "Summer Night", "ticketed", 9_250, 0, "EUR", 2, _NOW, False
            )
        ],
        None,
    ),
    found.ASKED,
    passes.SaveLinkView("https://pay.google.com/gp/v/save/eyJhbGciOiJSUzI1NiJ9"),
    found.FoundView(
        until=_NIGHT,
        orders=[
            found.FoundOrderView(
                order=_ORDER,
                event=_EVENT,
                event_name="Summer Night",
                venue="The Hall",
                venue_address="1 Hall Street, Vienna",
                starts_at=_NIGHT,
                time_zone="Europe/Vienna",
                state="ticketed",
                tickets=2,
                ticket_labels=["Front, row 1, seat 1", "Front, row 1, seat 2"],
                places=["Front, row 1, seat 1", "Front, row 1, seat 2"],
                passed=[],
                returned=[],
                void=[],
                created_at=_NOW,
                event_cancelled=False,
            )
        ],
        older=False,
    ),
    models.AcceptRequest(token=_OFFER_TOKEN),
    transfers.OfferView(
        _TICKET, _OFFER_TOKEN, f"https://tickets.example.org/#/a/{_OFFER_TOKEN}", _LATER
    ),
    transfers.AcceptedView(_ORDER, _EVENT, "Summer Night", "Front, row 1, seat 1", _TICKET, None),
    transfers.HeldTicketsView(
        [transfers.HeldOrderView(_ORDER, _EVENT, "Summer Night", True, False, _PASSING)]
    ),
    IdentityExchanged(
        "header.claims.signature",
        _NIGHT,
        "ann",
        Account("2025-01-31", verified_phone=True, memberships=["fan-club"]),
    ),
    figures.Figures(event=_EVENT, name="Summer Night", at=_NOW),
    sections.Sections(
        event=_EVENT,
        now=_NOW,
        sections=[
            sections.SectionFigures(
                id="front", at=_NOW, total=120, sold=80, held=12, free=24, blocked=4
            )
        ],
        areas=[
            sections.AreaFigures(id="floor", at=_NOW, total=500, taken=310, free=180, blocked=10)
        ],
    ),
    history.History(
        event=_EVENT,
        now=_NOW,
        step_s=10,
        at_s=[1_790_000_000.123, 1_790_000_010.118],
        joined=[12_000, 12_500],
        waiting=[12_000, None],
        live=[0, 20],
        live_max=[600, 600],
        admitted_per_s=[0.0, 0.3],
        tau_s=[None, 400.0],
        refused_full=[0, 0],
        held=[0, 11],
        sold=[0, 0],
        tickets=[0, 0],
        paid=[0, 0],
        revenue_minor=[0, 0],
        declined=[0, 0],
        failed=[0, 0],
        ended_unpaid=[0, 0],
        flagged=[0, 0],
        locked=[0, 0],
    ),
    models.ActRequest("event hide", {"event": _EVENT, "reason": "Sold by phone first"}),
    acts.ActsView(
        ["organiser"], {"final": ["auditor"]},
        [
            acts.ActInfo(
                "event hide",
                "Take an event out of the list; its own page still works.",
                True,
                ["owner", "organiser"],
                {"type": "object", "required": ["event"]},
                False,
            )
        ],
    ),
    acts.ActDoneView(
        "event hide", False, False, ["It is in no list."], {"event": _EVENT, "hidden": True}
    ),
)
EXAMPLES: dict[type, Any] = {type(one): msgspec.to_builtins(one) for one in _INSTANCES}
# The extra fields of a problem, by its code.
MEMBERS: dict[str, dict[str, Any]] = {
    "body-too-large": {"limit": 65_536},
    "locked-out": {
        "level": 2,
        "noticed": "Several attempts before their time.",
        "advice": "Wait until the lock ends.",
        "until": _LATER,
        "by": "rules",
        "appealed": False,
    },
    "not-eligible": {"reason": "members", "until": _LATER},
    "seats-taken": {"seats": [_SEAT]},
    "single-seat": {"seats": [_SEAT]},
    "no-seats-found": {"quantity": 6, "possible": {"together": 4}},
    "wrong-state": {"state": "finalised"},
    "hold-expired": {"seats": [_SEAT]},
    "limit-exceeded": {"limit": 6, "asked": 7},
    "payment-refused": {"reason": "disputed"},
    "not-found": {"seats": [_SEAT]},
    "sale-over": {"state": "closed"},
    "too-early": {"verdict": "early"},
    "too-many-requests": {"limit": "holds"},
    "payment-waits": {"reason": "busy", "held_until": "2027-01-15T08:07:00.000Z"},
}
SSE = (
    "retry: 4000\n\nid: 1811872800000000\nevent: section\n"
    'data: {"section":"A","total":120,"available":79}\n\n'
    'event: window\ndata: {"since":1,"until":1811872800000000,"again_ms":4000}\n\n'
)
