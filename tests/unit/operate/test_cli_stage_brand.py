"""The brand of a stage: new events take what they do not say, and keep it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fairgate.errors import MalformedInputError
from fairgate.service.catalog.stage_brand import BYTES_MAX, read_brand, taken_of
from fairgate_ops.operate import target
from tests.support.sale import EVENT, Sale

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World

SELLER = """
seller = "Tides GmbH"
seller-address = "Quay 1"
seller-vat-id = "DE123456789"
contact-mail = "box@example.org"
imprint = "https://example.org/imprint"
"""
BRAND = f'{SELLER}color-1 = "#ffd400"\ncolor-2 = "#0e5560"\nfont = "serif"\n'


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    made = Sale(world, tmp_path)
    made.target = replace(made.target, brand=lambda: BRAND)
    return made


def told(sale: Sale, *names: str) -> list[str]:
    return [str(sale.item.get(name, "")) for name in names]


def test_an_event_that_says_nothing_has_the_stages_brand(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    assert "of the stage's brand: --seller, --seller-address" in capsys.readouterr().out
    names = ("sellerName", "sellerVatId", "contactMail", "imprintUrl", "color1", "color2", "font")
    assert told(sale, *names) == [
        *("Tides GmbH", "DE123456789", "box@example.org", "https://example.org/imprint"),
        *("#ffd400", "#0e5560", "serif"),
    ]
    sale.target = replace(sale.target, brand=lambda: "")
    assert sale.run(f"event edit {EVENT} --color-2 #0e5561") == 0
    assert told(sale, "sellerName", "color2") == ["Tides GmbH", "#0e5561"]


def test_a_seller_of_its_own_takes_nothing_of_the_stages(sale: Sale) -> None:
    sale.create(
        *("--seller", "Quay Ltd", "--seller-address", "Quay 9", "--seller-vat-id", "GB1"),
        *("--color-1", "#123456"),
    )
    names = ("sellerName", "contactMail", "imprintUrl", "color1", "color2", "font")
    assert told(sale, *names) == ["Quay Ltd", "", "", "#123456", "", "serif"]


def test_what_is_said_to_be_nothing_stays_nothing(sale: Sale) -> None:
    sale.create("--color-1", "", "--imprint", "", "--font", "sans")
    names = ("sellerName", "imprintUrl", "color1", "color2", "font")
    assert told(sale, *names) == ["Tides GmbH", "", "", "", ""]


def test_a_stage_without_a_brand_gives_nothing(world: World, tmp_path: Path) -> None:
    sale = Sale(world, tmp_path)
    sale.create()
    assert told(sale, "sellerName", "color1") == ["", ""]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seller = ", "is not TOML"),
        ('name = "x"', "name is none of seller, seller-address"),
        ("font = 7", "font must be a text in quotes"),
        ('font = "fantasy"', "font must be one of sans, serif, mono"),
        ('color-1 = "teal"', "color-1 must be a colour"),
        ('color-2 = "#0e5560"', "color-2 needs color_1"),
        ('seller = "Tides GmbH"', "seller-address is missing"),
        ('imprint = "http://example.org"', "imprint must be an address"),
        ('logo = "https://example.org/logo.png"', "logo must be a file that is kept here"),
        ("#" * (BYTES_MAX + 1), "has more than 4,096 bytes"),
    ],
)
def test_a_brand_that_is_wrong_is_refused_and_no_event_is_created(
    sale: Sale, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    with pytest.raises(MalformedInputError, match=r"The stage's brand"):
        read_brand(text)
    sale.target = replace(sale.target, brand=lambda: text)
    with pytest.raises(AssertionError):
        sale.create()
    assert said in capsys.readouterr().err
    assert sale.world.item("catalog", ("EVENT", EVENT)) is None


def test_a_file_that_begins_as_windows_begins_it_is_read() -> None:
    assert read_brand("\ufeff" + BRAND.replace("\n", "\r\n")) == read_brand(BRAND)


def test_a_logo_that_is_not_kept_is_named_by_the_brand(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f'logo = "/layouts/{"0" * 32}/logo.png"'
    sale.target = replace(sale.target, brand=lambda: text)
    with pytest.raises(AssertionError):
        sale.create("--json")
    assert (
        "the stage's brand, logo: /layouts"
        in json.loads(capsys.readouterr().out)["error"]["detail"]
    )


def test_one_colour_of_its_own_takes_no_other() -> None:
    assert taken_of({"color_1": "a", "color_2": "b", "font": "c"}, ["color_1"]) == {"font": "c"}


def test_this_machine_has_it_beside_its_run_file(tmp_path: Path) -> None:
    run_file = tmp_path / "local.json"
    assert target._brand_beside(run_file) == ""
    (tmp_path / "brand.toml").write_text(BRAND)
    assert target._brand_beside(run_file) == BRAND
    (tmp_path / "brand.toml").write_bytes(b"\xff")
    with pytest.raises(MalformedInputError, match="cannot be read"):
        target._brand_beside(run_file)
