"""A client that a generator makes of docs/openapi.json compiles, and buys a ticket."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
from pathlib import Path

import pytest

from fairgate.domain.shared.ids import ORDER_ID
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


def test_the_generated_python_client_buys_a_ticket(system, tmp_path):
    command = schemathesis()
    if command is None:
        pytest.skip("openapi-python-client is not installed: `make test` does it (.venv-openapi)")
    python = command.absolute().with_name("python")
    config = tmp_path / "config.yml"
    config.write_text("package_name_override: api_client\npost_hooks: []\n")
    made = ("--path", OUTPUT, "--config", config, "--meta", "none")
    to = ("--output-path", tmp_path / "api_client")
    run(tmp_path, python, "-m", "openapi_python_client", "generate", *made, *to)
    shutil.copy(ROOT / "tests" / "support" / "waiting.py", tmp_path)
    run(tmp_path, python, "-m", "mypy", "--cache-dir", tmp_path / "cache", HERE / "buy.py")
    order = run(tmp_path, python, HERE / "buy.py", system.base_url, system.event, *identity(system))
    assert re.fullmatch(ORDER_ID.pattern, order.strip())


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
