"""Fairgate, deployed: the synthesised stacks in the emulator, with what stands outside AWS."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate_lab.emulator import engine
from fairgate_lab.emulator.assembly import contexts, host_layers, synthesise
from fairgate_lab.emulator.cache_tls import HOST, write_certificate
from fairgate_lab.emulator.deploy import DeployedStack, Deployer
from fairgate_lab.emulator.patient import run_patiently
from fairgate_ops.run.local.environment import Place, base_environment, loopback, python_module
from fairgate_ops.run.local.identity_provider import CLIENT_ID, issuer_of
from fairgate_ops.run.local.parts import Parts
from fairgate_ops.run.local.processes import (
    StartError,
    accepts,
    bindable,
    free_port,
    start_child,
    wait_until,
)
from fairgate_ops.run.local.system import build_gate, build_pages
from fairgate_ops.run.local.valkey_server import ValkeyServer
from fairgate_ops.shared.paths import ROOT
from infra.naming import CACHE_USER, name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.domain.seating.venue import Venue

STAGE = "emulated"
CANARY_EVENT = "canary"


@dataclass(frozen=True)
class Ports:
    """Where each part listens on 127.0.0.1."""

    public: int
    emulator: int
    valkey: int
    cache: int
    idp: int
    sandbox: int


@dataclass(frozen=True)
class Decision:
    """One thing that a function asked for."""

    function: str
    action: str
    resource: str
    granted: bool


class EmulatedSystem(Parts):
    """Every part, from ``start`` to ``stop``.

    Start it from a thread that lives as long as the system: the children end with it.

    Args:
        run_dir: an empty folder, or what an earlier run of this left.
        port: of the address for browsers; 0 takes a free one.
        sign_in: the option of the CDK: ``cognito`` deploys a user pool; without it buyers sign in
            at the local provider.
        source: the checkout that is deployed first; ``update`` deploys this one over it.
        say: hears what a person who waits may want to know.
    """

    def __init__(
        self,
        run_dir: Path,
        port: int = 0,
        *,
        sign_in: str = "",
        source: Path = ROOT,
        say: Callable[[str], None] = lambda _text: None,
    ) -> None:
        super().__init__()
        self._sign_in, self._source = sign_in, source
        self.place = Place(run_dir.resolve())
        self._wanted_port, self._say = port, say
        self.stacks: dict[str, DeployedStack] = {}
        self.base_url = self.endpoint = ""
        self.cache_port = 0  # of the cache itself, without TLS
        self._context: dict[str, str] = {}

    def _start(self) -> None:
        reason = engine.missing()
        if reason is not None:
            raise StartError(f"The emulator cannot run here: {reason}.")
        self._clear()
        ports = self._ports()
        self.cache_port = ports.valkey
        self.base_url, self.endpoint = loopback(ports.public), loopback(ports.emulator)
        self._say("layers for this machine, and the templates")
        build_gate(self.place, self._source)
        build_pages(self.place, self._source)
        self._context = {
            "payments_url": loopback(ports.sandbox),
            "canary_event": CANARY_EVENT,
            **self._identity(ports),
        }
        layers = host_layers(self._source)
        folder = self.place.run_dir / "cdk.out"
        synthesise(folder, contexts(STAGE, layers, self._context), self._say, self._source)
        self._engines(ports)
        self._say("the stacks")
        self.stacks = Deployer(folder, self.endpoint, self._say).deploy_all()
        self._say("the keys, the providers and the address")
        self.fairgate("keys", "init")
        self._providers(ports)

    def _identity(self, ports: Ports) -> dict[str, str]:
        if self._sign_in:
            return {"sign_in": self._sign_in, "cognito_plan": "essentials"}  # with its style
        return {
            "oidc_issuer": issuer_of(self.base_url),
            "oidc_client_id": CLIENT_ID,
            "oidc_authorize_url": f"{self.base_url}/idp/authorize",
            "oidc_token_url": f"{loopback(ports.idp)}/idp/token",
            "oidc_jwks_url": f"{loopback(ports.idp)}/idp/jwks.json",
        }

    def update(self, **options: str) -> None:
        """Deploy over the present stage, with these extra options. Raises StartError."""
        after: dict[str, Callable[[], object]] = {}
        if self._source != ROOT:
            self._source = ROOT
            build_gate(self.place)
            build_pages(self.place)
            # As docs/deploying.md, Upgrading, has it.
            after["Data"] = lambda: self.fairgate("keys", "split", "--yes")
        folder = self.place.run_dir / "cdk.out.update"
        synthesise(folder, contexts(STAGE, host_layers(), self._context | options))
        self.stacks = Deployer(folder, self.endpoint).update_all(after)

    def _clear(self) -> None:
        run_dir = self.place.run_dir
        if run_dir.is_dir() and any(run_dir.iterdir()) and not (run_dir / "emulated").exists():
            raise StartError(f"{run_dir} holds other files. Choose an empty folder.")
        shutil.rmtree(run_dir, ignore_errors=True)
        self.place.logs.mkdir(parents=True)
        (run_dir / "emulated").touch()

    def _ports(self) -> Ports:
        public = self._wanted_port or free_port()
        if not bindable(public):
            raise StartError(f"Port {public} is in use by another program.")
        return Ports(public, *(free_port() for _ in range(5)))

    def _engines(self, ports: Ports) -> None:
        self._say("the emulator and the cache")
        certificate, key = self.place.run_dir / "cache.pem", self.place.run_dir / "cache-key.pem"
        write_certificate(certificate, key)
        hints = engine.Told(self.base_url, f"{HOST}:{ports.cache}", certificate)
        emulator = engine.Emulator(self.place.logs, ports.emulator, hints)
        user = name(STAGE, CACHE_USER)  # with a token that nobody here can check
        for server in (ValkeyServer(self.place.logs, ports.valkey, user=user), emulator):
            self._serve(server)
        tls = ("--certificate", str(certificate), "--key", str(key))
        self._module("cache_tls", ports.cache, "--behind", str(ports.valkey), *tls)

    def _providers(self, ports: Ports) -> None:
        operator = json.loads(self.parameter("operator"))
        self.place.secrets.mkdir(mode=0o700)
        payments = self.place.secrets / "payments.json"
        # Version 0.2.0 had all keys in one secret, and said which.
        held_in = operator.get("secret_id", f"fairgate/{STAGE}/payments")
        self._write_secret(held_in, payments)
        at_pages = ("--public-url", self.base_url)
        self._module("identity_provider", ports.idp, *at_pages, package="fairgate_ops.run.local")
        self._module(
            "sandbox_provider",
            ports.sandbox,
            *("--secret-file", str(payments)),
            *("--webhook-url", f"{self.base_url}/api/payments/webhook"),
            *at_pages,
            package="fairgate_ops.run.local",
        )
        behind = ("--emulator", ports.emulator), ("--idp", ports.idp), ("--sandbox", ports.sandbox)
        address = operator["public_url"].removeprefix("https://")
        told = [part for option, port in behind for part in (option, str(port))]
        self._module("front", ports.public, *told, "--distribution", address)

    def _write_secret(self, secret_id: str, path: Path) -> None:
        """The webhook's key, which a provider would be given by hand."""
        answer = self.client("secretsmanager").get_secret_value(SecretId=secret_id)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(answer["SecretString"])

    def _module(
        self, name: str, port: int, *arguments: str, package: str = "fairgate_lab.emulator"
    ) -> None:
        command = python_module(f"{package}.{name}", "--port", str(port), *arguments)
        child = start_child(
            name, command, logs_dir=self.place.logs, env=base_environment(), cwd=ROOT
        )
        self._keep(child)
        wait_until(lambda: accepts(port), name, child=child)

    def client(self, service: str) -> Any:
        """A botocore client of the emulator's account."""
        return engine.emulator_client(service, self.endpoint)

    def parameter(self, name: str) -> str:
        answer = self.client("ssm").get_parameter(Name=f"/fairgate/{STAGE}/{name}")
        return str(answer["Parameter"]["Value"])

    def environment(self) -> dict[str, str]:
        """Of a command that works on what is deployed here, by the code that is deployed here."""
        folders = ("build/fonts", "layers/core/python", "ops", "")
        imported = os.pathsep.join(str(self._source / folder) for folder in folders)
        return engine.caller_environment(
            self.endpoint, base_environment() | {"PYTHONPATH": imported}
        )

    def fairgate(self, *arguments: str) -> str:
        """Run the operators' command on it; its output. Raises StartError: it failed."""
        module = "fairgate_ops.operate.cli.main"
        command = [sys.executable, "-m", module, "--target", "aws", "--stage", STAGE, *arguments]
        what = f"fairgate {arguments[0]}"
        done = run_patiently(command, what, env=self.environment(), cwd=self._source, say=self._say)
        if done.returncode:
            asked = " ".join(arguments)
            raise StartError(f"fairgate {asked}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def create_event(
        self,
        event: str,
        venue: Venue,
        *options: str,
        sold_for: Sequence[str] = ("--price-all", "45", "--publish"),
    ) -> None:
        """Put ``venue`` on sale; ``options`` are those of ``fairgate event create``."""
        chart = self.place.run_dir / f"{event}.venue.json"
        chart.write_text(json.dumps(dump_venue(venue)), "utf-8")
        named = ("--venue", str(chart), "--name", venue.name)
        self.fairgate("event", "create", event, *named, *sold_for, *options)

    def decisions(self) -> list[Decision]:
        """What the functions asked IAM for until now, in order."""
        lines = (self.place.logs / "decisions.jsonl").read_text("utf-8").splitlines()
        return [Decision(*json.loads(line)) for line in lines]
