"""``fairgate event create|edit --logo|--picture``: drawn anew, bounded, kept beforehand."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from fairgate.domain.catalog.brand_files import kept_at
from fairgate.http.views.events import event_view
from fairgate.service.catalog.event_page import Template, event_page
from fairgate_ops.operate.doctor.event import layouts
from fairgate_ops.operate.importers import brand, picture
from tests.support.doctor_site import only, site_of
from tests.support.pages_build import WEB
from tests.support.sale import EVENT, Sale

if TYPE_CHECKING:
    from tests.support.world import World

TEAL = (14, 85, 96)


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


def drawn(path: Path, size: tuple[int, int] = (600, 300), color: object = TEAL) -> Path:
    Image.new("RGBA", size, color).save(path)  # type: ignore[arg-type]
    return path


def noise(path: Path, size: tuple[int, int]) -> Path:
    dice = random.Random(7)  # noqa: S311 nothing secret
    Image.frombytes("RGB", size, dice.randbytes(size[0] * size[1] * 3)).save(path)
    return path


def stored(sale: Sale) -> set[str]:
    files = sale.container.settings.layouts_dir
    return {one.name for one in Path(files).rglob("*.*") if one.suffix != ".json"}


def read(sale: Sale, fact: str) -> bytes:
    kept = kept_at(fact, sale.item[fact])
    assert kept is not None
    return sale.container.layouts.read(*kept)


def test_a_logo_is_kept_small_and_buyers_load_it(sale: Sale, tmp_path: Path) -> None:
    file = drawn(tmp_path / "logo.png")
    sale.create("--logo", str(file))
    body = read(sale, "logo")
    image = Image.open(io.BytesIO(body))
    assert (image.format, image.size) == ("PNG", (216, 108))
    assert len(body) <= brand.LOGO_BYTES_MAX
    view = event_view(sale.container.catalog.event(EVENT))
    assert view.logo == sale.item["logo"]
    assert sale.run(f"event edit {EVENT} --logo", "") == 0
    assert sale.item["logo"] == ""


def test_a_logo_of_many_colours_becomes_small_enough(tmp_path: Path) -> None:
    body = brand.logo(noise(tmp_path / "noise.png", (960, 216)))
    assert len(body) <= brand.LOGO_BYTES_MAX
    assert Image.open(io.BytesIO(body)).size == (240, 54)


def test_a_picture_is_kept_as_sixteen_by_nine_and_previews_show_it(
    sale: Sale, tmp_path: Path
) -> None:
    sale.create("--picture", str(noise(tmp_path / "wide.png", (2000, 900))))
    body = read(sale, "picture")
    image = Image.open(io.BytesIO(body))
    assert image.format == "JPEG"
    assert image.width * 9 == image.height * 16
    assert len(body) <= brand.PICTURE_BYTES_MAX
    event = sale.container.catalog.event(EVENT)
    assert event_view(event).picture == sale.item["picture"]
    page = event_page(Template.parse((WEB / "index.html").read_bytes()), event, "https://t.example")
    assert f'og:image" content="https://t.example{sale.item["picture"]}"' in page.decode()


def test_a_picture_has_no_ground_of_its_own_and_no_word_of_its_file(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    Image.new("RGBA", (1600, 900), (0, 0, 0, 0)).save(tmp_path / "a.png", exif=exif)
    body = brand.picture(tmp_path / "a.png")
    assert b"taken at home" not in body
    image = Image.open(io.BytesIO(body))
    assert image.size == (1280, 720)
    assert image.getpixel((9, 9)) == (255, 255, 255)


def test_a_picture_that_is_too_small_is_refused(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    capsys.readouterr()
    small = drawn(tmp_path / "a.png", (1600, 449))
    assert sale.run(f"event edit {EVENT} --picture", str(small)) == 1
    assert "1600 × 449 pixels: a wide picture needs at least 800 × 450" in capsys.readouterr().err
    assert "picture" not in sale.item
    large = drawn(tmp_path / "b.png", (800, 450))  # control
    assert sale.run(f"event edit {EVENT} --picture", str(large)) == 0


def test_a_logo_is_no_picture(sale: Sale, tmp_path: Path) -> None:
    sale.create("--logo", str(drawn(tmp_path / "logo.png")))
    before = dict(sale.item)
    assert sale.run(f"event edit {EVENT} --picture", before["logo"]) == 1
    assert sale.item == before


def test_the_same_file_has_the_same_address_and_another_has_another(
    sale: Sale, tmp_path: Path
) -> None:
    sale.create("--logo", str(drawn(tmp_path / "a.png")))
    first = sale.item["logo"]
    assert sale.run(f"event edit {EVENT} --logo", str(drawn(tmp_path / "b.png"))) == 0
    assert sale.item["logo"] == first
    assert sale.run(f"event edit {EVENT} --logo", str(drawn(tmp_path / "c.png", color="red"))) == 0
    assert sale.item["logo"] != first


def wrong_files(folder: Path) -> dict[str, str]:
    """Return files that are refused, each with what is said."""
    svg = folder / "logo.svg"
    svg.write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    cut = folder / "cut.png"
    cut.write_bytes(noise(folder / "whole.png", (300, 300)).read_bytes()[:900])
    pale = drawn(folder / "pale.png", color=(255, 255, 255, 0))
    return {
        str(svg): "is no picture of the kind PNG, JPEG or WebP",
        str(cut): "cannot be read",
        str(pale): "cannot be seen on white",
        str(folder / "none.png"): f"There is no file {folder / 'none.png'}.",
        str(folder): f"There is no file {folder}.",
        "https://example.org/logo.png": "There is no file",
        f"/layouts/{'0' * 32}/logo.png": "is not kept here",
    }


def test_what_is_no_logo_is_refused_and_nothing_is_lost(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create("--logo", str(drawn(tmp_path / "logo.png")))
    before, kept = dict(sale.item), stored(sale)
    for file, said in wrong_files(tmp_path).items():
        capsys.readouterr()
        assert sale.run(f"event edit {EVENT} --logo", file) == 1
        assert said in capsys.readouterr().err, file
        assert sale.item == before
    assert stored(sale) == kept


@pytest.mark.parametrize(("bound", "most"), [("PIXELS_MAX", 179_999), ("FILE_BYTES_MAX", 100)])
def test_a_file_of_too_many_bytes_or_pixels_is_refused(
    sale: Sale, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    file = drawn(tmp_path / "logo.png")
    sale.create()
    monkeypatch.setattr(picture, bound, most)
    assert sale.run(f"event edit {EVENT} --logo", str(file)) == 1
    assert "logo" not in sale.item
    monkeypatch.undo()  # control: the same file within the bounds
    assert sale.run(f"event edit {EVENT} --logo", str(file)) == 0


def test_a_dry_run_keeps_no_file(sale: Sale, tmp_path: Path) -> None:
    file = drawn(tmp_path / "logo.png")
    sale.create()
    assert sale.run(f"event edit {EVENT} --dry-run --logo", str(file)) == 0
    assert stored(sale) == set()
    assert sale.run(f"event edit {EVENT} --logo", str(file)) == 0
    assert stored(sale) == {"logo.png"}


def test_an_events_file_names_the_logo_beside_it_or_by_its_address(
    sale: Sale, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    drawn(folder / "logo.png")
    sale.create()
    file = folder / "event.toml"
    file.write_text(f'event = "{EVENT}"\nlogo = "logo.png"\n')
    assert sale.run(f"event edit {EVENT} --from {file}") == 0
    address = sale.item["logo"]
    version = sale.item["version"]
    assert sale.run(f"event edit {EVENT} --from {file}") == 0
    assert sale.item["version"] == version  # nothing differs
    sale.clock.tick(10)
    capsys.readouterr()
    assert sale.run(f"event show {EVENT} --toml") == 0
    assert f'logo = "{address}"' in capsys.readouterr().out
    assert sale.run(f"event clone {EVENT} second --name Second --sale-starts-in 90") == 0
    second = sale.world.item("catalog", ("EVENT", "second"))
    assert second is not None
    assert second["logo"] == address
    file.write_text(f'event = "{EVENT}"\n\nlogo = "gone.png"\n')
    capsys.readouterr()
    assert sale.run(f"event edit {EVENT} --from {file} --json") == 1
    assert f"{file}, line 3, logo" in json.dumps(json.loads(capsys.readouterr().out))


def test_the_doctor_misses_a_logo_that_is_gone(sale: Sale, tmp_path: Path) -> None:
    sale.create("--logo", str(drawn(tmp_path / "logo.png")))
    site = replace(site_of(sale.world, tmp_path), target=sale.target, only=EVENT)
    assert only(layouts, site).state == "ok"
    kept = kept_at("logo", sale.item["logo"])
    assert kept is not None
    Path(sale.container.settings.layouts_dir, *kept).unlink()
    vars(sale.container).pop("layouts")  # it keeps what it has read
    assert "logo.png" in only(layouts, site).text
    assert only(layouts, site).state == "wrong"
