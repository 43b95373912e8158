"""The deployed gate in njs against every row of what the edge answers, and the shared vectors."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.gate.gate_value import unpack
from fairgate.domain.shared import jws
from fairgate_ops.operate.gate_check.rows import AUTH_HEAD, headless, read_rows
from infra.headers import EVERYWHERE
from tests.edge import vectors
from tests.edge.gate_tools import (
    EVENT,
    NOW_S,
    SUB,
    make_event,
    make_gate,
    missing_tool,
    run_handler,
    run_joined,
    run_maths,
    write_gates,
)
from tests.support.gate_build import gate_source

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
ROWS = {row.name: row for row in read_rows()}
NAMES = sorted(ROWS)
CALLER = ROWS["queue-open"].event["request"]["headers"]["authorization"]["value"]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Each row in a process of its own: all of them share one event id."""
    found = {}
    for name in NAMES:
        row = ROWS[name]
        tmp = tmp_path_factory.mktemp(name)
        case = {"now_ms": row.now_s * 1000, "event": row.event}
        found[name] = run_handler(tmp, {} if row.value is None else {EVENT: row.value}, [case])[0]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_gate_answers_as_the_row_says_when_run_in_njs(
    name: str, outcomes: dict[str, dict[str, Any]]
) -> None:
    want, outcome = ROWS[name].expect, outcomes[name]
    if "forward" in want:
        assert outcome["uri"] == want["forward"]
        assert outcome["querystring"] == want["querystring"]
        assert outcome["headers"]["x-fairgate-edge"]["value"] == want["x-fairgate-edge"]
        return
    assert "x-fairgate-edge" not in outcome["headers"]
    assert outcome["statusCode"] == want["status"], outcome
    said = {header: entry["value"] for header, entry in outcome["headers"].items()}
    assert said.items() >= {"cache-control": "no-store", **EVERYWHERE}.items()
    body = json.loads(outcome["body"])
    assert said.items() >= want.get("headers", {}).items()
    if "problem" in want:
        assert said["content-type"] == "application/problem+json"
        assert {k: body[k] for k in want["problem"]} == want["problem"]
        assert body["type"] == f"urn:fairgate:problem:{body['code']}"
        assert body["request_id"]
    else:
        assert body == want["body"]


def test_every_verdict_has_a_row_when_the_contract_lists_it() -> None:
    from fairgate.domain.gate.edge_header import VERDICTS

    answers = [row.expect for row in ROWS.values()]
    seen = {want["x-fairgate-edge"].split(".")[2] for want in answers if "forward" in want}
    assert seen == set(VERDICTS) - {
        "no-auth",
        "bad-auth",
    }  # a caller who is not signed in gets no further


def test_vectors_are_current_when_generated_again() -> None:
    assert vectors.VECTORS.read_text() == vectors.text()


def test_javascript_reproduces_the_vectors_when_run_in_njs(tmp_path: Path) -> None:
    draws = json.loads(vectors.VECTORS.read_text())["draws"]
    results = run_maths(tmp_path, [vector["given"] for vector in draws])
    for vector, result in zip(draws, results, strict=True):
        want = dict(vector["want"])
        assert result["u"] == want.pop("u")
        for name in ("H", "x", "p"):  # decimals on their way through a file cost an ulp
            assert result[name] == pytest.approx(want.pop(name), rel=1e-9, abs=1e-9)
        assert {name: result[name] for name in want} == want


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"context": {"requestId": "r"}},
        {"context": {"requestId": "r"}, "viewer": {}, "request": {"headers": None}},
        {**make_event("queue", {"authorization": CALLER}), "viewer": None},
        make_event("queue", {"authorization": None}),  # type: ignore[dict-item]
        make_event("queue", {"authorization": 7}),  # type: ignore[dict-item]
        make_event("queue", {}, uri=None),
    ],
)
def test_the_gate_never_throws_when_the_event_is_broken(tmp_path: Path, event: Any) -> None:
    [outcome] = run_handler(
        tmp_path, {EVENT: make_gate()}, [{"now_ms": NOW_S * 1000, "event": event}]
    )
    assert "thrown" not in outcome
    assert outcome["statusCode"] in {404, 503}


@pytest.mark.parametrize("chars", [41, 600])
def test_a_name_that_no_event_can_have_is_not_found_when_the_store_refuses_it(
    tmp_path: Path, chars: int
) -> None:
    signed = {"authorization": CALLER}
    event = make_event("queue", signed, uri=f"/api/events/{'e' * chars}/queue")
    cases = [{"now_ms": NOW_S * 1000, "event": event}]
    [outcome] = run_handler(tmp_path, {}, cases)
    assert outcome["statusCode"] == 404
    assert json.loads(outcome["body"])["detail"] == "Not found: nothing is here."
    check = "named.length <= EVENT_CHARS_MAX && "
    source = gate_source(readable=True)
    assert source.count(check) == 1
    [unchecked] = run_joined(tmp_path, source.replace(check, ""), "harness.js", cases)
    assert unchecked["statusCode"] == (404 if chars < 512 else 503)


def test_signatures_are_the_same_only_when_nothing_is_before_between_or_behind(
    tmp_path: Path,
) -> None:
    made = "." + "aB3-_" * 8 + "xyz"
    wrong = [
        made[1:], made + "!", made + made, "!" + made, made[:22] + "!" + made[22:], made[:-1], "",
        made[:-1] + "\u00e9", "\u00e9" + made[1:], made.replace(".", "\u00e9"),
        *(made[:at] + "!" + made[at + 1 :] for at in range(44)),
    ]  # fmt: skip
    cases = [{"given": text, "made": made} for text in [made, *wrong]]
    source = gate_source(readable=True)
    seen = [result["same"] for result in run_joined(tmp_path, source, "same.js", cases)]
    assert seen == [True, *[False] * len(wrong)]
    check = "given.length !== 44"
    assert source.count(check) == 1
    [lax] = run_joined(tmp_path, source.replace(check, "false"), "same.js", cases[2:3])
    assert lax["same"]  # what stands behind it would not count


COUNTING = """import native from 'crypto';
var hashes = { made: 0 };
var crypto = {
  createHmac: function (name, key) { hashes.made++; return native.createHmac(name, key); },
  createHash: function (name) { hashes.made++; return native.createHash(name); }
};
"""


@pytest.mark.parametrize("header", ["authorization", "x-fairgate-token"])
def test_a_header_that_is_too_long_is_refused_before_it_is_hashed(
    tmp_path: Path, header: str
) -> None:
    """Twenty thousand characters cost no more than a token of another form."""
    event = copy.deepcopy(ROWS["admission-admitted"].event)
    head, rest = event["request"]["headers"][header]["value"].split(".", 1)
    event["request"]["headers"][header]["value"] = f"{head}.{'A' * 18000}{rest}"
    write_gates(tmp_path / "kvs", {EVENT: ROWS["admission-admitted"].value or ""})
    source = gate_source(readable=True)
    imported = "import crypto from 'crypto';"
    assert source.count(imported) == 1
    source = source.replace(imported, COUNTING)
    cases = [{"now_ms": NOW_S * 1000, "event": event}]
    [one] = run_joined(tmp_path, source, "counted.js", cases)
    assert one["outcome"]["statusCode"] == (401 if header == "authorization" else 403)
    caller_and_sample = 0 if header == "authorization" else 2
    assert one["hashes"] == caller_and_sample
    checks = {
        " || signedIn.length > BEARER_CHARS_MAX": "",
        "token.length > TOKEN_CHARS_MAX": "false",
    }
    for check, lax in checks.items():
        assert check in source
        source = source.replace(check, lax)
    [unchecked] = run_joined(tmp_path, source, "counted.js", cases)
    assert unchecked["hashes"] > caller_and_sample


def test_every_answer_of_the_table_has_a_row_for_both_requests() -> None:
    """docs/gate.md, Answers of the edge; verdicts have a test of their own."""
    seen = set()
    for name in NAMES:
        want, gate = ROWS[name].expect, ROWS[name].value
        state = want.get("body", want.get("problem", {})).get("state", "")
        kind = f"{want['status']} {state}".strip() if "status" in want else "forwarded"
        seen.add((name.split("-")[0], kind, mode_of(gate)))
    assert {
        ("queue", "200 waiting", "a"),
        ("queue", "200 waiting", "t"),
        ("queue", "200 prequeue", "a"),
        ("queue", "200 paused", "a"),
        ("queue", "410 soldout", "a"),
        ("queue", "410 closed", "a"),
        ("queue", "410 draining", "a"),
        ("queue", "forwarded", "a"),
        ("admission", "202 waiting", "a"),
        ("admission", "202 waiting", "t"),
        ("admission", "202 prequeue", "a"),
        ("admission", "202 paused", "a"),
        ("admission", "410 soldout", "a"),
        ("admission", "410 closed", "a"),
        ("admission", "forwarded", "a"),
        ("gate", "503", "a"),
        ("unknown", "404", ""),
        ("wrong", "405", "a"),
    } <= seen


def mode_of(gate: str | None) -> str:
    try:
        return str(unpack(gate or "")["m"])
    except ValueError:
        return ""


def test_the_gate_fails_closed_when_the_store_does_not_answer(tmp_path: Path) -> None:
    # The key is there and cannot be read: a folder stands where its file should.
    (tmp_path / "kvs" / f"e%3A{EVENT}").mkdir(parents=True)
    event = make_event("queue", {"authorization": CALLER})
    [outcome] = run_handler(tmp_path, {}, [{"now_ms": NOW_S * 1000, "event": event}])
    assert outcome["statusCode"] == 503
    assert outcome["headers"]["retry-after"]["value"] == "5"


@pytest.mark.parametrize("name", ["queue-open", "queue-sampled"])
def test_a_sign_in_that_is_sent_twice_joins_nothing(tmp_path: Path, name: str) -> None:
    """The origin, which sees both as one, would refuse the accounts of the sample alone."""
    event = copy.deepcopy(ROWS[name].event)
    event["request"]["headers"]["authorization"]["multiValue"] = [{"value": CALLER}, {"value": "x"}]
    case = {"now_ms": ROWS[name].now_s * 1000, "event": event}
    [outcome] = run_handler(tmp_path, {EVENT: ROWS[name].value or ""}, [case])
    assert outcome.get("statusCode") == 401, outcome


@pytest.mark.parametrize("name", ["queue-spoofed-word", "admission-spoofed-word"])
def test_a_client_cannot_speak_for_the_gate_when_it_sends_its_header(
    name: str, outcomes: dict[str, dict[str, Any]]
) -> None:
    sent = ROWS[name].event
    forged = sent["request"]["headers"]["x-fairgate-edge"]["value"]
    assert forged not in json.dumps(outcomes[name])


def test_anybody_could_sign_when_an_absent_older_key_counted(tmp_path: Path) -> None:
    """What the gate's check of older heads is for: every token begins with an empty one."""
    claims = json.dumps({"sub": SUB, "iat": NOW_S - 60, "exp": NOW_S + 600}, separators=(",", ":"))
    forged = headless(
        AUTH_HEAD, claims.encode(), " " * 43
    )  # what the value has in the place of that key
    event = make_event("queue", {"authorization": f"Bearer {forged}"})
    cases = [{"now_ms": NOW_S * 1000, "event": event}]
    write_gates(tmp_path / "kvs", {EVENT: make_gate()})
    check = "if (head !== '') "
    source = gate_source(readable=True)
    assert source.count(check) == 1
    [checked] = run_joined(tmp_path, source, "harness.js", cases)
    assert checked["statusCode"] == 401
    [unchecked] = run_joined(tmp_path, source.replace(check, ""), "harness.js", cases)
    assert unchecked["statusCode"] == 200


def test_no_payload_ends_in_the_other_when_both_are_signed(tmp_path: Path) -> None:
    """Both are matched as one text, so a caller's could go on in what stands in the place's."""
    gate = make_gate()
    headers = ROWS["admission-not-yet"].event["request"]["headers"]
    names = ("authorization", "x-fairgate-token")
    heads, payloads = zip(*(headers[n]["value"].split(".")[:2] for n in names), strict=True)
    both, cut = "".join(payloads), len(payloads[0]) + 8
    keys = (gate.auth_keys["a1"], gate.token_keys["w1"])
    request = copy.deepcopy(ROWS["admission-not-yet"].event)
    for name, head, part, key in zip(names, heads, (both[:cut], both[cut:]), keys, strict=True):
        signed = f"{head.removeprefix('Bearer ')}.{part}"
        text = f"{head}.{part}.{jws.b64url(jws.mac(key, signed))}"
        request["request"]["headers"][name]["value"] = text
    cases = [{"now_ms": NOW_S * 1000, "event": request}]
    write_gates(tmp_path / "kvs", {EVENT: gate})
    check = "match[CALLER_PART].length * 4 !== caller.length * 3 ||"
    source = gate_source(readable=True)
    assert source.count(check) == 1
    [checked] = run_joined(tmp_path, source, "harness.js", cases)
    assert checked["statusCode"] == 401
    [unchecked] = run_joined(tmp_path, source.replace(check, ""), "harness.js", cases)
    assert unchecked["statusCode"] == 202
