"""Do an act once, however often its request comes: the Idempotency-Key of acts.

The record says that the act began before it begins, and keeps the answer afterwards. If the
function dies in between, nobody knows whether it was done. Then a setting is set again; any other
act is not repeated: its operator has to look.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    MalformedInputError,
    WrongStateError,
)
from fairgate.http.views.acts import ActDoneView
from fairgate.ports.record import decode_json
from fairgate.service.operators.act_answers import ActAnswers
from fairgate.service.shared.idempotency import fingerprint
from fairgate_ops.operate.api.job_acts import JOB_ACTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.http.models import ActRequest
    from fairgate.service.shared.records.operators import ActAnswer

UNDER_WAY, UNKNOWN = "under-way", "unknown-outcome"  # reasons
# They set what they name: done twice, they are as done once. All other acts that change something
# need a key, and are not done again while nobody knows whether they were done.
SETTINGS = frozenset(
    {
        *("event publish", "event hide", "event show-again", "event say", "event target"),
        *("event open", "event pause", "event resume", "event drain", "event open-until"),
        *("event close", "tau set", "tau plan", "tau cancel"),
    }
)
# They change only an event or its gate, each write on the version that was read.
VERSIONED = SETTINGS | {"event edit"}
# What their answer says is said once, and never kept: secrets, and what is known of a buyer, which
# would outlive its erasure.
SECRET = frozenset({"access token"})
OF_BUYERS = ("orders", "buyer", "desk")
KEPT_CHARS_MAX = 50_000  # of an answer; an item has room for 400 KB
_RETRY_AFTER_S = 2


def once(
    answers: ActAnswers, key: str, asked: ActRequest, do: Callable[[str], ActDoneView]
) -> ActDoneView:
    """Do it and keep the answer, or return the answer that is kept.

    Args:
        key: of a change; "" does it without a record.
        do: does it; gets when the key was first used, which is the same at each repetition.

    Raises:
        MalformedInputError: this act needs a key.
        IdempotencyMismatchError: the key was used for another act.
        WrongStateError: with ``reason`` under-way, or unknown-outcome.
        FairgateError: it was refused; the key is free again.
    """
    if not key:
        if asked.act not in SETTINGS:
            raise MalformedInputError(
                f"“{asked.act}” needs the header Idempotency-Key: a text of your own for this"
                " request, the same when you repeat it because no answer came."
            )
        return do("")
    record, ours = answers.begin(key, fingerprint(msgspec.to_builtins(asked)))
    if not ours:
        if record.answer:
            return decode_json(record.answer, ActDoneView)
        record = _again(answers, record, asked.act)
    try:
        done = do(record.at)
    except Exception as error:
        refused = isinstance(error, FairgateError) and not isinstance(
            error, DependencyUnavailableError
        )
        with suppress(DependencyUnavailableError):
            (answers.forget if refused else answers.leave)(record)
        raise
    with suppress(DependencyUnavailableError):  # it is done, whether or not this is noted
        answers.answer(record, _kept(done))
    return done


def _again(answers: ActAnswers, record: ActAnswer, act: str) -> ActAnswer:
    """Take over what another request began. Raises WrongStateError."""
    if record.busy_until > rfc3339(answers.clock.now_ms()):
        raise _under_way()
    if act not in SETTINGS and act not in JOB_ACTS:  # a job is written once, by its name
        raise WrongStateError(
            f"“{act}” began at {record.at} and broke off, and it is not known whether it was done."
            " Look in the event's log and at what it was to change. It is not done again with this"
            " Idempotency-Key; with another one it is.",
            reason=UNKNOWN,
        )
    taken = answers.take_over(record)
    if taken is None:
        raise _under_way()
    return taken


def _under_way() -> WrongStateError:
    return WrongStateError(
        "This is being done at this moment. Please ask again.",
        reason=UNDER_WAY,
        retry_after_s=_RETRY_AFTER_S,
    )


def _kept(done: ActDoneView) -> str:
    """Return the answer to keep: without what is secret, of a buyer, or too long."""
    text = msgspec.json.encode(done).decode()
    of_buyers = done.act.partition(" ")[0] in OF_BUYERS and done.act not in JOB_ACTS
    said_once = done.act in SECRET or of_buyers
    if not said_once and len(text) <= KEPT_CHARS_MAX:
        return text
    short: dict[str, Any] = {"kept": False}
    said = ["It is done. Its answer was given once and is not kept."]
    return msgspec.json.encode(
        ActDoneView(done.act, done.dry_run, done.failed, said, short)
    ).decode()
