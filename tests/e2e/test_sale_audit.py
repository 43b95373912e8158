"""What the real gate let in, the audit decides again: nobody came in who should not have."""

from __future__ import annotations

import json

from tests.e2e.shopper import Shopper


def test_every_admission_of_the_running_system_is_as_the_rules_say(system, tmp_path):
    Shopper(system.base_url, system.event).walk_in()
    audit = json.loads(system.fairgate("audit", system.event, "--json"))
    assert audit["counts"] == {}, audit["findings"][:3]
    assert audit["admissions"] >= 1
    log = str(tmp_path / "log.jsonl.gz")
    system.fairgate("audit", "export", system.event, "--out", log)
    refused = system.fairgate("draw", "reveal", system.event, "--json", expect=1)
    assert json.loads(refused)["error"]["code"] == "wrong-state"
