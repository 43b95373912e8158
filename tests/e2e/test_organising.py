"""docs/organising.md typed as it stands there: from an empty catalogue to all money back."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.e2e.shopper import Shopper, call
from tests.support.running import Running
from tests.unit.operate.test_operating_day import DOCS, blocks

EVENT = "gala"
OPENS_IN_S = 4
PAGE = (DOCS / "organising.md").read_text("utf-8")
PARTS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
MAY_FIND = ("fairgate orders reconcile",)  # what others on the same system have left to a person
BOUGHT_BEFORE = "Serve buyers"  # buyers come when it is on sale and all is said


class Organiser:
    """Types the page's lines, with files of the test's and the orders of its buyers."""

    def __init__(self, system: Running, folder: Path) -> None:
        self.system, self.folder = system, folder
        shutil.copy(DOCS / "gala.json", folder)
        self.buyers: list[Shopper] = []
        self.names: dict[str, str] = {}

    def typed(self, line: str) -> list[str]:
        line = re.sub(r"--opens-at 2030\S+", f"--opens-in {OPENS_IN_S}", line)
        words = [self.names.get(word, word) for word in shlex.split(line)[1:]]
        files = (".json", ".csv")
        return [str(self.folder / word) if word.endswith(files) else word for word in words]

    def refused(self, lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return what was not refused, or said something else, with what it said."""
        wrong = []
        for line, hears in lines:
            done = self.system.ran(*self.typed(line))
            said = " ".join((done.stdout + done.stderr).split())
            if done.returncode not in (1, 2) or hears not in said or "Traceback" in said:
                wrong.append((line, said))
        return wrong

    def sell(self, count: int) -> None:
        for _ in range(count):
            buyer = Shopper(self.system.base_url, EVENT)
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


def refusals(part: str) -> list[tuple[str, str]]:
    return re.findall(r"^\| `(fairgate [^`]*)` \| (.*?) \|$", part, re.MULTILINE)


def test_every_step_does_what_it_says_and_every_mistake_is_told(organiser: Organiser) -> None:
    assert list(PARTS)[-2:] == ["Call it off", "Erase a buyer"]
    assert sum(len(refusals(part)) for part in PARTS.values()) > 15
    wrong: list[tuple[str, str]] = []
    for name, part in PARTS.items():
        if name == BOUGHT_BEFORE:
            organiser.sell(3)
        for line in blocks(part):
            done = organiser.system.ran(*organiser.typed(line))
            assert done.returncode in ((0, 1) if line.startswith(MAY_FIND) else (0,)), (line, done)
            assert "Traceback" not in done.stderr
        wrong += organiser.refused(refusals(part))
    assert not wrong, "\n".join(": ".join(one) for one in wrong)
    _is_called_off(organiser)


def _is_called_off(organiser: Organiser) -> None:
    event = call(organiser.system.base_url, "GET", f"/api/events/{EVENT}").body
    assert event["state"] == "cancelled"
    for buyer in organiser.buyers:
        order = buyer.order_now()
        assert (order["state"], order["event_cancelled"]) == ("refunded", True)
    with (organiser.folder / "gala.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["order"]: row for row in csv.DictReader(file)}
    assert {buyer.order for buyer in organiser.buyers} <= rows.keys()
