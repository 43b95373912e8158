"""What a check says: one line each, and never "ok" for what could not be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from fairgate_ops.operate.doctor.site import Site

# ok: seen, and as it must be. wrong: seen, and not. unseen: it could not be looked at.
# off: it does not apply here, or was not asked for.
State = Literal["ok", "wrong", "unseen", "off"]


@dataclass(frozen=True)
class Finding:
    """Attributes:
    do: what to raise or to mend.
    where: in which place one does it.
    takes: how long that takes, as far as anybody can say.
    """

    subject: str
    state: State
    text: str
    do: str = ""
    where: str = ""
    takes: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Mend:
    """What there is to do about a wrong line."""

    do: str
    where: str = ""
    takes: str = ""


Check = Callable[["Site"], Iterable[Finding]]


def good(subject: str, text: str) -> Finding:
    return Finding(subject, "ok", text)


def wrong(subject: str, text: str, mend: Mend) -> Finding:
    return Finding(subject, "wrong", text, mend.do, mend.where, mend.takes)


def unseen(subject: str, text: str, do: str = "") -> Finding:
    return Finding(subject, "unseen", text, do)


def off(subject: str, text: str, do: str = "") -> Finding:
    return Finding(subject, "off", text, do)
