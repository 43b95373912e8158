"""``fairgate doctor`` as it is typed: every check in time, and no "ok" for what was not seen."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import NoCredentialsError, ReadTimeoutError

from fairgate.errors import DependencyUnavailableError
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import doctor as cli_doctor
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.command import MISUSED
from fairgate_ops.operate.doctor import checks, site
from fairgate_ops.operate.doctor.examine import examine, looked_at
from fairgate_ops.operate.doctor.finding import Finding, good
from tests.support.aws_stub import AwsStub
from tests.support.doctor_site import DESCRIBED, PROVIDER_KEYS, TOLD, Web, site_of
from tests.support.waiting import patience_s
from tests.support.world import EVENT, World
from tests.unit.operate.test_doctor_account import PRODUCTION

READY = {
    f"/api/events/{EVENT}/queue": (401, "{}"),
    "/": (200, "<html>"),
    "/idp/jwks.json": (200, PROVIDER_KEYS),
    "/config.json": (200, TOLD),
    "/idp/.well-known/openid-configuration": (200, DESCRIBED),
    "/api/payments/webhook": (400, '{"type": "urn:fairgate:problem:malformed"}'),
}


def doctor(
    world: World,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: dict[str, tuple[int, str]],
    *words: str,
) -> int:
    here = site_of(world, folder, provider="sandbox").target
    monkeypatch.setattr(target, "target_of", lambda _options: here)
    monkeypatch.setattr(cli_doctor, "fetch", Web(answers))
    return main.main(["doctor", *words])


def test_a_local_system_is_ready_and_says_what_does_not_apply(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert doctor(world, tmp_path, monkeypatch, READY, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["ready"] is True
    by_subject = {one["subject"]: one for one in said["findings"]}
    for name in checks.IN_AWS:
        assert by_subject[name]["state"] == "off"
        assert "this machine" in by_subject[name]["text"]
    assert by_subject["webhook"]["state"] == "ok"


def test_an_account_is_looked_at_before_anything_is_deployed(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """No stage is asked for: target_of would refuse there."""
    aws = AwsStub().answer("sesv2", "get_account", PRODUCTION | {"ProductionAccessEnabled": False})
    monkeypatch.setattr(cli_doctor, "AwsClients", lambda: aws)
    assert main.main(["doctor", "--target", "aws", "--before-deploy"]) == 1
    said = capsys.readouterr().out
    for subject in ("Lambda concurrency", "new account", "Stripe", "API requests a second"):
        assert subject in said
    assert "WRONG     mail: SES is in its sandbox" in said
    with pytest.raises(SystemExit) as ended:
        main.main(["doctor", "--before-deploy"])
    assert ended.value.code == MISUSED


@pytest.mark.parametrize("within", ["nan", "inf", "-1", "0", "soon"])
def test_a_time_that_is_none_is_wrong_usage(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, within: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        doctor(world, tmp_path, monkeypatch, READY, f"--within={within}")
    assert ended.value.code == MISUSED


@pytest.mark.parametrize("gone", sorted(READY))
def test_it_ends_with_1_when_one_line_is_wrong_or_unseen(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, gone: str
) -> None:
    answers = {address: answer for address, answer in READY.items() if address != gone}
    assert doctor(world, tmp_path, monkeypatch, answers) == 1
    out = capsys.readouterr().out
    assert "NOT SEEN" in out
    assert "Not ready: 0 wrong, 1 could not be seen." in out


def test_each_wrong_line_says_what_to_do_where_and_how_long_it_takes(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    answers = {**READY, "/api/payments/webhook": (500, "")}
    assert doctor(world, tmp_path, monkeypatch, answers) == 1
    (line,) = [x for x in capsys.readouterr().out.splitlines() if x.startswith("WRONG")]
    assert "payments do not reach us" in line
    assert line.endswith("(the log of orders, minutes)")


@pytest.mark.parametrize("words", [["--crowd", "0"], ["--crowd", "many"], ["--within", "soon"]])
def test_wrong_usage_ends_with_2(words: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["doctor", *words])
    assert ended.value.code == 2
    assert capsys.readouterr().err


# --- what stops a check


def _raises(error: Exception) -> Any:
    def check(_site: Any) -> Iterator[Finding]:
        yield good("half", "seen")
        raise error

    return check


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (NoCredentialsError(), "no credentials"),
        (ReadTimeoutError(endpoint_url="https://sns"), "in time"),
        (site.UnreachableError("nobody at home"), "nobody at home"),
        (DependencyUnavailableError("The table is away."), "The table is away."),
        (KeyError("Value"), "itself broke"),
    ],
)
def test_a_check_that_is_stopped_has_seen_nothing(
    world: World, tmp_path: Path, error: Exception, says: str
) -> None:
    (found,) = looked_at(site_of(world, tmp_path), "it", _raises(error))
    assert (found.subject, found.state) == ("it", "unseen")
    assert says in found.text


def test_a_check_that_looks_at_nothing_is_not_good(world: World, tmp_path: Path) -> None:
    (found,) = looked_at(site_of(world, tmp_path), "it", lambda _site: [])
    assert found.state == "unseen"


def test_a_check_that_stalls_holds_up_no_other(world: World, tmp_path: Path) -> None:
    told = threading.Event()

    def stalls(_site: Any) -> list[Finding]:
        told.wait(patience_s(30))
        return [good("late", "seen")]

    started = time.monotonic()
    try:
        found = examine(
            site_of(world, tmp_path),
            {"late": stalls, "quick": lambda _site: [good("quick", "seen")]},
            {},
            within_s=0.3,
        )
    finally:
        told.set()
    assert [(one.subject, one.state) for one in found] == [("late", "unseen"), ("quick", "ok")]
    assert time.monotonic() - started < patience_s(20)


STALLED = """
import sys, threading
from fairgate_ops.operate.doctor import examine, finding, site
none = site.Site(None, "", None, None, None)
checks = {str(number): lambda _site: threading.Event().wait() for number in range(20)}
found = examine.examine(none, checks, {}, within_s=0.2)
sys.exit(7 if {one.state for one in found} == {"unseen"} and len(found) == 20 else 1)
"""


def test_the_command_ends_when_a_check_never_does() -> None:
    done = subprocess.run([sys.executable, "-c", STALLED], timeout=patience_s(60), check=False)
    assert done.returncode == 7


def test_checks_of_aws_run_where_there_is_aws(world: World, tmp_path: Path) -> None:
    check = {"it": lambda _site: [good("it", "seen")]}
    here = site_of(world, tmp_path)
    assert [one.state for one in examine(here, {}, check, within_s=5)] == ["off"]
    there = replace(here, client=AwsStub().client)
    assert [one.state for one in examine(there, {}, check, within_s=5)] == ["ok"]


def test_an_address_that_is_none_of_the_web_is_not_asked() -> None:
    with pytest.raises(site.UnreachableError):
        site.fetch("file:///etc/passwd")
