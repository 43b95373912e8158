"""The payment provider: the sandbox's own ledger, events that are sent until they are taken."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal
from unittest.mock import patch

from fairgate.domain.orders import webhook_signature
from fairgate_ops.prove.simulate.sale.fleet import Fleet, http_event
from fairgate_ops.run.local.loopback_server import RefusedError
from fairgate_ops.run.local.sandbox_ledger import Checkout, Ledger, capture_line, refund_line

if TYPE_CHECKING:
    from fairgate.adapters.memory.clock import MemoryIds
    from fairgate_ops.prove.simulate.sale.history import History
    from fairgate_ops.prove.simulate.sale.seams import FaultInjector

ATTEMPTS_MAX = 60
RETRY_MS_MAX = 30_000
Kind = Literal["succeeded", "failed", "expired", "refunded"]


class Provider:
    """Books and webhooks. Buyers act on a page; the shop opens pages and refunds."""

    def __init__(
        self, fleet: Fleet, faults: FaultInjector, history: History, secret: bytes, ids: MemoryIds
    ) -> None:
        self._fleet, self._faults, self._history = fleet, faults, history
        self._secret, self._ids = secret, ids
        self._pages: dict[str, Checkout] = {}
        self._miscounted: dict[str, Checkout] = {}
        self.ledger = Ledger(lambda: faults.scheduler.now_ms)

    def answer(self, path: str, document: Mapping[str, Any]) -> tuple[int, bytes]:
        """One call of the shop to the provider's API."""
        try:
            with self._own_ids():
                return 200, json.dumps(self._answer(path, document)).encode()
        except RefusedError as error:
            return error.status, json.dumps(error.body()).encode()

    def pay(self, url: str) -> None:
        """The buyer pays, and the capture is made unless the page is closed."""
        self._capture(self._pages[url])

    def pay_late(self, url: str, delay_ms: int) -> None:
        """A slow bank: the capture comes ``delay_ms`` from now, whatever happened meanwhile."""
        page = self._pages[url]
        if self.ledger.move(page, "late"):
            spawn = self._faults.scheduler.spawn
            spawn("slow bank", lambda: self._capture(page), after_ms=delay_ms)

    def decline(self, url: str) -> None:
        page = self._pages[url]
        if self.ledger.move(page, "declined"):
            self._report("failed", page)

    def _own_ids(self) -> Any:
        return patch("secrets.token_hex", lambda _bytes: self._ids.hex32())

    def _answer(self, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        match path.rpartition("/")[2]:
            case "checkouts":
                return self._open(document)
            case "closures":
                page = self.ledger.find(document["checkout"])
                self._expire(page)
                return _taken(page)
            case "pages":
                return _taken(self.ledger.find(document["checkout"]))
            case "refunds":
                page, new = self.ledger.refund(**document)
                if new:
                    self._report("refunded", page)
                return {"refund": refund_line(page)}
            case "disputes":
                return {"disputes": []}
            case "captures":
                return {"captures": self.ledger.captures(**document)}
        raise RefusedError(404, f"no such call: {path}")

    def _open(self, document: Mapping[str, Any]) -> dict[str, Any]:
        if (known := self._miscounted.get(document["order"])) is not None:
            return {"id": known.id, "url": f"https://provider/{known.id}", "state": known.state}
        page, new = self.ledger.open(**document)
        url = f"https://provider/{page.id}"
        self._pages[url] = page
        if new:
            delay_ms = max(0, page.expires_ms - self._faults.scheduler.now_ms)
            spawn = self._faults.scheduler.spawn
            spawn("page closes", lambda: self._expire(page), after_ms=delay_ms)
        return {"id": page.id, "url": url, "state": page.state}

    def _capture(self, page: Checkout) -> None:
        if page.state in ("open", "late") and self._faults.chance(self._faults.plan.miscounted):
            page.amount_minor -= 1  # a currency conversion, a fee: not what was asked for
            self._miscounted[page.order] = page
        if self.ledger.move(page, "captured"):
            # From now on whoever asks may settle it: a look at the order, its end, a new attempt.
            now_ms = self._faults.scheduler.now_ms
            asked = self._history.begin("settle", "", now_ms, order=page.order)
            self._history.end(asked, "unknown", now_ms)
            self._report("succeeded", page)

    def _expire(self, page: Checkout) -> None:
        if self.ledger.move(page, "expired"):
            self._report("expired", page)

    def _report(self, kind: Kind, page: Checkout) -> None:
        faults = self._faults
        if kind == "succeeded" and faults.chance(faults.plan.forgotten):
            return  # never reported: only the provider's books know of it
        again = faults.chance(faults.plan.repeat)
        for event in range(1 + (again and faults.chance(0.3))):  # one capture in two events
            document: dict[str, Any] = {
                "id": f"evt_{self._ids.hex32()}",
                "kind": kind,
                "order": page.order,
                "amount_minor": page.amount_minor,
                "currency": page.currency,
                "payment": page.payment,
            }
            if kind == "refunded":
                document["refund"] = refund_line(page)
            body = json.dumps(document).encode()
            for _ in range(1 + again):
                name = f"webhook {kind} {event} {page.order[-6:]}"
                faults.scheduler.spawn(
                    name, self._delivery(body, page.order), after_ms=self._delay()
                )

    def _delay(self) -> int:
        return self._faults.rng.randint(0, self._faults.plan.delay_ms)

    def _delivery(self, body: bytes, order: str) -> Callable[[], None]:
        def deliver() -> None:
            scheduler = self._faults.scheduler
            for attempt in range(ATTEMPTS_MAX):
                if self._taken(body, order):
                    return
                scheduler.sleep(min(500 << min(attempt, 10), RETRY_MS_MAX))
            scheduler.fail(f"the webhook of {order} was refused {ATTEMPTS_MAX} times")

        return deliver

    def _taken(self, body: bytes, order: str) -> bool:
        scheduler, history = self._faults.scheduler, self._history
        signature = webhook_signature.sign(
            body, secret=self._secret, now_s=scheduler.now_ms // 1000
        )
        headers = {webhook_signature.HEADER: signature}
        event = http_event("POST", "/api/payments/webhook", headers, body)
        settling = history.begin("settle", "", scheduler.now_ms, order=order)
        answer = self._fleet.invoke("orders", event)
        ok = answer is not None and answer["statusCode"] in (200, 201, 204)
        said = json.loads(answer["body"])["outcome"] if ok and answer is not None else ""
        scheduler.note(f"settled as {said or answer}")
        outcome = "unknown" if not ok else "ok" if said == "paid" else "refused"
        history.end(settling, outcome, scheduler.now_ms, said=said)  # type: ignore[arg-type]
        return ok


def _taken(page: Checkout) -> dict[str, Any]:
    capture = capture_line(page) if page.state == "captured" else None
    return {"id": page.id, "state": page.state, "capture": capture}
