"""Do an act that somebody asks for over HTTP, as the command does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import ForbiddenError, MalformedInputError, NotFoundError
from fairgate.http.models import ActRequest
from fairgate.http.views.acts import ActDoneView, ActInfo, ActsView
from fairgate.service.operators.act_answers import ActAnswers
from fairgate.service.shared.event_update import no_event
from fairgate.service.shared.seen_version import only_if
from fairgate_ops.operate.api import jobs, second
from fairgate_ops.operate.api.arguments import schema_of
from fairgate_ops.operate.api.doing import options_of, report_of, result_of, said_by
from fairgate_ops.operate.api.granted import (
    ANYWHERE,
    LIST,
    events_of,
    may,
    must_be_allowed,
    roles_by_event,
)
from fairgate_ops.operate.api.job_acts import JOB_ACTS
from fairgate_ops.operate.api.jobs import must_be_possible, run_job
from fairgate_ops.operate.api.later import BY_GROUP
from fairgate_ops.operate.api.once import VERSIONED, once
from fairgate_ops.operate.api.parsers import parsers
from fairgate_ops.operate.api.roles import MAY, OF_A_BUYER, PREFIX, ROLES
from fairgate_ops.operate.api.second import asking_first
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

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate.bootstrap import Container
    from fairgate.service.shared.records.operators import PendingAct
    from fairgate_ops.operate.api.caller import Caller
    from fairgate_ops.operate.cli.report import Report, Spoken
    from fairgate_ops.operate.target import Target

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
    "job show": jobs.run_show,
    "job list": jobs.run_list,
}


def perform_act(asked: ActRequest, caller: Caller, system: Target) -> ActDoneView:
    """Do it, log it, and return what the command says of it; under a key, do it once.

    Raises:
        NotFoundError: nothing is done over HTTP by this name.
        ForbiddenError: the caller has no role that may.
        WrongStateError: with ``reason`` unconfirmed, it cannot be undone and is not confirmed.
        FairgateError: it was refused, as the command would be.
    """
    parser = parsers().get(asked.act)
    if parser is None:
        raise NotFoundError(f"Nothing is called {asked.act[:60]!r} here.")
    only = _events(asked, caller, system)
    options = _options(asked, system)
    options.only, options.caller, options.again = only, caller, _again
    if asked.act == "event log":
        options.sees_buyers = may(system.world, caller, "orders list", asked.arguments["event"])
    event = getattr(options, "event", None)
    # A table refuses long keys in its way; what is to be created says more about its id.
    if asked.act != "event create" and event is not None and not EVENT_ID.fullmatch(event):
        raise no_event(event[:60])
    if asked.act in JOB_ACTS:
        must_be_possible(asked, options, system)
    if not asked.dry_run:
        options.system = asking_first(system, caller, asked, options)

    if asked.if_match and asked.act not in VERSIONED:
        raise MalformedInputError(f"“{asked.act}” takes no if_match.")

    def done(begun_at: str = "") -> ActDoneView:
        options.seed = f"{caller.key} {begun_at}"
        with only_if(event or "", asked.if_match):
            return _done(asked, options)

    if asked.act not in JOB_ACTS and (asked.dry_run or parser.get_default("looks")):
        return done()
    world = system.world
    answers = ActAnswers(world.table, world.clock, world.ids, caller.sub)
    return once(answers, caller.key, asked, done)


def _events(
    asked: ActRequest, caller: Caller, system: Target
) -> Mapping[str, frozenset[str]] | None:
    """Return the events at which alone it may be done; None: at what it names, or at all.

    Raises ForbiddenError.
    """
    if asked.act in (LIST, *ANYWHERE):
        return events_of(system.world, caller, asked.act)
    must_be_allowed(system.world, caller, asked.act, asked.arguments.get("event"))
    return None


def _options(asked: ActRequest, system: Target) -> argparse.Namespace:
    """Read the arguments; a job's files have their names. Raises MalformedInputError."""
    job = JOB_ACTS.get(asked.act)
    return options_of(asked, system, job.writes if job else None)


def _again(request: PendingAct, system: Target, caller: Caller, *, dry_run: bool) -> Report:
    """Do what another person has asked for. Raises as ``perform_act``."""
    asked = ActRequest(
        act=request.act,
        arguments=request.given,
        dry_run=dry_run,
        confirm=request.confirm,
        if_match=request.if_match,
    )
    options = _options(asked, system)
    options.caller, options.seed = caller, f"{request.sk} {request.at}"
    with only_if(options.event, asked.if_match):
        return _report(asked, options)


def _done(asked: ActRequest, options: argparse.Namespace) -> ActDoneView:
    """Do it now. Raises as ``perform_act``."""
    report = _report(asked, options)
    result = result_of(report)
    sees_buyers = MAY["orders show"].intersection(options.caller.roles)
    if isinstance(order := result.get("order"), dict) and not sees_buyers:
        result["order"] = {name: order[name] for name in order if name not in OF_A_BUYER}
    return ActDoneView(asked.act, asked.dry_run, report.failed, said_by(report), result)


def _report(asked: ActRequest, options: argparse.Namespace) -> Report:
    """Do it, or have it done by a job. Raises as ``perform_act``."""
    if asked.act in JOB_ACTS:
        return run_job(options, asked.act, asked.arguments)
    return report_of(asked.act, _run_of(asked.act), options, asked.files)


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
            act in JOB_ACTS,
        )
        for act, parser in parsers().items()
        if MAY[act].intersection(roles)
    ]
    at = {event: [str(role) for role in ROLES if role in some] for event, some in events.items()}
    return ActsView(list(caller.roles), at, acts)


def _run_of(act: str) -> Callable[[argparse.Namespace], Spoken]:
    return _RUN.get(act) or BY_GROUP[act.partition(" ")[0]]()[act]
