"""The identity provider's secret: asked for before it is written, logged, and a way back."""

from __future__ import annotations

import io
import json
from base64 import b64decode
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest

from fairgate.adapters.aws.secrets import client_secret as kept_secret
from fairgate.bootstrap import Container
from fairgate.settings import from_environment
from fairgate_ops.operate import client_secret, target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.target import SecretFile, Target
from fairgate_ops.shared.secret_file import write_secret_files
from tests.support.world import EVENT, NAMES, World

HOME, ISSUER = "https://tickets.example", "https://id.example/pool"
FIRST, NEXT = "s:e c%", "another-secret"


class Provider:
    """Its discovery and token endpoint, and the deployment's config.json before it."""

    def __init__(self) -> None:
        self.takes = {FIRST, NEXT}
        self.refusal: tuple[int, Any] = (401, {"error": "invalid_client"})
        self.token_url = f"{ISSUER}/token"
        self.identity: Any = {"issuer": ISSUER, "client_id": "tickets", "redirect_uri": ""}
        self.issuer = ISSUER
        self.down = False
        self.forms: list[bytes] = []

    def call(
        self, url: str, form: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        status, answer = self.answer(url, form, headers or {})
        return status, json.dumps(answer).encode()

    def answer(self, url: str, form: bytes | None, headers: Mapping[str, str]) -> tuple[int, Any]:
        if url == f"{HOME}/config.json":
            return 200, {"identity": self.identity}
        if url == f"{ISSUER}/.well-known/openid-configuration":
            return 200, {"issuer": self.issuer, "token_endpoint": self.token_url}
        assert url == self.token_url
        if self.down:
            raise TimeoutError("slow")
        self.forms.append(form or b"")
        pair = b64decode(headers["authorization"].removeprefix("Basic ")).decode()
        name, _, secret = pair.partition(":")
        assert name == "tickets"
        taken = unquote_plus(secret) in self.takes
        return (400, {"error": "invalid_grant"}) if taken else self.refusal


class Site:
    def __init__(
        self, world: World, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "aws"
    ) -> None:
        self.provider = Provider()
        write_secret_files(folder / "secrets")
        self.kept = folder / "secrets" / "identity.json"
        settings = from_environment(
            {
                "FAIRGATE_RESERVATIONS_TABLE": NAMES["reservations"],
                "FAIRGATE_CATALOG_TABLE": NAMES["catalog"],
                "FAIRGATE_PUBLIC_URL": HOME,
            }
        )
        container = Container(
            settings,
            clock=world.clock,
            table=world.table,
            secrets=world.secrets,
            edge_config=world.edge_config,
        )
        secret = partial(SecretFile, self.kept.parent)
        self.target = Target(name, container, secret, lambda: world.client, 1.0)
        self._patch = monkeypatch
        monkeypatch.setattr(target, "target_of", lambda _options: self.target)
        for function in (client_secret.read_client, client_secret.ask_provider):
            monkeypatch.setattr(function, "__defaults__", (self.provider.call,))

    def run(self, capsys: pytest.CaptureFixture[str], line: str, *words: str) -> tuple[int, str]:
        capsys.readouterr()
        self._patch.setattr("sys.stdin", io.StringIO(line))
        status = main.main(["keys", "oidc", *words, "--json"])
        return status, capsys.readouterr().out

    def secret(self) -> str:
        return kept_secret(json.loads(self.kept.read_text())).decode()

    def log(self) -> str:
        return json.dumps([e.as_json() for e in self.target.acts().log_of(EVENT).read()])


@pytest.fixture
def site(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(world, tmp_path, monkeypatch)


def test_a_secret_is_kept_once_the_provider_took_it_and_can_be_brought_back(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.run(capsys, f"{FIRST}\n", "--dry-run")[0] == 0
    assert site.secret() == ""
    assert site.run(capsys, f"{FIRST}\r\n")[0] == 0
    assert site.secret() == FIRST
    for _ in range(2):  # the same again leaves the one before as it is
        assert site.run(capsys, NEXT, "--reason", "leaked")[0] == 0
    assert site.secret() == NEXT
    assert site.run(capsys, "", "--back", "--dry-run")[0] == 0
    assert site.secret() == NEXT
    for expected in (FIRST, NEXT):
        assert site.run(capsys, "", "--back")[0] == 0
        assert site.secret() == expected
    log = site.log()
    assert all(word in log for word in ("client secret", "client secret back", "leaked"))
    assert not any(secret in log for secret in (FIRST, NEXT))


def test_one_may_go_back_to_a_client_without_a_secret(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "none to go back to" in site.run(capsys, "", "--back")[1]
    site.run(capsys, FIRST)
    assert site.run(capsys, "", "--back")[0] == 0
    assert site.secret() == ""


def test_a_secret_that_the_provider_refuses_changes_nothing(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.run(capsys, FIRST)
    for more in ([], ["--dry-run"]):
        status, said = site.run(capsys, "revoked", *more)
        assert (status, site.secret()) == (1, FIRST)
        assert "refuses this secret" in said
        assert "revoked" not in said


def test_a_provider_that_looks_at_the_code_first_cannot_be_asked(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.provider.refusal = (400, {"error": "invalid_grant"})
    status, said = site.run(capsys, "wrong-or-right")
    assert (status, site.secret()) == (1, "")
    assert "cannot be asked" in said
    assert "400 invalid_grant" in said
    asked = len(site.provider.forms)
    status, said = site.run(capsys, "wrong-or-right", "--unasked")
    assert (status, site.secret()) == (0, "wrong-or-right")
    assert json.loads(said)["asked"] is False
    assert len(site.provider.forms) == asked


@pytest.mark.parametrize("status", [429, 500, 503])
def test_nothing_is_written_while_the_provider_has_a_bad_day(
    site: Site, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    site.provider.takes = set()
    site.provider.refusal = (status, {})
    code, said = site.run(capsys, FIRST)
    assert (code, site.secret()) == (1, "")
    assert f"({status})" in said


def test_nothing_is_written_while_the_provider_is_silent(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.provider.down = True
    code, said = site.run(capsys, FIRST)
    assert (code, site.secret()) == (1, "")
    assert "does not answer" in said


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"identity": None}, "names no identity provider"),
        ({"issuer": "https://evil.example"}, "describes itself as another"),
        ({"token_url": "http://id.example/token"}, "describes itself as another"),
    ],
)
def test_nobody_else_is_shown_the_secret(
    site: Site, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], text: str
) -> None:
    for name, value in changes.items():
        setattr(site.provider, name, value)
    code, said = site.run(capsys, FIRST)
    assert (code, site.secret(), site.provider.forms) == (1, "", [])
    assert text in said


@pytest.mark.parametrize("line", ["", "\n", "é", "a\tb", "x" * 600])
def test_what_is_no_secret_is_not_shown_to_anybody(
    site: Site, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    code, said = site.run(capsys, line)
    assert (code, site.provider.forms) == (1, [])
    assert "no client secret" in said


def test_the_local_sign_in_is_not_broken_by_a_secret(
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = Site(world, tmp_path, monkeypatch, "local")
    code, said = site.run(capsys, FIRST)
    assert (code, site.secret()) == (1, "")
    assert "--target aws" in said


def test_the_secret_is_no_argument() -> None:
    for words in (["a-secret"], ["--back", "--unasked"]):
        with pytest.raises(SystemExit) as caught:
            main.main(["keys", "oidc", *words])
        assert caught.value.code == 2
