"""The provider's secrets: asked for before they are written, logged, and a way back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fairgate.adapters.aws.secrets import payment_keys
from fairgate.bootstrap import Container
from fairgate.settings import from_environment
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.payment_keys import NOBODYS
from fairgate_ops.operate.target import SecretFile, Target
from fairgate_ops.shared.secret_file import write_secret_files
from tests.support.stripe_server import serving
from tests.support.stripe_stub import KEY, StripeError, StripeStub
from tests.support.world import EVENT, NAMES, World

WEBHOOK = "whsec_1"
NEXT, NEXT_WEBHOOK = "sk_test_next", "whsec_2"


class Site:
    """A deployment that pays by Stripe, with files for a pair of keys."""

    def __init__(self, world: World, folder: Path, stripe: StripeStub, name: str) -> None:
        self.world, self.stripe = world, stripe
        write_secret_files(folder / "secrets")
        self.kept = folder / "secrets" / "payments.json"
        self._folder = folder
        settings = from_environment(
            {
                "FAIRGATE_RESERVATIONS_TABLE": NAMES["reservations"],
                "FAIRGATE_CATALOG_TABLE": NAMES["catalog"],
                "FAIRGATE_PAYMENTS_PROVIDER": "stripe",
                "FAIRGATE_PAYMENTS_URL": stripe.url,
            }
        )
        container = Container(
            settings,
            clock=world.clock,
            table=world.table,
            secrets=world.secrets,
            edge_config=world.edge_config,
        )
        secret = partial(SecretFile, self.kept.parent)
        self.target = Target(name, container, secret, lambda: world.client, 1.0)

    def run(self, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        status = main.main(["keys", "payments", *words, "--json"])
        return status, json.loads(capsys.readouterr().out)

    def files(self, api_key: str, webhook: str) -> list[str]:
        words = []
        for option, text in (("--api-key-file", api_key), ("--webhook-secret-file", webhook)):
            path = self._folder / option.strip("-")
            path.write_text(text + "\n")
            words += [option, str(path)]
        return words

    def pair(self) -> tuple[str, str]:
        kept = payment_keys(json.loads(self.kept.read_text()))
        return kept.payments.decode(), kept.webhook.decode("latin-1")

    def acts(self) -> list[tuple[str, str]]:
        entries = self.target.acts().log_of(EVENT).read()
        return [(entry.act, entry.phase) for entry in entries]


@pytest.fixture
def stripe() -> Iterator[StripeStub]:
    with serving(StripeStub()) as stub:
        stub.keys_taken = {KEY, NEXT}
        yield stub


@pytest.fixture
def site(world: World, tmp_path: Path, stripe: StripeStub, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(world, tmp_path, stripe, "aws")
    monkeypatch.setattr(target, "target_of", lambda _options: made.target)
    return made


def test_a_pair_is_kept_once_the_provider_took_its_key_and_can_be_brought_back(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.run(capsys, *site.files(KEY, WEBHOOK), "--dry-run")[0] == 0
    assert site.acts() == []
    assert site.run(capsys, *site.files(KEY, WEBHOOK))[0] == 0
    assert site.pair() == (KEY, WEBHOOK)
    words = site.files(NEXT, NEXT_WEBHOOK)
    for _ in range(2):  # the same pair again leaves the one before as it is
        assert site.run(capsys, *words, "--reason", "leaked")[0] == 0
    assert site.pair() == (NEXT, NEXT_WEBHOOK)
    assert site.run(capsys, "--back", "--dry-run")[0] == 0
    assert site.pair() == (NEXT, NEXT_WEBHOOK)
    assert site.run(capsys, "--back")[0] == 0
    assert site.pair() == (KEY, WEBHOOK)
    assert site.run(capsys, "--back")[0] == 0
    assert site.pair() == (NEXT, NEXT_WEBHOOK)
    assert site.acts()[:2] == [("payment keys", "asked"), ("payment keys", "done")]
    assert site.acts()[-1] == ("payment keys back", "done")
    log = json.dumps([entry.as_json() for entry in site.target.acts().log_of(EVENT).read()])
    assert "leaked" in log
    assert not {KEY, NEXT, WEBHOOK, NEXT_WEBHOOK} & set(log.replace('"', " ").split())


@pytest.mark.parametrize(
    ("pair", "text"),
    [
        ((NEXT_WEBHOOK, NEXT), "swapped"),
        (("pk_test_public", NEXT_WEBHOOK), "no API key of Stripe"),
        ((NEXT, "we_1"), "no webhook secret"),
        (("sk_test_revoked", NEXT_WEBHOOK), "refuses this API key"),
        (("two words", NEXT_WEBHOOK), "holds no key"),
    ],
)
def test_a_wrong_pair_changes_nothing(
    site: Site, capsys: pytest.CaptureFixture[str], pair: tuple[str, str], text: str
) -> None:
    assert site.run(capsys, *site.files(KEY, WEBHOOK))[0] == 0
    for more in ([], ["--dry-run"]):
        status, said = site.run(capsys, *site.files(*pair), *more)
        assert (status, site.pair()) == (1, (KEY, WEBHOOK))
        assert text in said["error"]["detail"]


def test_nothing_is_written_while_the_provider_is_silent_or_withholds_a_right(
    site: Site, stripe: StripeStub, capsys: pytest.CaptureFixture[str]
) -> None:
    for call in ("GET /v1/charges", f"POST /v1/payment_intents/{NOBODYS}/cancel"):
        stripe.refuse[call] = StripeError(403, kind="invalid_request_error")
        status, said = site.run(capsys, *site.files(KEY, WEBHOOK))
        assert (status, site.pair()[0]) == (1, "")
        assert "a right that it needs" in said["error"]["detail"]
        stripe.refuse.clear()
    stripe.down = True
    status, said = site.run(capsys, *site.files(KEY, WEBHOOK))
    assert (status, site.pair()[0]) == (1, "")
    assert "does not answer" in said["error"]["detail"]


def test_there_is_no_way_back_before_a_pair_was_replaced_nor_before_there_are_keys(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = site.run(capsys, "--back")
    assert status == 1
    assert "none to go back to" in said["error"]["detail"]
    site.kept.write_text("{}")
    assert "keys init" in site.run(capsys, *site.files(KEY, WEBHOOK))[1]["error"]["detail"]


def test_the_running_sandbox_is_not_broken_by_keys(
    world: World,
    tmp_path: Path,
    stripe: StripeStub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    site = Site(world, tmp_path, stripe, "local")
    monkeypatch.setattr(target, "target_of", lambda _options: site.target)
    before = site.kept.read_text()
    status, said = site.run(capsys, *site.files(KEY, WEBHOOK))
    assert (status, site.kept.read_text()) == (1, before)
    assert "keys of its own" in said["error"]["detail"]


@pytest.mark.parametrize(
    "words", ["", "--api-key-file a", "--back --api-key-file a --webhook-secret-file b"]
)
def test_half_a_pair_and_a_pair_with_the_way_back_are_wrong_usage(words: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main.main(["keys", "payments", *words.split()])
    assert caught.value.code == 2
