"""The command over moto's tables and the local KeyValueStore, as an operator types it."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from fairgate.bootstrap import Container
from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.gate.gate_config import parse_gate
from fairgate.domain.gate.gate_value import unpack
from fairgate.domain.shared.jws import b64url
from fairgate.settings import from_environment
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import keys, main
from fairgate_ops.run.local.kvs_fake import KvsFake
from fairgate_ops.shared.secret_file import new_secrets, write_secret_files
from tests.support.world import NAMES, START_MS

ROOT = Path(__file__).parents[3]
VENUE = json.loads((ROOT / "tests" / "charts" / "one-row.venue.json").read_text("utf-8"))


@pytest.fixture
def chart(tmp_path):
    path = tmp_path / "hall.json"
    path.write_text(json.dumps(VENUE))
    return str(path)


@pytest.fixture
def secret_file(tmp_path):
    """The secret with the keys of sign-ins; the deployment's others lie beside it."""
    auth = {"auth": {"1": b64url(b"a" * 32)}, "auth_kid": "1", "session_kid": "x"}
    write_secret_files(tmp_path / "secrets", new_secrets() | auth)
    return tmp_path / "secrets" / "keys.json"


@pytest.fixture
def system(world, tmp_path, secret_file, monkeypatch):
    """The world's tables and clock, with the local KeyValueStore behind its real client."""
    with KvsFake(tmp_path / "kvs") as fake:
        settings = from_environment(
            {
                "FAIRGATE_KVS_ARN": fake.arn,
                "FAIRGATE_KVS_ENDPOINT": fake.endpoint,
                "FAIRGATE_LAYOUTS_DIR": str(tmp_path / "layouts"),
                "FAIRGATE_SEATS_TABLE": NAMES["seats"],
                "FAIRGATE_RESERVATIONS_TABLE": NAMES["reservations"],
                "FAIRGATE_CATALOG_TABLE": NAMES["catalog"],
            }
        )
        container = Container(settings, clock=world.clock, table=world.table, secrets=world.secrets)
        reached = target.Target(
            "local",
            container,
            partial(target.SecretFile, secret_file.parent),
            lambda: world.client,
            1.0,
        )
        monkeypatch.setattr(target, "target_of", lambda _options: reached)
        yield world


def gate_of(tmp_path, event):
    return parse_gate((tmp_path / "kvs" / f"e%3A{event}").read_text())


def create(chart, *more):
    words = f"event create final --venue {chart} --price-all 45 --sale-starts-in 60 --tau 600"
    return main.main([*words.split(), "--name", "The Final", "--publish", *more])


def said(capsys):
    return json.loads(capsys.readouterr().out)


def test_an_event_is_published_with_its_draw_committed_to(system, chart, tmp_path, capsys):
    assert create(chart, "--json", "--control", "auto") == 0
    gate = gate_of(tmp_path, "final")
    item = system.item("catalog", ("EVENT", "final"))
    assert item["drawCommitment"] == commitment_of(gate.draw_key) == said(capsys)["draw_commitment"]
    assert item["tiers"][0]["priceMinor"] == 4500
    assert item["control"] == "auto"
    assert [e.slope for e in gate.epochs] == [0.0, 1 / 600]
    assert gate.epochs[1].start_s == gate.sale_start_s == START_MS // 1000 + 60
    assert item["epochsLog"][1][0] == gate.sale_start_s
    assert len(system.items("seats", "final#a", index=True)) == 8
    assert gate.auth_keys == system.secrets.current.auth


def test_no_key_is_said_or_kept_in_the_catalogue_when_an_event_is_created(
    system, chart, tmp_path, capsys
):
    create(chart, "--json")
    stored = unpack((tmp_path / "kvs" / "e%3Afinal").read_text())
    told = capsys.readouterr().out + json.dumps(system.item("catalog", ("EVENT", "final")))
    for key in (stored["d"], stored["g"], *stored["t"].values(), *stored["a"].values()):
        assert key not in told


def test_a_creation_says_what_the_stage_carries_of_the_event(system, chart, capsys, monkeypatch):
    reached = target.target_of(argparse.Namespace())
    limits = {"api_rate": 10_000, "payments_per_s": 25}
    monkeypatch.setattr(target, "target_of", lambda _options: replace(reached, limits=limits))
    for how in ("--dry-run", "--live-max=5000"):
        assert create(chart, how) == 0
        told = capsys.readouterr().out
        assert "The stage carries 2,199 holds and 25 checkouts a second" in told
        assert "give it a stage of its own" in told


def test_nothing_exists_after_a_dry_run(system, chart, tmp_path):
    assert create(chart, "--dry-run") == 0
    assert system.item("catalog", ("EVENT", "final")) is None
    assert list((tmp_path / "kvs").iterdir()) == []
    assert not (tmp_path / "layouts").exists()


def test_a_creation_is_refused_when_the_id_is_taken(system, chart, tmp_path, capsys):
    create(chart)
    before = gate_of(tmp_path, "final")
    assert create(chart) == 1
    assert "choose another id" in capsys.readouterr().err
    assert gate_of(tmp_path, "final") == before


def test_everything_wrong_is_listed_and_nothing_written_when_a_creation_is_bad(
    system, chart, tmp_path, capsys
):
    assert create(chart, "--price", "balcony=0.05", "--hold-limit", "0", "--json") == 1
    error = said(capsys)["error"]
    assert {e["where"] for e in error["errors"]} >= {"--price balcony", "--hold-limit"}
    assert list((tmp_path / "kvs").iterdir()) == []


def test_a_creation_that_broke_off_keeps_its_draw_when_it_is_made_again(
    system, chart, tmp_path, monkeypatch
):
    from fairgate.errors import DependencyUnavailableError
    from fairgate.service.catalog import create_event

    def breaks(*_args, **_kwargs):
        raise DependencyUnavailableError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(create_event, "write_rows", breaks)
        assert create(chart) == 1
    draw_key = gate_of(tmp_path, "final").draw_key
    assert create(chart) == 0
    item = system.item("catalog", ("EVENT", "final"))
    assert gate_of(tmp_path, "final").draw_key == draw_key
    assert item["drawCommitment"] == commitment_of(draw_key)


def test_the_pace_changes_in_the_gate_and_in_the_record_when_tau_is_set(
    system, chart, tmp_path, capsys
):
    create(chart)
    system.clock.tick(3600)
    assert main.main(["tau", "set", "final", "300"]) == 0
    assert gate_of(tmp_path, "final").epochs[-1].slope == 1 / 300
    assert system.item("catalog", ("EVENT", "final"))["epochsLog"][-1][2] == 1 / 300
    capsys.readouterr()
    system.clock.tick(5)
    assert main.main(["tau", "get", "final", "--json"]) == 0
    assert said(capsys)["tau_s"] == pytest.approx(300)


def test_an_event_lives_through_its_states(system, chart, capsys):
    create(chart)
    system.clock.tick(3600)
    for words, state in (
        ("event pause final", "paused"),
        ("event resume final --tau 50", "open"),
        ("event close final --sold-out", "soldout"),
        ("event resume final", "open"),
        ("event close final --yes", "closed"),
    ):
        assert main.main(words.split()) == 0
        assert system.item("catalog", ("EVENT", "final"))["state"] == state
        system.clock.tick(60)
    capsys.readouterr()
    assert main.main(["event", "resume", "final"]) == 1
    assert "stays closed" in capsys.readouterr().err


def test_a_room_drains_and_takes_newcomers_again(system, chart, tmp_path, capsys):
    create(chart)
    system.clock.tick(3600)
    epochs = gate_of(tmp_path, "final").epochs
    assert main.main(["event", "drain", "final"]) == 0
    assert gate_of(tmp_path, "final").state == "draining"
    assert gate_of(tmp_path, "final").epochs == epochs
    assert system.item("catalog", ("EVENT", "final"))["state"] == "draining"
    assert "Nobody new may join" in capsys.readouterr().out
    assert main.main(["event", "resume", "final"]) == 0
    assert gate_of(tmp_path, "final").state == "open"
    assert gate_of(tmp_path, "final").epochs == epochs


def test_the_gate_stands_open_until_a_time_that_is_named(system, chart, tmp_path, capsys):
    create(chart)
    system.clock.tick(3600)
    now_s = system.clock.ms // 1000
    assert main.main(["event", "open-until", "final", "--minutes", "15"]) == 0
    assert gate_of(tmp_path, "final").open_until_s == now_s + 900
    assert main.main(["event", "open-until", "final", "--at", "2027-01-15T09:30:00Z"]) == 0
    assert gate_of(tmp_path, "final").open_until_s == now_s + 1800
    assert main.main(["event", "open-until", "final", "--off"]) == 0
    assert gate_of(tmp_path, "final").open_until_s == 0
    assert "the draw decides again" in capsys.readouterr().out
    assert main.main(["event", "open-until", "final", "--at", "2027-01-17T09:30:00Z"]) == 1
    for words in (["--minutes", "nan"], ["--minutes", "1441"], []):
        with pytest.raises(SystemExit):
            main.main(["event", "open-until", "final", *words])


def test_the_target_and_who_steers_are_set_together(system, chart, capsys):
    create(chart)
    capsys.readouterr()
    assert main.main(["event", "target", "final", "8000", "--control", "auto", "--json"]) == 0
    assert said(capsys)["after"] == {"live_max": 8000, "control": "auto"}
    item = system.item("catalog", ("EVENT", "final"))
    assert (item["liveMax"], item["control"]) == (8000, "auto")
    assert main.main(["event", "target", "final", "9000", "--dry-run"]) == 0
    assert main.main(["event", "target", "final", "0"]) == 1
    assert system.item("catalog", ("EVENT", "final"))["liveMax"] == 8000


@pytest.mark.parametrize(("curve", "said_so"), [("3", True), ("1", False)])
def test_who_hands_a_steep_room_to_the_controller_hears_what_buyers_will_be_told(
    system, chart, capsys, curve, said_so
):
    create(chart, "--curve", curve)
    capsys.readouterr()
    assert main.main(["event", "target", "final", "8000", "--control", "auto"]) == 0
    assert ("shown waits are too short" in capsys.readouterr().out) == said_so
    assert main.main(["event", "target", "final", "9000"]) == 0
    assert "too short" not in capsys.readouterr().out


ACTS = [
    ("event pause final --reason smoke", "pause"),
    ("event resume final --tau 50", "resume"),
    ("tau set final 300 --yes", "tau set"),
    ("event target final 5001", "target set"),
    ("event open-until final --minutes 9", "open-until"),
    ("event drain final", "drain"),
    ("keys rotate final --step add", "keys add"),
    ("event close final --yes", "close"),
]


def test_every_act_stands_in_the_signed_log(system, chart, capsys):
    create(chart)
    system.clock.tick(3600)
    for words, _ in ACTS:
        assert main.main(words.split()) == 0
        system.clock.tick(60)
    assert main.main(["event", "resume", "final"]) == 1
    assert main.main(["event", "pause", "final", "--dry-run"]) == 1
    capsys.readouterr()
    assert main.main(["event", "log", "final", "--json"]) == 0
    entries = said(capsys)["entries"]
    acts = [(e["act"], e["phase"]) for e in entries]
    assert acts == [
        ("create", "asked"),
        ("create", "done"),
        *[(act, phase) for _, act in ACTS for phase in ("asked", "done")],
        ("resume", "asked"),
        ("resume", "refused"),
    ]
    assert entries[2]["detail"] == {"reason": "smoke"}
    assert entries[3]["gate"]["s"] == "paused"
    assert entries[-1]["detail"]["code"] == "wrong-state"
    assert all(e["who"] == target.local_operator() for e in entries)


def test_the_command_fails_when_the_log_was_tampered_with(system, chart, capsys):
    create(chart)
    main.main(["event", "pause", "final"])
    item = system.item("catalog", ("LOG#final", "00000002"))
    system.put_item("catalog", item | {"who": "somebody else"})
    assert main.main(["event", "log", "final"]) == 1
    assert "Entry 2 is not what was signed." in capsys.readouterr().out


def test_the_sale_start_moves_when_it_is_opened_at_another_time(system, chart, tmp_path, capsys):
    create(chart)
    assert main.main(["event", "open", "final", "--at", "2030-06-01T20:00:00+02:00"]) == 0
    assert gate_of(tmp_path, "final").sale_start_s == 1_906_567_200
    assert "2030-06-01T18:00:00Z" in capsys.readouterr().out
    assert main.main(["event", "open", "final", "--at", "tomorrow"]) == 1


def test_a_rotation_adds_waits_and_switches(system, chart, tmp_path, monkeypatch):
    create(chart)
    before = gate_of(tmp_path, "final")
    system.clock.tick(1)
    monkeypatch.setattr(keys, "_wait_for_spread", lambda: system.clock.tick(121))
    assert main.main(["keys", "rotate", "final"]) == 0
    after = gate_of(tmp_path, "final")
    assert after.token_kid != before.token_kid
    assert before.token_kid in after.token_keys
    assert after.draw_key == before.draw_key


def test_auth_keys_reach_the_secret_and_every_gate_when_they_rotate(
    system, chart, tmp_path, secret_file, monkeypatch
):
    create(chart)
    system.client.delete_item(
        TableName=NAMES["catalog"], Key={"PK": {"S": "EVENT"}, "SK": {"S": "show"}}
    )
    monkeypatch.setattr(keys, "_wait_for_spread", lambda: system.clock.tick(121))
    assert main.main(["keys", "rotate", "--auth"]) == 0
    document = json.loads(secret_file.read_text())
    assert document["auth_kid"] != "1"
    assert set(gate_of(tmp_path, "final").auth_keys) == set(document["auth"])
    assert document["session_kid"] == "x"
    assert secret_file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "words",
    [
        "event pause nothing",
        "event resume nothing --json",
        "tau set nothing 5",
        "tau get nothing --json",
        "keys rotate nothing",
        "venue validate /no/such/chart.json",
        "venue validate /no/such/chart.json --json",
    ],
)
def test_a_refusal_says_what_to_do_and_exits_with_one(system, capsys, words):
    assert main.main(words.split()) == 1
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    if "--json" in words:
        assert json.loads(told.out)["error"]["code"]
    else:
        assert told.err.startswith("Not done: ")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "event",
        "tau set final",
        "tau set final fast",
        "tau set final 0",
        "tau set final nan",
        "tau preview final 0",
        "tau plan final 0 --at 2030-06-01T18:30:00Z",
        "keys rotate",
        "keys rotate final --auth",
        "keys rotate final --every-h often",
        "keys rotate final --every-h -1",
        "event create final --venue x --name y --sale-starts-in 5 --price stalls=45,00",
        "event create final --venue x --name y --sale-starts-in 5 --tau 0",
        "--target moon event list",
    ],
)
def test_wrong_usage_exits_with_two(words):
    with pytest.raises(SystemExit) as caught:
        main.main(words.split())
    assert caught.value.code == 2


def test_the_caller_is_told_to_start_the_system_when_none_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main.main(["event", "list"]) == 1
    assert "make up" in capsys.readouterr().err


def test_the_running_system_is_found_from_a_folder_below(tmp_path, monkeypatch, secret_file):
    config = {
        "dynamodb_endpoint": "http://127.0.0.1:1",
        "kvs_endpoint": "http://127.0.0.1:2",
        "kvs_arn": "arn",
        "tables": {"seats": "a", "reservations": "b", "catalog": "c"},
        "layouts_dir": "/l",
        "secrets_dir": str(secret_file.parent),
        "region": "eu-central-1",
        "public_url": "http://127.0.0.1:3",
    }
    (tmp_path / ".run").mkdir()
    (tmp_path / ".run" / "local.json").write_text(json.dumps(config))
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    found = target.target_of(main.parser().parse_args(["event", "list"]))
    assert found.world.settings.kvs_endpoint == "http://127.0.0.1:2"
    assert found.world.settings.catalog_table == "c"
    assert found.secret("keys").read() == secret_file.read_text()


def test_a_chart_becomes_a_venue_file_that_is_read_again(chart, tmp_path, capsys):
    out = tmp_path / "venue.json"
    assert main.main(["venue", "import", chart, "--out", str(out), "--dry-run"]) == 0
    assert not out.exists()
    assert main.main(["venue", "import", chart, "--out", str(out)]) == 0
    capsys.readouterr()
    assert main.main(["venue", "validate", str(out), "--json"]) == 0
    told = said(capsys)
    assert (told["seats"], told["area_places"]) == (8, 30)


def test_nothing_is_written_when_a_chart_is_bad(tmp_path, capsys):
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(VENUE | {"tiers": []}))
    out = tmp_path / "venue.json"
    assert main.main(["venue", "import", str(bad), "--out", str(out)]) == 1
    assert "  - " in capsys.readouterr().err
    assert not out.exists()


def test_the_desk_is_shown_and_its_decision_lifted(system, chart, tmp_path, capsys):
    from fairgate.domain.gate.edge_header import EdgeWord
    from fairgate.service.gate.appeals import Appeals
    from fairgate.service.gate.desk import RiskDesk

    create(chart)
    desk = RiskDesk(system.table, system.clock)
    for _ in range(3):
        desk.receive("final", gate_of(tmp_path, "final"), "ann", EdgeWord("early", "203.0.113.7"))
    system.clock.tick(1)
    capsys.readouterr()
    assert main.main(["desk", "show", "final", "ann"]) == 0
    assert "flagged: a harder challenge until" in capsys.readouterr().out
    assert main.main(["desk", "pardon", "final", "ann", "--reason", "our bug"]) == 0
    capsys.readouterr()
    assert main.main(["desk", "show", "final", "ann", "--json"]) == 0
    shown = said(capsys)
    assert (shown["level"], shown["pardoned"]) == (0, True)
    assert shown["decisions"][-1]["noticed"] == "our bug"
    assert main.main(["desk", "pardon", "final", "bob", "--reason", "x"]) == 1
    assert main.main(["desk", "extend", "final", "bob", "--minutes", "60", "--reason", "x"]) == 0
    Appeals(system.table, system.clock).ask("final", "bob", "My cat.")
    capsys.readouterr()
    assert main.main(["desk", "appeals", "final"]) == 0
    assert "1 open appeal at final.\n  bob, asked" in (listed := capsys.readouterr().out)
    assert "rule by hand: x\n    “My cat.”" in listed
    assert main.main(["event", "log", "final"]) == 0
    log = capsys.readouterr().out
    assert "desk pardon" in log
    assert "user ann" in log


def test_a_deployment_gets_its_keys_once(system, secret_file, capsys):
    assert main.main(["keys", "init"]) == 1
    assert "There are keys already" in capsys.readouterr().err
    for path in secret_file.parent.iterdir():
        path.write_text("{}")
    assert main.main(["keys", "init", "--dry-run"]) == 0
    assert secret_file.read_text() == "{}"
    assert main.main(["keys", "init"]) == 0
    made = json.loads(secret_file.read_text())
    assert made["auth_kid"] in made["auth"]
    told = capsys.readouterr().out
    others = ((secret_file.parent / f"{name}.json").read_text() for name in ("payments", "tickets"))
    assert all(key not in told for text in others for key in json.loads(text).values())


def test_the_doors_public_key_is_shown_and_the_private_one_is_not(system, capsys):
    from fairgate.adapters.tickets.ed25519 import public_key_of

    assert main.main(["keys", "ticket", "--json"]) == 0
    told = said(capsys)["public_key"]
    private = system.secrets.current.ticket
    assert told == b64url(public_key_of(private)) != b64url(private)


def test_a_damaged_event_is_named_and_hides_no_other(system, chart, capsys):
    create(chart)
    damaged = system.item("catalog", ("EVENT", "final")) | {"SK": "broken", "version": "one"}
    system.put_item("catalog", damaged)
    capsys.readouterr()
    assert main.main(["event", "list", "--json"]) == 1
    listed = said(capsys)
    assert [event["event"] for event in listed["events"]] == ["final", "show"]
    assert listed["damaged"] == ["broken"]
    assert main.main(["event", "list"]) == 1
    assert "broken is damaged" in capsys.readouterr().out


def test_keys_are_changed_at_a_damaged_events_gate_too(system, chart):
    create(chart)
    damaged = system.item("catalog", ("EVENT", "final")) | {"SK": "broken", "version": "one"}
    system.put_item("catalog", damaged)
    assert keys._events(target.target_of(argparse.Namespace())) == ["broken", "final", "show"]
