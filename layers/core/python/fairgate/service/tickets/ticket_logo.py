"""Read the logo that is printed on tickets."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fairgate.domain.catalog.brand_files import kept_at
from fairgate.errors import DependencyUnavailableError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.domain.tickets.ticket import TicketFace
    from fairgate.ports.outside import Layouts

_log = logging.getLogger(__name__)


def ticket_logo(layouts: Callable[[], Layouts], faces: Sequence[TicketFace]) -> bytes:
    """Return the PNG of the tickets' event; b"": it has none, or it cannot be read now.

    A ticket without its logo beats none.
    """
    kept = kept_at("logo", faces[0].logo)
    if kept is None:
        return b""
    try:
        return layouts().read(*kept)
    except (NotFoundError, DependencyUnavailableError) as error:
        _log.warning("tickets are drawn without their logo: %s", error.detail)
        return b""
