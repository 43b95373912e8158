"""Word the mail with the link to an address's tickets."""

from __future__ import annotations

SUBJECT = "Your tickets, found again"


def link_text(address: str, until: str) -> str:
    """Return the mail's text.

    Args:
        address: of the page that shows the tickets.
        until: when the link ends, as people write it.
    """
    return (
        "Somebody, hopefully you, asked for the tickets that were bought with this mail address."
        f"\n\nHere they are:\n\n{address}\n\n"
        f"The link works until {until}. It shows your orders and tickets, and changes nothing.\n"
        "Whoever has it can use your tickets: please keep it to yourself.\n\n"
        "If it was not you who asked, you need not do anything: only you got this mail.\n"
    )
