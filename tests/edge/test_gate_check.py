"""The check of a deployed gate: njs behind a fake of TestFunction, and the API's own shapes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import ANY, Stubber

from fairgate.domain.gate.gate_value import unpack
from fairgate_ops.operate.gate_check.__main__ import main
from fairgate_ops.operate.gate_check.rows import Row, read_rows
from fairgate_ops.operate.gate_check.run import Clients, GateCheckError, check_function
from fairgate_ops.operate.gate_check.templates import fill_value
from tests.edge.gate_tools import missing_tool, run_joined
from tests.support.gate_build import gate_source

needs_njs = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
ARN = "arn:aws:cloudfront::111111111111:key-value-store/11111111-1111-4111-8111-111111111111"
NAME = "fairgate-prod-gate"
BEGIN_S = 1_900_000_000.25


class Deployment:
    """A function with its store, which it sees some time after a change."""

    def __init__(self, folder: Path, gate: str, *, lag_s: float = 70.0) -> None:
        self.folder, self.gate, self.lag_s = folder, gate, lag_s
        self.now = BEGIN_S
        self.etag = 1
        self.values: dict[str, str] = {}
        self.seen_from_s = 0.0
        self.asked = 0
        self.stale_once = True

    def clients(self) -> Clients:
        return Clients(cloudfront=self, store=self, now_s=lambda: self.now, pause=self.pause)

    def pause(self, seconds: float) -> None:
        self.now += seconds

    def describe_function(self, *, Name: str, Stage: str) -> dict[str, Any]:  # noqa: N803 AWS's
        if Name != NAME:
            raise fault("NoSuchFunctionExists", "DescribeFunction")
        items = [{"KeyValueStoreARN": ARN}]
        config = {"KeyValueStoreAssociations": {"Quantity": 1, "Items": items}}
        return {"FunctionSummary": {"FunctionConfig": config, "Stage": Stage}, "ETag": "E1"}

    def test_function(
        self,
        *,
        Name: str,  # noqa: N803 AWS's names
        IfMatch: str,  # noqa: N803
        Stage: str,  # noqa: N803
        EventObject: bytes,  # noqa: N803
    ) -> dict[str, Any]:
        assert (Name, IfMatch, Stage) == (NAME, "E1", "LIVE")
        self.asked += 1
        self.now += 0.3
        folder = self.folder / str(self.asked)
        (folder / "kvs").mkdir(parents=True)
        if self.now >= self.seen_from_s:
            for key, value in self.values.items():
                (folder / "kvs" / key.replace(":", "%3A")).write_text(value)
        case = {"now_ms": round(self.now * 1000), "event": json.loads(EventObject)}
        [outcome] = run_joined(folder, self.gate, "harness.js", [case])
        if "thrown" in outcome:
            return {"TestResult": {"FunctionErrorMessage": outcome["thrown"]}}
        if "statusCode" in outcome:
            outcome["body"] = {"encoding": "text", "data": outcome["body"]}
        shown = {"response" if "statusCode" in outcome else "request": outcome}
        return {"TestResult": {"ComputeUtilization": "21", "FunctionOutput": json.dumps(shown)}}

    def describe_key_value_store(self, *, KvsARN: str) -> dict[str, Any]:  # noqa: N803
        assert KvsARN == ARN
        return {"ETag": str(self.etag)}

    def update_keys(
        self,
        *,
        KvsARN: str,  # noqa: N803 AWS's names
        IfMatch: str,  # noqa: N803
        Puts: list[dict[str, str]],  # noqa: N803
        Deletes: list[dict[str, str]],  # noqa: N803
    ) -> None:
        assert KvsARN == ARN
        if self.stale_once:  # an operator was quicker
            self.stale_once = False
            self.etag += 1
        if IfMatch != str(self.etag):
            raise fault("ValidationException", "UpdateKeys")
        assert len(Puts) + len(Deletes) <= 50
        assert all(len(put["Value"].encode()) <= 1024 for put in Puts)
        self.etag += 1
        self.seen_from_s = self.now + self.lag_s
        self.values |= {put["Key"]: put["Value"] for put in Puts}
        for key in Deletes:
            del self.values[key["Key"]]


def fault(code: str, operation: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, operation)


def rows(*names: str) -> list[Row]:
    found = [row for row in read_rows() if row.name in names]
    assert len(found) == len(names)
    return found


@needs_njs
def test_every_row_passes_when_the_deployed_gate_is_the_built_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deployment = Deployment(tmp_path, gate_source())
    assert main(["--function", NAME], deployment.clients()) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert f"{len(read_rows()) - 1} rows, 0 wrong. Compute utilization at most 21" in said
    assert deployment.values == {}  # nothing stays behind
    assert deployment.now >= BEGIN_S + deployment.lag_s


# What a careless change of the gate would do, and a row that must notice.
WHOLE = "rules[END] + (newest ? TIMES_CHARS + LATER_CHARS : TIMES_CHARS)"
CARELESS: dict[str, tuple[str, str]] = {
    "admission-not-yet": (
        (
            "((!(wait > 0) || wait > LARGEST || rules[MODE] === PER_TOKEN) &&\n"
            "          u < admissionProbability(x, rules[CURVE]) &&"
        ),
        "(u > admissionProbability(x, rules[CURVE]) &&",
    ),
    "admission-other-user": ("place[SUB] !== place[CALLER]", "false"),
    "admission-other-event": ("place[EVT] !== name", "false"),
    "admission-token-ended": ("+place[EXP] <= now", "false"),
    "admission-early": ("now < place[BOFF] - GRACE_S", "false"),
    "admission-bad-solution": ("solves(place[CH], +place[POW], solution.value)", "true"),
    "admission-token-swapped-kid": ("(same(", "((() => true)("),
    "queue-auth-ended": ("+claims[CALLER_EXP] > now", "true"),
    "admission-auth-ended": ("why === NO_AUTH || why === BAD_AUTH ?", "true ?"),
    "queue-soldout": ("state === OPEN || state === PAUSED", "true"),
    "gate-endless-number": ("rules.includes(1 / 0)", "false"),
    "admission-sampled": ("share > 0 && chosen", "false && chosen"),
    "admission-auth-scheme-in-small-letters": ("!== 'bearer '", "!== ''"),
    "gate-other-version": ("(newest || rules[VERSION] === NEWEST - 1)", "true"),
    "gate-curve-below-one": ("rules[CURVE] >= 1 &&", "true &&"),
    "gate-unknown-mode": ("(mode === 0 || mode === PER_TOKEN)", "true"),
    "gate-unknown-state": ("'closed' : broken()", "'closed' : 'closed'"),
    "gate-signing-head-missing": ("head > HEADS &&", "true &&"),
    "gate-auth-head-missing": ("rules[END] > head", "true"),
    "gate-incomplete": (f"{WHOLE} === text.length", "true"),
    "gate-times-missing": (f"{WHOLE} === text.length", "true"),
    "gate-times-missing-before": (f"{WHOLE} === text.length", "true"),
    "gate-figures-of-another-version": (f"{WHOLE} === text.length", "true"),
    "queue-version-before": ("rules[VERSION] === NEWEST - 1", "false"),
    "gate-no-epochs": (
        (
            "rules[at] > 0 &&\n      rules[at + 1] >= 0 &&\n      rules[at + 2] >= 0\n"
            "    ) ||\n    rules.includes(0 / 0) ||"
        ),
        "true) ||",
    ),
    "gate-h-below-zero": ("rules[at + 1] >= 0 &&", "true &&"),
    "gate-slope-below-zero": ("rules[at + 2] >= 0\n", "true\n"),
    "gate-endless-epoch": ("rules.includes(1 / 0)", "false"),
    "queue-auth-from-the-future": ("+claims[CALLER_IAT] > now + AHEAD_S", "false"),
    "admission-token-headless-blanks": ("if (head !== '') ", ""),
    "admission-spoofed-word": ("request.headers[EDGE] =", "request.headers.nothing ="),
    "desk-early": ("if (chosen(", "if (false && chosen("),
    "admission-no-solution": ("if (chosen(", "if (true || chosen("),
    "unknown-event-no-auth": (
        "        return stranger(NO_AUTH);\n      }\n      if (!signedIn",
        "      }\n      if (signedIn && !signedIn",
    ),
    "admission-paused": ("    rules[STATE] !== PAUSED &&\n", ""),
    "admission-before-its-moment": (
        " &&\n          now >= firstLook(lot, second) - GRACE_S",
        "",
    ),
}


@needs_njs
@pytest.mark.parametrize("name", sorted(CARELESS))
def test_the_check_notices_when_the_deployed_gate_lacks_a_guard(name: str, tmp_path: Path) -> None:
    guard, nothing = CARELESS[name]
    gate = gate_source(readable=True)
    assert gate.count(guard) == 1
    deployment = Deployment(tmp_path, gate.replace(guard, nothing), lag_s=0)
    [outcome] = check_function(deployment.clients(), NAME, "LIVE", rows(name), told=lambda _: None)
    assert outcome.wrong != []


@needs_njs
def test_the_check_says_so_when_the_function_crashes(tmp_path: Path) -> None:
    crashing = gate_source(readable=True).replace("  var named,", "  missing;\n  var named,")
    deployment = Deployment(tmp_path, crashing, lag_s=0)
    [outcome] = check_function(
        deployment.clients(), NAME, "LIVE", rows("queue-open"), told=lambda _: None
    )
    assert "the function failed: ReferenceError" in outcome.wrong[0]


@needs_njs
def test_the_check_cleans_up_when_the_values_never_arrive(tmp_path: Path) -> None:
    deployment = Deployment(tmp_path, gate_source(), lag_s=1e9)
    with pytest.raises(GateCheckError, match="did not arrive"):
        check_function(deployment.clients(), NAME, "LIVE", rows("queue-open"), told=lambda _: None)
    assert deployment.values == {}


def test_the_check_says_what_is_missing_when_there_is_no_such_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deployment = Deployment(tmp_path, "")
    assert main(["--function", "other"], deployment.clients()) == 1
    assert "There is no function other at stage LIVE." in capsys.readouterr().err
    assert main(["--function", NAME, "--row", "no-such-row"], deployment.clients()) == 2


def test_no_key_of_the_table_reaches_a_deployment_when_values_are_filled() -> None:
    """Everybody can read them. The draw's key stays: it opens nothing, and decides the rows."""
    checked = 0
    for row in read_rows():
        filled = fill_value(row, "check", int(BEGIN_S)).text
        try:
            value = unpack(row.value or "")
        except ValueError:
            continue
        checked += 1
        keys = [value["g"], *value["t"].values(), *value["a"].values()]
        assert not any(key in filled for key in keys), row.name
    assert checked > 60


def test_the_calls_are_what_the_api_takes_when_sent_by_boto3() -> None:
    """botocore checks every parameter and every answer against the service's own model."""
    session = boto3.Session(aws_access_key_id="x", aws_secret_access_key="x")
    cloudfront = session.client("cloudfront", region_name="us-east-1")
    store = session.client("cloudfront-keyvaluestore", region_name="us-east-1")
    summary = {
        "Name": NAME,
        "FunctionConfig": {
            "Comment": "",
            "Runtime": "cloudfront-js-2.0",
            "KeyValueStoreAssociations": {"Quantity": 1, "Items": [{"KeyValueStoreARN": ARN}]},
        },
        "FunctionMetadata": {
            "FunctionARN": "arn:aws:cloudfront::1:function/x",
            "LastModifiedTime": 0,
        },
    }
    problem = {"code": "sale-over", "status": 410, "state": "closed"}
    answer = {
        "statusCode": 410,
        "headers": {"cache-control": {"value": "no-store"}},
        "body": {"encoding": "text", "data": json.dumps(problem)},
    }
    result = {
        "FunctionSummary": summary,
        "ComputeUtilization": "7",
        "FunctionOutput": json.dumps({"response": answer}),
    }
    asked = {"Name": NAME, "IfMatch": "E1", "Stage": "DEVELOPMENT", "EventObject": ANY}
    kvs = {"ETag": "K1", "ItemCount": 0, "TotalSizeInBytes": 0, "KvsARN": ARN, "Created": 0}
    changed = {"ETag": "K2", "ItemCount": 0, "TotalSizeInBytes": 0}
    with Stubber(cloudfront) as front, Stubber(store) as kept:
        front.add_response(
            "describe_function",
            {"FunctionSummary": summary, "ETag": "E1"},
            {"Name": NAME, "Stage": "DEVELOPMENT"},
        )
        for _ in ("has the value arrived?", "the row"):
            front.add_response("test_function", {"TestResult": result}, asked)
        for puts, deletes in ((ANY, []), ([], ANY)):
            kept.add_response("describe_key_value_store", kvs, {"KvsARN": ARN})
            sent: dict[str, Any] = {
                "KvsARN": ARN,
                "IfMatch": "K1",
                "Puts": puts,
                "Deletes": deletes,
            }
            kept.add_response("update_keys", changed, sent)
        clients = Clients(cloudfront, store, now_s=lambda: BEGIN_S, pause=lambda _: None)
        [outcome] = check_function(
            clients, NAME, "DEVELOPMENT", rows("queue-closed"), told=lambda _: None
        )
        front.assert_no_pending_responses()
        kept.assert_no_pending_responses()
    assert (outcome.wrong, outcome.utilization) == ([], 7)
