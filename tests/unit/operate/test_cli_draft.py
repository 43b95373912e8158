"""A draft: no buyer sees it, nobody can join it, and `event publish` shows it at its time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec import structs

from fairgate.adapters.dynamodb.guarded_writer import GuardedWriter
from fairgate.domain.gate.gate_config import gate_at
from fairgate.domain.gate.gate_phase import phase_of
from fairgate.domain.gate.pace import last_slope
from fairgate.domain.gate.preview import preview_token
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.http import paths
from fairgate.ports.table import Delete, TransactionRefusedError
from fairgate.service.catalog import delete_event
from fairgate.service.catalog.read_catalog import Catalog
from fairgate.service.gate.gate_values import GateValues
from fairgate.service.shared.conditions import EVENT_AS_READ
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.watch.make_figures import FigureMaker
from infra.routes import ROUTES
from tests.contract.http import function, request
from tests.support.sale import CHART, EVENT, Sale, small_sale
from tests.support.world import NAMES

CREATE = f"event create {EVENT} --venue {CHART} --price-all 45 --name Gala"


@pytest.fixture
def sale(tmp_path: Path) -> Iterator[Sale]:
    with small_sale(tmp_path) as made:
        yield made


@pytest.fixture
def draft(sale: Sale) -> Sale:
    assert sale.run(f"{CREATE} --sale-starts-in 3600") == 0
    return sale


def said(sale: Sale, words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    capsys.readouterr()
    code = sale.run(words)
    told = capsys.readouterr()
    return code, told.out + told.err


def answer(path: str, event: str, name: str) -> tuple[int, dict[str, Any]]:
    """What a buyer's request about an event gets, without what is of the request alone."""
    section = path.replace("{event}", event).replace("{section}", "A")
    answered = function(name).handler(request("GET", section), None)
    body = json.loads(answered["body"] or "{}")
    return answered["statusCode"], {k: v for k, v in body.items() if k != "request_id"}


def listed() -> bool:
    events = answer(paths.EVENTS, "", "catalog")[1]["events"]
    return EVENT in [one["event"] for one in events]


OF_AN_EVENT = [
    row
    for row in ROUTES
    if row.method == "GET" and row.function in ("catalog", "seatmap") and "{event}" in row.path
]


@pytest.mark.parametrize("row", OF_AN_EVENT, ids=lambda row: row.path)
def test_every_public_page_of_a_draft_answers_as_for_an_unknown_event(
    draft: Sale, row: Any
) -> None:
    unknown, drafts = (answer(row.path, event, row.function) for event in ("nobody", EVENT))
    assert drafts[0] == unknown[0] == 404
    told = json.dumps(unknown[1]).replace("nobody", EVENT)
    assert drafts[1] == json.loads(told)


def test_a_draft_is_in_no_list_and_its_gate_takes_nobody(draft: Sale) -> None:
    assert not listed()
    assert draft.gate.state == "draft"
    with pytest.raises(NotFoundError):
        draft.container.gate.gate(EVENT)
    assert draft.admit(draft.join("ann"))["status"] == 404


def test_a_published_event_is_seen_from_its_time_on_and_not_before(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    at_ms = draft.clock.ms + 600_000
    code, told = said(draft, f"event publish {EVENT} --at {rfc3339(at_ms)}", capsys)
    assert (code, "published at" in told) == (0, True), told
    draft.clock.tick(599)
    assert (listed(), answer(paths.EVENT, EVENT, "catalog")[0]) == (False, 404)
    draft.clock.tick(5)  # what was unknown is looked for again after CATALOG_CACHE_MS
    draft.clock.tick(1)
    assert listed()
    status, page = answer(paths.EVENT, EVENT, "catalog")
    assert (status, page["state"]) == (200, "open")
    assert draft.container.gate.gate(EVENT).state == "open"
    assert draft.target.control().read(EVENT).state == "open"


def test_a_published_draft_can_be_paused_and_sells_like_any_other(draft: Sale) -> None:
    assert draft.run(f"event publish {EVENT}") == 0
    draft.clock.tick(10)
    assert draft.run(f"event pause {EVENT}") == 0
    assert draft.gate.state == "paused"
    assert draft.run(f"event resume {EVENT}") == 0
    draft.clock.tick(3600)
    inside = draft.admit_when_due([draft.join("ann")], until_s=10_000)
    assert list(inside) == ["ann"]


REFUSED = [
    ("event open", "is a draft. `event publish`"),
    ("event pause", "is a draft. `event publish`"),
    ("event close --yes", "is a draft. `event publish`"),
    ("event open-until --off", "is a draft. `event publish`"),
    ("event open-until --minutes 5", "is a draft. `event publish`"),
    ("event drain", "is a draft. `event publish`"),
    ("event resume", "is a draft. `event publish`"),
    ("event publish --at 2020-01-01T00:00:00Z", "It can be published from"),
    ("event publish --at 2090-01-01T00:00:00Z", "before it would be published"),
]


@pytest.mark.parametrize(("words", "why"), REFUSED, ids=[words for words, _ in REFUSED])
def test_a_draft_refuses_what_only_a_published_event_can_do(
    draft: Sale, words: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    group, verb, *options = words.split()
    assert draft.run(f"event publish {EVENT} --at {rfc3339(draft.clock.ms + 600_000)}") == 0
    before = draft.gate
    code, told = said(draft, " ".join((group, verb, EVENT, *options)), capsys)
    assert (code, why in told) == (1, True), told
    assert draft.gate == before


def test_the_pace_of_a_draft_can_be_set_and_looked_at(draft: Sale) -> None:
    publication_s = draft.clock.ms // 1000 + 600
    assert draft.run(f"event publish {EVENT} --at {rfc3339(publication_s * 1000)}") == 0
    assert draft.run(f"tau preview {EVENT} 600") == 0
    assert draft.run(f"tau set {EVENT} 120") == 0
    assert (draft.gate.state, draft.gate.open_until_s) == ("draft", publication_s)
    assert last_slope(draft.gate) == pytest.approx(1 / 120)


def test_a_publication_to_come_can_be_moved_and_a_past_one_not(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    for ahead_s in (600, 1200):
        at = rfc3339(draft.clock.ms + ahead_s * 1000)
        assert draft.run(f"event publish {EVENT} --at {at}") == 0
    draft.clock.tick(700)
    assert not listed()
    draft.clock.tick(600)
    code, told = said(draft, f"event publish {EVENT}", capsys)
    assert (code, "is published already" in told) == (1, True), told


def test_the_sale_start_of_a_draft_moves_also_after_it_has_passed(draft: Sale) -> None:
    draft.clock.tick(7200)
    assert draft.run(f"event publish {EVENT}") == 1
    start = draft.clock.ms + 3_600_000
    assert draft.run(f"event edit {EVENT} --sale-starts-at {rfc3339(start)}") == 0
    assert (draft.gate.state, draft.gate.sale_start_s) == ("draft", -(-start // 1000))
    assert [epoch.h for epoch in draft.gate.epochs] == [0.0, 0.0]  # nothing was earned before
    assert draft.run(f"event publish {EVENT}") == 0


def test_an_operator_sees_a_draft_and_when_it_is_published(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    other = CREATE.replace(EVENT, "other", 1)
    assert draft.run(f"{other} --sale-starts-in 3600 --publish") == 0
    lines = said(draft, "event list", capsys)[1].splitlines()
    assert "draft" in lines[0]
    assert lines[0].index("  sale 20") == lines[1].index("  sale 20")  # in one column
    code, told = said(draft, f"event show {EVENT}", capsys)
    assert (code, told.startswith(f"{EVENT}: draft ·")) == (0, True), told
    assert draft.run(f"event publish {EVENT}") == 0
    assert "draft, published at" in said(draft, f"event show {EVENT}", capsys)[1]
    code, told = said(draft, "event list --json", capsys)
    assert json.loads(told)["events"][0]["phase"] == "draft"


def test_publish_makes_an_event_that_buyers_see_at_once(sale: Sale) -> None:
    assert sale.run(f"{CREATE} --sale-starts-in 60 --publish") == 0
    assert listed()
    assert sale.gate.state == "open"


@pytest.mark.usefixtures("draft")
def test_a_draft_is_found_when_the_reader_forgets_to_compare_the_state() -> None:
    """Negative control: without the comparison the list shows it."""
    with patch.object(Catalog, "listed", property(lambda self: self.events)):
        assert listed()


@pytest.mark.parametrize(
    ("until_s", "now_s", "state"), [(0, 10**10, "draft"), (100, 99.9, "draft"), (100, 100, "open")]
)
def test_a_draft_counts_as_open_from_its_publication_on(
    draft: Sale, until_s: int, now_s: float, state: str
) -> None:
    gate = gate_at(structs.replace(draft.gate, open_until_s=until_s), now_s)
    assert gate.state == state
    assert (phase_of("draft", 200, until_s, now_s).name == "draft") == (state == "draft")


def test_a_hidden_event_is_in_no_list_and_its_own_page_works(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sale.run(f"{CREATE} --sale-starts-in 60 --publish") == 0
    page = answer(paths.EVENT, EVENT, "catalog")
    assert sale.run(f"event hide {EVENT}") == 0
    assert not listed()
    assert answer(paths.EVENT, EVENT, "catalog") == page
    assert "hidden" in said(sale, "event list", capsys)[1]
    code, told = said(sale, f"event hide {EVENT}", capsys)
    assert (code, "is hidden already" in told) == (1, True), told
    sale.clock.tick(3600)
    assert list(sale.admit_when_due([sale.join("ann")], until_s=10_000)) == ["ann"]
    assert sale.run(f"event show-again {EVENT}") == 0
    assert listed()


def seats(sale: Sale) -> list[Any]:
    items = sale.world.client.scan(TableName=NAMES["seats"])["Items"]
    return [item for item in items if item["eventId"]["S"] == EVENT]


def test_a_draft_is_deleted_with_all_of_its_rows_and_can_be_created_again(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    at = rfc3339(draft.clock.ms + 600_000)
    assert draft.run(f"event publish {EVENT} --at {at}") == 0
    assert seats(draft)
    assert draft.run(f"access grant {EVENT} organiser --user ann") == 0
    assert draft.run(f"access token {EVENT} --role viewer --until 2027-02-01T00:00:00Z") == 0
    assert draft.run(f"event delete {EVENT} --dry-run") == 0
    code, told = said(draft, f"event delete {EVENT} --yes", capsys)
    assert (code, f"Confirm with --confirm {EVENT}" in told) == (1, True), told
    assert draft.run(f"event delete {EVENT} --confirm {EVENT}") == 0
    assert (seats(draft), draft.world.item("catalog", ("EVENT", EVENT))) == ([], None)
    assert (draft.gate.state, draft.gate.open_until_s) == ("draft", 0)  # at the edges, for good
    assert EVENT not in said(draft, "event list", capsys)[1]
    assert draft.run(f"event delete {EVENT} --confirm {EVENT}") == 1
    assert draft.run(f"{CREATE} --sale-starts-in 60 --publish") == 0
    capsys.readouterr()
    assert "Nobody has a role" in said(draft, f"access list {EVENT}", capsys)[1]
    assert "No token." in said(draft, "access tokens", capsys)[1]
    assert listed()


@pytest.mark.parametrize("published", ["at once", "in a second", "while it is deleted"])
def test_an_event_that_buyers_may_have_joined_is_not_deleted(
    draft: Sale, published: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last: the condition travels in the write, so a publication in between wins."""
    before = len(seats(draft))
    if published == "while it is deleted":
        withdraw = delete_event._withdraw

        def late(*given: Any) -> None:
            withdraw(*given)
            assert draft.run(f"event publish {EVENT}") == 0

        with patch.object(delete_event, "_withdraw", late):
            code, told = said(draft, f"event delete {EVENT} --confirm {EVENT}", capsys)
    else:
        assert draft.run(f"event publish {EVENT}") == 0
        draft.clock.tick(5 if published == "at once" else 0)
        code, told = said(draft, f"event delete {EVENT} --confirm {EVENT}", capsys)
    assert (code, "buyers may have joined" in told) == (1, True), told
    draft.clock.tick(10)
    assert listed()
    assert len(seats(draft)) == before


def test_a_draft_that_is_deleted_while_it_is_published_is_not_published(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    """No value may say open that has no event. The condition travels in the write."""
    write = GateValues.write

    def late(values: GateValues, key: str, value: str, etag: str) -> str:
        with patch.object(GateValues, "write", write):
            assert draft.run(f"event delete {EVENT} --confirm {EVENT}") == 0
        return write(values, key, value, etag)

    with patch.object(GateValues, "write", late):
        code, told = said(draft, f"event publish {EVENT}", capsys)
    assert (code, f"There is no event {EVENT}" in told) == (1, True), told
    draft.clock.tick(10)
    assert gate_at(draft.gate, draft.clock.ms / 1000).state == "draft"


def test_a_publication_between_reading_and_deleting_refuses_the_write(draft: Sale) -> None:
    """Negative control: without the condition the published event would be gone."""
    sale = draft.container.catalog.event(EVENT)
    assert draft.run(f"event publish {EVENT}") == 0
    as_read = Delete(
        "catalog", *sale.key, condition=EVENT_AS_READ, values={"version": sale.version}
    )
    with pytest.raises(TransactionRefusedError):
        draft.table.transact([as_read])
    draft.table.transact([Delete("catalog", *sale.key)])
    assert draft.world.item("catalog", ("EVENT", EVENT)) is None


def test_a_deletion_that_broke_off_is_completed(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    away = DependencyUnavailableError("away")
    with patch.object(GuardedWriter, "remove_others", side_effect=away):
        assert draft.run(f"event delete {EVENT} --confirm {EVENT}") == 1
    assert "was interrupted" in said(draft, "event list", capsys)[1]
    assert seats(draft)
    assert draft.run(f"event delete {EVENT} --confirm {EVENT}") == 0
    assert seats(draft) == []
    assert EVENT not in said(draft, "event list", capsys)[1]


@pytest.mark.parametrize("who", ["tester", "somebody else"])
def test_an_event_that_is_deleted_while_it_is_created(
    sale: Sale, who: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another operator is refused; one's own other shell ends the creation, and leaves nothing."""
    put, told = GuardedWriter.put_many, list[tuple[int, str]]()

    def meanwhile(writer: GuardedWriter, records: Any) -> None:
        put(writer, records)
        if not told:
            other = replace(sale.target, who=lambda: who)
            with patch.object(sale, "target", other):
                told.append(said(sale, f"event delete {EVENT} --confirm {EVENT}", capsys))

    with patch.object(GuardedWriter, "put_many", meanwhile):
        code, refused = said(sale, f"{CREATE} --sale-starts-in 60 --publish", capsys)
    if who != "tester":
        assert (told[0][0], "may still be at it" in told[0][1]) == (1, True), told
        assert (code, listed(), sale.gate.state) == (0, True, "open")
        return
    assert told[0][0] == 0, told
    assert (code, "or deletes it" in refused) == (1, True), refused
    assert (listed(), seats(sale), sale.gate.state) == (False, [], "draft")
    assert sale.run(f"{CREATE} --sale-starts-in 60 --publish") == 0
    assert (listed(), sale.gate.state) == (True, "open")


def test_a_published_draft_is_steered_and_watched_as_any_sale(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its gate's value is not written again when it is published: each reader looks at the time."""
    assert draft.run(f"event publish {EVENT}") == 0
    draft.clock.tick(3_700)  # the sale has started
    for words in (f"tau get {EVENT}", f"event show {EVENT}"):
        shown = json.loads(said(draft, f"{words} --json", capsys)[1])
        assert (shown.get("state", "open"), shown["phase"]) == ("open", "admitting")
    code, asked = said(draft, f"tau set {EVENT} 1", capsys)
    assert (code, "is on sale" in asked) == (1, True)
    sale = draft.table.find(Event, event_key(EVENT))
    assert sale is not None
    figures = FigureMaker(draft.table, draft.clock).make(sale)
    assert figures.gate.state == "open"


def previewed(event: str, token: str | None) -> tuple[int, dict[str, Any]]:
    """Ask for a preview; None: with a body that is none."""
    path = paths.PREVIEW.format(event=event)
    answered = function("sessions").handler(
        request("POST", path, {"token": token} if token else {}), None
    )
    body = json.loads(answered["body"])
    return answered["statusCode"], {k: v for k, v in body.items() if k != "request_id"}


def test_the_holder_of_the_preview_link_sees_a_draft_as_buyers_will(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = said(draft, f"event preview {EVENT}", capsys)
    token = told.strip().rpartition(f"/#/e/{EVENT}/preview/")[2]
    assert (code, len(token)) == (0, 33)
    status, page = previewed(EVENT, token)
    assert (status, page["name"], page["state"]) == (200, "Gala", "open")
    assert draft.run(f"event publish {EVENT}") == 0
    draft.clock.tick(10)
    assert answer(paths.EVENT, EVENT, "catalog")[1] == page


@pytest.mark.parametrize("token", ["x", "A" * 33, "é" * 33, "of another event", None])
def test_another_token_previews_nothing(draft: Sale, token: str | None) -> None:
    if token == "of another event":
        token = preview_token(draft.gate, "another", draft.item["createdAt"])
    status, told = previewed(EVENT, token)
    unknown = json.dumps(previewed("nobody", token)[1]).replace("nobody", EVENT)
    assert (status, told) == (404, json.loads(unknown))
    assert told == answer(paths.EVENT, EVENT, "catalog")[1]


def test_the_preview_link_of_a_deleted_draft_shows_none_that_is_created_again(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    def token() -> str:
        return said(draft, f"event preview {EVENT}", capsys)[1].strip().rpartition("/")[2]

    before = token()
    assert previewed(EVENT, before)[0] == 200
    draft.clock.tick(10)
    assert draft.run(f"event delete {EVENT} --confirm {EVENT}") == 0
    assert previewed(EVENT, before)[0] == 404
    assert draft.run(f"{CREATE} --sale-starts-in 3600") == 0
    draft.clock.tick(10)
    assert [previewed(EVENT, one)[0] for one in (before, token())] == [404, 200]


def test_a_draft_that_is_hidden_is_published_into_no_list(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(draft, f"event hide {EVENT}", capsys)[0] == 0
    code, told = said(draft, f"event publish {EVENT}", capsys)
    assert code == 0
    assert "in no list" in told


def test_the_id_of_a_deleted_draft_is_no_creation_that_broke_off(
    draft: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(draft, f"event delete {EVENT} --confirm {EVENT}", capsys)[0] == 0
    for switch in ("--dry-run", ""):
        code, told = said(draft, f"{CREATE} --sale-starts-in 60 {switch}", capsys)
        assert (code, "draft of this id was deleted" in told, "interrupted" in told) == (
            0,
            True,
            False,
        )
