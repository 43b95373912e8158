"""A mailer that is killed before it notes a mail sends it again under the same id: each kind."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairgate.domain.shared.ids import OrderId
from fairgate.http import paths
from fairgate.service.shared.keys import event_key, own_order_key, refund_key
from fairgate_ops.run.local.local_config import LocalConfig
from fairgate_ops.shared.paths import ROOT
from tests.e2e.ended import silent
from tests.e2e.selling import sell
from tests.e2e.shopper import Shopper
from tests.e2e.test_mails import mailbox, subjects
from tests.support.running import Running
from tests.support.waiting import patience_s, wait_until

KILLED = "killed"
PART = "worker-mails"
# The function as it is, in a process of its own, with what its queue would hand it.
_FUNCTION = """
import json, os, signal, sys
from fairgate.adapters.aws.mail import FileMailer
from functions.ticketer.handler import handler

def sends_and_dies(mailer, mail):
    sends(mailer, mail)
    os.kill(os.getpid(), signal.SIGKILL)

sends = FileMailer.send
if sys.argv[1] == "killed":
    FileMailer.send = sends_and_dies
print(json.dumps(handler(json.load(sys.stdin), None)))
"""


def ran(system: Running, how: str, *bodies: Any) -> subprocess.CompletedProcess[str]:
    """Hand the function these messages, in the environment of the one that runs."""
    environ = Path(f"/proc/{system.system.part(PART).process.pid}/environ").read_text()
    records = [{"messageId": f"m{n}", "body": json.dumps(one)} for n, one in enumerate(bodies)]
    return subprocess.run(
        [sys.executable, "-c", _FUNCTION, how],
        input=json.dumps({"Records": records}),
        capture_output=True,
        text=True,
        timeout=patience_s(60),
        check=False,
        cwd=ROOT,
        env=dict(pair.split("=", 1) for pair in environ.split("\0") if pair),
    )


class Items:
    """The table's items as its stream has them."""

    def __init__(self, system: Running) -> None:
        config = LocalConfig.read(system.run_dir)
        self._client, self._tables = config.dynamodb(), config["tables"]

    def of(self, key: tuple[str, str], table: str = "reservations") -> dict[str, Any]:
        wanted = {"PK": {"S": key[0]}, "SK": {"S": key[1]}}
        name = self._tables[table]
        found = self._client.get_item(TableName=name, Key=wanted, ConsistentRead=True)
        item: dict[str, Any] = found["Item"]
        return item

    def order(self, buyer: Shopper) -> dict[str, Any]:
        return self.of(own_order_key(OrderId(buyer.order)))


def change(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    keys = {name: new[name] for name in ("PK", "SK")}
    images = {"Keys": keys, "OldImage": old, "NewImage": new}
    return {"eventName": "MODIFY", "dynamodb": images}


def bought(system: Running, name: str) -> Shopper:
    return Shopper(system.base_url, KILLED).buy(3, f"{name}@example.com")


def gives_a_place_back(buyer: Shopper) -> None:
    ticket = buyer.order_now()["cancellation"]["places"][0]["tickets"][0]
    path = paths.ORDER_CANCEL.format(order=buyer.order)
    assert buyer.call("POST", path, {"ticket": ticket}).status == 200


def passes_a_ticket_on(system: Running, buyer: Shopper) -> None:
    ticket = buyer.order_now()["transfer"]["tickets"][0]["ticket"]
    offered = buyer.call("POST", paths.TICKET_OFFER.format(order=buyer.order, ticket=ticket))
    taker = Shopper(system.base_url, KILLED).sign_in()
    token = {"token": offered.body["token"]}
    assert taker.call("POST", paths.TRANSFERS, token).status == 200


def news_of(system: Running) -> list[dict[str, Any]]:
    """Have one thing of each kind happen to hal; the messages that tell of them."""
    items = Items(system)
    paying = Shopper(system.base_url, KILLED).reserve(3, "hal@example.com")
    before = items.order(paying)
    paying.pay("decline")
    wait_until(lambda: items.order(paying).get("lastAttempt") is not None, "the declined card")
    declined = change(before, items.order(paying))
    buyer = bought(system, "hal")
    system.fairgate("event", "edit", KILLED, "--artist", "The Tides", "--yes")
    number = items.of(event_key(KILLED), "catalog")["lastChange"]["M"]["number"]["N"]
    before = items.order(buyer)
    gives_a_place_back(buyer)
    returned = items.order(buyer)
    session, payment = returned["PK"]["S"], returned["paymentId"]["S"]
    refund_at = refund_key(session, OrderId(buyer.order), payment, 1)
    wait_until(lambda: items.of(refund_at)["state"]["S"] == "succeeded", "the refund")
    refund, settled = items.of(refund_at), items.order(buyer)
    passes_a_ticket_on(system, buyer)
    return [
        declined,
        {"mail": buyer.order},
        {"mail": buyer.order, "change": int(number)},
        change(before, returned),
        change({**refund, "state": {"S": "owed"}}, refund),
        change(settled, items.order(buyer)),
    ]


def test_each_kind_comes_again_by_its_id_and_then_no_more(system) -> None:
    sell(system, KILLED, 80)
    until = "2099-01-01T00:00:00Z"
    terms = ("--cancel-until", until, "--transfer-until", until)
    system.fairgate("event", "edit", KILLED, *terms, "--yes")
    with silent(system, PART):
        news = news_of(system)
        for one in news:
            assert ran(system, "killed", one).returncode == -signal.SIGKILL
        first = [str(mail["Message-ID"]) for mail in mailbox(system, "hal")]
        assert [mail_id.partition(".")[0] for mail_id in first] == [
            *("<payment", "<tickets", "<changed", "<cancelled", "<refund", "<passed")
        ]
        again = ran(system, "whole", *news, *news)
        assert json.loads(again.stdout.splitlines()[-1]) == {"batchItemFailures": []}, again
        ids = [str(mail["Message-ID"]) for mail in mailbox(system, "hal")]
        assert ids == first * 2
    # The one that runs goes on, and is told of all that again by its stream and its queue.
    gives_a_place_back(bought(system, "ida"))
    wait_until(lambda: len(subjects(system, "ida")) == 3, "what ida is told", within_s=60)
    assert Counter(str(mail["Message-ID"]) for mail in mailbox(system, "hal")) == Counter(ids)
