"""The user pool and its client, deployed into the emulator: a buyer signs in through them.

What that cannot prove: the pages' looks, mails, quotas, threat protection, and the name under
amazoncognito.com, at which the emulator does not answer; its pages are asked at its own address.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import secrets
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from fairgate.adapters.identity.code_flow import CodeFlow
from fairgate.adapters.identity.oidc import IdTokenVerifier
from fairgate.errors import SignInRefusedError
from fairgate_lab.emulator.deploy import Deployer
from fairgate_lab.emulator.engine import Emulator, Told, emulator_client
from fairgate_ops.run.local.processes import free_port
from infra.naming import sign_in_parameter
from tests.infra.conftest import ROOT, stand_in_layers
from tests.support import needs
from tests.support.waiting import patience_s

HOME = "https://tickets.example"
BUYER, PASSWORD = "buyer@example.org", secrets.token_urlsafe(12)


@dataclass
class Pool:
    endpoint: str
    pool: str
    client: str

    def ask(self, path: str, form: dict[str, str] | None = None) -> tuple[int, str, bytes]:
        """Status, where it leads to, and the page."""
        connection = http.client.HTTPConnection(
            urlsplit(self.endpoint).netloc, timeout=patience_s(60)
        )
        kind = {"content-type": "application/x-www-form-urlencoded"}
        with closing(connection):
            if form is None:
                connection.request("GET", path)
            else:
                connection.request("POST", path, urlencode(form), kind)
            answer = connection.getresponse()
            return answer.status, answer.headers.get("location", ""), answer.read()

    def asked(self, verifier: str, **other: str) -> dict[str, str]:
        digest = hashlib.sha256(verifier.encode()).digest()
        return {
            "response_type": "code",
            "scope": "openid",
            "client_id": self.client,
            "redirect_uri": f"{HOME}/",
            "state": "s" * 32,
            "nonce": "n" * 32,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
            **other,
        }

    def code(self, verifier: str) -> str:
        form = {**self.asked(verifier), "username": BUYER, "password": PASSWORD}
        status, back, _ = self.ask("/login", form)
        assert status == 302
        assert back.startswith(f"{HOME}/?")
        answer = parse_qs(urlsplit(back).query)
        assert answer["state"] == ["s" * 32]
        return answer["code"][0]

    def flow(self) -> CodeFlow:
        """Ours, as the function has it, but for where the emulator answers."""
        issuer = f"https://cognito-idp.{self.pool.partition('_')[0]}.amazonaws.com/{self.pool}"
        keys = f"{self.endpoint}/{self.pool}/.well-known/jwks.json"
        none: Any = SimpleNamespace(identity=lambda: b"")
        return CodeFlow(
            f"{self.endpoint}/oauth2/token",
            self.client,
            f"{HOME}/",
            id_tokens=IdTokenVerifier(issuer, self.client, keys),
            secrets=none,
        )


def synthesised(folder: Path) -> Path:
    needs.cdk("infra.stacks.sign_in", validated=True)
    from aws_cdk import App, Stack

    from infra.config import Config
    from infra.constructs.user_pool_client import UserPoolClient
    from infra.stacks.sign_in import SignInStack

    layers = stand_in_layers(folder / "layers")
    (folder / "gate.js").write_text("//")
    context = {
        "stage": "emulated",
        "payments_provider": "sandbox",
        "sign_in": "cognito",
        "layers": str(layers),
        "gate": str(folder / "gate.js"),
        "web": "edge/web",
    }
    config = Config.from_context(context.get, ROOT)
    flags = json.loads((ROOT / "cdk.json").read_text())["context"]
    app = App(context=flags, outdir=str(folder / "cdk.out"))
    pool = SignInStack(app, "SignIn", config)
    edge = Stack(app, "Pages", stack_name="fairgate-emulated-pages")  # as far as it is Cognito's
    edge.add_stack_dependency(pool)
    UserPoolClient(edge, "SignIn", config, public_url=HOME)
    return Path(app.synth().directory)


@pytest.fixture(scope="module")
def pool(runnable: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    folder = tmp_path_factory.mktemp("user-pool")
    hints = Told(HOME, "127.0.0.1:1", folder / "none.pem")
    emulator = Emulator(folder, free_port(), hints)
    assembly = synthesised(folder)
    emulator.start()
    try:
        endpoint = f"http://127.0.0.1:{emulator.port}"
        Deployer(assembly, endpoint).deploy_all()
        ssm = emulator_client("ssm", endpoint)
        told = {
            what: ssm.get_parameter(Name=sign_in_parameter("emulated", what))["Parameter"]["Value"]
            for what in ("pool", "client")
        }
        cognito = emulator_client("cognito-idp", endpoint)
        cognito.sign_up(
            ClientId=told["client"],
            Username=BUYER,
            Password=PASSWORD,
            UserAttributes=[{"Name": "email", "Value": BUYER}],
        )
        cognito.admin_confirm_sign_up(UserPoolId=told["pool"], Username=BUYER)
        yield Pool(endpoint, told["pool"], told["client"])
    finally:
        emulator.stop()


def test_a_buyer_signs_in_and_the_code_counts_once(pool: Pool) -> None:
    verifier = secrets.token_urlsafe(32)
    assert pool.ask(f"/oauth2/authorize?{urlencode(pool.asked(verifier))}")[0] == 200
    code = pool.code(verifier)
    claims = pool.flow().redeem(code, verifier, "n" * 32)
    assert claims["aud"] == pool.client
    assert claims["sub"]
    assert claims["email"] == BUYER
    with pytest.raises(SignInRefusedError):
        pool.flow().redeem(code, verifier, "n" * 32)


def test_a_code_of_another_browser_is_refused(pool: Pool) -> None:
    code = pool.code(secrets.token_urlsafe(32))
    with pytest.raises(SignInRefusedError):
        pool.flow().redeem(code, secrets.token_urlsafe(32), "n" * 32)


def test_an_answer_to_another_sign_in_is_refused(pool: Pool) -> None:
    verifier = secrets.token_urlsafe(32)
    with pytest.raises(SignInRefusedError, match="could not be verified"):
        pool.flow().redeem(pool.code(verifier), verifier, "m" * 32)


@pytest.mark.parametrize(
    "other", [{"redirect_uri": "https://evil.example/"}, {"response_type": "token"}]
)
def test_nobody_is_sent_elsewhere_or_given_a_token_in_an_address(
    pool: Pool, other: dict[str, str]
) -> None:
    status, back, _ = pool.ask(f"/oauth2/authorize?{urlencode(pool.asked('v', **other))}")
    assert status == 400
    assert back == ""
