"""What is checked before anything is done, and that a dry run checks as much."""

from __future__ import annotations

import re

import pytest

from fairgate.domain.gate.gate_config import _CHECKS
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.typed_names import typed
from tests.unit.operate.test_cli import chart, create, said, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures

SNAKE = re.compile(r"[a-z0-9_]+")


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (["--hold-limit", "0"], "--hold-limit"),
        (["--price", "balcony=0.05"], "--price balcony"),
        (["--curve", "0"], "--curve"),
        (["--pow", "99"], "--pow"),
        (["--backoff-s", "9", "2"], "--backoff-s"),
        (["--sample", "3"], "--sample"),
        (["--sample-admissions", "3"], "--sample-admissions"),
        (["--sample-violations", "3"], "--sample-violations"),
        (["--token-ttl-s", "0"], "--token-ttl-s"),
    ],
)
def test_what_is_wrong_with_an_event_is_named_as_it_was_typed(system, chart, capsys, words, flag):
    assert create(chart, *words, "--json") == 1
    error = said(capsys)["error"]
    assert [e["where"] for e in error["errors"]] == [flag]
    assert flag in error["detail"]
    assert not re.search(r"prices_minor|hold_limit|\b(k|p|b|x|s[qav]):", error["detail"])


def test_every_rule_that_can_be_typed_has_the_name_that_is_typed(capsys):
    with pytest.raises(SystemExit):
        main.main(["event", "create", "--help"])
    usage = capsys.readouterr().out
    typable = [name for name in _CHECKS if re.search(rf"{typed(name)}\b(?!-)", usage)]
    assert sorted(typable) == ["b", "ds", "ep", "k", "m", "p", "sa", "sq", "sv", "x"]


@pytest.mark.parametrize("switches", [[], ["--dry-run"]])
@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["desk", "pardon", "nothing", "ann", "--reason", "x"], "no event nothing"),
        (["desk", "pardon", "final", "bob", "--reason", "x"], "decided nothing about bob"),
        (["keys", "rotate", "final", "--step", "retire"], "no old key"),
        (["keys", "rotate", "final", "--step", "switch"], "new key"),
        (["keys", "rotate", "nothing"], "no event nothing"),
        (["event", "target", "final", "0"], "1 to 10,000,000"),
    ],
)
def test_a_dry_run_refuses_what_would_be_refused(system, chart, capsys, words, text, switches):
    create(chart)
    capsys.readouterr()
    assert main.main([*words, *switches]) == 1
    assert text in capsys.readouterr().err


def test_the_desk_refuses_an_event_that_there_is_not(system, chart, capsys):
    create(chart)
    assert main.main(["desk", "show", "nothing", "ann"]) == 1
    assert "no event nothing" in capsys.readouterr().err
    assert main.main(["desk", "show", "final", "ann"]) == 0


def test_an_export_overwrites_nothing(system, chart, tmp_path, capsys):
    create(chart)
    log = tmp_path / "log.jsonl.gz"
    log.write_text("what was published")
    for more in ([], ["--dry-run"]):
        assert main.main(["audit", "export", "final", "--out", str(log), *more]) == 1
        assert "is there already" in capsys.readouterr().err
    assert log.read_text() == "what was published"
    assert (
        main.main(["audit", "export", "final", "--out", str(tmp_path / "x.gz"), "--dry-run"]) == 0
    )


def test_a_blind_controller_is_refused_for_an_event_on_sale_too(system, chart, capsys):
    create(chart, "--sample", "0")
    assert main.main(["event", "target", "final", "50", "--control", "auto"]) == 1
    assert "--sample above 0" in capsys.readouterr().err
    assert system.item("catalog", ("EVENT", "final")).get("control", "manual") == "manual"
    assert main.main(["event", "target", "final", "50"]) == 0


@pytest.mark.parametrize(
    "words", ["event list", "event show final", "tau get final", "event log final", "orders tasks"]
)
def test_documents_spell_their_keys_alike(system, chart, capsys, words):
    create(chart)
    capsys.readouterr()
    assert main.main([*words.split(), "--json"]) == 0
    assert sorted(key for key in _keys(said(capsys)) if not SNAKE.fullmatch(key)) == []


def _keys(document):
    """Every key of the document, also of what lies in it."""
    if isinstance(document, list):
        return {key for each in document for key in _keys(each)}
    if not isinstance(document, dict):
        return set()
    return {*document, *(key for each in document.values() for key in _keys(each))}
