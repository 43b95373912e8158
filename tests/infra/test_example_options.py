"""With the example options every stage is synthesised, offline and twice the same."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from infra.config import Config
from infra.example_options import example_options
from tests.infra.conftest import ROOT, built_gate, stand_in_layers, synthesise
from tests.support import needs
from tests.support.lengths import in_full_only

PAGES = {"web": "edge/web"}


@in_full_only("four syntheses take two minutes of a core")
@pytest.mark.parametrize("stage", ["prod", "local"])
def test_every_stage_is_synthesised_offline_and_twice_the_same(stage: str, tmp_path: Path) -> None:
    needs.node()
    gate, _ = built_gate(tmp_path)
    built = {"layers": str(stand_in_layers(tmp_path / "layers")), "gate": str(gate)} | PAGES
    made = []
    for number in range(2):
        folder = tmp_path / f"cdk.out.{number}"
        ran = synthesise(folder, {**example_options(stage), **built}, tmp_path, validated=False)
        assert ran.status == 0, ran.said
        made.append({p.name: p.read_text() for p in folder.glob("*.template.json")})
    assert made[0] == made[1]
    assert ("SignIn.template.json" in made[0]) == (stage == "prod")


def test_they_are_all_that_a_stage_needs(tmp_path: Path) -> None:
    (tmp_path / "gate.js").write_text("//")
    built = {"layers": str(stand_in_layers(tmp_path / "layers")), "gate": f"{tmp_path}/gate.js"}
    built |= PAGES
    for stage in ("prod", "local"):
        config = Config.from_context((example_options(stage) | built).get, ROOT)
        assert config.sells == (stage == "prod")


def test_the_makefile_synthesises_with_them() -> None:
    command = ["make", "--dry-run", "synth", "STAGE=prod"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "infra.example_options prod" in done.stdout
    assert "payments_provider=sandbox" not in done.stdout
