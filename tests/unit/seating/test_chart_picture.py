"""The picture below a chart: read from beside it, encoded anew, and published with the layout."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fairgate.adapters.aws.layouts import DirectoryLayouts
from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.seating.parse_venue import PICTURE_BYTES_MAX, parse_venue
from fairgate.errors import MalformedInputError
from fairgate.service.catalog.published_venue import published_venue
from fairgate_ops.operate.importers import picture
from fairgate_ops.operate.importers.assembly import Reading
from fairgate_ops.operate.importers.detect import import_chart
from tests.support.charts import chart, places

HALL = "little-hall.venue.json"
ROOMS = "two-rooms.seatsio.json"
BACKGROUND = {
    "backgroundImageUrl": "https://cdn.example.com/charts/hall%20plan.png?v=3",
    "backgroundImageKey": "8a6f",
    "backgroundImageZoom": 200,
    "origin": {"x": 300, "y": 200},
    "opacity": 0.5,
    "showOnRenderedCharts": True,
}


def drawn(size: tuple[int, int] = (40, 20), kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, "#2b6cb0").save(out, kind)
    return out.getvalue()


def saved(folder: Path, name: str, document: dict[str, Any]) -> Path:
    path = folder / name
    path.write_text(json.dumps(document))
    return path


def rooms(folder: Path, **changes: Any) -> Path:
    document = chart(ROOMS)
    document["subChart"]["backgroundImage"] = BACKGROUND | changes
    return saved(folder, "rooms.json", document)


@pytest.mark.parametrize("name", ["hall plan.png", "8a6f.png", "8a6f.jpg"])
def test_a_charts_picture_is_found_beside_it_by_its_address_or_key(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(drawn(kind="JPEG" if name.endswith("jpg") else "PNG"))
    how = Reading()
    venue = import_chart(rooms(tmp_path), how)
    assert venue.picture is not None
    assert (venue.picture.width, venue.picture.height, venue.picture.opacity) == (80, 40, 0.5)
    plain = import_chart(chart(ROOMS))
    seat, same = next(plain.sections[0].seats()), next(venue.sections[0].seats())
    assert (same.x, same.y) == (seat.x, seat.y)
    # Around (300, 200) of the chart, where the section's corner is (201, 101).
    corner = next(section for section in venue.sections if section.name == "East").outline[0]
    left, top = corner[0] + 99 - 40, corner[1] + 99 - 20
    assert (venue.picture.x, venue.picture.y) == (left, top)
    assert not any("picture" in note for note in how.notes)


def test_a_picture_is_as_large_as_its_chart_says_whatever_pixels_it_has(tmp_path: Path) -> None:
    (tmp_path / "8a6f.png").write_bytes(drawn((400, 200)))
    path = rooms(tmp_path, backgroundImageWidth=30, backgroundImageHeight=15)
    found = import_chart(path).picture
    assert found is not None
    assert (found.width, found.height) == (60, 30)


def test_a_picture_that_is_not_there_is_left_out_with_a_word_and_never_loaded(
    tmp_path: Path,
) -> None:
    how = Reading()
    assert import_chart(rooms(tmp_path), how).picture is None
    assert any("Save it beside the chart as 8a6f.png" in note for note in how.notes)
    (tmp_path / "hall plan.png").write_bytes(drawn())
    assert import_chart(rooms(tmp_path, showOnRenderedCharts=False), how).picture is None
    outside = tmp_path / "charts"
    outside.mkdir()
    changes = {"backgroundImageUrl": "../hall plan.png", "backgroundImageKey": ".."}
    assert import_chart(rooms(outside, **changes), how).picture is None
    assert import_chart(rooms(outside, backgroundImageUrl="https://["), how).picture is None


REFUSED = [
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is no picture of the kind PNG, JPEG or WebP"),
    (b"GIF89a" + bytes(20), "is no picture of the kind"),
    (drawn((300, 300))[:200], "cannot be read"),
    (b"", "is no picture of the kind"),
]


@pytest.mark.parametrize(("content", "said"), REFUSED)
def test_what_is_no_sound_picture_is_refused_with_its_place(
    tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "8a6f.png").write_bytes(content)
    with pytest.raises(MalformedInputError) as refused:
        import_chart(rooms(tmp_path))
    ((where, what),) = places(refused.value).items()
    assert where == "subChart.backgroundImage"
    assert said in what


@pytest.mark.parametrize("first_tag", [0x0100, 0x011A])
def test_a_picture_whose_notes_make_no_sense_is_refused(tmp_path: Path, first_tag: int) -> None:
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = "taken at home", 6  # turned, so they are read
    notes = exif.tobytes().replace(b"\x01\x0e", first_tag.to_bytes(2), 1)
    out = io.BytesIO()
    Image.new("RGB", (40, 20)).save(out, "PNG", exif=notes)
    (tmp_path / "8a6f.png").write_bytes(out.getvalue())
    with pytest.raises(MalformedInputError) as refused:
        import_chart(rooms(tmp_path))
    assert "cannot be read: save it again" in places(refused.value)["subChart.backgroundImage"]


def test_a_picture_of_too_many_bytes_or_pixels_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.png"
    file.write_bytes(drawn((100, 100)))
    monkeypatch.setattr(picture, "PIXELS_MAX", 9_999)
    with pytest.raises(MalformedInputError, match="more than 9,999 pixels"):
        picture.encoded(file)
    monkeypatch.setattr(picture, "FILE_BYTES_MAX", 100)
    with pytest.raises(MalformedInputError, match="more than 100 bytes"):
        picture.encoded(file)


def test_a_picture_that_fills_the_memory_is_told_to_have_too_many_pixels(tmp_path: Path) -> None:
    file = tmp_path / "poster.png"
    Image.new("1", (14_000, 14_000)).save(file)
    with pytest.raises(MalformedInputError, match="more than 50,000,000 pixels"):
        picture.opened(file)


def test_greys_of_sixteen_bits_stay_what_they_are(tmp_path: Path) -> None:
    file = tmp_path / "grey.png"
    image = Image.new("I;16", (2, 1))
    image.putpixel((0, 0), 0x4040)
    image.putpixel((1, 0), 0xC0C0)
    image.save(file)
    opened = picture.opened(file)
    assert [opened.getpixel((x, 0)) for x in (0, 1)] == [(0x40,) * 3 + (255,), (0xC0,) * 3 + (255,)]


def test_a_large_picture_becomes_a_small_file_of_pixels_alone(tmp_path: Path) -> None:
    noise = Image.frombytes("RGB", (2600, 1300), hashlib.shake_128(b"1").digest(2600 * 1300 * 3))
    file = tmp_path / "noise.jpg"
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    noise.save(file, "JPEG", exif=exif)
    webp, size = picture.encoded(file)
    assert size == (2600, 1300)
    assert len(webp) <= PICTURE_BYTES_MAX
    assert b"taken at home" not in webp
    assert Image.open(io.BytesIO(webp)).width <= picture.SIDE_PX
    assert picture.encoded(file)[0] == webp  # so its layout has the same name every time


def test_a_venue_names_a_picture_beside_it_and_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "hall.png").write_bytes(drawn())
    place = {"x": 10, "y": 5, "width": 180, "height": 90}
    path = saved(tmp_path, "hall.json", chart(HALL) | {"picture": {"file": "hall.png", **place}})
    venue = import_chart(path)
    assert parse_venue(json.loads(json.dumps(dump_venue(venue)))) == venue
    layout = split_layout(venue)
    overview = json.loads(layout.files["venue.json"])
    assert overview["picture"] == place | {"opacity": 1.0}
    webp = base64.b64decode(json.loads(layout.files["picture.json"])["webp"])
    assert Image.open(io.BytesIO(webp)).size == (40, 20)
    layouts = DirectoryLayouts(tmp_path / "layouts")
    for name, body in layout.files.items():
        layouts.write(layout.hash, name, body)
    assert split_layout(published_venue(layouts, layout.hash)) == layout
    assert layout.hash != split_layout(import_chart(chart(HALL))).hash


@pytest.mark.parametrize(
    "name", ["none.png", "../hall.png", "https://example.com/hall.png", "https://[", 7]
)
def test_a_venue_that_names_no_picture_beside_it_is_refused(tmp_path: Path, name: object) -> None:
    below = tmp_path / "below"
    below.mkdir()
    (tmp_path / "hall.png").write_bytes(drawn())
    place = {"x": 10, "y": 5, "width": 180, "height": 90}
    path = saved(below, "hall.json", chart(HALL) | {"picture": {"file": name, **place}})
    with pytest.raises(MalformedInputError, match="Pictures are not loaded from addresses"):
        import_chart(path)


WRONG = [
    base64.b64encode(drawn()).decode(),
    "RIFF",
    "ä",
    7,
    base64.b64encode(drawn(kind="WEBP") + b"more").decode(),
]


@pytest.mark.parametrize("webp", WRONG)
def test_a_venue_carries_no_file_but_one_webp(webp: object) -> None:
    place = {"x": 10, "y": 5, "width": 180, "height": 90}
    with pytest.raises(MalformedInputError, match=r"picture\.webp: must be a WebP file"):
        parse_venue(chart(HALL) | {"picture": {"webp": webp, **place}})


def test_a_venue_carries_no_larger_file_than_buyers_should_load() -> None:
    head = b"RIFF" + (PICTURE_BYTES_MAX + 4).to_bytes(4, "little") + b"WEBP"
    webp = base64.b64encode(head + bytes(PICTURE_BYTES_MAX)).decode()
    place = {"x": 10, "y": 5, "width": 180, "height": 90}
    with pytest.raises(MalformedInputError, match="at most 400,000 fit"):
        parse_venue(chart(HALL) | {"picture": {"webp": webp, **place}})


def lossless(width: int, height: int) -> str:
    out = io.BytesIO()
    Image.new("RGB", (width, height)).save(out, "WEBP", lossless=True)
    return base64.b64encode(out.getvalue()).decode()


# 16,383 by 16,383 pixels of one colour.
HUGE = "UklGRhoAAABXRUJQVlA4TA4AAAAv/r//DwcQEf0PRET/Aw=="


@pytest.mark.parametrize("cut", [12, 6_000])
def test_a_venue_carries_no_picture_that_cannot_be_read(cut: int) -> None:
    out = io.BytesIO()
    Image.effect_noise((200, 100), 99).save(out, "WEBP")
    whole = out.getvalue()[:cut]
    assert len(whole) == cut
    file = whole[:4] + (cut - 8).to_bytes(4, "little") + whole[8:]  # as long as its head says
    webp = base64.b64encode(file).decode()
    place = {"x": 10, "y": 5, "width": 180, "height": 90}
    with pytest.raises(MalformedInputError, match=r"picture\.webp cannot be read"):
        import_chart(chart(HALL) | {"picture": {"webp": webp, **place}})


@pytest.mark.parametrize("webp", [lossless(2_049, 1), lossless(1, 2_049), HUGE])
def test_a_venue_carries_no_picture_that_fills_a_phones_memory(webp: str) -> None:
    place = {"x": 10, "y": 5, "width": 180, "height": 90}
    with pytest.raises(MalformedInputError, match=r"picture\.webp has more than 2,048 by 2,048"):
        import_chart(chart(HALL) | {"picture": {"webp": webp, **place}})
