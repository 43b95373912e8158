"""The logo of tickets: read where it is kept, and a ticket goes without it where that fails."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairgate.domain.catalog.brand_files import address_of, kept_at
from fairgate.errors import DependencyUnavailableError, FairgateError, NotFoundError
from fairgate.service.tickets.ticket_logo import ticket_logo
from fairgate_lab.engine.layouts import MemoryLayouts
from tests.unit.tickets.test_ticket import FACE

BODY = b"a picture"
BRANDED = replace(FACE, logo=address_of("logo", BODY))


class Failing(MemoryLayouts):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def read(self, layout: str, name: str) -> bytes:  # noqa: ARG002 it always fails
        raise self.error


def test_it_is_read_where_it_is_kept() -> None:
    layouts, kept = MemoryLayouts(), kept_at("logo", BRANDED.logo)
    assert kept is not None
    layouts.write(*kept, BODY)
    assert ticket_logo(lambda: layouts, [BRANDED]) == BODY


def test_an_event_without_one_asks_for_no_store() -> None:
    def store() -> MemoryLayouts:
        raise AssertionError

    assert ticket_logo(store, [FACE]) == b""
    with pytest.raises(AssertionError):  # control
        ticket_logo(store, [BRANDED])


@pytest.mark.parametrize(
    "error", [NotFoundError("gone"), DependencyUnavailableError("away", retry_after_s=1)]
)
def test_a_ticket_goes_without_it_where_it_cannot_be_read(
    error: FairgateError, caplog: pytest.LogCaptureFixture
) -> None:
    assert ticket_logo(lambda: Failing(error), [BRANDED]) == b""
    assert caplog.messages == [f"tickets are drawn without their logo: {error.detail}"]
    with pytest.raises(RuntimeError):  # what nobody expects is not hidden
        ticket_logo(lambda: Failing(RuntimeError()), [BRANDED])
