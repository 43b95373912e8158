"""The real botocore client and the adapter against the local store."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote

import pytest
from botocore.exceptions import ClientError, ParamValidationError

from fairgate.adapters.aws.keyvaluestore import KeyValueStore, wait_with_jitter
from fairgate.domain.gate.admission import operational_time
from fairgate.domain.gate.gate_config import dump_gate, gate_key, parse_gate
from fairgate.errors import DependencyUnavailableError, VersionConflictError
from fairgate.service.gate.control_gate import LEAD_S, GateControl
from fairgate.service.gate.update_value import update
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.outside import MemoryEdgeConfig
from fairgate_ops.run.local.kvs_fake import KvsFake, KvsFaultError, KvsStore
from tests.support.waiting import patience_s
from tests.support.world import EVENT, gate


@pytest.fixture
def fake(tmp_path):
    with KvsFake(tmp_path / "kvs") as running:
        yield running


@pytest.fixture
def store(fake):
    return KeyValueStore(fake.arn, fake.endpoint)


@pytest.fixture
def client(store):
    return store._sdk.client()


def etag_of(client, fake):
    return client.describe_key_value_store(KvsARN=fake.arn)["ETag"]


def code_of(caught):
    return caught.value.response["Error"]["Code"]


def test_a_value_is_read_back_when_it_was_written(store):
    _, etag = store.read("e:final")
    after = store.write("e:final", '{"v":1,"τ":"é"}', etag)
    assert after != etag
    assert store.read("e:final") == ('{"v":1,"τ":"é"}', after)


def test_read_answers_none_with_the_etag_when_the_key_is_missing(store, client, fake):
    assert store.read("e:nothing") == (None, etag_of(client, fake))


def test_the_gate_finds_a_value_in_a_file_named_as_encode_uri_component_spells_it(store, tmp_path):
    _, etag = store.read("e:final-2027")
    store.write("e:final-2027", "{}", etag)
    assert (tmp_path / "kvs" / "e%3Afinal-2027").read_text() == "{}"
    assert [f.name for f in (tmp_path / "kvs").iterdir()] == ["e%3Afinal-2027"]


@pytest.mark.parametrize("shape", ["ValidationException", "ConflictException"])
def test_write_reports_a_version_conflict_when_the_etag_is_stale(tmp_path, shape):
    with KvsFake(tmp_path, stale_etag=shape) as fake:
        store = KeyValueStore(fake.arn, fake.endpoint)
        _, etag = store.read("e:a")
        store.write("e:b", "other key, same ETag", etag)
        with pytest.raises(VersionConflictError):
            store.write("e:a", "{}", etag)
        assert store.read("e:a")[0] is None


def test_exactly_one_of_two_writers_wins_when_both_read_the_same_etag(fake):
    outcomes: list[str] = []
    _, etag = KeyValueStore(fake.arn, fake.endpoint).read("e:a")

    def write(value):
        try:
            KeyValueStore(fake.arn, fake.endpoint).write("e:a", value, etag)
            outcomes.append(value)
        except VersionConflictError:
            outcomes.append("conflict")

    threads = [threading.Thread(target=write, args=(name,)) for name in ("first", "second")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("conflict") == 1


def test_no_change_is_lost_when_many_change_one_value(fake):
    def add(name):
        def change(before):
            return json.dumps(sorted({*json.loads(before or "[]"), name}))

        update(KeyValueStore(fake.arn, fake.endpoint), "e:a", change, wait=wait_with_jitter)

    names = ["ann", "bob", "cem"]
    threads = [threading.Thread(target=add, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = KeyValueStore(fake.arn, fake.endpoint).read("e:a")[0]
    assert kept is not None
    assert json.loads(kept) == names


def test_values_survive_and_the_etag_is_new_when_the_store_restarts(tmp_path):
    with KvsFake(tmp_path) as fake:
        store = KeyValueStore(fake.arn, fake.endpoint)
        etag = store.write("e:a", "1", store.read("e:a")[1])
    with KvsFake(tmp_path) as fake:
        value, etag_after = KeyValueStore(fake.arn, fake.endpoint).read("e:a")
    assert value == "1"
    assert etag_after != etag


def test_update_keys_changes_all_or_nothing_when_one_value_is_too_long(client, fake):
    etag = etag_of(client, fake)
    puts = [{"Key": "good", "Value": "x"}, {"Key": "bad", "Value": "x" * 1025}]
    with pytest.raises(ClientError) as caught:
        client.update_keys(KvsARN=fake.arn, IfMatch=etag, Puts=puts)
    assert code_of(caught) == "ValidationException"
    assert etag_of(client, fake) == etag
    assert client.describe_key_value_store(KvsARN=fake.arn)["ItemCount"] == 0
    puts[1]["Value"] = "x" * 1024
    answer = client.update_keys(KvsARN=fake.arn, IfMatch=etag, Puts=puts)
    assert answer["ItemCount"] == 2


def test_update_keys_refuses_when_more_than_fifty_keys_change(client, fake):
    puts = [{"Key": f"k{i}", "Value": "x"} for i in range(51)]
    with pytest.raises(ClientError) as caught:
        client.update_keys(KvsARN=fake.arn, IfMatch=etag_of(client, fake), Puts=puts)
    assert code_of(caught) == "ValidationException"
    client.update_keys(KvsARN=fake.arn, IfMatch=etag_of(client, fake), Puts=puts[:50])


def test_keys_refuse_when_they_are_longer_than_512_bytes(client, fake):
    with pytest.raises(ClientError) as caught:
        client.put_key(KvsARN=fake.arn, Key="é" * 257, Value="", IfMatch=etag_of(client, fake))
    assert code_of(caught) == "ValidationException"


def test_the_store_refuses_when_it_would_exceed_five_megabytes(fake):
    change = fake._server.store.change
    value = "x" * 1024
    for batch in range(101):
        change(fake._server.store.etag, {f"{batch:03d}-{i:02d}": value for i in range(50)}, set())
    puts = {f"101-{i:02d}": value for i in range(50)}
    with pytest.raises(KvsFaultError, match="full") as caught:
        change(fake._server.store.etag, puts, set())
    assert caught.value.name == "ServiceQuotaExceededException"


def test_list_pages_by_at_most_fifty_keys(client, fake):
    for start in (0, 50):
        puts = [{"Key": f"k{i:03d}", "Value": str(i)} for i in range(start, start + 50)]
        client.update_keys(KvsARN=fake.arn, IfMatch=etag_of(client, fake), Puts=puts)
    first = client.list_keys(KvsARN=fake.arn, MaxResults=50)
    second = client.list_keys(KvsARN=fake.arn, MaxResults=50, NextToken=first["NextToken"])
    assert [item["Key"] for item in first["Items"] + second["Items"]] == [
        f"k{i:03d}" for i in range(100)
    ]
    assert "NextToken" not in second
    with pytest.raises(ParamValidationError):
        client.list_keys(KvsARN=fake.arn, MaxResults=0)


def test_an_update_refuses_more_than_three_megabytes_or_a_key_twice(client, fake):
    big = [{"Key": f"k{i}", "Value": "x" * 70_000} for i in range(50)]
    twice = [{"Key": "k", "Value": "1"}, {"Key": "k", "Value": "2"}]
    for puts, deletes in (
        (big, []),
        (twice, []),
        (twice[:1], [{"Key": "k"}]),
        ([], []),
        ([{"Key": "", "Value": "1"}], []),
    ):
        with pytest.raises((ClientError, ParamValidationError)):
            client.update_keys(
                KvsARN=fake.arn, IfMatch=etag_of(client, fake), Puts=puts, Deletes=deletes
            )
    assert client.describe_key_value_store(KvsARN=fake.arn)["ItemCount"] == 0


def test_values_and_keys_are_measured_in_bytes(client, fake):
    for key, value in (("k", "é" * 513), ("é" * 128, "")):
        with pytest.raises(ClientError) as caught:
            client.put_key(KvsARN=fake.arn, Key=key, Value=value, IfMatch=etag_of(client, fake))
        assert code_of(caught) == "ValidationException"
    client.put_key(KvsARN=fake.arn, Key="k", Value="é" * 512, IfMatch=etag_of(client, fake))


def test_a_page_of_more_than_fifty_keys_is_refused(client, fake):
    with pytest.raises((ClientError, ParamValidationError)):
        client.list_keys(KvsARN=fake.arn, MaxResults=51)


def test_the_gate_hears_late_and_in_order_when_the_store_lags(tmp_path):
    now = [0.0]
    store = KvsStore(tmp_path, lag_s=60.0, monotonic=lambda: now[0])
    store.change(store.etag, {"e:a": "1"}, set())
    now[0] = 10.0
    store.change(store.etag, {"e:a": "2"}, set())
    assert store.get("e:a") == "2"
    assert seen_at(store, tmp_path, now, 59.9) is None
    assert seen_at(store, tmp_path, now, 60.0) == "1"
    assert seen_at(store, tmp_path, now, 70.0) == "2"
    store.change(store.etag, {}, {"e:a"})
    assert seen_at(store, tmp_path, now, 129.0) == "2"
    assert seen_at(store, tmp_path, now, 130.0) is None


def seen_at(store, folder, now, at):
    now[0] = at
    store.propagate()
    file = folder / "e%3Aa"
    return file.read_text() if file.exists() else None


def test_nothing_is_lost_when_a_store_that_lags_is_stopped(tmp_path):
    with KvsFake(tmp_path, lag_s=60.0) as fake:
        store = KeyValueStore(fake.arn, fake.endpoint)
        store.write("e:a", "1", store.read("e:a")[1])
        assert store.read("e:a")[0] == "1"
        assert not (tmp_path / "e%3Aa").exists()
    assert (tmp_path / "e%3Aa").read_text() == "1"


def test_every_edge_draws_by_one_line_when_it_hears_within_the_lead(tmp_path):
    """A change of pace that is dated a minute ahead is known before it starts."""
    clock, now = MemoryClock(), [0.0]
    store = KvsStore(tmp_path, lag_s=LEAD_S, monotonic=lambda: now[0])
    store.change(store.etag, {gate_key(EVENT): dump_gate(gate())}, set())
    seen_at(store, tmp_path, now, LEAD_S)
    clock.tick(LEAD_S)

    class Plane:
        spread, spread_from_ms = MemoryEdgeConfig.spread, MemoryEdgeConfig.spread_from_ms

        def read(self, key):
            return store.get(key), store.etag

        def write(self, key, value, etag):
            return store.change(etag, {key: value}, set())

    GateControl(Plane(), clock, lambda _n: None).set_tau(EVENT, 50.0)
    behind = 0
    for _ in range(180):
        store.propagate()
        edge = parse_gate((tmp_path / f"e%3A{EVENT}").read_text())
        truth = parse_gate(store.get(gate_key(EVENT)))
        behind += edge != truth
        at = clock.ms / 1000
        assert operational_time(edge.epochs, at) == operational_time(truth.epochs, at)
        clock.tick(1)
        now[0] += 1
    assert behind == LEAD_S


def test_deleting_succeeds_when_the_key_is_missing(client, fake, tmp_path):
    etag = client.put_key(KvsARN=fake.arn, Key="a", Value="1", IfMatch=etag_of(client, fake))[
        "ETag"
    ]
    for _ in range(2):
        etag = client.delete_key(KvsARN=fake.arn, Key="a", IfMatch=etag)["ETag"]
    assert list((tmp_path / "kvs").iterdir()) == []
    with pytest.raises(ClientError) as caught:
        client.get_key(KvsARN=fake.arn, Key="a")
    assert code_of(caught) == "ResourceNotFoundException"


@pytest.mark.parametrize("key", ["..", ".hidden", "../up", "a/b", "a b"])
def test_no_key_leaves_the_folder(client, fake, tmp_path, key):
    client.put_key(KvsARN=fake.arn, Key=key, Value="1", IfMatch=etag_of(client, fake))
    files = [f.name for f in (tmp_path / "kvs").iterdir()]
    assert len(files) == 1
    assert not files[0].startswith(".")
    assert [f.name for f in tmp_path.iterdir()] == ["kvs"]
    assert client.get_key(KvsARN=fake.arn, Key=key)["Value"] == "1"


def test_the_store_refuses_when_if_match_or_the_signature_is_missing(fake):
    url = f"{fake.endpoint}/key-value-stores/{quote(fake.arn, safe='')}/keys/a"
    for headers, status in ({}, 403), ({"Authorization": "AWS4-ECDSA-P256-SHA256 x"}, 400):
        request = urllib.request.Request(  # noqa: S310 loopback
            url, json.dumps({"Value": "1"}).encode(), headers, method="PUT"
        )
        with pytest.raises(HTTPError) as caught:
            urllib.request.urlopen(request)  # noqa: S310 loopback
        assert caught.value.status == status
        caught.value.close()


def test_the_adapter_says_unavailable_when_nobody_listens(fake):
    store = KeyValueStore(fake.arn, fake.endpoint)
    fake.stop()
    with pytest.raises(DependencyUnavailableError) as caught:
        store.read("e:a")
    assert caught.value.retry_after_s == 5


def test_the_command_serves_until_it_is_terminated(tmp_path):
    root = Path(__file__).parents[2]
    path = os.pathsep.join(str(root / part) for part in ("ops", "layers/core/python"))
    command = [sys.executable, "-m", "fairgate_ops.run.local.kvs_fake", "--dir", str(tmp_path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={"PYTHONPATH": path}, text=True
    ) as process:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        store = KeyValueStore(said["arn"], said["endpoint"])
        store.write("e:a", "1", store.read("e:a")[1])
        process.terminate()
        assert process.wait(patience_s(5)) == 0
    assert (tmp_path / "e%3Aa").read_text() == "1"
