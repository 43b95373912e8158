"""Keys of a deployment of version 0.2.0 come to where functions read them now, and none is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import get_session
from moto import mock_aws

from fairgate.adapters.aws import client as aws_client
from fairgate.adapters.aws.secrets import CachedSecrets, secret_store
from fairgate.errors import (
    DependencyUnavailableError,
    NotFoundError,
    VersionConflictError,
    WrongStateError,
)
from fairgate.ports.world import SECRET_OF
from fairgate.settings import SECRETS, from_environment
from fairgate_lab.engine.clock import MemoryClock
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.first_keys import (
    make_first_keys,
    remove_left_behind,
    split_keys,
)
from fairgate_ops.operate.target import ManagedSecret
from fairgate_ops.shared.secret_file import SECRET_NAMES, new_secrets
from tests.support.doctor_site import site_of

PREFIX = "fairgate/prod/"
EMPTY = json.dumps({"placeholder": "what Secrets Manager made up"})
GONE = ("payments", "payments_before", "ticket", "webhook", "webhook_before")


@dataclass
class Stage:
    """Secrets as a stack made them, and what fails after so many writes."""

    client: Any
    writes: int = 10**6
    old: dict[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        def call(**given: Any) -> Any:
            if name == "put_secret_value":
                self.writes -= 1
                if self.writes < 0:
                    raise ClientError({"Error": {"Code": "InternalServiceError"}}, name)
            return getattr(self.client, name)(**given)

        return call

    def secret(self, name: str) -> ManagedSecret:
        return ManagedSecret(lambda: self, PREFIX + name)

    def held(self, name: str) -> dict[str, Any]:
        held: dict[str, Any] = json.loads(self.secret(name).read())
        return held

    def functions(self) -> CachedSecrets:
        """The store of a function's environment that has read nothing yet."""
        return secret_store(from_environment({SECRETS: PREFIX}), MemoryClock())


def old_document() -> dict[str, Any]:
    """Every key in one secret, as version 0.2.0 has them."""
    keys = {name: key for name, key in new_secrets().items() if name != "links"}
    pair = {"payments": "c2tfbGl2ZV8x", "payments_before": "", "webhook_before": ""}
    return keys | pair | {"auth_signed": {}, "auth_spread": 5}


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A stage of this version, just deployed."""
    keys = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing"}
    for name, value in keys.items():
        monkeypatch.setenv(name.upper(), value)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setattr(aws_client, "aws_access", lambda _service: None)  # moto is behind the SDK
    with mock_aws():
        client: Any = get_session().create_client("secretsmanager", "eu-central-1")
        for name in SECRET_NAMES:
            client.create_secret(Name=PREFIX + name, SecretString=EMPTY)
        yield Stage(client)


@pytest.fixture
def stage(empty: Stage) -> Stage:
    """One whose stack Data alone is of this version: the keys are where they always were."""
    empty.old = old_document()
    empty.secret("keys").write(EMPTY, json.dumps(empty.old))
    return empty


def test_functions_find_every_key_once_it_is_split_and_its_original_is_gone(stage: Stage) -> None:
    fresh = stage.functions()
    assert fresh.sign_in().auth_kid == stage.old["auth_kid"]
    for read in (fresh.payments, fresh.tickets, fresh.addresses):
        with pytest.raises(DependencyUnavailableError):
            read()
    assert split_keys(stage.secret) == ["payments", "tickets", "addresses"]
    assert stage.held("keys") == stage.old  # functions of before serve on
    assert fresh.payments().payments == b"sk_live_1"  # the failure is not remembered
    assert remove_left_behind(stage.secret) == sorted([*GONE, "addresses"])
    moved = {key: stage.held(SECRET_OF[key])[key] for key in stage.old}
    assert moved == stage.old
    for name in SECRET_NAMES:
        assert {SECRET_OF[key] for key in stage.held(name) if key in SECRET_OF} <= {name}
    again = stage.functions()
    tickets = again.tickets()
    assert len({tickets.ticket, tickets.links, again.addresses()}) == 3
    assert again.sign_in() == fresh.sign_in()


@pytest.mark.parametrize("writes", range(3))
def test_a_split_that_broke_off_goes_on_where_it_stopped(stage: Stage, writes: int) -> None:
    stage.writes = writes
    with pytest.raises(ClientError):
        split_keys(stage.secret)
    with pytest.raises(WrongStateError, match="keys split"):
        remove_left_behind(stage.secret)
    stage.writes = 10
    before = [stage.held(name) for name in SECRET_NAMES]
    assert len(split_keys(stage.secret, dry_run=True)) == 3 - writes
    assert [stage.held(name) for name in SECRET_NAMES] == before
    assert len(split_keys(stage.secret)) == 3 - writes
    assert split_keys(stage.secret) == []
    links = stage.held("tickets")["links"]
    assert {**stage.held("tickets"), "links": ""} == {"ticket": stage.old["ticket"], "links": ""}
    assert remove_left_behind(stage.secret)
    assert remove_left_behind(stage.secret) == []
    assert stage.held("tickets")["links"] == links


def test_what_was_changed_since_the_split_is_not_changed_back(stage: Stage) -> None:
    split_keys(stage.secret)
    new = {**stage.held("payments"), "payments": "bmV3"}
    stage.secret("payments").write(stage.secret("payments").read(), json.dumps(new))
    assert split_keys(stage.secret) == []
    remove_left_behind(stage.secret)
    assert stage.held("payments") == new


@pytest.mark.parametrize("old", [{}, {"addresses": ""}])
def test_a_version_without_names_of_mailboxes_gets_them(stage: Stage, old: dict[str, str]) -> None:
    text = stage.secret("keys").read()
    del stage.old["addresses"]
    stage.secret("keys").write(text, json.dumps(stage.old | old))
    assert "addresses" in split_keys(stage.secret)
    assert len(stage.functions().addresses()) == 32


def test_first_keys_go_on_where_they_stopped_and_are_made_once(empty: Stage) -> None:
    empty.writes = 2
    with pytest.raises(ClientError):
        make_first_keys(empty.secret)
    with pytest.raises(WrongStateError, match="keys init"):
        split_keys(empty.secret)
    kept = empty.held("payments")
    empty.writes = 10
    make_first_keys(empty.secret)
    assert empty.held("payments") == kept
    store = empty.functions()
    keys = [*store.sign_in().auth.values(), *store.sign_in().session.values()]
    keys += [store.payments().webhook, store.tickets().ticket, store.tickets().links]
    keys.append(store.addresses())
    assert len(set(keys)) == 6
    assert {len(key) for key in keys} == {32}
    assert store.identity() == b""
    made = [empty.held(name) for name in SECRET_NAMES]
    with pytest.raises(WrongStateError, match="There are keys already"):
        make_first_keys(empty.secret)
    assert [empty.held(name) for name in SECRET_NAMES] == made


def test_of_two_who_make_first_keys_at_once_one_is_refused(empty: Stage) -> None:
    slow = empty.secret("keys")

    def meanwhile(name: str) -> ManagedSecret:
        if name != "keys" and "auth_kid" not in empty.held("keys"):
            make_first_keys(empty.secret)
        return slow if name == "keys" else empty.secret(name)

    with pytest.raises(VersionConflictError):
        make_first_keys(meanwhile)
    store = empty.functions()
    assert store.sign_in().auth_kid == empty.held("keys")["auth_kid"]


def test_keys_of_an_older_deployment_are_not_made_anew(stage: Stage) -> None:
    """A new ticket key would void each ticket that was sold."""
    with pytest.raises(WrongStateError, match="There are keys already"):
        make_first_keys(stage.secret)
    assert [stage.held(name) for name in SECRET_NAMES[1:]] == [json.loads(EMPTY)] * 4


def test_one_is_told_to_deploy_the_secrets_first(stage: Stage) -> None:
    stage.client.delete_secret(SecretId=PREFIX + "tickets", ForceDeleteWithoutRecovery=True)
    with pytest.raises(NotFoundError, match="stack Data"):
        split_keys(stage.secret)


@pytest.fixture
def run(
    stage: Stage, world: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> Callable[..., tuple[int, str]]:
    reached = replace(site_of(world, tmp_path).target, secret=stage.secret)
    monkeypatch.setattr(target, "target_of", lambda _options: reached)

    def run_(*words: str) -> tuple[int, str]:
        status = main.main(["keys", "split", *words])
        said = capsys.readouterr()
        return status, said.out + said.err

    return run_


def test_the_command_asks_before_it_splits_and_before_it_removes(
    stage: Stage, run: Callable[..., tuple[int, str]]
) -> None:
    texts = partial(map, lambda name: stage.secret(name).read(), SECRET_NAMES)
    before = list(texts())
    assert run("--dry-run") == (
        0,
        "Dry run, nothing written.\nSecrets that get their keys: payments, tickets, addresses.\n",
    )
    status, said = run()
    assert status == 1
    assert "Confirm with --yes" in said
    assert list(texts()) == before
    assert run("--remove", "--yes")[0] == 1  # there are no copies yet
    assert run("--yes")[0] == 0
    between = list(texts())
    status, said = run("--remove")
    assert status == 1
    assert "version 0.2.0 or older find no keys" in said
    assert run("--remove", "--dry-run")[0] == 0
    assert list(texts()) == between
    status, said = run("--remove", "--yes")
    assert status == 0
    assert "ticket" in said
    assert not any(str(key) in said for key in stage.old.values() if key)
    assert not stage.held("keys").keys() & {"ticket", *GONE}
