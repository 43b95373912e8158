"""GET ticket.pkpass and google-pass of an order: its owner's, signed, where the stage has keys."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from msgspec.structs import replace
from PIL import Image

from fairgate.ports.world import ApplePassKeys, GooglePassKeys
from tests.integration.test_tickets_function import code, get, set_date, world
from tests.support.pass_certificates import PASS_TYPE, TEAM, certificates
from tests.support.world import EVENT, START_MS, World

__all__ = ["world"]  # a fixture

CHAIN = certificates(START_MS // 1000)


@pytest.fixture
def offered(world: World) -> World:
    world.secrets.current = replace(
        world.secrets.current,
        apple_pass=ApplePassKeys("Tides", CHAIN.certificate, CHAIN.key, CHAIN.intermediate),
        google_pass=GooglePassKeys("Tides", "3388000000022", "p@example.org", CHAIN.key),
    )
    return world


def google(**how: Any) -> dict[str, Any]:
    return get(what="google-pass", kind="", **how)


def archive(answer: dict[str, Any]) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(answer["body"]))) as pack:
        return {name: pack.read(name) for name in pack.namelist()}


def test_the_owner_gets_a_pass_with_the_tickets_code(offered: World) -> None:
    set_date(offered)
    answer = get("unit=1", kind="pkpass")
    headers = {name.lower(): value for name, value in answer["headers"].items()}
    assert headers["content-type"] == "application/vnd.apple.pkpass"
    assert headers["cache-control"] == "private, no-cache"
    told = json.loads(archive(answer)["pass.json"])
    assert (told["passTypeIdentifier"], told["teamIdentifier"]) == (PASS_TYPE, TEAM)
    assert told["serialNumber"] == "tkt_1"
    assert told["relevantDate"].startswith("2027-06-01T18:00:00")
    [barcode] = told["barcodes"]
    assert barcode["message"].startswith("FG1.")
    shown = [one["value"] for part in told["eventTicket"].values() for one in part]
    assert {"The Show", "The Hall", "Ticket 2 of 2"} <= set(shown)


def test_every_file_of_a_pass_is_in_its_signed_list(offered: World, tmp_path: Path) -> None:
    """By OpenSSL, as a phone does it; a list that was changed is refused."""
    files = archive(get(kind="pkpass"))
    listed = json.loads(files["manifest.json"])
    digests = {name: hashlib.sha1(data).hexdigest() for name, data in files.items()}  # noqa: S324
    assert listed.keys() == files.keys() - {"manifest.json", "signature"}
    assert listed == {name: digests[name] for name in listed}
    assert Image.open(io.BytesIO(files["icon@3x.png"])).size == (87, 87)
    (tmp_path / "signature").write_bytes(files["signature"])
    (tmp_path / "root.pem").write_text(CHAIN.intermediate)
    assert verified(tmp_path, files["manifest.json"])
    assert not verified(tmp_path, files["manifest.json"] + b" ")


def verified(folder: Path, manifest: bytes) -> bool:
    (folder / "manifest").write_bytes(manifest)
    words = ["openssl", "cms", "-verify", "-inform", "DER", "-binary", "-no_check_time"]
    files = ["-in", "signature", "-content", "manifest", "-CAfile", "root.pem", "-out", "out"]
    done = subprocess.run([*words, *files, "-purpose", "any"], cwd=folder, check=False, timeout=60)
    return done.returncode == 0


def test_the_owner_gets_a_link_that_google_can_check(offered: World) -> None:
    set_date(offered)
    url = json.loads(google(query="unit=1")["body"])["url"]
    assert url.startswith("https://pay.google.com/gp/v/save/")
    own = load_pem_private_key(CHAIN.key.encode(), None)
    assert isinstance(own, RSAPrivateKey)
    token = url.rpartition("/")[2]
    told = jwt.decode(
        token, own.public_key(), ["RS256"], audience="google", options={"verify_iat": False}
    )
    assert (told["iss"], told["typ"]) == ("p@example.org", "savetowallet")
    [one] = told["payload"]["eventTicketObjects"]
    [kind] = told["payload"]["eventTicketClasses"]
    assert one["classId"] == kind["id"] == f"3388000000022.{EVENT}"
    assert one["barcode"]["value"].startswith("FG1.")
    assert one["ticketNumber"] == "tkt_1"


@pytest.mark.parametrize("ask", [google, lambda **how: get(kind="pkpass", **how)])
def test_nobody_else_gets_one_and_none_is_there_without_keys(offered: World, ask: Any) -> None:
    assert code(ask(user="eve")) == (404, "not-found")
    assert code(ask(query="unit=2")) == (404, "not-found")
    keys = replace(offered.secrets.current, apple_pass=None, google_pass=None)
    offered.secrets.current = keys
    assert code(ask()) == (404, "not-found")


def test_both_have_the_events_colour_as_it_can_be_read(offered: World) -> None:
    plain = json.loads(archive(get(kind="pkpass"))["pass.json"])
    assert not [name for name in plain if "Color" in name]
    offered.put(replace(offered.event, color_1="#FFD400"))
    told = json.loads(archive(get(kind="pkpass"))["pass.json"])
    assert told["backgroundColor"] == "rgb(255, 212, 0)"
    assert told["foregroundColor"] == told["labelColor"] == "rgb(21, 24, 29)"
    token = json.loads(google()["body"])["url"].rpartition("/")[2]
    [kind] = jwt.decode(token, options={"verify_signature": False})["payload"]["eventTicketClasses"]
    assert kind["hexBackgroundColor"] == "#ffd400"
