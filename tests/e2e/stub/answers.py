"""What the stub answers besides a view: problems and moments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

SESSION = "ses_" + "1" * 32
ORDER = "ord_" + "1" * 32 + "_00000001"
_CATALOG = "public, max-age=0, s-maxage=5, stale-while-revalidate=15"
_LIVE = "public, max-age=0, s-maxage=1, stale-while-revalidate=15"
_IMMUTABLE = "public, max-age=31536000, immutable"
# What caches may keep, by route; nothing else.
KEPT = {
    **dict.fromkeys(("events", "event"), _CATALOG),
    **dict.fromkeys(("availability", "seats", "changes"), _LIVE),
    **dict.fromkeys(("venue", "section", "brand"), _IMMUTABLE),
}
TICKET = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 420"><rect width="300" height="420"'
    ' rx="16" fill="#f4f6fb"/><rect x="60" y="60" width="180" height="180" fill="#111"/>'
    '<text x="150" y="300" text-anchor="middle" font-size="22">Ticket {unit}</text></svg>'
)
PICTURE = "PNG"  # stands for a picture: pages save it and do not look into it
FILES = {
    "svg": "image/svg+xml",
    "jpg": "image/jpeg",
    "png": "image/png",
    "pdf": "application/pdf",
    "ics": "text/calendar",
    "pkpass": "application/vnd.apple.pkpass",
}
CALENDAR = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}


class Refused(Exception):  # noqa: N818 an answer, not an error
    """A problem as an answer; ``boff_in`` becomes ``boff``, counted in seconds from the answer."""

    def __init__(self, status: int, code: str, detail: str = "", **fields: Any) -> None:
        super().__init__(code)
        self.status = status
        self.retry_after = fields.pop("retry_after", None)
        self.body = {
            "type": f"urn:fairgate:problem:{code}",
            "title": code,
            "status": status,
            "detail": detail or code,
            "code": code,
            "request_id": "r-1",
            **fields,
        }

    def at(self, now_s: float) -> Refused:
        """This problem, answered at this moment."""
        if (wait_s := self.body.pop("boff_in", None)) is not None:
            self.body["boff"] = now_s + wait_s
        return self


@dataclass(frozen=True)
class Foreign:
    """What something in the network answers in the service's place.

    Attributes:
        cut: the line breaks before the body's end.
    """

    status: int
    kind: str = "text/html"
    body: str = "<!doctype html><title>Hotel</title><form>Your room number</form>"
    cut: bool = False


def stamp(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, tz=UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
