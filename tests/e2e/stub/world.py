"""What a test may change in the stub's sale, its clock and its sign-ins."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf
from typing import Any

from tests.e2e.stub.answers import TICKET, Foreign, Refused, stamp
from tests.e2e.stub.venue import Hall

SIGNED_IN_S = 7_200
SUB = "guest-7"


@dataclass
class World:
    """What a test may change."""

    hall: Hall = field(default_factory=Hall)  # what it sells
    state: str = "open"
    sale_starts_at: float = field(default_factory=lambda: time.time() - 3600)
    polls_before_admission: int = 1
    backoff_s: float = 1.0
    estimate: dict[str, Any] | None = field(default_factory=lambda: {"lo_s": 600, "hi_s": 1200})
    refuse: dict[str, Refused] = field(default_factory=dict)  # route name → its next answers
    refuse_times: int = 1
    foreign: dict[str, list[Foreign]] = field(default_factory=dict)  # route name → its next answers
    slow_s: dict[str, float] = field(default_factory=dict)  # route name → before each answer
    kept_s: dict[str, float] = field(default_factory=dict)  # route name → for how long a cache did
    lock: dict[str, Any] | None = None  # of the account: until, by, noticed, appealed
    lock_again_s: int = 1  # when the page is to ask again
    appeals: list[str] = field(default_factory=list)  # what was written
    session_ends: float = 0.0
    session_state: str = ""
    taken: set[str] = field(default_factory=set)
    holds: list[dict[str, Any]] = field(default_factory=list)
    order_state: str = ""
    email: str = "guest@example.org"  # of the order
    mailed_at: str | None = None  # its tickets
    last_attempt: str | None = None  # to pay it: declined, card-limit
    ask_address: bool = False
    colors: dict[str, Any] | None = None  # of the event
    files: dict[str, bytes] = field(default_factory=dict)  # of the event's brand, by name
    message: dict[str, Any] | None = None  # of the organiser's
    passes: list[str] = field(default_factory=list)  # wallets for which the stage has keys
    accepted_terms: str | None = None  # at checkout
    sellers: dict[str, Any] = field(default_factory=dict)  # facts of who sells
    requires: dict[str, Any] = field(default_factory=dict)  # of an account, fields of the event
    account: dict[str, Any] = field(
        default_factory=lambda: {"since": "", "verified_phone": False, "memberships": []}
    )
    postal_address: dict[str, str] | None = None  # of the order
    bought: list[dict[str, Any]] = field(default_factory=list)  # orders of other days, newest first
    found: list[dict[str, Any]] = field(default_factory=list)  # by a mailed link
    mailed: list[str] = field(default_factory=list)  # addresses that a link was asked for
    order_ends: float = 0.0  # 0: with the session
    refund: dict[str, Any] | None = None
    refund_on_leave: dict[str, Any] | None = None  # set as the seats are given back
    cancellation: dict[str, Any] | None = None
    invoice: bool = True  # the event gives some
    returned: list[dict[str, Any]] = field(default_factory=list)
    void: list[str] = field(default_factory=list)  # labels of its tickets
    cancelled: list[dict[str, Any]] = field(default_factory=list)  # what was asked for
    transfer: dict[str, Any] | None = None  # what of the order may be passed on
    held: list[dict[str, Any]] = field(default_factory=list)  # what was passed on to the buyer
    too_late: str = ""  # why nothing can be cancelled any more
    admissions: list[str] = field(default_factory=list)
    wishes: list[dict[str, Any]] = field(default_factory=list)  # for the best available
    keys: list[tuple[str, str]] = field(default_factory=list)  # of each keyed request: route, key
    asked: list[str] = field(default_factory=list)  # the route of every request
    reads: dict[str, int] = field(default_factory=dict)  # route name → how often it was asked
    place_s: float = 600.0  # how long a waiting token lives beyond its time to come back
    place_ends: float = 0.0
    floor_left: int = 60
    raised_minor: int = 0  # each tier, since the session began
    dated: bool = True  # its event says when it is
    sessions_left: int = 1
    ends_at: float = 0  # when its sale ends; 0: not said
    listed: list[dict[str, Any]] = field(default_factory=list)  # events besides its own
    name: str = ""  # in place of the texts of its event
    fees: dict[str, int] = field(default_factory=lambda: {"order_minor": 250, "ticket_minor": 100})
    ahead_s: float = 0.0  # how far the service's clock is ahead of this machine's
    frozen_s: float | None = None  # at which moment it stands still
    sign_ins: dict[str, float] = field(default_factory=lambda: {"jwt": inf})  # token → its end

    ticket: str = TICKET  # the picture of one, with {unit}
    identity: bool = True  # whether somebody set up how to sign in
    sign_out_url: str = ""

    def now(self) -> float:
        return (time.time() if self.frozen_s is None else self.frozen_s) + self.ahead_s

    def postponed(self, now: float) -> float:
        """When the place has to come back; it lives on until some time after that."""
        boff = now + self.backoff_s
        self.place_ends = boff + self.place_s
        return boff

    def config(self, base_url: str) -> dict[str, Any]:
        identity = {
            "issuer": f"{base_url}/idp",
            "client_id": "fairgate-stub",
            "authorize_url": f"{base_url}/idp/authorize",
            "redirect_uri": f"{base_url}/",
            "sign_out_url": self.sign_out_url,
            "hint_subject": True,
        }
        return {"identity": identity if self.identity else None, "passes": self.passes}

    def sign_in(self) -> dict[str, Any]:
        """Issue an auth token of two hours."""
        token = f"jwt-{len(self.sign_ins)}"
        self.sign_ins[token] = self.now() + SIGNED_IN_S
        return {"token": token, "expires_at": stamp(self.sign_ins[token]), "sub": SUB} | {
            "account": self.account
        }

    def refuse_unless_signed_in(self, authorization: str | None) -> None:
        ends = self.sign_ins.get((authorization or "").removeprefix("Bearer "))
        if ends is None:
            raise Refused(401, "unauthenticated")
        if ends <= self.now():
            raise Refused(401, "sign-in-ended")
