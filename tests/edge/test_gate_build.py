"""The build: small, the same every time, and nothing that the edge's runtime would refuse."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.edge.gate_tools import ROOT, missing_tool
from tests.support import gate_build
from tests.support.gate_build import gate_source
from tests.support.waiting import patience_s

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
BYTES_MAX = 10_240  # CloudFront Developer Guide, cloudfront-limits

# One for each construct that the runtime was measured to refuse, or that must not be used there.
REFUSED = {
    "for-of": "for (const a of []) { a; }",
    "object destructuring": "const { a } = {};",
    "array destructuring": "const [a] = [];",
    "destructured parameter": "function g({ a }) { return a; }",
    "spread argument": "f(...[]);",
    "spread element": "const a = [...[]];",
    "spread property": "const a = { ...{} };",
    "default parameter": "function g(a = 1) { return a; }",
    "class": "class A {}",
    "class expression": "const a = class {};",
    "generator": "function* g() { yield 1; }",
    "optional chaining": "const b = {}?.c;",
    "optional call": "f?.();",
    "nullish assignment": "let a; a ??= 1;",
    "or assignment": "let a; a ||= 1;",
    "and assignment": "let a; a &&= 1;",
    "catch without a binding": "try { f(); } catch { f(); }",
    "await in a call": "async function g() { f(await g()); }",
    "await nested in a call": "async function g() { f(1 + await g()); }",
    "await in new": "async function g() { throw new Error(await g()); }",
    "for-await": "async function g() { for await (const a of []) { a; } }",
    "BigInt literal": "const a = 1n;",
    "BigInt": "const a = BigInt(1);",
    "Map": "const a = new Map();",
    "Set": "const a = new Set();",
    "WeakMap": "const a = new WeakMap();",
    "Proxy": "const a = new Proxy({}, {});",
    "Reflect": "const a = Reflect.ownKeys({});",
    "Intl": "const a = Intl.NumberFormat();",
    "URL": "const a = new URL('https://example.org');",
    "regex flag u": "const a = /a/u;",
    "regex flag s": "const a = /a/s;",
    "at": "const a = [1].at(-1);",
    "flat": "const a = [1].flat();",
    "fromEntries": "const a = Object.fromEntries([]);",
    "localeCompare": "const a = 'a'.localeCompare('b');",
    "replaceAll": "const a = 'a'.replaceAll('a', 'b');",
    "randomBytes": "import crypto from 'crypto'; const a = crypto.randomBytes(1);",
    "timingSafeEqual": "import crypto from 'crypto'; const a = crypto.timingSafeEqual(f(), f());",
    "Math.random": "const a = Math.random();",
    "eval": "eval('1');",
    "Function": "const a = new Function('return 1');",
    "require": "const a = require('fs');",
    "dynamic import": "const a = import('fs');",
    "timer": "setTimeout(f, 1);",
    "network": "fetch('https://example.org');",
    "environment": "const a = process.env.A;",
    "log of two things": "console.log('a', 'b');",
}
# The lint must not forbid what the runtime takes, or the sources could not be readable.
ACCEPTED = """
const list = [1, 2];
const at = 0;
const text = `${list[at]} of ${list.length}`;
const shape = /(?<name>a)/i;
function rest(first, ...others) { return others.length ** 2; }
async function wait() {
  try {
    const found = await rest(1);
    return found ?? null;
  } catch (error) {
    console.log('no: ' + error);
    return { [text]: Buffer.from(text), shape: shape, wait: (a) => a + 1 };
  }
}
"""


@pytest.fixture(scope="module")
def refusals() -> dict[str, int]:
    """How many complaints each snippet gets, from one run of the linter."""
    snippets = {name: f"function f() {{}}\n{line}\n" for name, line in REFUSED.items()}
    snippets["accepted"] = ACCEPTED
    script = (
        "import { readFileSync } from 'node:fs';"
        "import { refusals } from './edge/gate/build.mjs';"
        "const all = JSON.parse(readFileSync(0, 'utf8'));"
        "for (const name in all) all[name] = refusals(all[name]);"
        "console.log(JSON.stringify(all));"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        input=json.dumps(snippets),
    )
    complaints: dict[str, list[str]] = json.loads(done.stdout)
    assert complaints["accepted"] == []
    return {name: len(found) for name, found in complaints.items()}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_the_lint_refuses_what_the_runtime_refuses_when_it_appears(
    name: str, refusals: dict[str, int]
) -> None:
    assert refusals[name] > 0


def test_the_gate_keeps_its_promises_to_the_runtime_when_built() -> None:
    code = gate_source()
    assert len(code.encode()) < BYTES_MAX
    assert re.search(r"\basync function handler\(", code)
    assert code.startswith('import cf from"cloudfront";import crypto from"crypto";')
    assert "Date.now=" not in code.replace(" ", "")


def test_the_build_gives_the_same_bytes_when_run_elsewhere(tmp_path: Path) -> None:
    """From another folder and in another locale: the result has nothing of where it was made."""
    target = tmp_path / "gate.js"
    command = ["node", str(ROOT / "edge" / "gate" / "build.mjs"), str(target)]
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "de_DE.UTF-8"}
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env=env)
    assert target.read_bytes() == gate_source().encode()


def test_a_kept_build_is_of_these_sources_and_of_the_package_that_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, terser = tmp_path / "gate", tmp_path / "terser"
    monkeypatch.setattr(gate_build, "ROOT", tmp_path)
    for folder in (gate, terser):
        folder.mkdir()
    first, second, package = gate / "a.js", gate / "b.js", terser / "package.json"
    told = set()
    for texts in ("1;2;", "3;", "v1"), ("1;", "2;3;", "v1"), ("1;", "2;3;", "v2"):
        for path, text in zip((first, second, package), texts, strict=True):
            path.write_text(text)
        told.add(gate_build.digest_of(gate, "*.*js", terser))
    second.rename(gate / "c.js")
    assert len({*told, gate_build.digest_of(gate, "*.*js", terser)}) == 4


def test_the_build_refuses_a_gate_that_is_too_large_when_sources_grow(tmp_path: Path) -> None:
    """The same build over a copy of the sources with one long text more."""
    copy = tmp_path / "edge" / "gate"
    (copy / "src").mkdir(parents=True)
    for file in (ROOT / "edge" / "gate").rglob("*.*js"):
        if "events" not in file.parts:
            (copy / file.relative_to(ROOT / "edge" / "gate")).write_text(file.read_text())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    source = copy / "src" / "answer.js"
    source.write_text(source.read_text().replace("'no-store'", f"'{'x' * BYTES_MAX}'"))
    done = subprocess.run(
        ["node", str(copy / "build.mjs"), str(tmp_path / "gate.js")],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "fewer than 10240 fit" in done.stderr
    assert not (tmp_path / "gate.js").exists()


@pytest.mark.parametrize(
    "line", [REFUSED["await in a call"], REFUSED["await nested in a call"], REFUSED["await in new"]]
)
def test_njs_itself_refuses_a_nested_await_when_it_parses(line: str, tmp_path: Path) -> None:
    script = tmp_path / "nested.js"
    script.write_text(f"function f() {{}}\n{line}\n")
    done = subprocess.run(
        ["njs", "-q", str(script)], check=False, capture_output=True, text=True, timeout=10
    )
    assert "SyntaxError" in done.stdout + done.stderr


def test_njs_parses_the_gate_when_built_and_when_only_joined(tmp_path: Path) -> None:
    (tmp_path / "cloudfront").write_text("export default { kvs: function () {} };\n")
    for readable in (False, True):
        script = tmp_path / "gate.js"
        script.write_text(gate_source(readable=readable) + "\nconsole.log('parsed');\n")
        done = subprocess.run(
            ["njs", "-q", "-p", f"{tmp_path}/", str(script)],
            check=False,
            capture_output=True,
            text=True,
            timeout=patience_s(10),
        )
        assert done.stdout.strip() == "parsed", done.stdout + done.stderr
