"""docs/organising.md typed as it stands there, and the mistakes that its reader may make."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from tests.e2e.shopper import Shopper, call
from tests.support.running import Running
from tests.support.waiting import wait_until
from tests.unit.operate.test_operating_day import DOCS, blocks

HOME = {
    "name": "Ann Buyer",
    "street": "Quay 1",
    "postcode": "20457",
    "city": "Hamburg",
    "country": "Germany",
}
EVENT = "gala"
OPENS_IN_S = 10
PAGE = (DOCS / "organising.md").read_text("utf-8")
PARTS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
MAY_FIND = ("fairgate orders reconcile",)  # what others on the same system have left to a person
BOUGHT_BEFORE = "Serve buyers"  # buyers come when it is on sale and all is said

NEW = "event create other --venue gala.json --name Other"
OTHER = f"{NEW} --price-all 0.90"
# What a mistake hears, after the steps of that part.
REFUSED = {
    "Put it on sale": (
        (
            "event create gala --venue gala.json --name Gala --price-all 45 --sale-starts-in 60",
            "There is an event “gala” already",
        ),
        (f"{NEW} --sale-starts-in 60", "--price front: is missing"),
        (f"{NEW} --price-all 0.45 --sale-starts-in 60", "takes no less than 0.50"),
        (
            f"{NEW} --price-all 45 --sale-starts-at 2020-01-01T18:00:00Z",
            "The sale would have started",
        ),
        (
            f"{NEW} --price-all 45 --vat-all 100.01% --sale-starts-in 60",
            "is more than 100 %: 19 % is written 19%",
        ),
        (
            f"{OTHER} --cancel-fee 0.99 --cancel-until 2030-01-01T00:00:00Z --sale-starts-in 9",
            "must be below the lowest price, 0.90: else nothing would go back",
        ),
    ),
    "An event as a file": (
        ("event create --from event.toml", "There is an event “spring” already"),
        ("event edit gala --from event.toml", "line 3, event: is another event than gala"),
        ("event create --from gala.json", "format: is no field of the file"),
        ("event clone nothing other --sale-starts-in 60", "There is no event nothing."),
    ),
    "Change what was said": (
        ("event edit gala", "Say what is to change"),
        ("event edit gala --starts-at 2030-12-14T20:00+02:00", "has +01:00 then: write"),
        (
            "event edit gala --transfer-until tomorrow",
            "--transfer-until: must be a date with a time",
        ),
        (
            "event edit gala --time-zone Europe/Atlantis",
            "must be a zone's name, like “Europe/Berlin”",
        ),
        ("event edit gala --cancel-fee 999.99", "must be below the lowest price"),
        ("event edit gala --price nowhere=1", "the venue has no such tier"),
        ("event edit gala --price-all 5", "must be below the lowest price, 5.00"),
        (
            "event edit gala --currency USD",
            "never changes: orders, refunds and the ledger are in it",
        ),
        ('event edit nothing --name "Nothing"', "There is no event nothing."),
    ),
    "Serve buyers": (
        (
            'orders refund ORDER --amount 99999.99 --reason "too much" --yes',
            "99,999.99 EUR cannot go back: 89.50 EUR of this order are left",
        ),
        ('orders refund ORDER --amount 0 --reason "nothing" --yes', "0.00 EUR cannot go back"),
        (
            'orders refund ORDER --amount 1 --reason "no yes is said"',
            "goes back to its buyer; its tickets stay as they are. Confirm with --yes",
        ),
        (
            'orders void gala ORDER --ticket nothing --reason "no such ticket" --yes',
            "has no ticket nothing",
        ),
        (
            'buyer erase --user ACCOUNT --reason "asked by letter" --yes',
            "Something is still owed to this buyer: nothing was erased.",
        ),
        (
            'event edit gala --artist "The Tides" --reason "no yes is said"',
            "--no-mail does not. Confirm with --yes",
        ),
        ("orders show ord_nothing", "There is no order ord_nothing"),
        ("orders list nothing", "There is no event nothing."),
        (
            'orders done nothing --reason "no such task"',
            "There is no such task: `fairgate orders tasks` lists them",
        ),
    ),
    "Keep the books": (
        ("books ledger nothing", "There is no event nothing."),
        ("books check nothing", "There is no event nothing."),
        ("books import --since yesterday", "is no time with its zone"),
        ("books movements --since 2030-06-01", "is no time with its zone"),
    ),
    "Call it off": (
        (
            'event cancel gala --refund-all --reason "no report is named" --yes',
            "Say where the report of every order goes: --report FILE",
        ),
        (
            "event cancel nothing --refund-all --reason ill --report nothing.csv --yes",
            "There is no event nothing.",
        ),
        (
            'orders refund ORDER --amount 0.01 --reason "all is back" --yes',
            "only what is sold can be refunded in part",
        ),
        ('event edit gala --name "Gala"', "was cancelled at"),
        ("event resume gala", "A closed sale stays closed"),
    ),
    "Erase a buyer": (
        ("buyer show", "one of the arguments --email --user is required"),
        ("buyer show --email nobody@nowhere.example", "Nothing is stored about this address."),
        (
            "buyer erase --user ACCOUNT --reason ACCOUNT --yes",
            "give the reason without the address or the account",
        ),
        (
            'buyer erase --user ACCOUNT --keep-years 1 --reason "asked by letter" --yes',
            "'1' is not 5 to 30 years",
        ),
    ),
}


class Organiser:
    """Types the page's lines, with files of the test's and the orders of its buyers."""

    def __init__(self, system: Running, folder: Path) -> None:
        self.system, self.folder = system, folder
        for name in ("gala.json", "event.toml"):
            shutil.copy(DOCS / name, folder)
        self.buyers: list[Shopper] = []
        self.names: dict[str, str] = {}

    def typed(self, line: str) -> list[str]:
        line = re.sub(r"--sale-starts-at 2030\S+", f"--sale-starts-in {OPENS_IN_S}", line)
        words = [self.names.get(word, word) for word in shlex.split(line)[1:]]
        files = (".json", ".csv", ".toml")
        return [
            str(self.folder / word) if word.endswith(files) or before == "--out" else word
            for before, word in pairwise(["", *words])
        ]

    def refused(self, lines: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
        """Return what was not refused, or said something else, with what it said."""
        wrong = []
        for line, hears in lines:
            done = self.system.ran(*self.typed(f"fairgate {line}"))
            said = " ".join((done.stdout + done.stderr).split())
            if done.returncode not in (1, 2) or hears not in said or "Traceback" in said:
                wrong.append((line, said))
        return wrong

    def sell(self, count: int) -> None:
        early = Shopper(self.system.base_url, EVENT)
        early.sign_in()
        wait_until(lambda: early.queue().status == 200, "the published event at the edge")
        for _ in range(count):
            buyer = Shopper(self.system.base_url, EVENT)
            buyer.asked = {"postal_address": HOME}  # the guide makes checkout ask for it
            buyer.walk_in()
            assert buyer.hold_best(2).status == 201
            assert buyer.checkout().status == 201
            buyer.pay()
            buyer.order_becomes("ticketed")
            self.buyers.append(buyer)
        first = self.buyers[0]
        self.names |= {"ORDER": first.order, "TICKET": self.ticket_of(first)}
        shown = self.system.fairgate("orders", "show", first.order, "--json")
        self.names["ACCOUNT"] = json.loads(shown)["user"]

    def ticket_of(self, buyer: Shopper) -> str:
        shown = json.loads(self.system.fairgate("orders", "show", buyer.order, "--json"))
        found = re.search(r"tkt_[0-9a-z_]+", json.dumps(shown))
        assert found, shown
        return found[0]


@pytest.fixture
def organiser(system: Running, tmp_path: Path) -> Organiser:
    return Organiser(system, tmp_path)


def test_every_step_does_what_it_says_and_every_mistake_is_told(organiser: Organiser) -> None:
    assert list(PARTS)[-2:] == ["Call it off", "Erase a buyer"]
    assert REFUSED.keys() <= PARTS.keys()
    wrong: list[tuple[str, str]] = []
    for name, part in PARTS.items():
        if name == BOUGHT_BEFORE:
            organiser.sell(3)
        for line in blocks(part):
            assert "--target" not in line  # no test calls AWS
            asks = " --price-all 48.00 " in line or " edit gala --cancel-until " in line
            yes = ["--yes"] if asks else []  # the sale may have started
            done = organiser.system.ran(*organiser.typed(line), *yes)
            assert done.returncode in ((0, 1) if line.startswith(MAY_FIND) else (0,)), (line, done)
            assert "Traceback" not in done.stderr
        wrong += organiser.refused(REFUSED.get(name, ()))
    assert not wrong, "\n".join(": ".join(one) for one in wrong)
    left = sorted(one.name for one in Path().glob(f"{EVENT}*"))
    assert not left, left  # in the repository
    _is_called_off(organiser)


def _is_called_off(organiser: Organiser) -> None:
    event = call(organiser.system.base_url, "GET", f"/api/events/{EVENT}").body
    assert event["state"] == "cancelled"
    for buyer in organiser.buyers:
        order = buyer.order_now()
        assert (order["state"], order["event_cancelled"]) == ("refunded", True)
    with (organiser.folder / "gala.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["order"]: row for row in csv.DictReader(file)}
    assert {buyer.order for buyer in organiser.buyers} <= rows.keys()
