"""Show buyers a message of the organiser's on the pages of an event, or take it away."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from msgspec.structs import replace

from fairgate.domain.shared.labels import trimmed
from fairgate.domain.shared.language import LANGUAGES
from fairgate.domain.shared.reading import Problems, Reader
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.shared.wording import wording
from fairgate.errors import WrongStateError
from fairgate.service.catalog.edit_event import require_not_cancelled
from fairgate.service.shared.change import Write
from fairgate.service.shared.event_update import change_event, event_update
from fairgate.service.shared.records.catalog import Audience, Message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

MESSAGE_CHARS_MAX = 200
SHOWN_S_MAX = 86_400  # a day: what is true for longer belongs into the event's text
TEMPLATES = ("paused", "later", "released", "last")


def template(name: str) -> dict[str, str]:
    """Return a prepared message in every language. Raises KeyError: there is none of this name."""
    return {language: wording(language)(f"say.{name}") for language in LANGUAGES}


def say_to_buyers(
    table: Table,
    clock: Clock,
    event: str,
    texts: Mapping[str, str],
    *,
    to: Audience,
    shown_s: float,
    dry_run: bool = False,
) -> Event:
    """Show a message for ``shown_s`` seconds, in place of the one before. Return the event then.

    Open pages show it within 30 s: they read the event every 12 to 18 s, and CloudFront and the
    function keep it for 5 s each.

    Args:
        texts: by language, one line each.

    Raises:
        NotFoundError, MalformedInputError.
        WrongStateError: the event is cancelled, and its pages say that.
        VersionConflictError: others keep changing the event.

    Cost: one read, one conditional write.
    """
    told = {language: trimmed(text) for language, text in texts.items()}
    _check(told, to, shown_s)
    now_ms = clock.now_ms()
    until = rfc3339(now_ms + round(shown_s * 1000))
    message = Message(texts=told, to=to, at=rfc3339(now_ms), until=until)

    def decide(sale: Event) -> Write[Event]:
        require_not_cancelled(sale)
        return _written(sale, message, dry_run=dry_run)

    return change_event(table, clock, event, decide)


def say_no_more(table: Table, clock: Clock, event: str, *, dry_run: bool = False) -> Event:
    """Take the message away.

    Raises WrongStateError: none is shown. Otherwise as ``say_to_buyers``.
    """

    def decide(sale: Event) -> Write[Event]:
        now_ms = clock.now_ms()
        message = shown_message(sale, now_ms)
        if message is None:
            raise WrongStateError(f"{event} shows no message.", state=sale.state)
        return _written(sale, replace(message, until=rfc3339(now_ms)), dry_run=dry_run)

    return change_event(table, clock, event, decide)


def shown_message(sale: Event, now_ms: int) -> Message | None:
    """Return the message that buyers see now."""
    message = sale.message
    return message if message is not None and message.until > rfc3339(now_ms) else None


def _written(sale: Event, message: Message, *, dry_run: bool) -> Write[Event]:
    changed = replace(sale, message=message, version=sale.version + 1)
    return Write(changed, [] if dry_run else [event_update(sale, {"message": message.as_map()})])


def _check(texts: Mapping[str, str], to: str, shown_s: float) -> None:
    problems = Problems()
    reader = Reader(texts, "", problems)
    for language in texts:
        reader.text(language, chars_max=MESSAGE_CHARS_MAX, printed=False)
        if language not in LANGUAGES:
            problems.add(language, f"must be one of {', '.join(LANGUAGES)}")
    if not texts:
        problems.add("text", "is missing: write one, or name a template")
    if to not in get_args(Audience):
        problems.add("to", f"must be one of {', '.join(get_args(Audience))}")
    if not 0 < shown_s <= SHOWN_S_MAX:
        problems.add("for", f"must be at most {SHOWN_S_MAX:,} seconds")
    problems.raise_if_any("The message")
