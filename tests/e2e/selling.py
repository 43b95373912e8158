"""Events of a test's own on the running system, and the provider's side of their payments."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from fairgate.domain.orders.webhook_signature import HEADER, sign
from fairgate.domain.shared.jws import from_b64url
from fairgate.http import paths
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from tests.e2e.shopper import Answer, Shopper, call
from tests.support.running import Running
from tests.support.waiting import wait_until


def sell(system: Running, event: str, seats: int = 200, **terms: Any) -> None:
    """Put an event on sale at a quick pace; its name is its id, capitalised."""
    pace = {"sale_starts_in_s": 1, "tau_s": 1, "pow_bits": 8, "backoff_max_s": 2, "checkout_s": 60}
    sale = Sale(event, **{"name": event.capitalize(), **pace, **terms})
    put_on_sale(system.run_file, sale, demo_venue(seats))


def refusal(shopper: Shopper) -> tuple[str, str]:
    """Queue and ask as a page that hides what it knows; return code and reason of the refusal."""
    answers = [shopper.queue()]
    assert answers[-1].status == 200

    def refused() -> bool:
        if time.time() >= shopper.waiting["boff"]:
            answers.append(shopper.attempt())
            assert answers[-1].status in (202, 403), answers[-1]
        return answers[-1].status == 403

    wait_until(refused, "a refusal", within_s=30, every_s=0.1)
    return answers[-1].body["code"], answers[-1].body["reason"]


def books(system: Running) -> dict[str, list[dict[str, Any]]]:
    """Return the captures and refunds in the provider's books."""
    shown: dict[str, list[dict[str, Any]]]
    shown = call(system.base_url, "GET", "/sandbox/v1/payments").body
    return shown


def webhook_secret(system: Running) -> bytes:
    document = json.loads((Path(system.config["secrets_dir"]) / "payments.json").read_text())
    return from_b64url(document["webhook"])


def send_webhook(
    system: Running, body: bytes, *, at_s: int | None = None, secret: bytes | None = None
) -> Answer:
    """Send a webhook as the provider would, with its signature of this moment."""
    now_s = int(time.time()) if at_s is None else at_s
    signature = sign(body, secret=secret or webhook_secret(system), now_s=now_s)
    headers = {HEADER: signature, "content-type": "application/json"}
    return call(system.base_url, "POST", paths.PAYMENT_WEBHOOK, body, headers)
