"""What Apple and Google gave for passes: tried before it is written, and logged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairgate.adapters.aws.secrets import ticket_keys
from fairgate.ports.world import ApplePassKeys, GooglePassKeys, TicketKeys
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.doctor.outside import passes
from tests.support.doctor_site import Web, site_of
from tests.support.pass_certificates import Certificates, certificates
from tests.support.world import START_MS, World
from tests.unit.operate.test_cli_client_secret import Site

CHAIN = certificates(START_MS // 1000)


class Wallets:
    """The command, with the files of both wallets."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site, self.folder = site, folder
        self.kept = site.kept.with_name("tickets.json")
        self.log = site.log

    def keys(self) -> TicketKeys:
        return ticket_keys(json.loads(self.kept.read_text()))

    def apple(self, chain: Certificates = CHAIN, other: Mapping[str, str] = {}) -> list[str]:
        texts = {
            "certificate": chain.certificate,
            "key": chain.key,
            "intermediate": chain.intermediate,
        } | dict(other)
        return [
            word for name, text in texts.items() for word in (f"--apple-{name}", self.file(text))
        ]

    def google(self, account: object, issuer: str = "3388000000022") -> list[str]:
        text = account if isinstance(account, str) else json.dumps(account)
        return ["--google-account", self.file(text), "--google-issuer", issuer]

    def file(self, text: str) -> str:
        path = self.folder / f"{len(list(self.folder.iterdir()))}.pem"
        path.write_text(text)
        return str(path)

    def run(self, *words: str) -> int:
        return main.main(["keys", "passes", "--organisation", "Tides GmbH", *words])


@pytest.fixture
def wallets(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wallets:
    return Wallets(Site(world, tmp_path, monkeypatch), tmp_path)


def account(key: str = CHAIN.key) -> dict[str, str]:
    return {"client_email": "passes@example.iam.gserviceaccount.com", "private_key": key}


def test_both_are_kept_beside_the_tickets_keys_and_are_in_the_log(
    wallets: Wallets, capsys: pytest.CaptureFixture[str]
) -> None:
    before = wallets.keys()
    words = [*wallets.apple(), *wallets.google(account())]
    assert wallets.run(*words, "--dry-run") == 0
    assert wallets.keys() == before
    assert wallets.run(*words) == 0
    assert "pass.example.tickets of team TEAM123456" in capsys.readouterr().out
    kept = wallets.keys()
    assert (kept.ticket, kept.links) == (before.ticket, before.links)
    assert kept.apple_pass is not None
    assert kept.apple_pass.organisation == "Tides GmbH"
    assert kept.google_pass is not None
    assert kept.google_pass.account == account()["client_email"]
    log = wallets.log()
    assert "pass.example.tickets" in log
    assert "PRIVATE KEY" not in log
    renewed = certificates(START_MS // 1000, 500)
    assert wallets.run(*wallets.apple(renewed)) == 0
    assert wallets.keys().google_pass == kept.google_pass
    assert wallets.keys().apple_pass != kept.apple_pass


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"key": CHAIN.other_key}, "the key is not the certificate's"),
        ({"key": "nothing"}, "no keys for Apple's passes"),
        ({"certificate": CHAIN.intermediate}, "names no pass type"),
        ({"intermediate": certificates(START_MS // 1000, 9).intermediate}, "did not sign"),
        ({"certificate": certificates(START_MS // 1000 - 864_000, 5).certificate}, ""),
    ],
)
def test_keys_that_do_not_fit_are_refused_and_nothing_is_written(
    wallets: Wallets, other: dict[str, str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = wallets.kept.read_text()
    assert wallets.run(*wallets.apple(other=other)) == 1
    assert why in capsys.readouterr().err
    assert wallets.kept.read_text() == before


def test_a_certificate_that_has_ended_is_refused(
    wallets: Wallets, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = certificates(START_MS // 1000 - 864_000, 5)
    assert wallets.run(*wallets.apple(ended)) == 1
    assert "ask Apple for a new one" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "issuer", "why"),
    [
        ("{", "3388000000022", "no key of a service account"),
        ({"client_email": "x"}, "3388000000022", "no key of a service account"),
        (account("nothing"), "3388000000022", "no RSA key"),
        (account(), "none", "issuer's id is a number"),
    ],
)
def test_a_service_account_that_cannot_sign_is_refused(
    wallets: Wallets, given: object, issuer: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert wallets.run(*wallets.google(given, issuer)) == 1
    assert why in capsys.readouterr().err
    assert wallets.keys().google_pass is None


def test_half_of_what_a_wallet_needs_is_misused(wallets: Wallets) -> None:
    for words in ([], wallets.apple()[:2], wallets.google(account())[:2]):
        with pytest.raises(SystemExit):
            wallets.run(*words)


@pytest.mark.parametrize(
    ("offered", "given", "days", "state"),
    [
        ([], False, 365, "off"),
        (["apple"], False, 365, "wrong"),
        (["google"], True, 365, "ok"),
        (["apple"], True, 365, "ok"),
        (["apple"], True, 20, "wrong"),
    ],
)
def test_doctor_compares_what_is_offered_with_the_keys(
    world: World, tmp_path: Path, offered: list[str], given: bool, days: int, state: str
) -> None:
    chain = certificates(START_MS // 1000, days)
    if given:
        apple = ApplePassKeys("T", chain.certificate, chain.key, chain.intermediate)
        google = GooglePassKeys("T", "1", "p@example.org", chain.key)
        kept = world.secrets.current
        wallet = {"apple_pass": apple} if "apple" in offered else {"google_pass": google}
        world.secrets.current = replace(kept, **wallet)
    web = Web({"/config.json": (200, json.dumps({"passes": offered}))})
    site = site_of(world, tmp_path, web=web)
    [finding] = passes(site)
    assert finding.state == state
