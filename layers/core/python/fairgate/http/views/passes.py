"""Define the answer that leads to a pass of a phone's wallet."""

from __future__ import annotations

from msgspec import Struct


class SaveLinkView(Struct, frozen=True):
    url: str  # at Google; it holds the ticket's code
