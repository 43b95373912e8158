"""Do an act that somebody asks for over HTTP, as the command does it."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError
from functools import cache
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import (
    FairgateError,
    ForbiddenError,
    MalformedInputError,
    NotFoundError,
    WrongStateError,
)
from fairgate.http.models import ActRequest
from fairgate.http.views.acts import ActDoneView, ActInfo, ActsView
from fairgate.ports.record import DamagedItemError
from fairgate.service.operators.act_answers import ActAnswers
from fairgate.service.shared.event_update import no_event
from fairgate.service.shared.seen_version import only_if
from fairgate_ops.operate.api import second
from fairgate_ops.operate.api.arguments import plain, read, schema_of, verbs_of
from fairgate_ops.operate.api.granted import LIST, events_of, may, must_be_allowed, roles_by_event
from fairgate_ops.operate.api.later import BY_GROUP
from fairgate_ops.operate.api.once import VERSIONED, once
from fairgate_ops.operate.api.roles import MAY, OF_A_BUYER, PREFIX, ROLES
from fairgate_ops.operate.api.second import asking_first
from fairgate_ops.operate.api.sent_files import unpacked
from fairgate_ops.operate.cli import (
    access,
    access_tokens,
    event_clone,
    event_create,
    event_delete,
    event_edit,
    event_hide,
    event_preview,
    event_rehearse,
    event_say,
    event_state,
    events,
    tau,
    venues,
)
from fairgate_ops.operate.cli.act import UNCONFIRMED, told
from fairgate_ops.operate.cli.command import UsageError
from fairgate_ops.operate.cli.report import Documented, Listing, Report
from fairgate_ops.operate.cli.words import money, sale, system
from fairgate_ops.shared import named_files
from fairgate_ops.shared.json_text import json_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate.bootstrap import Container
    from fairgate.service.shared.records.operators import PendingAct
    from fairgate_ops.operate.api.caller import Caller
    from fairgate_ops.operate.cli.command import Parser
    from fairgate_ops.operate.cli.report import Spoken
    from fairgate_ops.operate.target import Target

_GROUPS = {
    "event": sale.event,
    "tau": sale.tau,
    "seats": sale.seats,
    "venue": sale.venue,
    "orders": money.orders,
    "desk": system.desk,
    "buyer": money.buyer,
    "books": money.books,
    "act": second.acts,
    "access": system.access,
    "check": sale.check,
}
# What a command says while it reads: a part at a time here.
_PAGED = ("orders list", "books ledger", "books movements")
_PLACE_BYTES_MAX = 400
# Named here, because what goes to Lambda is found by its imports.
_RUN: dict[str, Callable[[argparse.Namespace], Spoken]] = {
    "event list": events.run_list,
    "event show": events.run_show,
    "event log": events.run_log,
    "event target": events.run_target,
    "event create": event_create.run_create,
    "event edit": event_edit.run_edit,
    "event clone": event_clone.run_clone,
    "event rehearse": event_rehearse.run_rehearse,
    "event delete": event_delete.run_delete,
    "event preview": event_preview.run_preview,
    "event hide": event_hide.run_hide,
    "event show-again": event_hide.run_show_again,
    "event say": event_say.run_say,
    "event publish": event_state.run_publish,
    "event open": event_state.run_open,
    "event pause": event_state.run_pause,
    "event resume": event_state.run_resume,
    "event drain": event_state.run_drain,
    "event open-until": event_state.run_open_until,
    "event close": event_state.run_close,
    "tau get": tau.run_get,
    "tau preview": tau.run_preview,
    "tau set": tau.run_set,
    "tau plan": tau.run_plan,
    "tau cancel": tau.run_cancel,
    "venue validate": venues.run_validate,
    "access list": access.run_list,
    "access grant": access.run_grant,
    "access revoke": access.run_revoke,
    "access token": access_tokens.run_token,
    "access tokens": access_tokens.run_tokens,
    "access end-token": access_tokens.run_end_token,
    "act confirm": second.run_confirm,
    "act pending": second.run_pending,
}


def perform_act(asked: ActRequest, caller: Caller, system: Target) -> ActDoneView:
    """Do it, log it, and return what the command says of it; under a key, do it once.

    Raises:
        NotFoundError: nothing is done over HTTP by this name.
        ForbiddenError: the caller has no role that may.
        WrongStateError: with ``reason`` unconfirmed, it cannot be undone and is not confirmed.
        FairgateError: it was refused, as the command would be.
    """
    parser = _parsers().get(asked.act)
    if parser is None:
        raise NotFoundError(f"Nothing is called {asked.act[:60]!r} here.")
    only = None
    if asked.act == LIST:
        only = events_of(system.world, caller, asked.act)
    else:
        must_be_allowed(system.world, caller, asked.act, asked.arguments.get("event"))
    options = _options(asked, system)
    options.only, options.caller, options.again = only, caller, _again
    if asked.act == "event log":
        options.sees_buyers = may(system.world, caller, "orders list", asked.arguments["event"])
    if not asked.dry_run:
        options.system = asking_first(system, caller, asked, options)
    event = getattr(options, "event", None)
    # A table refuses long keys in its way; what is to be created says more about its id.
    if asked.act != "event create" and event is not None and not EVENT_ID.fullmatch(event):
        raise no_event(event[:60])

    if asked.if_match and asked.act not in VERSIONED:
        raise MalformedInputError(f"“{asked.act}” takes no if_match.")

    def done() -> ActDoneView:
        with only_if(event or "", asked.if_match):
            return _done(asked, options)

    if asked.dry_run or parser.get_default("looks"):
        return done()
    world = system.world
    answers = ActAnswers(world.table, world.clock, world.ids, caller.sub)
    return once(answers, caller.key, asked, done)


def _options(asked: ActRequest, system: Target) -> argparse.Namespace:
    """Raises MalformedInputError."""
    options = read(_parsers()[asked.act], asked.arguments, system)
    options.dry_run = asked.dry_run
    options.yes, options.confirm = asked.confirm == "yes", asked.confirm
    return options


def _again(request: PendingAct, system: Target, *, dry_run: bool) -> Report:
    """Do what another person has asked for. Raises as ``perform_act``."""
    asked = ActRequest(
        act=request.act,
        arguments=request.given,
        dry_run=dry_run,
        confirm=request.confirm,
        if_match=request.if_match,
    )
    options = _options(asked, system)
    with only_if(options.event, asked.if_match):
        return _report(asked, options)


def _done(asked: ActRequest, options: argparse.Namespace) -> ActDoneView:
    """Do it now. Raises as ``perform_act``."""
    report = _report(asked, options)
    result = json.loads(json_text(report.data))
    sees_buyers = MAY["orders show"].intersection(options.caller.roles)
    if isinstance(order := result.get("order"), dict) and not sees_buyers:
        result["order"] = {name: order[name] for name in order if name not in OF_A_BUYER}
    return ActDoneView(asked.act, asked.dry_run, report.failed, _said(report), result)


def _report(asked: ActRequest, options: argparse.Namespace) -> Report:
    """Do it, and name what is refused as the request has it. Raises as ``perform_act``."""
    parser = _parsers()[asked.act]
    try:
        with named_files.sent(unpacked(asked.files)):
            report = _run_of(asked.act)(options)
            if isinstance(report, Documented):  # what it streams is read here
                report = report.document()
    except UsageError as error:
        raise MalformedInputError(plain(f"{error.detail}.", parser)) from error
    except DamagedItemError as error:  # a defect elsewhere; here the operator has to know of it
        raise WrongStateError(error.detail) from error
    except FairgateError as error:
        if error.fields.get("reason") == UNCONFIRMED:
            fields: dict[str, Any] = dict(error.fields)
            error.detail = told(fields["ends"])  # without the command's way to confirm
        error.detail = plain(error.detail, parser)
        error.fields = _in_words_of(parser, error.fields)
        raise
    if not isinstance(report, Report):
        raise TypeError(f"{asked.act} answers no document")
    return report


def _in_words_of(parser: Parser, said: Mapping[str, object]) -> dict[str, object]:
    """Name arguments in the list of what is wrong as the body has them."""
    errors = said.get("errors")
    if not isinstance(errors, list):
        return dict(said)
    named = [
        {key: plain(text, parser) if isinstance(text, str) else text for key, text in one.items()}
        if isinstance(one, dict)
        else one
        for one in errors
    ]
    return {**said, "errors": named}


def acts_of(caller: Caller, world: Container) -> ActsView:
    """List what the caller may do at all events or at some, each act with its arguments.

    Raises ForbiddenError: nothing.
    """
    events = roles_by_event(world, caller)
    roles = {*caller.roles, *(role for some in events.values() for role in some)}
    if not roles:
        names = ", ".join(f"{PREFIX}{role}" for role in ROLES)
        raise ForbiddenError(f"This is for operators. Their sign-in has one of the groups {names}.")
    acts = [
        ActInfo(
            act,
            parser.description or "",
            not parser.get_default("looks"),
            [role for role in ROLES if role in MAY[act]],
            schema_of(parser),
        )
        for act, parser in _parsers().items()
        if MAY[act].intersection(roles)
    ]
    at = {event: [str(role) for role in ROLES if role in some] for event, some in events.items()}
    return ActsView(list(caller.roles), at, acts)


@cache
def _parsers() -> dict[str, Parser]:
    made = {
        f"{group} {verb}".rstrip(): parser
        for group, add in _GROUPS.items()
        for verb, parser in verbs_of(group, add).items()
    }
    for act in _PAGED:
        behind = "begin behind this, as the part before says it"
        made[act].add_argument("--after", type=_place, metavar="AFTER", help=behind)
    return {act: made[act] for act in MAY}


def _place(text: str) -> str:
    at, behind, _ = text.partition("#")
    try:
        epoch_ms(at)
    except ValueError:
        behind = ""
    if not behind or len(text.encode()) > _PLACE_BYTES_MAX:
        raise ArgumentTypeError("it is no “after” of an answer")
    return text


def _run_of(act: str) -> Callable[[argparse.Namespace], Spoken]:
    return _RUN.get(act) or BY_GROUP[act.partition(" ")[0]]()[act]


def _said(report: Report) -> list[str]:
    lines: list[str] = []
    for line in report.lines:
        lines += line.plain if isinstance(line, Listing) else (line,)
    return lines
