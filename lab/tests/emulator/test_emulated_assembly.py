"""The layers and templates of the emulated stage are made once, also for callers at once."""

from __future__ import annotations

import threading
from types import SimpleNamespace

from fairgate_lab.emulator import assembly


def test_layers_are_built_by_one_at_a_time(tmp_path, monkeypatch):
    inside, most = [0], [0]
    hold = threading.Barrier(2)

    def build(*_: object, **_how: object) -> None:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        try:
            hold.wait(0.3)  # the other comes in as well, unless something keeps it out
        except threading.BrokenBarrierError:
            hold.reset()
        inside[0] -= 1

    monkeypatch.setattr(assembly, "build", build)
    (tmp_path / "requirements").mkdir()
    both = [threading.Thread(target=assembly.host_layers, args=(tmp_path,)) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert most == [1]


def test_templates_are_not_checked_again_by_the_cdks_rules(tmp_path, monkeypatch):
    asked: list[dict[str, str]] = []

    def run(*_: object, env: dict[str, str], **_others: object) -> SimpleNamespace:
        asked.append(env)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(assembly, "run_patiently", run)
    assembly.synthesise(tmp_path, {})
    assert [env["CDK_VALIDATION"] for env in asked] == ["false"]
