"""The workload: buyers who want the same few seats, change their minds, retry, and come back.

It knows the API and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from fairgate.domain.shared.credential import verify_credential
from fairgate.domain.shared.times import epoch_ms
from fairgate.http import paths
from fairgate_lab.engine.secrets import KEYS
from fairgate_lab.simulate.sale import venue
from fairgate_lab.simulate.sale.client import Asked, Client, Reply
from fairgate_lab.simulate.sale.sale import Kind

if TYPE_CHECKING:
    from fairgate_lab.simulate.sale.sale import Sale

TRIES_MAX = 3
INSIDE_ALREADY = 403
PARTY_MAX = 5
END_MS = 5_000  # how close: within the difference of two clocks
Choice = Literal["hold", "area", "mixed", "best", "release", "leave", "look", "checkout", "wait"]
CHOICES: Mapping[Choice, int] = {
    "hold": 10,
    "area": 3,
    "mixed": 2,
    "best": 1,
    "release": 2,
    "leave": 1,
    "look": 1,
    "checkout": 7,
    "wait": 3,
}
# What the buyers of a sale are like: see KINDS.
LIKINGS: Mapping[Kind, Mapping[Choice, int]] = {
    "rush": CHOICES,
    # Two or three want the one seat that is left, and everything happens when a time is up.
    "duel": {"hold": 6, "checkout": 6, "release": 1, "leave": 1},
    # As many as they can get, in one visit after another.
    "collectors": {"area": 6, "mixed": 2, "checkout": 8},
}
WAYS_TO_PAY: Mapping[Kind, tuple[str, ...]] = {
    "rush": ("now", "now", "now", "now", "late", "last", "declined", "never"),
    "duel": ("now", "last", "last"),
    "collectors": ("now",),
}


class Buyer:
    """One person with one account, and sometimes with two hands at once."""

    def __init__(self, sale: Sale, user: str) -> None:
        self.client = Client(sale, user)
        self.sale, self.user, self.rng = sale, user, self.client.rng
        self.session = ""
        self.holds: dict[str, str] = {}  # the API's hold → our key of it
        self.asked: list[Asked] = []
        self._keys = 0
        self._choices = LIKINGS[sale.kind]

    def live(self) -> None:
        """Come in, act, leave; perhaps more than once."""
        self._wait(2_000)
        for visit in range(self.rng.randint(1, 3)):
            if self._enter(visit):
                for _ in range(self.rng.randint(2, 8)):
                    if not self._act():
                        break
            self._wait(self.sale.long_ms)

    # --- in

    def _enter(self, visit: int) -> bool:
        self.client.event = self.rng.choice(sorted(self.sale.events))
        number = 0 if self._chance(0.3) else visit  # a token that has been used, perhaps
        token = self.client.token(number)
        if self._chance(0.2):
            self._also("another window", lambda: self.client.admit(token))
        if self._chance(0.2):
            other = self.client.token(visit + 10)
            self._also("another token", lambda: self.client.admit(other))
        reply = self._tried(lambda: self.client.admit(token))
        if reply.status == INSIDE_ALREADY or self._chance(0.1):
            reply = self.client.live_session()
        if reply.outcome != "ok":
            return False
        self._take(reply.body)
        return True

    def _take(self, opened: Mapping[str, Any]) -> None:
        if opened["session"] != self.session:
            self.session, self.holds, self.asked = opened["session"], {}, []
        self._carry(opened["credential"])

    def _carry(self, credential: str) -> None:
        self.client.headers = self.client.headers | {paths.HEADER_SESSION: credential}
        self.sale.leaked_credentials[self.session] = (self.user, credential)
        claims = verify_credential(credential, KEYS.session, 0)
        self.sale.ends_ms.append(epoch_ms(claims.expires_at))

    # --- inside

    def _act(self) -> bool:
        """Whether there is more to do in this session."""
        if self._chance(0.15):
            self._also("other hand", self._do_one(self._choose()))
        choice = self._choose()
        if choice == "checkout":
            return self._buy()
        self._do_one(choice)()
        return choice != "leave" or self._chance(0.3)

    def _choose(self) -> Choice:
        return self.rng.choices(list(self._choices), list(self._choices.values()))[0]

    def _do_one(self, choice: Choice) -> Callable[[], object]:
        return {
            "hold": lambda: self._hold(self._some_seats(), 0),
            "area": lambda: self._hold([], self.rng.randint(1, 3 if self._chance(0.9) else 6)),
            "mixed": lambda: self._hold(self._some_seats()[:1], self.rng.randint(1, 2)),
            "best": self._best,
            "release": self._release,
            "leave": self._leave,
            "look": self.client.look,
            "wait": lambda: self._wait(self.sale.long_ms),
            "checkout": self._checkout,
        }[choice]

    def _some_seats(self) -> list[str]:
        """Mostly of the three best; everybody wants those."""
        if self.sale.kind == "duel":
            return [venue.SEATS[0]]
        if self._chance(0.1):
            return [venue.TABLE, *self.rng.sample(venue.SEATS, self.rng.randint(0, 2))]
        few = venue.SEATS[: self.rng.choice((1, 1, 2, 3, 5))]
        party = PARTY_MAX if self._chance(0.15) else 2
        return self.rng.sample(few, self.rng.randint(1, min(party, len(few))))

    def _hold(self, seats: list[str], places: int) -> None:
        areas = {venue.AREA: places} if places else {}
        body = {"seats": seats, "areas": areas}
        path = paths.HOLDS.format(session=self.session)
        self._holding(Asked(path, body, tuple(seats), places, self._key()))

    def _best(self) -> None:
        path = paths.BEST_AVAILABLE.format(session=self.session)
        quantity = self.rng.randint(1, PARTY_MAX if self._chance(0.2) else 2)
        self._holding(Asked(path, {"quantity": quantity}, None, quantity, self._key()))

    def _key(self) -> str:
        """Mostly a new key, sometimes none, sometimes that of something else."""
        if self._chance(0.25):
            return ""
        if self.asked and self._chance(0.1):
            return self.rng.choice(self.asked).key
        self._keys += 1
        return f"{self.user}-{self._keys}"

    def _holding(self, asked: Asked) -> None:
        if self.asked and self._chance(0.1):
            asked = self.rng.choice(self.asked)  # the very same again, long after
        self.asked.append(asked)
        session = self.session

        def once() -> Reply:
            reply, operation = self.client.hold(session, asked)
            if reply.outcome == "ok" and session == self.session:
                self.holds[operation.hold] = operation.key
            return reply

        self._twinned(0.15, once, again=bool(asked.key))

    def _release(self) -> None:
        if not self.holds:
            return
        hold = self.rng.choice(sorted(self.holds))
        key, session = self.holds[hold], self.session
        self._twinned(0.2, lambda: self.client.release(session, hold, key))

    def _leave(self) -> None:
        session = self.session
        self._twinned(0.2, lambda: self.client.leave(session))

    # --- money

    def _checkout(self) -> Reply:
        session = self.session
        key = f"c-{session}" if self._chance(0.5) else ""
        reply = self._twinned(0.15, lambda: self.client.checkout(session, key))
        while reply.body.get("code") == "payment-waits" and self._chance(0.9):
            self.sale.scheduler.sleep(1000 * reply.body["retry_after"])
            reply = self.client.checkout(session, key)
        return reply

    def _buy(self) -> bool:
        reply = self._checkout()
        if reply.outcome != "ok":
            return self._chance(0.7)
        self._carry(reply.body["credential"])
        page, order = reply.body["pay_url"], reply.body["order"]["order"]
        if self._chance(0.3):
            self._meanwhile()
        self._pay(page, epoch_ms(reply.body["expires_at"]))
        if self._chance(0.3):
            self._meanwhile()
        if self._chance(0.6):
            self._give_places_back(order)
        if self._chance(0.5):
            self._await_tickets(order)
            if self._chance(0.7):
                self._cancel(order)
        return self._chance(0.2)

    def _meanwhile(self) -> None:
        """Something unwise while the payment is under way."""
        unwise: tuple[Choice, ...] = ("leave", "release", "mixed", "checkout")
        act = self._do_one(self.rng.choice(unwise))
        if self._chance(0.5):
            self._also("other hand", act)
        else:
            act()

    def _pay(self, page: str, end_ms: int) -> None:
        provider = self.sale.provider
        self._wait(5_000)
        way = self.rng.choice(WAYS_TO_PAY[self.sale.kind])
        if way == "now":
            provider.pay(page)
        elif way == "late":
            provider.pay_late(page, self.rng.randint(0, 2 * self.sale.long_ms))
        elif way == "last":  # when the time is up
            left_ms = max(0, end_ms - self.sale.scheduler.now_ms)
            provider.pay_late(page, max(0, left_ms + self.rng.randint(-END_MS, END_MS)))
        elif way == "declined":  # and another card is tried
            provider.decline(page)
            again = self._checkout()
            if again.outcome == "ok":
                provider.pay(again.body["pay_url"])

    def _await_tickets(self, order: str) -> None:
        """Look now and then, mostly until it is paid."""
        for _ in range(self.rng.randint(0, 6)):
            path = paths.ORDER.format(order=order)
            reply = self.client.call("orders", "GET", path)
            if reply.body.get("state") != "pending":
                return
            self._wait(3_000)

    def _cancel(self, order: str) -> None:
        session = self.session
        key = f"x-{order}" if self._chance(0.5) else ""
        self._twinned(0.3, lambda: self.client.cancel(session, order, key))

    def _give_places_back(self, order: str) -> None:
        """One place or more of those that the order's page offers, once it offers any."""
        for _ in range(self.rng.randint(1, 12)):
            seen = self.client.order(order).body
            offered = (seen.get("cancellation") or {}).get("places", [])
            if not offered and seen.get("state", "pending") not in ("pending", "paid"):
                return
            if not offered:
                self.sale.scheduler.sleep(self.rng.randint(0, 5_000))
                continue
            self._give_place_back(order, self.rng.choice(offered), self.rng.choice(offered))
            if self._chance(0.5):
                return

    def _give_place_back(
        self, order: str, place: Mapping[str, Any], other: Mapping[str, Any]
    ) -> None:
        """Sometimes another one at the same moment, from another window."""
        session = self.session
        key = f"x-{order}-{place['tickets'][0]}" if self._chance(0.5) else ""
        if self._chance(0.3):
            self._also("twin", lambda: self.client.cancel(session, order, "", other))
        self._tried(lambda: self.client.cancel(session, order, key, place))

    # --- patience

    def _chance(self, of_one: float) -> bool:
        return self.rng.random() < of_one

    def _wait(self, most_ms: int) -> None:
        """Mostly short, sometimes long enough for everything to expire."""
        if self.sale.ends_ms and self._chance(0.6 if self.sale.kind == "duel" else 0.25):
            self._wait_for_an_end()
            return
        longest = most_ms if self._chance(0.3) else min(most_ms, 3_000)
        self.sale.scheduler.sleep(self.rng.randint(0, longest))

    def _wait_for_an_end(self) -> None:
        """To be there at the very moment when somebody's time is up, give or take a clock."""
        end_ms = self.rng.choice(self.sale.ends_ms[-4:]) + self.rng.randint(-END_MS, END_MS)
        left_ms = end_ms - self.sale.scheduler.now_ms
        self.sale.scheduler.sleep(max(0, min(left_ms, 2 * self.sale.long_ms)))

    def _twinned(self, often: float, once: Callable[[], Reply], *, again: bool = True) -> Reply:
        """Ask, now and then from another window as well."""
        if self._chance(often):
            self._also("twin", once)
        return self._tried(once, again=again)

    def _tried(self, once: Callable[[], Reply], *, again: bool = True) -> Reply:
        reply = once()
        for _ in range(TRIES_MAX - 1):
            if reply.outcome != "unknown" or not again or self._chance(0.3):
                break
            self._wait(2_000)
            reply = once()
        return reply

    def _also(self, name: str, act: Callable[[], object]) -> None:
        """Something at the same moment, from another window."""
        late_ms = self.rng.choice((0, 0, 0, self.rng.randint(0, self.sale.long_ms)))
        self.sale.scheduler.spawn(f"{self.user}'s {name}", act, after_ms=late_ms)
