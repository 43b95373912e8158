"""Write the files by which others find events: a page for each, the list, the site's map.

published, changed, hidden, cancelled, or a new release of the pages ──within a minute──► the files

Nothing asks for a file to be written. Each run compares what there should be with what the last
ones wrote, so that whatever was missed is made up for.
"""

from __future__ import annotations

import hashlib
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairgate.errors import FairgateError, NotFoundError
from fairgate.ports.record import decode_json
from fairgate.service.catalog.event_page import DIGEST_CHARS, Template, event_page
from fairgate.service.shared.failures import Failure, failure_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.ports.outside import Site
    from fairgate.service.catalog.read_catalog import Catalog
    from fairgate.service.shared.records.catalog import Event

INDEX, LIST, MAP = "index.html", "events.json", "sitemap.xml"
WRITTEN = "e/written.json"
_URLS_MAX = 50_000  # sitemaps.org, "Sitemaps protocol": a file has no more


class Written(Struct):
    """What the files have, as ``WRITTEN`` says beside them: lost with them, if they are lost.

    Attributes:
        store: of the edges, which has a mark for each event whose page is written.
        all_as_of: the template, and the hour in which all events were last compared, also those
            that are over.
        files: digest of the content, by path.
    """

    store: str = ""
    all_as_of: str = ""
    files: dict[str, str] = msgspec.field(default_factory=dict)


class PageWriter(Struct, frozen=True):
    """Writes what differs.

    Attributes:
        mark: tells the edges' store that an event has a page: from then on they show it.
        store: names that store.
        address: the public one.
        hour: the present one, as a name.
        listing: makes the file of the events that are listed.

    Cost: two small reads; for each file that differs a write, and for an event's first page two
        calls of the edges' store. All events once an hour.
    """

    site: Site
    mark: Callable[[str], None]
    store: str
    address: str
    hour: str
    listing: Callable[[Sequence[Event]], bytes]

    def write(
        self, current: Catalog, every: Callable[[], Catalog], may_go_on: Callable[[], bool]
    ) -> list[Failure]:
        """Return what failed; the next run writes it, and what is left when the time is over.

        Args:
            current: the events that are not over.
            every: reads all events; one that is over may have been hidden or renamed.

        Raises DependencyUnavailableError: the files cannot be read. NotFoundError: there are no
        pages yet. ValueError: they are of a release without previews.
        """
        template = Template.parse(self.site.read(INDEX))
        written = self._written()
        before = msgspec.json.encode(written)
        if written.store != self.store:
            written = Written(self.store)
        as_of = f"{template.digest} {self.hour}"
        sales = current.events if written.all_as_of == as_of else every().events
        failures: list[Failure] = []
        listed = current.listed
        files: dict[str, Callable[[], bytes]] = {
            LIST: partial(self.listing, listed),
            MAP: partial(self._map, listed),
        }
        for sale in sales:
            files[page_path(sale.id)] = partial(event_page, template, sale, self.address)
        try:
            done = self._bring(written.files, files, may_go_on, failures)
            if done:
                written.all_as_of = as_of
        finally:
            if msgspec.json.encode(written) != before:
                self.site.write(WRITTEN, msgspec.json.encode(written))
        return failures

    def _bring(
        self,
        written: dict[str, str],
        files: dict[str, Callable[[], bytes]],
        may_go_on: Callable[[], bool],
        failures: list[Failure],
    ) -> bool:
        """Write the files that differ; return whether there is nothing to try again."""
        again = False
        for path, make in files.items():
            if not may_go_on():
                return False
            try:
                body = make()
                digest = hashlib.sha256(body).hexdigest()[:DIGEST_CHARS]
                if written.get(path) == digest:
                    continue
                self.site.write(path, body)
                if path.startswith("e/") and path not in written:
                    self.mark(path.removeprefix("e/").removesuffix(".html"))
                written[path] = digest
            except Exception as error:  # noqa: BLE001 one event holds no other one up
                failures.append(failure_of(path, error))
                again |= isinstance(error, FairgateError)
        return not again

    def _written(self) -> Written:
        try:
            return decode_json(self.site.read(WRITTEN), Written)
        except (NotFoundError, msgspec.DecodeError):  # lost or damaged: all is written anew
            return Written()

    def _map(self, sales: Sequence[Event]) -> bytes:
        pages = [f"{self.address}/", *(f"{self.address}/e/{sale.id}" for sale in sales)]
        urls = "".join(f"<url><loc>{escape(page)}</loc></url>\n" for page in pages[:_URLS_MAX])
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
        ).encode()


def page_path(event: str) -> str:
    return f"e/{event}.html"
