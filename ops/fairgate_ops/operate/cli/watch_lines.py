"""Say in lines what is watched: what it is, the figures, and how far they can be believed."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from fairgate.domain.shared.times import epoch_ms
from fairgate_ops.operate.cli.event_page import span
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.report import detail_text, one_line
from fairgate_ops.operate.cli.times import shown

OLD_S = 25.0  # the figures are made every ten seconds, and one run may fail
SEATS_OLD_S = 120.0  # a large venue is read by and by
UNKNOWN = "?"
Tone = Literal["", "good", "bad", "warn"]


class Line(NamedTuple):
    label: str
    text: str
    tone: Tone = ""


def text_lines(document: Mapping[str, Any], options: argparse.Namespace) -> list[str]:
    """Return everything as plain text."""
    blocks = [
        *(
            (head_of(event), event_lines(event, document["at"], options))
            for event in document["events"]
        ),
        ("Around", around_lines(document, options)),
    ]
    lines: list[str] = []
    for head, block in blocks:
        lines += [head, *(f"  {line.label:<9} {line.text}" for line in block)]
    return lines


def head_of(event: Mapping[str, Any]) -> str:
    return f"{event['event']} · {event['name'] or UNKNOWN}"


def event_lines(event: Mapping[str, Any], now: str, options: argparse.Namespace) -> list[Line]:
    """Say everything about one event, a line for each kind of figure."""
    now_s = epoch_ms(now) / 1000
    lines = [
        _aged("State", _state(event["gate"], now_s, options), event["gate"]),
        _aged("Waiting", _waiting(event["room"]), event["room"]),
        _aged("Shop", _shop(event["room"], event["sale"]), event["room"]),
        _aged("Pace", _pace(event["gate"], now_s, options), event["gate"]),
        _aged("Seats", _seats(event["seats"], event["sale"], options), event["seats"]),
        _aged("Payments", _payments(event["sale"]), event["sale"]),
        _aged("Refunds", _refunds(event["sale"]), event["sale"]),
        _edges(event["edges"], now_s),
        _cache(event["cache"]),
        _aged("Desk", _desk(event["desk"]), event["desk"]),
        _keys("Keys", event["keys"], options),
        *_acts(event["acts"], now_s),
    ]
    if event["figures"].get("via") == "table":
        why = event["figures"]["route_error"]
        lines.append(
            Line("Route", f"The operators' route is away, the table is read: {why}", "warn")
        )
    return lines


def around_lines(document: Mapping[str, Any], options: argparse.Namespace) -> list[Line]:
    """Say what concerns every event: queues, tasks, alarms, the keys of sign-ins."""
    queues = document["queues"]
    text = ", ".join(
        f"{name} {_count(one['waiting'])}"
        + (f" (given up {one['given_up']:,})" if one["given_up"] else "")
        for name, one in queues["queues"].items()
    )
    given_up = any(one["given_up"] for one in queues["queues"].values())
    lines = [_aged("Queues", text, queues, tone="bad" if given_up else "")]
    tasks = document["tasks"]
    open_tasks = tasks["open"]
    lines.append(
        _aged(
            "ManualTasks",
            f"{_count(open_tasks)} open" + (": `fairgate orders tasks`" if open_tasks else ""),
            tasks,
            tone="warn" if open_tasks else "",
        )
    )
    lines.append(_keys("Sign-ins", document["sign_in_keys"], options))
    alarms = document["alarms"]
    if alarms["alarms"] is None:
        lines.append(Line("Alarms", f"{UNKNOWN}  {alarms['error']}".rstrip(), "warn"))
    elif not alarms["alarms"]:
        lines.append(_aged("Alarms", "none is up", alarms, tone="good"))
    lines += [
        _aged("Alarm", f"{alarm['name']}: {alarm['do']}", alarms, tone="bad")
        for alarm in alarms["alarms"] or ()
    ]
    if document["catalog"]["error"]:
        lines.append(Line("Events", f"{UNKNOWN}  {document['catalog']['error']}", "bad"))
    return lines


def _aged(label: str, text: str, part: Mapping[str, Any], *, tone: Tone = "") -> Line:
    """Add why a part is not newer, and how old it is where that is more than it should be."""
    age_s, limit_s = part["age_s"], SEATS_OLD_S if label == "Seats" else OLD_S
    notes = []
    if age_s is not None and age_s > limit_s:
        notes.append(f"{span(age_s)} old")
    if part["error"]:
        notes.append(part["error"])
    if age_s is None and not part["error"]:
        notes.append("not known yet")
    if not notes:
        return Line(label, text, tone)
    return Line(label, f"{text}  [{'; '.join(notes)}]", "bad" if age_s is None else "warn")


def _count(number: float | None) -> str:
    return UNKNOWN if number is None else f"{round(number):,}"


def _rate(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:,.2f}" if number < 10 else f"{number:,.0f}"  # noqa: PLR2004 two digits


def _span(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else span(seconds)


def _time(text: str | None, options: argparse.Namespace) -> str:
    return UNKNOWN if text is None else shown(epoch_ms(text) // 1000, options)


def _ago(text: str | None, now_s: float) -> str:
    return UNKNOWN if text is None else f"{span(max(0.0, now_s - epoch_ms(text) / 1000))} ago"


def _state(gate: Mapping[str, Any], now_s: float, options: argparse.Namespace) -> str:
    if gate["phase"] is None:
        return UNKNOWN
    text = str(gate["phase"])
    if gate["phase_until"] and text != "before the sale":
        text += f" until {_time(gate['phase_until'], options)}"
    sale_start_s = epoch_ms(gate["sale_starts_at"]) / 1000
    near = (
        f"in {span(sale_start_s - now_s)}"
        if sale_start_s > now_s
        else f"{span(now_s - sale_start_s)} ago"
    )
    return f"{text} · sale start {_time(gate['sale_starts_at'], options)}, {near}"


def _waiting(room: Mapping[str, Any]) -> str:
    if room["at"] is not None and room["waiting"] is None:
        text = "not counted (nothing is sampled)"
    else:
        text = f"{_count(room['waiting'])} ± {_count(room['waiting_error'])}"
        text += f" of {_count(room['joined'])} who joined"
    if room["wait_s"] is not None:
        text += f" · who joins now waits {span(room['wait_s'])}"
    return f"{text} · let in {_rate(room['admitted_per_s'])} a second"


def _shop(room: Mapping[str, Any], sale: Mapping[str, Any]) -> str:
    live_max = room["live_max"]
    text = f"{_count(room['live'])} live"
    text += f" of {live_max:,}" if live_max else " (no limit)" if live_max == 0 else ""
    text += f" · stay {_span(room['stay_s'])}"
    text += f" · {_count(room['refused_full'])} refused because full"
    ended, empty = _count(sale["ended_unpaid"]), _count(sale["found_nothing"])
    return f"{text} · {ended} left without buying, {empty} with nothing held"


def _pace(gate: Mapping[str, Any], now_s: float, options: argparse.Namespace) -> str:
    if gate["at"] is None:
        return UNKNOWN
    text = _tau(gate["tau_s"])
    planned = gate["planned"] or ()
    for pace in planned:
        text += f", then {_tau(pace['tau_s'])} from {_time(pace['starts_at'], options)}"
    if gate["control"] == "auto":
        text += " · the controller sets it"
    if gate["set_by"]:
        by = f"{gate['set_by']}, {gate['set_act']}, {_ago(gate['set_at'], now_s)}"
        text += f" · gate last written by {by}"
    return text


def _tau(tau_s: float | None) -> str:
    return "nobody is let in" if tau_s is None else f"τ {tau_s:,.6g} s"


def _seats(seats: Mapping[str, Any], sale: Mapping[str, Any], options: argparse.Namespace) -> str:
    text = ", ".join(f"{_count(seats[name])} {name}" for name in ("sold", "held", "free"))
    if seats["blocked"]:
        text += f", {seats['blocked']:,} blocked"
    text += f" of {_count(seats['total'])}"
    if sale["sold_per_min"] is not None:
        text += f" · {_rate(sale['sold_per_min'])} a minute"
    if sale["sold_out_at"] is not None:
        text += f", sold out about {_time(sale['sold_out_at'], options)}"
    return text


def _payments(sale: Mapping[str, Any]) -> str:
    text = f"{_money(sale, 'revenue_minor')} · {_count(sale['paid'])} paid"
    text += f", {_count(sale['declined'])} declined, {_count(sale['failed'])} failed"
    lag_s = sale["webhook_lag_s"]
    heard = UNKNOWN if lag_s is None else f"{lag_s:,.2g} s" if lag_s < 1 else f"{lag_s:,.1f} s"
    return f"{text} · webhooks come after {heard}"


def _refunds(sale: Mapping[str, Any]) -> str:
    due = _count(sale["refunds_due"])
    if sale["refunds_due"]:
        due += f" ({_money(sale, 'refunds_due_minor')})"
    return f"{due} due, {_count(sale['refunds_sent'])} sent"


def _money(sale: Mapping[str, Any], name: str) -> str:
    return UNKNOWN if sale[name] is None else money(sale[name], sale["currency"])


def _edges(edges: Mapping[str, Any], now_s: float) -> Line:
    if edges["at"] is None:
        return _aged("Edges", UNKNOWN, edges)
    changed = _ago(edges["changed_at"], now_s)
    heard = "the store has it" if edges["heard"] else "THE STORE DOES NOT HAVE IT YET"
    text = f"last change {changed}, {heard} · compared {_ago(edges['compared_at'], now_s)}"
    return _aged("Edges", text, edges, tone="" if edges["heard"] else "warn")


def _cache(cache: Mapping[str, Any]) -> Line:
    if cache["at"] is None:
        return _aged("Cache", UNKNOWN, cache)
    if cache["source"] == "table":
        return _aged("Cache", "AWAY: maps come from the table", cache, tone="bad")
    return _aged("Cache", f"the map is from it, {span(cache['map_age_s'])} old", cache)


def _desk(desk: Mapping[str, Any]) -> str:
    return f"{_count(desk['flagged'])} flagged, {_count(desk['locked'])} locked out"


def _keys(label: str, keys: Mapping[str, Any], options: argparse.Namespace) -> Line:
    if keys["at"] is None:
        return _aged(label, UNKNOWN, keys)
    text = f"signed by {keys['signing']}"
    if keys["since"]:
        text += f" since {_time(keys['since'], options)}"
    if keys["due"]:
        text += f" · {keys['due']} {keys['other']} from {_time(keys['due_at'], options)}"
    return _aged(label, text, keys)


def _acts(acts: Mapping[str, Any], now_s: float) -> list[Line]:
    if acts["acts"] is None:
        return [_aged("Acts", UNKNOWN, acts)]
    lines: list[Line] = []
    for act in acts["acts"]:
        detail = detail_text(act["detail"])
        text = f"{_ago(act['at'], now_s)}: {act['who']}, {act['act']}, {act['phase']}"
        text += f" ({detail})" if detail else ""
        text = one_line(text)
        lines.append(Line("", text) if lines else _aged("Acts", text, acts))
    return lines or [_aged("Acts", "nothing yet", acts)]
