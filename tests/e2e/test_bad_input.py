"""Bad input to every route of the running system: always a problem, never a stack trace."""

from __future__ import annotations

import http.client
import itertools
import json
import secrets
import socket
import time
from urllib.parse import urlsplit

import pytest

from fairgate.domain.gate.proof_of_work import verify
from fairgate.domain.orders.webhook_signature import HEADER
from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.http import paths
from fairgate.http.problems import STATUS
from fairgate_ops.run.local.guest_sign_in import AUTHORIZE, FORM, guest_sign_in
from infra.routes import ROUTES
from tests.e2e.selling import send_webhook
from tests.e2e.shopper import Answer, Shopper, call, free_seats
from tests.support.waiting import patience_s

CODES = {error.code: status for error, status in STATUS.items()} | {
    "not-found": 404,
    "method-not-allowed": 405,
    "body-too-large": 413,
}
IDS = {
    "event": "demo",
    "section": "nowhere",
    "session": f"ses_{'0' * 32}",
    "hold": f"hld_{'0' * 32}",
    "order": f"ord_{'0' * 32}_00000000",
    "ticket": f"tkt_{'0' * 16}",
}
SEEN_WITHIN = 1_000  # attempts; the desk sees a twentieth of them, and six are enough
API_ROUTES = [route for route in ROUTES if route.function is not None]
BODIES = [
    b"", b"{", b"null", b"[]", b'"text"', b'{"quantity": 1e400}', b"[" * 5_000, b"\xff\xfe\x00",
    b'{"email": "\x00"}',
    b'{"seats": "A-1-1", "quantity": "two", "email": 7, "id_token": []}',
    b'{"seats": [null], "quantity": -1, "email": "x", "id_token": "", "nonce": ""}',
]  # fmt: skip


def problem(answer: Answer, status: int, code: str | None = None) -> dict:
    """The problem document, after checking that it is one and gives nothing away."""
    assert answer.status == status, (answer.status, answer.data[:300])
    assert answer.headers["content-type"].startswith("application/problem+json")
    document = answer.body
    assert document["status"] == status
    assert document["type"] == f"urn:fairgate:problem:{document['code']}"
    assert CODES[document["code"]] == status
    assert document["detail"]
    assert b"Traceback" not in answer.data
    assert b"layers/core" not in answer.data
    if code is not None:
        assert document["code"] == code
    if status in (429, 503):
        assert answer.headers["retry-after"]
    return document


@pytest.fixture(scope="module")
def inside(system):
    """Somebody with a live session and nothing held."""
    visitor = Shopper(system.base_url, system.event).walk_in()
    yield visitor
    visitor.leave()


@pytest.fixture(scope="module")
def outside(system):
    """Sign a visitor in who joins the queue and is not admitted."""
    visitor = Shopper(system.base_url, system.event).sign_in()
    assert visitor.queue().status == 200
    return visitor


@pytest.mark.parametrize("route", API_ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_problem_is_answered_when_a_body_is_nonsense(system, inside, route):
    path = route.path.format(**IDS)
    for body in BODIES if route.method == "POST" else BODIES[:1]:
        headers = {"content-type": "application/json"}
        for sent in (headers, {**inside.auth, **inside.credential, **headers}):
            answer = call(system.base_url, route.method, path, body or None, sent)
            if answer.status >= 400:
                assert answer.status < 500, (path, body, answer)
                problem(answer, answer.status)


@pytest.mark.parametrize("route", API_ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_problem_is_answered_when_the_method_is_another(system, route):
    others = {"GET", "POST", "DELETE", "PUT", "PATCH"}
    others -= {r.method for r in API_ROUTES if r.path == route.path}
    for method in sorted(others):
        answer = call(system.base_url, method, route.path.format(**IDS))
        assert answer.status in (401, 403, 404, 405), (method, route.path, answer)
        problem(answer, answer.status)


@pytest.mark.parametrize(
    "path",
    [
        "/api/",
        "/api/nothing",
        "/api/events/demo/nothing",
        "/api/events/demo/queue/more",
        "/api/sessions",
        "/api/events/%2e%2e/secret",
        "/api/events/demo%00",
        "/layouts/unknown/venue.json",
    ],
)
def test_problem_is_answered_when_there_is_no_such_route(system, path):
    answer = call(system.base_url, "GET", path)
    assert answer.status in (400, 404), answer
    problem(answer, answer.status)


@pytest.mark.parametrize(
    "path",
    ["/api", "/nothing-here.js", "/layouts/../secrets.json", "/api/events/../../etc/passwd"],
)
def test_a_page_says_so_where_nothing_is_outside_of_the_api(system, path):
    answer = call(system.base_url, "GET", path)
    assert answer.status == 404, answer
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert b"There is nothing at this address" in answer.data


@pytest.mark.parametrize("end", ["%0A", "%0D%0A", "a%0A", "%0Aa"])
def test_a_line_end_within_a_path_leads_to_no_other_place(system, inside, end):
    path = paths.TICKET_OFFER.format(order=end, ticket=f"a{end}b")
    problem(call(system.base_url, "DELETE", path, headers=inside.auth), 404, "not-found")


@pytest.mark.parametrize("event", ["unknown", "DEMO", "a" * 41, "a b", "%23", "demo%23x", "-"])
def test_event_is_not_found_when_there_is_none(system, event):
    somebody = Shopper(system.base_url, system.event).sign_in()  # who has not joined too often
    for route in API_ROUTES:
        if "{event}" not in route.path or route.function == "operator":
            continue
        path = route.path.format(**{**IDS, "event": event.replace(" ", "%20")})
        answer = call(system.base_url, route.method, path, headers=somebody.auth)
        problem(answer, 404, "not-found")


@pytest.mark.parametrize(
    "token", ["x", "a.b.c", "a" * 1_025, "a" * 6_000, "e30.e30." + "A" * 43, "ey\u00ff", "."]
)
def test_attempt_is_refused_when_the_waiting_token_is_malformed(system, outside, token):
    path = paths.ADMISSION.format(event=system.event)
    headers = {
        **outside.auth,
        paths.HEADER_TOKEN: token.encode("latin-1"),
        paths.HEADER_SOLUTION: "1",
    }
    problem(call(system.base_url, "POST", path, headers=headers), 403)


def sent_raw(system, head: str) -> Answer:
    """Send a request's head as it is, and read the answer."""
    address = urlsplit(system.base_url)
    server = (address.hostname, address.port)
    with socket.create_connection(server, timeout=patience_s(20)) as raw:
        raw.sendall(f"{head}\r\n\r\n".encode())
        response = http.client.HTTPResponse(raw)
        response.begin()
        return Answer(response.status, response.headers, response.read())


@pytest.mark.parametrize("size", [19_000, 30_000, 100_000])
def test_request_is_refused_when_its_token_is_huge(system, size):
    path = paths.ADMISSION.format(event=system.event)
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\nx-fairgate-token: {'a' * size}"
    answer = sent_raw(system, head)
    assert 400 <= answer.status < 500, answer
    problem(answer, answer.status)


def test_token_is_refused_when_it_is_another_users(system, outside):
    thief = Shopper(system.base_url, system.event).sign_in()
    thief.waiting, thief.solution = outside.waiting, outside.solution
    problem(thief.attempt(), 403)


def test_token_is_refused_when_its_signature_is_changed(system, outside):
    head, payload, mac = outside.waiting["token"].split(".")
    claims = json.loads(from_b64url(payload))
    claims["h"] = 0
    forged = f"{head}.{b64url(json.dumps(claims, separators=(',', ':')).encode())}.{mac}"
    path = paths.ADMISSION.format(event=system.event)
    headers = {**outside.auth, paths.HEADER_TOKEN: forged, paths.HEADER_SOLUTION: outside.solution}
    problem(call(system.base_url, "POST", path, headers=headers), 403)


def test_attempt_is_refused_and_then_made_harder_when_its_solution_is_missing_or_wrong(system):
    # An address that was flagged gets the harder challenge at once where its token is sampled.
    visitors = (Shopper(system.base_url, system.event).sign_in() for _ in range(20))
    visitor = next(v for v in visitors if "level" not in v.queue().body)
    path = paths.ADMISSION.format(event=system.event)
    challenge = visitor.waiting["challenge"]
    numbers = (str(number) for number in itertools.count())  # by chance one of 256 solves it
    unsolved = next(n for n in numbers if not verify(challenge["ch"], challenge["pow"], n))
    wrong = itertools.cycle(("", "x", "99999999999999999", "-1", unsolved))
    for solution in itertools.islice(wrong, SEEN_WITHIN):
        headers = {**visitor.auth, paths.HEADER_TOKEN: visitor.waiting["token"]}
        if solution:
            headers[paths.HEADER_SOLUTION] = solution
        answer = call(system.base_url, "POST", path, headers=headers)
        problem(answer, 429)
        if "level" in answer.body:
            break
    asked = answer.body
    assert asked["level"] == 1
    assert asked["challenge"]["pow"] > visitor.waiting["challenge"]["pow"]
    assert asked["token"] != visitor.waiting["token"]


def test_account_is_locked_out_for_a_while_when_it_keeps_at_it(system):
    visitor = Shopper(system.base_url, system.event).sign_in()
    path = paths.ADMISSION.format(event=system.event)
    headers = {**visitor.auth, paths.HEADER_TOKEN: "a.b.c"}
    for _ in range(SEEN_WITHIN):
        answer = call(system.base_url, "POST", path, headers=headers)
        if problem(answer, 403)["code"] != "forbidden":
            break
    problem(answer, 403, "locked-out")
    assert 0 < int(answer.headers["retry-after"]) <= 600
    assert "10 minutes" in answer.body["detail"]


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Bearer", "Bearer x", "Basic eDp5", "Bearer " + "a." * 900, "Bearer e30.e30."],
)
def test_caller_is_unauthenticated_when_the_auth_token_is_bad(system, authorization):
    headers = {} if authorization is None else {"authorization": authorization}
    for method, path in (
        ("POST", paths.QUEUE),
        ("POST", paths.ADMISSION),
        ("GET", paths.LIVE_SESSION),
        ("POST", paths.HOLDS),
        ("POST", paths.CHECKOUT),
        ("GET", paths.ORDER),
        ("GET", paths.OPERATOR_EVENT),
        ("GET", paths.OPERATOR_HISTORY),
        ("GET", paths.OPERATOR_SECTIONS),
    ):
        answer = call(system.base_url, method, path.format(**IDS), headers=headers)
        problem(answer, 401, "unauthenticated")


def test_auth_token_is_refused_when_it_names_no_algorithm(system):
    header = b64url(b'{"typ":"JWT","alg":"none","kid":"a"}')
    payload = b64url(json.dumps({"sub": "eve", "iat": 0, "exp": 9_999_999_999}).encode())
    for token in (f"{header}.{payload}.", f"{header}.{payload}.{'A' * 43}"):
        headers = {"authorization": f"Bearer {token}"}
        path = paths.QUEUE.format(event=system.event)
        problem(call(system.base_url, "POST", path, headers=headers), 401)


def test_identity_is_refused_when_the_nonce_differs(system):
    begun = guest_sign_in(system.base_url, "ann", secrets.token_hex)
    sent_back = call(system.base_url, "POST", AUTHORIZE, begun.form(), FORM)
    body = begun.exchange(sent_back.headers["location"]) | {"nonce": secrets.token_hex(16)}
    problem(call(system.base_url, "POST", paths.AUTH_EXCHANGE, body), 401)


# --- holds


def test_hold_is_refused_when_it_asks_for_nothing(inside):
    problem(inside.hold([]), 400, "malformed-input")
    problem(inside.hold_best(0), 400, "malformed-input")


@pytest.mark.parametrize("count", [11, 1_000])
def test_hold_is_refused_when_it_asks_for_too_many(system, inside, count):
    seats = free_seats(system.base_url, system.event, 11)
    wanted = [*seats, *(f"X-{n}" for n in range(count - len(seats)))]
    assert problem(inside.hold(wanted), 422, "limit-exceeded")["limit"] == 10
    problem(inside.hold_best(count), 422, "limit-exceeded")


def test_hold_is_refused_when_a_seat_is_unknown_or_named_twice(system, inside):
    seat = free_seats(system.base_url, system.event, 1)[0]
    assert problem(inside.hold([seat, "X-9-9"]), 404, "not-found")["seats"] == ["X-9-9"]
    problem(inside.hold([seat, seat]), 400, "malformed-input")
    problem(inside.hold(areas={"nowhere": 1}), 404, "not-found")
    for name in ("", "a#b", "x" * 65, "../x"):
        problem(inside.hold([name]), 400, "malformed-input")
    assert inside.hold([seat]).status == 201  # none of that stayed behind


def test_session_is_not_found_when_it_is_another_users(system, inside):
    stranger = Shopper(system.base_url, system.event).sign_in()
    stranger.session = inside.session
    problem(stranger.hold_best(1), 401)
    stranger.credential = inside.credential
    problem(stranger.hold_best(1), 404, "not-found")
    problem(stranger.checkout(), 404, "not-found")
    problem(stranger.leave(), 404, "not-found")
    other = Shopper(system.base_url, system.event).walk_in()
    other.session = inside.session  # their own credential, another's session
    problem(other.hold_best(1), 404, "not-found")


def test_credential_is_refused_when_it_is_changed(system, inside):
    visitor = Shopper(system.base_url, system.event, inside.name)
    visitor.auth, visitor.session = inside.auth, inside.session
    good = inside.credential[paths.HEADER_SESSION]
    for bad in ("x", good[:-2] + ("AA" if good[-2:] != "AA" else "BB"), good + "x", "a" * 6_000):
        visitor.credential = {paths.HEADER_SESSION: bad}
        problem(visitor.hold_best(1), 401, "unauthenticated")


def test_checkout_is_refused_when_nothing_is_held_or_the_address_is_none(system):
    visitor = Shopper(system.base_url, system.event).walk_in()
    problem(visitor.checkout(), 400, "malformed-input")
    visitor.hold_best(1)
    path = paths.CHECKOUT.format(session=visitor.session["session"])
    for email in ("", "x", "a@b", "a b@c.de", "x" * 300 + "@example.com"):
        problem(visitor.call("POST", path, {"email": email}), 400, "malformed-input")
    visitor.leave()


def test_order_is_not_found_when_it_is_another_users(system):
    owner = Shopper(system.base_url, system.event).walk_in()
    owner.hold_best(1)
    owner.checkout()
    stranger = Shopper(system.base_url, system.event).sign_in()
    for path in (paths.ORDER, paths.TICKET_SVG):
        problem(stranger.call("GET", path.format(order=owner.order)), 404, "not-found")
    cancel = paths.ORDER_CANCEL.format(order=owner.order)
    problem(stranger.call("POST", cancel), 404, "not-found")
    owner.leave()


# --- the webhook


def paid(**changed) -> bytes:
    event = {
        "id": "evt_1",
        "kind": "succeeded",
        "order": IDS["order"],
        "amount_minor": 1,
        "currency": "EUR",
        "payment": "pay_1",
    }
    return json.dumps({**event, **changed}).encode()


def test_webhook_is_refused_when_its_signature_is_wrong_or_missing(system):
    problem(send_webhook(system, paid(), secret=b"x" * 32), 401)
    problem(call(system.base_url, "POST", paths.PAYMENT_WEBHOOK, paid()), 401)
    for header in ("", "x", "t=1", "v1=00", "t=x,v1=" + "0" * 64, "t=1,v1=" + "0" * 2_000):
        answer = call(system.base_url, "POST", paths.PAYMENT_WEBHOOK, paid(), {HEADER: header})
        problem(answer, 401)


def test_webhook_is_refused_when_its_time_stamp_is_stale(system):
    now_s = int(time.time())
    stale = problem(send_webhook(system, paid(), at_s=now_s - 3_600), 401)
    assert "time" in stale["detail"]
    problem(send_webhook(system, paid(), at_s=now_s + 3_600), 401)


def test_webhook_is_refused_when_it_is_signed_nonsense(system):
    for body in (b"", b"{", b"[]", paid(kind="won"), paid(order="x"), paid(amount_minor=-1)):
        problem(send_webhook(system, body), 400, "malformed-input")


# --- sizes


@pytest.mark.parametrize(
    "path", [paths.AUTH_EXCHANGE, paths.HOLDS, paths.PAYMENT_WEBHOOK, paths.QUEUE]
)
def test_body_is_refused_when_it_has_ten_megabytes(system, path):
    head = f"POST {path.format(**IDS)} HTTP/1.1\r\nhost: x\r\ncontent-length: 10000000"
    problem(sent_raw(system, head), 413, "body-too-large")


def test_nothing_was_logged_as_a_defect_when_all_this_was_over(system):
    """Runs last in this file: none of the above reached an unexpected error."""
    log = (system.run_dir / "logs" / "api.log").read_text(errors="replace")
    assert "unhandled" not in log
    assert "Traceback" not in log
