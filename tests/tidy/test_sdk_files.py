"""Sessions of the SDK share what it reads of its own files, and know what they would know alone."""

from __future__ import annotations

from botocore.loaders import Loader
from botocore.session import Session

from tests.support import sdk_files


def loader_of(session: Session) -> Loader:
    loader: Loader = session.get_component("data_loader")
    return loader


def test_a_second_session_reads_no_file_again() -> None:
    first, second = loader_of(Session()), loader_of(Session())
    assert first is not second
    assert first.load_data("endpoints") is second.load_data("endpoints")


def test_a_session_knows_the_services_that_it_would_find_itself() -> None:
    loader = loader_of(Session())
    alone = sdk_files._list_available_services(loader, "service-2")
    assert loader.list_available_services("service-2") == alone
    assert "dynamodb" in alone
