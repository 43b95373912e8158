"""A client that a generator makes of docs/openapi.json compiles, buys a ticket and does an act."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from fairgate.domain.shared.ids import ORDER_ID
from fairgate.domain.shared.times import rfc3339
from fairgate_lab.attack.fuzz_api import schemathesis
from fairgate_ops.build.openapi import OUTPUT
from fairgate_ops.run.local.guest_sign_in import AUTHORIZE, FORM, guest_sign_in
from fairgate_ops.shared.paths import ROOT
from tests.e2e.shopper import call
from tests.support.waiting import patience_s

HERE = Path(__file__).parent / "clients"
WITHIN_S = 180


def run(place, *command: object) -> str:
    """What it printed; fails with it."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
        timeout=patience_s(WITHIN_S),
        env={"PATH": os.environ["PATH"], "HOME": str(place), "PYTHONPATH": str(place)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def identity(system) -> list[str]:
    """Sign in as a guest at the provider, which is not of the API: what the exchange asks for."""
    begun = guest_sign_in(system.base_url, f"client-{secrets.token_hex(6)}", secrets.token_hex)
    back = call(system.base_url, "POST", AUTHORIZE, begun.form(), FORM)
    told = begun.exchange(back.headers["location"])
    return [told[name] for name in ("code", "verifier", "nonce")]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """Run a program of `clients` beside the Python client, whose types it is checked against."""
    command = schemathesis()
    if command is None:
        pytest.skip("openapi-python-client is not installed: `make test` does it (.venv-openapi)")
    python = command.absolute().with_name("python")
    place = tmp_path_factory.mktemp("client")
    config = place / "config.yml"
    config.write_text("package_name_override: api_client\npost_hooks: []\n")
    made = ("--path", OUTPUT, "--config", config, "--meta", "none")
    to = ("--output-path", place / "api_client")
    run(place, python, "-m", "openapi_python_client", "generate", *made, *to)
    shutil.copy(ROOT / "tests" / "support" / "waiting.py", place)
    programs = [HERE / name for name in ("buy.py", "operate.py")]
    run(place, python, "-m", "mypy", "--cache-dir", place / "cache", *programs)
    return lambda name, *arguments: run(place, python, HERE / name, *arguments)


def test_the_generated_python_client_buys_a_ticket(system, generated):
    order = generated("buy.py", system.base_url, system.event, *identity(system))
    assert re.fullmatch(ORDER_ID.pattern, order.strip())


def test_a_program_of_the_organisers_does_an_act_by_a_token(system, generated):
    until = rfc3339(time.time_ns() // 1_000_000 + 86_400_000)
    role = ("--role", "organiser", "--until", until)
    made = json.loads(system.fairgate("access", "token", system.event, *role, "--json"))
    said = generated("operate.py", system.base_url, system.event, made["token"])
    assert "The bar is open." in said
    log = json.loads(system.fairgate("event", "log", system.event, "--json"))
    told = [one for one in log["entries"] if one["who"].startswith("token")]
    assert [one["act"] for one in told] == ["say", "say"]  # asked and done, once


def test_the_generated_typescript_client_buys_a_ticket(system, tmp_path):
    packages = ROOT / "node_modules"
    if not (packages / "openapi-typescript").is_dir():
        pytest.skip("openapi-typescript is not installed (npm ci)")
    (tmp_path / "node_modules").symlink_to(packages)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name in ("buy.ts", "tsconfig.json"):
        shutil.copy(HERE / name, tmp_path)
    # As .d.ts it would be left unchecked, as the libraries' are (they took four of six seconds).
    made = (OUTPUT, "--default-non-nullable=false", "-o", tmp_path / "schema.ts")
    run(tmp_path, "node", packages / "openapi-typescript" / "bin" / "cli.js", *made)
    run(tmp_path, "node", packages / "typescript" / "bin" / "tsc", "--noEmitOnError")
    order = run(tmp_path, "node", "buy.js", system.base_url, system.event, *identity(system))
    assert re.fullmatch(ORDER_ID.pattern, order.strip())
