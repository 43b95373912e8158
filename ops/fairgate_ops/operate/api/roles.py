"""Who may do what over HTTP: the roles, and the acts that each may do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, get_args

Role = Literal["owner", "organiser", "box-office", "door", "viewer", "auditor"]
ROLES: tuple[Role, ...] = get_args(Role)
PREFIX = "fairgate-"  # of the provider's groups, which may have other purposes as well

EVERYBODY = frozenset(ROLES)
LOOKS: frozenset[Role] = EVERYBODY - {"door"}  # at figures, money among them
_STEERS: frozenset[Role] = frozenset({"owner", "organiser"})
_SERVES: frozenset[Role] = frozenset({"owner", "box-office"})
_SEES_BUYERS: frozenset[Role] = _SERVES | {"auditor"}
_GIVES_BACK: frozenset[Role] = _SERVES | {"organiser"}
_CHECKS: frozenset[Role] = frozenset({"owner", "organiser", "auditor"})

# What is not here is not done over HTTP.
MAY: dict[str, frozenset[Role]] = {
    "event list": EVERYBODY,
    "event show": LOOKS,
    "tau get": LOOKS,
    "tau preview": LOOKS,
    "event log": _CHECKS,
    "venue validate": _STEERS,
    "event create": _STEERS,
    "event edit": _STEERS,
    "event clone": _STEERS,
    "event rehearse": _STEERS,
    "event delete": _STEERS,
    "event preview": _STEERS,
    "event publish": _STEERS,
    "event hide": _STEERS,
    "event show-again": _STEERS,
    "event say": _STEERS,
    "event open": _STEERS,
    "event pause": _STEERS,
    "event resume": _STEERS,
    "event drain": _STEERS,
    "event open-until": _STEERS,
    "event close": _STEERS,
    "event target": _STEERS,
    "tau set": _STEERS,
    "tau plan": _STEERS,
    "tau cancel": _STEERS,
    "seats list": LOOKS,
    "seats block": _STEERS,
    "seats free": _STEERS,
    "orders list": _SEES_BUYERS,
    "orders show": _SEES_BUYERS,
    "orders tasks": _GIVES_BACK | {"auditor"},
    "orders done": _GIVES_BACK,
    "orders refund": _GIVES_BACK,
    "orders resend": _SERVES,
    "orders edit": _SERVES,
    "orders void": _SERVES,
    "orders take-back": _SERVES,
    "desk show": _SEES_BUYERS,
    "desk appeals": _SEES_BUYERS,
    "desk pardon": _SERVES,
    "desk extend": _SERVES,
    "buyer show": _SEES_BUYERS,
    "buyer erase": frozenset({"owner"}),
    "check": LOOKS,
    "live alarms": LOOKS,
    "live cost": LOOKS,
    "forecast show": LOOKS,
    "books sales": LOOKS,
    "books ledger": _CHECKS,
    "books movements": _CHECKS,
    "books payouts": _CHECKS,
    "act confirm": _STEERS,  # and only what the role may
    "act pending": _CHECKS,
    "event cancel": _STEERS,
    "orders reconcile": _SERVES,
    "orders invoice": _SEES_BUYERS,
    "books check": _CHECKS,
    "books import": frozenset({"owner"}),
    "draw show": LOOKS,
    "draw announce": _STEERS,
    "draw beacon": _STEERS,
    "draw reveal": _STEERS,
    "draw verify": _CHECKS,
    "audit check": _CHECKS,
    "audit export": _CHECKS,
    "audit items": frozenset({"owner", "auditor"}),
    "ticket void-list": _GIVES_BACK | {"door"},
    "export orders": _SEES_BUYERS,
    "export ledger": _CHECKS,
    "export movements": _CHECKS,
    "simulate": _STEERS,  # whose forecast all others see
    "report": LOOKS,
    "job show": EVERYBODY,  # and only jobs whose act the role may
    "job list": EVERYBODY,
    "access list": frozenset({"owner", "auditor"}),
    "access grant": frozenset({"owner"}),
    "access revoke": frozenset({"owner"}),
    "access token": frozenset({"owner"}),
    "access tokens": frozenset({"owner", "auditor"}),
    "access end-token": frozenset({"owner"}),
}

# Of an order, for those alone who may see it.
OF_A_BUYER = {"user", "email", "postal_address"}


def roles_of(groups: Collection[str]) -> tuple[Role, ...]:
    """Return the roles that the sign-in's groups give, the one with the most rights first."""
    return tuple(role for role in ROLES if PREFIX + role in groups)
