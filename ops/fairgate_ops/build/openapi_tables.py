"""What docs/openapi.json says of each route beside the table of routes, by method and path."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from fairgate import errors
from fairgate.domain.orders.webhook_signature import HEADER as HEADER_SIGNATURE
from fairgate.domain.shared import ids
from fairgate.http import models, paths
from fairgate.http.app import IDEMPOTENCY_KEY_CHARS_MAX
from fairgate.http.views.acts import ActsView, ActDoneView
from fairgate.http.views.availability import MESSAGES, BlocksView, CountsView, SeatsView
from fairgate.http.views.events import EventsView, EventView
from fairgate.http.views.found import FoundView, LinkAskedView
from fairgate.http.views.passes import SaveLinkView
from fairgate.http.views.holds import HoldView
from fairgate.http.views.orders import OrdersView, OrderView
from fairgate.http.views.payments import CheckoutView, SettledView
from fairgate.http.views.sessions import LiveSessionView
from fairgate.http.views.transfers import AcceptedView, HeldTicketsView, OfferView
from fairgate.http.views.waiting import AppealView, PlaceView, WaitingView
from fairgate.service.gate.exchange_identity import IdentityExchanged
from fairgate.service.watch.figures import Figures
from fairgate.service.watch.history import History
from fairgate.service.watch.sections import Sections

Refusals = tuple[type[errors.FairgateError], ...]
_BUYER: Refusals = (errors.UnauthenticatedError, errors.SignInEndedError)
_NAMED: Refusals = (errors.NotFoundError, errors.MalformedInputError)
_BODY: Refusals = (errors.MalformedInputError, errors.BodyTooLargeError)
_SESSION: Refusals = (
    *_BUYER,
    *_NAMED,
    errors.SessionExpiredError,
    errors.TooManyRequestsError,
)
_HOLDING: Refusals = (
    errors.SeatsTakenError,
    errors.WrongStateError,
    errors.VersionConflictError,
    errors.IdempotencyMismatchError,
    errors.LimitExceededError,
)
_PAYING: Refusals = (
    errors.WrongStateError,
    errors.VersionConflictError,
    errors.PaymentRefusedError,
    errors.IdempotencyMismatchError,
)
_TICKET: Refusals = (*_BUYER, *_NAMED, errors.WrongStateError)
_FOUND: Refusals = (
    *_BODY,
    errors.LinkEndedError,
    errors.NotFoundError,
    errors.WrongStateError,
)
_PASSING: Refusals = (*_TICKET, errors.TooManyRequestsError)
_GATED: Refusals = (
    *_BUYER,
    errors.NotFoundError,
    errors.BodyTooLargeError,
    errors.ForbiddenError,
    errors.LockedOutError,
    errors.SaleOverError,
    errors.TooEarlyError,
    errors.TooManyRequestsError,
)
_ADMITS: Refusals = (
    errors.MalformedInputError,
    errors.WaitingTokenEndedError,
    errors.NotEligibleError,
    errors.NotAdmittedError,
    errors.TokenRedeemedError,
    errors.VersionConflictError,
    errors.IdempotencyMismatchError,
)
EVERYWHERE: Refusals = (errors.DependencyUnavailableError,)


@dataclass(frozen=True)
class Operation:
    """One method of one path.

    Attributes:
        id: stable, because clients name their functions by it.
        refuses: with which errors, beside EVERYWHERE and a defect of ours.
    """

    id: str
    summary: str
    refuses: Refusals


BODIES: dict[str, type] = {
    paths.HOLDS: models.HoldRequest,
    paths.BEST_AVAILABLE: models.BestAvailableRequest,
    paths.CHECKOUT: models.CheckoutRequest,
    paths.ORDER_CANCEL: models.CancelRequest,
    paths.ORDER_EMAIL: models.EmailRequest,
    paths.APPEAL: models.AppealRequest,
    paths.PREVIEW: models.PreviewRequest,
    paths.TICKETS_LINK: models.LinkRequest,
    paths.TICKETS_OPEN: models.OpenRequest,
    paths.FOUND_SVG: models.OpenRequest,
    paths.FOUND_PNG: models.OpenRequest,
    paths.FOUND_PDF: models.OpenRequest,
    paths.TRANSFERS: models.AcceptRequest,
    paths.AUTH_EXCHANGE: models.ExchangeRequest,
    paths.OPERATOR_ACTS: models.ActRequest,
}
OPTIONAL_BODIES = {paths.ORDER_CANCEL, paths.APPEAL}
# What each route answers when it does what was asked: by status the models of its JSON, or the
# media type of what is not JSON, or the messages of a stream, or nothing.
Messages = dict[str, Any]
Answer = tuple[type, ...] | str | Messages | None
Answers = dict[int, Answer]
ANSWERS: dict[tuple[str, str], Answers] = {
    ("GET", paths.EVENTS): {200: (EventsView,)},
    ("GET", paths.EVENT): {200: (EventView,)},
    ("POST", paths.PREVIEW): {200: (EventView,)},
    ("GET", paths.LAYOUT): {307: None},
    ("GET", paths.AVAILABILITY): {200: (CountsView, BlocksView)},
    ("GET", paths.SECTION_SEATS): {200: (SeatsView,)},
    ("GET", paths.STATUS_VECTOR): {200: "application/octet-stream"},
    ("GET", paths.CHANGES): {200: MESSAGES},
    ("POST", paths.QUEUE): {200: (PlaceView,)},
    ("POST", paths.ADMISSION): {201: (LiveSessionView,), 202: (WaitingView,)},
    ("POST", paths.DESK): {200: (PlaceView,), 201: (LiveSessionView,)},
    ("POST", paths.APPEAL): {200: (AppealView,)},
    ("GET", paths.LIVE_SESSION): {200: (LiveSessionView,)},
    ("POST", paths.HOLDS): {201: (HoldView,)},
    ("POST", paths.BEST_AVAILABLE): {201: (HoldView,)},
    ("DELETE", paths.HOLD): {204: None},
    ("POST", paths.CHECKOUT): {201: (CheckoutView,)},
    ("DELETE", paths.SESSION): {204: None},
    ("POST", paths.PAYMENT_WEBHOOK): {200: (SettledView,)},
    ("GET", paths.ORDERS): {200: (OrdersView,)},
    ("GET", paths.ORDER): {200: (OrderView,)},
    ("POST", paths.ORDER_CANCEL): {200: (OrderView,)},
    ("POST", paths.ORDER_EMAIL): {200: (OrderView,)},
    ("POST", paths.TICKET_OFFER): {201: (OfferView,)},
    ("DELETE", paths.TICKET_OFFER): {204: None},
    ("POST", paths.TRANSFERS): {200: (AcceptedView,)},
    ("GET", paths.HELD_TICKETS): {200: (HeldTicketsView,)},
    ("GET", paths.TICKET_SVG): {200: "image/svg+xml"},
    ("GET", paths.TICKET_PNG): {200: "image/png"},
    ("GET", paths.TICKET_PDF): {200: "application/pdf"},
    ("GET", paths.APPLE_WALLET): {200: "application/vnd.apple.pkpass"},
    ("GET", paths.GOOGLE_WALLET): {200: (SaveLinkView,)},
    ("GET", paths.INVOICE_PDF): {200: "application/pdf"},
    ("GET", paths.ORDER_CALENDAR): {200: "text/calendar"},
    ("POST", paths.TICKETS_LINK): {202: (LinkAskedView,)},
    ("POST", paths.TICKETS_OPEN): {200: (FoundView,)},
    ("POST", paths.FOUND_SVG): {200: "image/svg+xml"},
    ("POST", paths.FOUND_PNG): {200: "image/png"},
    ("POST", paths.FOUND_PDF): {200: "application/pdf"},
    ("POST", paths.AUTH_EXCHANGE): {200: (IdentityExchanged,)},
    ("POST", paths.AUTH_RENEW): {200: (IdentityExchanged,)},
    ("GET", paths.OPERATOR_EVENT): {200: (Figures,)},
    ("GET", paths.OPERATOR_HISTORY): {200: (History,)},
    ("GET", paths.OPERATOR_SECTIONS): {200: (Sections,)},
    ("GET", paths.OPERATOR_ACTS): {200: (ActsView,)},
    ("POST", paths.OPERATOR_ACTS): {200: (ActDoneView,)},
}
OPERATIONS: dict[tuple[str, str], Operation] = {
    ("GET", paths.EVENTS): Operation(
        "listEvents", "The events on sale, by their ids", (errors.MalformedInputError,)
    ),
    ("GET", paths.EVENT): Operation("getEvent", "One event: prices, limits, layout", _NAMED),
    ("POST", paths.PREVIEW): Operation(
        "previewEvent",
        "A draft, as buyers will see it",
        (*_NAMED, errors.MalformedInputError, errors.BodyTooLargeError),
    ),
    ("GET", paths.LAYOUT): Operation("getLayout", "Where the event's immutable layout is", _NAMED),
    ("GET", paths.AVAILABILITY): Operation(
        "getAvailability", "Free seats per section, free places per area", _NAMED
    ),
    ("GET", paths.SECTION_SEATS): Operation(
        "getSectionSeats", "The status of each seat of a section, in layout order", _NAMED
    ),
    ("GET", paths.STATUS_VECTOR): Operation(
        "getStatusVector", "The status of every seat, 2 bits a seat", _NAMED
    ),
    ("GET", paths.CHANGES): Operation(
        "getChanges", "A short, finite stream of server-sent events", _NAMED
    ),
    ("POST", paths.QUEUE): Operation(
        "joinQueue", "Join the waiting room (answered at the edge)", _GATED
    ),
    ("POST", paths.ADMISSION): Operation(
        "requestAdmission",
        "Ask to be let in (answered at the edge until the draw admits)",
        (*_GATED, *_ADMITS),
    ),
    ("POST", paths.DESK): Operation(
        "askDesk", "What the edge forwards: violations and samples", (*_GATED, *_ADMITS)
    ),
    ("POST", paths.APPEAL): Operation(
        "appealLockOut",
        "Ask that a person looks at the caller's lock-out; again: the same appeal",
        (
            *_BUYER,
            *_BODY,
            errors.NotFoundError,
            errors.WrongStateError,
            errors.TooManyRequestsError,
        ),
    ),
    ("GET", paths.LIVE_SESSION): Operation(
        "getLiveSession",
        "The caller's live session",
        (*_BUYER, *_NAMED, errors.SessionExpiredError),
    ),
    ("POST", paths.HOLDS): Operation(
        "holdPlaces",
        "Hold seats and places: all or none",
        (*_SESSION, *_BODY, *_HOLDING, errors.SingleSeatError),
    ),
    ("POST", paths.BEST_AVAILABLE): Operation(
        "holdBestAvailable",
        "Find and hold the best seats together",
        (*_SESSION, *_BODY, *_HOLDING, errors.NoSeatsFoundError),
    ),
    ("DELETE", paths.HOLD): Operation(
        "releaseHold",
        "Give one hold back",
        (*_SESSION, errors.WrongStateError, errors.VersionConflictError, errors.HoldExpiredError),
    ),
    ("POST", paths.CHECKOUT): Operation(
        "beginCheckout",
        "Fix the price and open the payment page",
        (
            *(*_SESSION, *_BODY, *_PAYING),
            *(errors.HoldExpiredError, errors.LimitExceededError, errors.PaymentWaitsError),
        ),
    ),
    ("DELETE", paths.SESSION): Operation(
        "leaveSession",
        "Leave: give everything back",
        (*_SESSION, errors.WrongStateError, errors.VersionConflictError),
    ),
    ("POST", paths.PAYMENT_WEBHOOK): Operation(
        "receivePaymentEvent",
        "The payment provider's signed events",
        (*_BODY, errors.UnauthenticatedError, errors.NotFoundError),
    ),
    ("GET", paths.ORDERS): Operation(
        "listOrders", "The caller's orders, the newest first", (*_BUYER, errors.MalformedInputError)
    ),
    ("GET", paths.ORDER): Operation("getOrder", "One order of the caller", (*_BUYER, *_NAMED)),
    ("POST", paths.ORDER_CANCEL): Operation(
        "cancelOrder",
        "Cancel a paid order, or one of its places, within the order's own terms",
        (*_BUYER, *_NAMED, *_BODY, *_PAYING, errors.TooManyRequestsError),
    ),
    ("POST", paths.ORDER_EMAIL): Operation(
        "changeOrderEmail",
        "Have the tickets of a paid order mailed to another address, or again",
        (*_PASSING, *_BODY, errors.VersionConflictError),
    ),
    ("POST", paths.TICKET_OFFER): Operation(
        "offerTicket",
        "Offer a ticket by a link; again: the same offer",
        (*_PASSING, errors.IdempotencyMismatchError),
    ),
    ("DELETE", paths.TICKET_OFFER): Operation(
        "withdrawOffer", "Withdraw the offer of a ticket", _PASSING
    ),
    ("POST", paths.TRANSFERS): Operation(
        "acceptTicket",
        "Take a ticket over by the link of its offer, or look what it is",
        (*_PASSING, *_BODY, errors.IdempotencyMismatchError, errors.LimitExceededError),
    ),
    ("GET", paths.HELD_TICKETS): Operation(
        "listHeldTickets", "The tickets that were passed on to the caller, the newest first", _BUYER
    ),
    ("GET", paths.TICKET_SVG): Operation("getTicketSvg", "One ticket as an SVG image", _TICKET),
    ("GET", paths.TICKET_PNG): Operation("getTicketPng", "One ticket as a PNG image", _TICKET),
    ("GET", paths.TICKET_PDF): Operation(
        "getTicketPdf", "One ticket, or all of the order, as a PDF", _TICKET
    ),
    ("GET", paths.APPLE_WALLET): Operation(
        "getApplePass", "One ticket for Apple Wallet, where the stage offers it", _TICKET
    ),
    ("GET", paths.GOOGLE_WALLET): Operation(
        "getGooglePass",
        "The address that saves one ticket to Google Wallet, where the stage offers it",
        _TICKET,
    ),
    ("GET", paths.INVOICE_PDF): Operation(
        "getInvoicePdf",
        "The order's invoice and its credit notes as a PDF",
        (*_BUYER, *_NAMED, errors.WrongStateError),
    ),
    ("GET", paths.ORDER_CALENDAR): Operation(
        "getOrderCalendar", "The order's event as a calendar file", _TICKET
    ),
    ("POST", paths.TICKETS_LINK): Operation(
        "mailTicketLink",
        "Have the tickets of a mail address found: a mail with a link goes there, if there are any",
        (*_BODY, errors.TooManyRequestsError, errors.WrongStateError),
    ),
    ("POST", paths.TICKETS_OPEN): Operation(
        "openTicketLink", "The orders that a mailed link opens", (*_BODY, errors.LinkEndedError)
    ),
    ("POST", paths.FOUND_SVG): Operation(
        "getFoundTicketSvg", "One ticket that a mailed link opens, as an SVG image", _FOUND
    ),
    ("POST", paths.FOUND_PNG): Operation(
        "getFoundTicketPng", "One ticket that a mailed link opens, as a PNG image", _FOUND
    ),
    ("POST", paths.FOUND_PDF): Operation(
        "getFoundTicketPdf", "The tickets of an order that a mailed link opens, as a PDF", _FOUND
    ),
    ("POST", paths.AUTH_EXCHANGE): Operation(
        "exchangeIdentity",
        "The identity provider's code for the short auth token",
        (
            *_BODY,
            errors.UnauthenticatedError,
            errors.SignInRefusedError,
            errors.IdentityUnavailableError,
        ),
    ),
    ("POST", paths.AUTH_RENEW): Operation(
        "renewIdentity",
        "The caller's auth token, two hours from now",
        (*_BUYER, errors.ForbiddenError),
    ),
    ("GET", paths.OPERATOR_EVENT): Operation(
        "getFigures", "An operator's live figures", (*_BUYER, *_NAMED, errors.ForbiddenError)
    ),
    ("GET", paths.OPERATOR_HISTORY): Operation(
        "getHistory",
        "The figures since the sale start",
        (*_BUYER, *_NAMED, errors.ForbiddenError),
    ),
    ("GET", paths.OPERATOR_SECTIONS): Operation(
        "getSections",
        "How much of each section and area is sold, held, free and blocked",
        (*_BUYER, *_NAMED, errors.ForbiddenError),
    ),
    ("GET", paths.OPERATOR_ACTS): Operation(
        "listActs", "What an operator may do", (*_BUYER, errors.ForbiddenError)
    ),
    ("POST", paths.OPERATOR_ACTS): Operation(
        "doAct",
        "Do what the command `fairgate` does",
        (
            *_BUYER,
            *_BODY,
            errors.NotFoundError,
            errors.ForbiddenError,
            errors.WrongStateError,
            errors.VersionConflictError,
            errors.PreconditionFailedError,
            errors.IdempotencyMismatchError,
            errors.LimitExceededError,
        ),
    ),
}
SHAPES: dict[str, re.Pattern[str]] = {
    "event": ids.EVENT_ID,
    "section": ids.PLACE_ID,
    "session": ids.SESSION_ID,
    "hold": ids.HOLD_ID,
    "order": ids.ORDER_ID,
    "ticket": ids.TICKET_ID,
    "after": ids.ORDER_ID,
}


def shaped(name: str) -> dict[str, Any]:
    """Return the schema of an id by the name of its parameter."""
    return {"type": "string", "pattern": f"^(?:{SHAPES[name].pattern})$"}


# Parameters after the question mark: name, what it does, its schema.
_UNIT = ("unit", "which of the order's tickets, from 0", {"type": "integer", "minimum": 0})
QUERIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    paths.EVENTS: (
        "after",
        "the next page, as the page before named it",
        {"type": "string", "pattern": "^[A-Za-z0-9_-]{2,64}$"},
    ),
    paths.AVAILABILITY: ("section", "the blocks of this section instead", shaped("section")),
    paths.CHANGES: ("section", "the seats of this section instead of counts", shaped("section")),
    paths.ORDERS: (
        "after",
        "the page behind this order, as the page before named it",
        shaped("after"),
    ),
    paths.DESK: ("event", "the event that the edge asks about", shaped("event")),
    paths.TICKET_SVG: _UNIT,
    paths.TICKET_PNG: _UNIT,
    paths.TICKET_PDF: _UNIT,
    paths.APPLE_WALLET: _UNIT,
    paths.GOOGLE_WALLET: _UNIT,
    paths.FOUND_SVG: _UNIT,
    paths.FOUND_PNG: _UNIT,
}
IDEMPOTENT = {
    paths.ADMISSION,
    paths.HOLDS,
    paths.BEST_AVAILABLE,
    paths.CHECKOUT,
    paths.ORDER_CANCEL,
    paths.TICKET_OFFER,
    paths.TRANSFERS,
    paths.OPERATOR_ACTS,
}
# Their answers have an ETag: 304 to a caller that has it already.
REVALIDATED = {paths.AVAILABILITY, paths.SECTION_SEATS, paths.STATUS_VECTOR}
# Header parameters: name, what it carries, its schema. Authorization and the session's credential
# are security schemes, as OpenAPI asks for.
_TEXT: dict[str, Any] = {"type": "string"}
_TOKEN = (paths.HEADER_TOKEN, "the waiting token of the last `Place` or `Waiting`", _TEXT)
_SOLUTION = (paths.HEADER_SOLUTION, "the solution of the token's challenge", _TEXT)
_SLIP = (paths.HEADER_SLIP, "the slip of the last `Waiting`", _TEXT)
_EDGE = (paths.HEADER_EDGE, "the edge's signed word; nobody else has one", _TEXT)
_KEY = (
    "Idempotency-Key",
    "Same key and payload: same answer for 24 hours; another payload: 422.",
    {"type": "string", "pattern": f"^[\\x20-\\x7e]{{1,{IDEMPOTENCY_KEY_CHARS_MAX}}}$"},
)
_SIGNATURE = (HEADER_SIGNATURE, "the sandbox's; Stripe sends `stripe-signature`", _TEXT)
_TAG = ("If-None-Match", "the ETag of what is there already: 304 while it holds", _TEXT)
Header = tuple[str, str, dict[str, Any]]
HEADERS: dict[str, tuple[Header, ...]] = {
    paths.ADMISSION: (_TOKEN, _SOLUTION, _SLIP),
    paths.DESK: (_EDGE, _TOKEN, _SOLUTION),
    paths.PAYMENT_WEBHOOK: (_SIGNATURE,),
}


def headers_of(method: str, path: str) -> tuple[Header, ...]:
    """Return the header parameters of an operation."""
    key = (_KEY,) if method == "POST" and path in IDEMPOTENT else ()
    return HEADERS.get(path, ()) + key + ((_TAG,) if path in REVALIDATED else ())
