"""A link opens its mailbox until its time, and nothing else that looks like one opens anything."""

from __future__ import annotations

import pytest

from fairgate.domain.shared import jws
from fairgate.domain.shared.credential import Credential, sign_credential
from fairgate.domain.shared.ids import EventId, Mailbox, SessionId, UserId
from fairgate.domain.shared.mailbox import mailbox_of
from fairgate.domain.tickets.ticket_link import TicketLink, sign_link, verify_link
from fairgate.errors import LinkEndedError

KEY, BOXES, NOW_S = b"l" * 32, b"m" * 32, 1_800_000_000
BOX = mailbox_of(BOXES, "ann@example.org")
LINK = TicketLink(BOX, NOW_S + 60)


def with_claims(**claims: object) -> str:
    return jws.encode("LNK", "1", claims, KEY)


def test_a_link_opens_its_mailbox_until_its_time() -> None:
    token = sign_link(LINK, KEY)
    assert verify_link(token, KEY, NOW_S) == LINK
    assert verify_link(token, KEY, NOW_S + 59) == LINK
    with pytest.raises(LinkEndedError):
        verify_link(token, KEY, NOW_S + 60)


def test_a_token_that_is_made_here_with_the_links_own_key_opens() -> None:
    """So what is refused below is refused for what is said there."""
    assert verify_link(with_claims(box=BOX, exp=NOW_S + 60), KEY, NOW_S) == LINK


def credential(key: bytes) -> str:
    mine = Credential(
        SessionId("ses_" + "1" * 32), EventId("e"), UserId("ann"), "2030-01-01T00:00:00Z", 1, "l"
    )
    return sign_credential(mine, "1", key)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "a.b.c",
        "x" * 600,
        sign_link(LINK, b"n" * 32),
        sign_link(LINK, KEY)[:-1] + "A",
        sign_link(LINK, BOXES),  # which functions have that open nothing
        jws.encode("SES", "1", {"box": BOX, "exp": NOW_S + 60}, KEY),
        jws.encode("LNK", "2", {"box": BOX, "exp": NOW_S + 60}, KEY),
        credential(KEY),
        with_claims(exp=NOW_S + 60),
        with_claims(box=BOX),
        with_claims(box="U#ann", exp=NOW_S + 60),
        with_claims(box=["m"], exp=NOW_S + 60),
        with_claims(box=BOX, exp="2100"),
        with_claims(box=BOX, exp=None),
    ],
)
def test_what_is_no_link_of_ours_is_refused_in_the_same_words(token: str) -> None:
    with pytest.raises(LinkEndedError) as refused:
        verify_link(token, KEY, NOW_S)
    with pytest.raises(LinkEndedError) as ended:
        verify_link(sign_link(TicketLink(Mailbox(BOX), NOW_S), KEY), KEY, NOW_S)
    assert refused.value.detail == ended.value.detail


def test_nothing_opens_where_there_is_no_key() -> None:
    with pytest.raises(LinkEndedError):
        verify_link(sign_link(LINK, b""), b"", NOW_S)


def test_a_link_does_not_say_whose_it_is() -> None:
    payload = jws.from_b64url(sign_link(LINK, KEY).split(".")[1]).decode()
    assert "ann" not in payload
