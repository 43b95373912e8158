"""``fairgate event …``: create a sale, see it, and move it through its life."""

from __future__ import annotations

import argparse
import math
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import MalformedInputError, WrongStateError
from fairgate_ops.operate.cli.acts import log_of, logged
from fairgate_ops.operate.cli.report import Report, change_report, epoch_lines, tau_text
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    from fairgate.domain.seating.venue import Venue
    from fairgate.service.catalog.publish_event import NewEvent
    from fairgate.service.gate.control_gate import GateChange
    from fairgate_ops.operate.target import Target

KEY_BYTES = 32
TAU_DEFAULT_S = 600.0


@dataclass(frozen=True)
class GateRules:
    """What the room is told besides its keys; the defaults suit a sale of an hour."""

    doors_s: int
    tau_s: float = TAU_DEFAULT_S
    mode: str = "a"
    curve: float = 1.0
    pow_bits: int = 16
    backoff_min_s: int = 2
    backoff_max_s: int = 60
    token_ttl_s: int = 600
    sample: float = 0.01
    sample_admissions: float = 0.0


def create_event(
    target: Target,
    request: NewEvent,
    venue: Venue,
    rules: GateRules,
    *,
    control: str = "manual",
    dry_run: bool = False,
) -> Report:
    """Publish the event, with a draw that is committed to and a gate that opens at its doors.

    The gate comes before the catalogue: nobody can see an event that has no gate. A creation that
    broke off keeps its draw key, and with it its commitment, when it is made again.

    Raises MalformedInputError, WrongStateError (the id is taken), DependencyUnavailableError.
    """
    from dataclasses import asdict, replace

    from fairgate.adapters.dynamodb.client import table_names
    from fairgate.adapters.dynamodb.writer import DynamoWriter
    from fairgate.ports.table import Update
    from fairgate.service.catalog.publish_event import (
        CATALOG_PK,
        check_request,
        publish_event,
        shard_count,
    )
    from fairgate.service.gate.control_gate import redacted

    first = first_gate(target, rules)
    request = replace(request, draw_commitment=commitment_of(first.draw_key))
    check_request(request, venue)
    if target.world.table.get("catalog", CATALOG_PK, request.event) is not None:
        raise WrongStateError(
            f"There is an event “{request.event}” already; choose another id."
            " `event list` shows all."
        )
    gate = target.control(dry_run=dry_run).create(request.event, first).after
    request = replace(request, draw_commitment=commitment_of(gate.draw_key))
    seats = venue.seat_count()
    data: dict[str, Any] = {
        "event": request.event,
        "dry_run": dry_run,
        "seats": seats,
        "area_places": sum(area.capacity for area in venue.areas),
        "draw_commitment": request.draw_commitment,
        "doors_at": rfc3339(gate.doors_s * 1000),
        "gate": redacted(gate),
    }
    places = f"{seats:,} seats and {data['area_places']:,} standing places"
    if dry_run:
        return Report(
            data | {"request": asdict(request)},
            [f"Dry run, nothing written. {request.event} can be created: {places}."],
        )
    counters = sum(shard_count(area.capacity) for area in venue.areas)
    with progress("Writing seats", seats + counters) as step:
        names = table_names(target.world.settings)
        writer = DynamoWriter(target.dynamodb, names, written=step)
        record = publish_event(
            request, venue, writer=writer, layouts=target.world.layouts, clock=target.world.clock
        )
    auto = Update(
        "catalog", CATALOG_PK, request.event, set={"control": control}, add={"version": 1}
    )
    target.world.table.update(auto)
    target.record(request.event)
    log_of(target, request.event).append(target.who(), "create", "done", {"seats": seats}, gate)
    return Report(
        data | {"layout": record.layout},
        [
            f"{request.event} is created: {places}.",
            f"Doors open at {data['doors_at']}, {tau_text(gate.epochs[-1].slope)}.",
            f"Commitment of the draw: {request.draw_commitment}",
            f"Page: {target.world.settings.public_url}/",
        ],
    )


def first_gate(target: Target, rules: GateRules) -> GateConfig:
    """Fresh keys, and a line that stands still until the doors."""
    from fairgate.service.gate.rotate_keys import new_kid

    now_s = target.world.clock.now_ms() // 1000
    kid = new_kid("t", now_s)
    keys = target.world.secrets.secrets()
    return GateConfig(
        state="open",
        mode="t" if rules.mode == "t" else "a",
        curve=rules.curve,
        draw_key=secrets.token_bytes(KEY_BYTES),
        token_keys={kid: secrets.token_bytes(KEY_BYTES)},
        token_kid=kid,
        auth_keys=keys.auth,
        edge_key=secrets.token_bytes(KEY_BYTES),
        pow_bits=rules.pow_bits,
        epochs=(
            Epoch(float(min(now_s, rules.doors_s - 1)), 0.0, 0.0),
            Epoch(float(rules.doors_s), 0.0, 1 / rules.tau_s),
        ),
        backoff_min_s=rules.backoff_min_s,
        backoff_max_s=rules.backoff_max_s,
        token_ttl_s=rules.token_ttl_s,
        sample_queue=rules.sample,
        sample_admission=rules.sample_admissions,
        open_until_s=0,
        doors_s=rules.doors_s,
    )


def run_create(options: argparse.Namespace, target: Target) -> Report:
    from fairgate.service.catalog.publish_event import NewEvent
    from fairgate_ops.operate.importers.detect import import_chart

    venue = import_chart(options.venue)
    prices = dict(options.price or [])
    if options.price_all is not None:
        prices = {tier.id: options.price_all for tier in venue.tiers} | prices
    doors_s = _doors_s(options, target.world.clock.now_ms())
    request = NewEvent(
        event=options.event,
        name=options.name,
        sale_opens_at=rfc3339(doors_s * 1000),
        currency=options.currency,
        prices_minor=prices,
        fee_order_minor=options.fee_order,
        fee_ticket_minor=options.fee_ticket,
        draw_commitment="",
        hold_limit=options.hold_limit,
        user_limit=options.user_limit,
        sessions_limit=options.sessions_limit,
        live_max=options.live_max,
        session_s=options.session_s,
        checkout_s=options.checkout_s,
    )
    rules = GateRules(
        doors_s=doors_s,
        tau_s=options.tau,
        mode=options.mode,
        curve=options.curve,
        pow_bits=options.pow,
        token_ttl_s=options.token_ttl_s,
        sample=options.sample,
        sample_admissions=options.sample_admissions,
        backoff_min_s=options.backoff_s[0],
        backoff_max_s=options.backoff_s[1],
    )
    return create_event(
        target, request, venue, rules, control=options.control, dry_run=options.dry_run
    )


def run_list(_options: argparse.Namespace, target: Target) -> Report:
    from fairgate.service.catalog.publish_event import CATALOG_PK

    items = target.world.table.query("catalog", CATALOG_PK)
    names = ("name", "state", "saleOpensAt", "venueName")
    events = [{"event": item["SK"], **{n: item[n] for n in names}} for item in items]
    lines = [
        f"{e['event']:<24} {e['state']:<8} doors {e['saleOpensAt']}  {e['name']}" for e in events
    ]
    return Report({"events": events}, lines or ["There is no event yet: `fairgate event create`."])


def run_open(options: argparse.Namespace, target: Target) -> Report:
    doors_s = None if options.at is None else _time_s(options.at)
    control = target.control(dry_run=options.dry_run)
    change = logged(
        options,
        target,
        "open",
        {"at": options.at, "tau_s": options.tau},
        lambda: control.open(
            options.event, doors_s=doors_s, tau_s=options.tau, starts_in_s=lead_s(options, target)
        ),
    )
    doors = rfc3339(change.after.doors_s * 1000)
    return finish(options, target, change, f"{options.event}: doors open at {doors}.")


def run_pause(options: argparse.Namespace, target: Target) -> Report:
    control = target.control(dry_run=options.dry_run)
    change = logged(
        options,
        target,
        "pause",
        {},
        lambda: control.pause(options.event, starts_in_s=lead_s(options, target)),
    )
    text = "paused. Nobody is admitted; everyone keeps their place."
    return finish(options, target, change, f"{options.event}: {text}")


def run_resume(options: argparse.Namespace, target: Target) -> Report:
    control = target.control(dry_run=options.dry_run)
    change = logged(
        options,
        target,
        "resume",
        {"tau_s": options.tau},
        lambda: control.resume(
            options.event, tau_s=options.tau, starts_in_s=lead_s(options, target)
        ),
    )
    return finish(options, target, change, f"{options.event}: goes on.")


def run_drain(options: argparse.Namespace, target: Target) -> Report:
    control = target.control(dry_run=options.dry_run)
    change = logged(options, target, "drain", {}, lambda: control.drain(options.event))
    text = "draining. Nobody new comes in; those who wait are let in at the pace there is."
    return finish(options, target, change, f"{options.event}: {text}")


def run_open_until(options: argparse.Namespace, target: Target) -> Report:
    control = target.control(dry_run=options.dry_run)
    until_s = _until_s(options, target.world.clock.now_ms())
    said = "now on the draw decides again" if until_s is None else rfc3339(until_s * 1000)
    change = logged(
        options,
        target,
        "open-until",
        {"until": said},
        lambda: control.open_until(options.event, until_s, starts_in_s=lead_s(options, target)),
    )
    text = f"everyone who waits is let in until {said}, up to the target at a time."
    if until_s is None:
        text = f"from {said}."
    return finish(options, target, change, f"{options.event}: {text}")


def run_close(options: argparse.Namespace, target: Target) -> Report:
    control = target.control(dry_run=options.dry_run)
    stop = control.sold_out if options.sold_out else control.close
    word = "sold out" if options.sold_out else "closed"
    change = logged(
        options,
        target,
        "close",
        {"as": word},
        lambda: stop(options.event, starts_in_s=lead_s(options, target)),
    )
    return finish(options, target, change, f"{options.event}: {word}.")


def run_target(options: argparse.Namespace, target: Target) -> Report:
    from dataclasses import asdict

    from fairgate.service.catalog.set_target import set_target

    change = logged(
        options,
        target,
        "target set",
        {"live_max": options.live_max, "control": options.control},
        lambda: set_target(
            target.world.table,
            options.event,
            options.live_max,
            control=options.control,
            dry_run=options.dry_run,
        ),
    )
    data: dict[str, Any] = {
        "event": options.event,
        "changed": change.before != change.after and not options.dry_run,
        "dry_run": options.dry_run,
        "before": asdict(change.before),
        "after": asdict(change.after),
    }
    lines = ["Dry run, nothing written."] if options.dry_run else []
    lines.append(f"{options.event}: at most {change.after.live_max:,} shop at once.")
    if change.after.control == "manual":
        lines.append("Its pace is manual: the target is a cap, and τ decides how fast it fills.")
    elif target.control().read(options.event).sample_queue <= 0:
        lines.append("Nothing is sampled at its queue, so the controller cannot plan: set τ.")
    return Report(data, lines)


def finish(options: argparse.Namespace, target: Target, change: GateChange, summary: str) -> Report:
    """Record the change in the catalogue and say what it was."""
    if not options.dry_run:
        target.record(options.event)
    report = change_report(options.event, change, summary, dry_run=options.dry_run)
    now_s = target.world.clock.now_ms() / 1000
    return Report(report.data, report.lines + epoch_lines(change.after, now_s))


def lead_s(options: argparse.Namespace, target: Target) -> float:
    return target.lead_s if options.starts_in is None else float(options.starts_in)


def _until_s(options: argparse.Namespace, now_ms: int) -> int | None:
    if options.off:
        return None
    return _time_s(options.at) if options.at else math.ceil(now_ms / 1000 + 60 * options.minutes)


def _doors_s(options: argparse.Namespace, now_ms: int) -> int:
    if options.opens_at is not None:
        return _time_s(options.opens_at)
    return math.ceil(now_ms / 1000 + float(options.opens_in))


def _time_s(text: str) -> int:
    try:
        return math.ceil(epoch_ms(text) / 1000)
    except (ValueError, OverflowError) as error:
        raise MalformedInputError(
            f"“{text}” is no time with its zone, like 2030-06-01T18:00:00Z."
        ) from error
