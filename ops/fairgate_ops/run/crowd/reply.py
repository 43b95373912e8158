"""What the interface answered a simulated buyer, and what that is to it."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["ticket", "refusal", "message", "broken"]


class EndedError(Exception):
    """The buyer's way ends here."""

    def __init__(self, kind: Kind, code: str, detail: str = "") -> None:
        super().__init__(f"{kind} {code} {detail}")
        self.kind, self.code, self.detail = kind, code, detail


@dataclass(frozen=True)
class Reply:
    status: int
    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def code(self) -> str:
        return str(self.body.get("code", f"http-{self.status}"))

    @property
    def retry_after_s(self) -> float:
        text = self.headers.get("Retry-After", "1")
        return min(30.0, float(text)) if text.replace(".", "", 1).isdigit() else 1.0


def ok(reply: Reply) -> Reply:
    """The reply itself when it is good; otherwise the end, as a refusal or as a defect."""
    if reply.status < HTTPStatus.BAD_REQUEST:
        return reply
    kind: Kind = (
        "refusal"
        if reply.status < HTTPStatus.INTERNAL_SERVER_ERROR and "code" in reply.body
        else "broken"
    )
    if reply.code in ("malformed-input", "method-not-allowed", "body-too-large"):
        kind = "broken"  # a buyer that follows the contract never gets these
    raise EndedError(kind, reply.code, str(reply.body.get("detail", "")))


def comes_back(reply: Reply) -> bool:
    """Whether the refusal says when to ask again."""
    named = "Retry-After" in reply.headers
    return reply.status in (429, 503) or (reply.code == "not-admitted" and named)
