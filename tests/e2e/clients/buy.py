"""Buy a ticket by the generated Python client: buy.py <url> <event> <code> <verifier> <nonce>.

Runs in .venv-openapi, which has nothing of Fairgate's, beside a copy of tests/support/waiting.py;
prints the order's number.
"""

from __future__ import annotations

import hashlib
import sys
import time
from urllib.parse import urljoin

import httpx
from api_client import AuthenticatedClient, Client
from api_client.api.auth import exchange_identity
from api_client.api.checkout import begin_checkout
from api_client.api.desk import join_queue
from api_client.api.holds import hold_best_available
from api_client.api.orders import get_order
from api_client.api.sessions import request_admission
from api_client.api.tickets import get_ticket_svg
from api_client.models import (
    BestAvailableRequest,
    CheckoutRequest,
    CheckoutView,
    ExchangeRequest,
    HoldView,
    IdentityExchanged,
    LiveSessionView,
    OrderView,
    PlaceView,
    WaitingView,
)
from api_client.types import Unset
from waiting import wait_until

WITHIN_S = 90.0


def solve(challenge: str, bits: int) -> str:
    for number in range(1 << 40):
        digest = hashlib.sha256(f"{challenge}:{number}".encode()).digest()
        if int.from_bytes(digest, "big") >> (256 - bits) == 0:
            return str(number)
    raise LookupError(challenge)


def admitted(client: AuthenticatedClient, event: str) -> LiveSessionView:
    place = join_queue.sync(event, client=client)
    assert isinstance(place, PlaceView), place
    solution = solve(place.challenge.ch, place.challenge.pow_)
    token, boff = place.token, place.boff
    sessions: list[LiveSessionView] = []

    def let_in() -> bool:
        nonlocal token, boff
        if time.time() < boff:
            return False
        told = request_admission.sync(
            event, client=client, x_fairgate_token=token, x_fairgate_solution=solution
        )
        if isinstance(told, LiveSessionView):
            sessions.append(told)
        elif isinstance(told, WaitingView):
            boff = told.boff
            token = token if isinstance(told.token, Unset) else told.token
        return bool(sessions)

    wait_until(let_in, "admission", WITHIN_S, every_s=0.5)
    return sessions[0]


def main() -> None:
    base_url, event, code, verifier, nonce = sys.argv[1:]
    public = Client(base_url=base_url, timeout=httpx.Timeout(30))
    signed = exchange_identity.sync(client=public, body=ExchangeRequest(code, verifier, nonce))
    assert isinstance(signed, IdentityExchanged), signed
    client = AuthenticatedClient(base_url=base_url, token=signed.token, timeout=httpx.Timeout(30))
    session = admitted(client, event)
    inside = client.with_headers({"x-fairgate-session": session.credential})
    held = hold_best_available.sync(
        session.session, client=inside, body=BestAvailableRequest(2), idempotency_key="hold-1"
    )
    assert isinstance(held, HoldView), held
    wanted = CheckoutRequest("ann@example.org")
    begun = begin_checkout.sync(
        session.session, client=inside, body=wanted, idempotency_key="checkout-1"
    )
    assert isinstance(begun, CheckoutView), begun
    paid = httpx.post(urljoin(base_url, begun.pay_url), data={"action": "pay"})
    assert paid.status_code in (302, 303), paid
    orders: list[OrderView] = []

    def ticketed() -> bool:
        order = get_order.sync(begun.order.order, client=client)
        if isinstance(order, OrderView) and order.state == "ticketed":
            orders.append(order)
        return bool(orders)

    wait_until(ticketed, "the tickets", WITHIN_S, every_s=0.5)
    [order] = orders
    ticket = get_ticket_svg.sync_detailed(order.order, client=client, unit=0)
    assert (ticket.status_code, b"<svg" in ticket.content) == (200, True)
    print(order.order)


if __name__ == "__main__":
    main()
