"""Whether what CloudFront says a function answered is what the row demands."""

from __future__ import annotations

import json
from typing import Any

from fairgate.domain.gate.edge_header import verify_edge_header
from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.waiting_token import parse_waiting_token
from fairgate.domain.shared import jws
from fairgate.errors import FairgateError
from fairgate_ops.operate.gate_check.rows import EVENT_ID, Row
from fairgate_ops.operate.gate_check.templates import FilledValue

_EDGE = "x-fairgate-edge"


def differences(
    row: Row, filled: FilledValue | None, sent: dict[str, Any], output: dict[str, Any], now_s: float
) -> list[str]:
    """What is not as it must be; empty when all is well.

    Args:
        sent: the event that was sent.
        output: TestFunction's ``FunctionOutput``: ``{"request": …}`` or ``{"response": …}``.
    """
    if "forward" in row.expect:
        if "request" not in output:
            return [f"answered {output.get('response', output)!r} instead of sending on"]
        return _forwarded(row, filled, sent, output["request"], now_s)
    if "response" not in output:
        return [f"sent on to {output.get('request', {}).get('uri')!r} instead of answering"]
    return _answered(row, filled, output["response"], now_s)


def _forwarded(
    row: Row,
    filled: FilledValue | None,
    sent: dict[str, Any],
    request: dict[str, Any],
    now_s: float,
) -> list[str]:
    if filled is None or filled.gate is None:
        return ["sent on, and nothing may be under such a value"]
    wrong = []
    uri = row.expect["forward"].replace(f"/{EVENT_ID}/", f"/{filled.event_id}/")
    if request["uri"] != uri:
        wrong.append(f"uri is {request['uri']!r}, not {uri!r}")
    query = {name: entry["value"] for name, entry in request.get("querystring", {}).items()}
    wanted = {"event": filled.event_id} if row.expect["querystring"] else {}
    if query != wanted:
        wrong.append(f"querystring is {query}, not {wanted}")
    verdict = row.expect[_EDGE].split(".")[2]
    sub = _caller(sent, filled.gate)
    word = request["headers"].get(_EDGE, {}).get("value", "")
    try:
        said = verify_edge_header(word, filled.gate, filled.event_id, sub, now_s).verdict
        if said != verdict:
            wrong.append(f"the gate says {said!r}, not {verdict!r}")
    except FairgateError:
        wrong.append(f"{_EDGE} {word!r} does not verify (expected {verdict!r})")
    return wrong


def _answered(
    row: Row, filled: FilledValue | None, response: dict[str, Any], now_s: float
) -> list[str]:
    if response["statusCode"] != row.expect["status"]:
        return [f"status is {response['statusCode']}, not {row.expect['status']}"]
    headers = {name: entry["value"] for name, entry in response["headers"].items()}
    wrong = [] if headers.get("cache-control") == "no-store" else ["cache-control is not no-store"]
    body = _body(response)
    if "problem" in row.expect:
        problem = dict(row.expect["problem"])
        if problem.get("verdict") == "early":  # the place's time was moved further ahead
            told_s = int(headers.get("retry-after", 0))
            problem["retry_after"] = max(problem["retry_after"], told_s)
        facts = {name: (body.get(name), want) for name, want in problem.items()}
        return wrong + _unequal(facts)
    wanted = row.expect["body"]
    # A waiting buyer's token is signed again by its age, which differs here.
    either = {"token"} if "slip" in wanted else set()
    if set(body) | either != set(wanted) | either:
        return [*wrong, f"the body has {sorted(body)}, not {sorted(wanted)}"]
    if filled is None or filled.gate is None:
        return [*wrong, "a token under a value that is none"]
    facts = {
        "state": (body["state"], wanted["state"]),
        "whether there is an estimate": (body["estimate"] is None, wanted["estimate"] is None),
    }
    if "retry-after" in row.expect["headers"]:
        facts["retry-after"] = (headers.get("retry-after"), str(body["boff"] - body["now"]))
    wrong += _unequal(facts)
    if "token" in wanted and "token" in body:
        wrong += _token(wanted, body, filled.gate, filled.event_id, now_s)
    return wrong


def _token(
    wanted: dict[str, Any], body: dict[str, Any], gate: GateConfig, event_id: str, now_s: float
) -> list[str]:
    try:
        token = parse_waiting_token(body["token"], gate, now_s)
    except FairgateError as error:
        return [f"the token: {error.detail}"]
    before = json.loads(jws.from_b64url(wanted["token"].split(".")[1]))
    facts = {
        "its event": (token.event, event_id),
        "its user": (token.sub, before["sub"]),
        "its boff": (token.boff, body["boff"]),
        "its exp": (token.exp, body["boff"] + gate.token_ttl_s),
        "its difficulty": (token.pow_bits, before["pow"]),
        "its level": (token.challenge_level, before["lvl"]),
    }
    if "challenge" in body:
        facts["the challenge"] = (body["challenge"], {"ch": token.ch, "pow": token.pow_bits})
    else:
        facts["its id"] = (token.id, before["id"])
        facts["its ticket"] = (jws.b64url(token.lot), before["lot"])
    return _unequal(facts)


def _unequal(facts: dict[str, tuple[Any, Any]]) -> list[str]:
    pairs = ((what, got, want) for what, (got, want) in facts.items())
    return [f"{what} is {got!r}, not {want!r}" for what, got, want in pairs if got != want]


def _caller(sent: dict[str, Any], gate: GateConfig) -> str:
    text = sent["request"]["headers"]["authorization"]["value"][7:]
    payload = jws.verified_payload(text, typ="JWT", keys=gate.auth_keys, chars_max=8192)
    return str(json.loads(payload)["sub"])


def _body(response: dict[str, Any]) -> dict[str, Any]:
    """As the function gave it, or as CloudFront shows it: ``{encoding, data}``."""
    body = response["body"]
    found: dict[str, Any] = json.loads(body["data"] if isinstance(body, dict) else body)
    return found
