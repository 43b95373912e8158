"""Layout files: an overview, an index, a file for each section, named by their content."""

from __future__ import annotations

import io
import json
import stat
from itertools import accumulate

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.aws.layouts import DirectoryLayouts, KeptLayouts, S3Layouts, layouts
from fairgate.domain.catalog.brand_files import TYPES
from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.layout import split_layout
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.service.holds.seat_index import SeatIndex
from fairgate.settings import from_environment
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_ops.operate.importers.demo import demo_venue
from tests.support.charts import chart

HASH = "0123456789abcdef" * 2


def _hall(**changes):
    return parse_venue(chart("little-hall.venue.json") | changes)


def test_layout_has_an_overview_an_index_and_a_file_for_each_section():
    venue = demo_venue(200)
    names = {f"sections/{section.id}.json" for section in venue.sections}
    assert set(split_layout(venue).files) == names | {"venue.json", "index.json", "seats.json"}


def test_overview_describes_sections_without_their_seats():
    overview = json.loads(split_layout(_hall()).files["venue.json"])
    assert overview["sections"] == [
        {
            "id": "A",
            "name": "Stalls A",
            "zone": "ground",
            "outline": [[60.0, 60.0], [140.0, 60.0], [140.0, 100.0], [60.0, 100.0]],
            "focalPoint": [100.0, 25.0],
            "nearest": 45.0,
            "seats": 4,
            "tiers": ["stalls"],
            "blocks": [{"id": "A-1", "name": "Stalls A"}],
        }
    ]
    assert overview["areas"][0]["capacity"] == 1201
    assert overview["focalPoint"] == [100.0, 20.0]


def test_picture_of_all_seats_says_the_same_as_the_files_of_the_sections():
    venue = demo_venue(600)
    files = split_layout(venue).files
    tiers = [tier.id for tier in venue.tiers]
    for picture in json.loads(files["seats.json"])["sections"]:
        section = json.loads(files[f"sections/{picture['id']}.json"])
        rows = [row for block in section["blocks"] for row in block["rows"]]
        seats = [seat for row in rows for seat in row["seats"]]
        for axis in "xy":
            assert [at / 100 for at in accumulate(picture[axis])] == [seat[axis] for seat in seats]
        names = [part for row in rows for part in (row["name"], len(row["seats"]))]
        assert picture["rows"] == names
        pairs = batched_pairs(picture["tiers"])
        assert [tiers[tier] for tier, n in pairs for _ in range(n)] == [s["tier"] for s in seats]
        marked = picture["marks"].get("accessible", [])
        assert marked == [at for at, seat in enumerate(seats) if seat["kind"] == "accessible"]


def batched_pairs(flat):
    return list(zip(flat[::2], flat[1::2], strict=True))


def test_layout_keeps_its_name_when_the_picture_of_its_seats_changes(monkeypatch):
    before = split_layout(_hall())
    monkeypatch.setattr("fairgate.domain.seating.layout._seats", lambda _venue: {})
    after = split_layout(_hall())
    assert after.files["seats.json"] != before.files["seats.json"]
    assert after.hash == before.hash


def test_section_file_lists_seats_in_layout_order():
    section = json.loads(split_layout(_hall()).files["sections/A.json"])
    seats = [seat for b in section["blocks"] for row in b["rows"] for seat in row["seats"]]
    assert section["section"] == "A"
    assert [seat["id"] for seat in seats] == ["A-1-1-1", "A-1-1-2", "A-1-1-3", "A-1-2-1"]
    assert seats[0] == {
        "id": "A-1-1-1", "number": "1", "x": 80.0, "y": 70.0, "tier": "stalls", "kind": "standard",
    }  # fmt: skip
    assert seats[2]["restrictedView"] is True


def test_index_knows_every_place():
    index = json.loads(split_layout(_hall()).files["index.json"])
    assert index["seats"]["A-1-2-1"] == [0, 0, "2", "1"]
    assert index["areas"] == {"floor": {"tier": "standing", "name": "Standing floor"}}
    assert (index["tiers"], index["sections"][0]["id"]) == (["stalls", "standing"], "A")


def test_a_table_is_one_unit_in_the_section_and_in_the_index():
    document = dump_venue(_hall())
    seat = document["sections"][0]["blocks"][0]["rows"][0]["seats"][0]
    seat |= {"unit": "table", "capacity": 8}
    files = split_layout(parse_venue(document)).files
    rows = json.loads(files["sections/A.json"])["blocks"][0]["rows"]
    assert (rows[0]["seats"][0]["unit"], rows[0]["seats"][0]["capacity"]) == ("table", 8)
    index = json.loads(files["index.json"])
    assert index["seats"]["A-1-1-1"] == [0, 0, "1", "1", "table", 8]
    (table,) = SeatIndex(index).seats(["A-1-1-1"])
    assert (table.quantity, table.label) == (8, "Stalls A · 1 · Table 1")


def test_hash_names_the_content():
    first = split_layout(_hall())
    assert first == split_layout(_hall())
    assert len(first.hash) == 32
    assert split_layout(_hall(focalPoint=[100, 21])).hash != first.hash


def test_folder_gives_back_what_was_written(tmp_path):
    store = DirectoryLayouts(tmp_path)
    store.write(HASH, "sections/A.json", b"one")
    store.write(HASH, "sections/A.json", b"two")
    assert store.read(HASH, "sections/A.json") == b"two"
    path = tmp_path / HASH / "sections" / "A.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644  # the web server is another user
    assert [p.name for p in path.parent.iterdir()] == ["A.json"]


@pytest.mark.parametrize(
    ("layout", "name"),
    [
        (HASH, "../secret.json"),
        (HASH, "sections/../../secret.json"),
        (HASH, "sections/..json/../x.json"),
        (HASH, "/etc/hostname"),
        (HASH, "sections/a/b.json"),
        (HASH, "venue.json\n"),
        (HASH, "other.json"),
        ("..", "venue.json"),
        ("", "venue.json"),
        (HASH.upper(), "venue.json"),
        (HASH, "venue.json"),
    ],
)
def test_folder_has_no_such_file_when_the_name_is_not_of_its_making(tmp_path, layout, name):
    (tmp_path / "secret.json").write_text("{}")
    store = DirectoryLayouts(tmp_path / "layouts")
    with pytest.raises(NotFoundError):
        store.read(layout, name)


def test_writing_outside_the_folder_is_refused(tmp_path):
    with pytest.raises(NotFoundError):
        DirectoryLayouts(tmp_path / "layouts").write("..", "venue.json", b"{}")
    assert list(tmp_path.iterdir()) == []


class FakeS3:
    """Objects with their headers; raises ``fails`` when it is set."""

    def __init__(self):
        self.objects = {}
        self.fails = None

    def put_object(self, **request):
        self.objects[request["Bucket"], request["Key"]] = request

    def get_object(self, **request):
        if self.fails:
            raise self.fails
        found = self.objects.get((request["Bucket"], request["Key"]))
        if found is None:
            raise ClientError({"Error": {"Code": "NoSuchKey"}}, "GetObject")
        return {"Body": io.BytesIO(found["Body"])}


def sdk_of(s3):
    return SdkClient("s3", make=lambda _config: s3, sleep=lambda _s: None)


def test_bucket_keeps_files_for_ever_under_the_path_that_cloudfront_serves():
    s3 = FakeS3()
    store = S3Layouts("bucket", sdk_of(s3))
    store.write(HASH, "venue.json", b"{}")
    written = s3.objects["bucket", f"layouts/{HASH}/venue.json"]
    assert written["ContentType"] == "application/json"
    assert "immutable" in written["CacheControl"]
    assert store.read(HASH, "venue.json") == b"{}"


@pytest.mark.parametrize(("name", "kind"), TYPES.items())
def test_bucket_says_what_a_file_of_a_brand_is(name, kind):
    s3 = FakeS3()
    store = S3Layouts("bucket", sdk_of(s3))
    store.write(HASH, name, b"x")
    assert s3.objects["bucket", f"layouts/{HASH}/{name}"]["ContentType"] == kind
    with pytest.raises(NotFoundError):
        store.write(HASH, f"{name}.svg", b"x")


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (ClientError({"Error": {"Code": "NoSuchKey"}}, "GetObject"), NotFoundError),
        (ClientError({"Error": {"Code": "SlowDown"}}, "GetObject"), DependencyUnavailableError),
        (ConnectTimeoutError(endpoint_url="s3"), DependencyUnavailableError),
        (ClientError({"Error": {"Code": "AccessDenied"}}, "GetObject"), ClientError),
    ],
)
def test_bucket_failures_are_told_apart(failure, error):
    s3 = FakeS3()
    s3.fails = failure
    with pytest.raises(error):
        S3Layouts("bucket", sdk_of(s3)).read(HASH, "venue.json")


class CountingLayouts(MemoryLayouts):
    def __init__(self):
        super().__init__()
        self.files = {(HASH, name): b"x" * 40 for name in "abc"}
        self.reads = []

    def read(self, layout, name):
        self.reads.append(name)
        return super().read(layout, name)


def test_kept_files_are_read_once_and_the_oldest_is_dropped_when_there_are_too_many():
    inner = CountingLayouts()
    store = KeptLayouts(inner, bytes_max=100)
    for name in ("a", "b", "a", "a", "c", "a", "b"):
        assert store.read(HASH, name) == b"x" * 40
    assert inner.reads == ["a", "b", "c", "b"]  # c pushed out b, which was used longest ago


def test_file_is_not_kept_when_it_is_larger_than_the_whole_room():
    inner = CountingLayouts()
    store = KeptLayouts(inner, bytes_max=30)
    store.read(HASH, "a")
    store.read(HASH, "a")
    assert inner.reads == ["a", "a"]


def test_settings_choose_the_folder(tmp_path):
    store = layouts(from_environment({"FAIRGATE_LAYOUTS_DIR": str(tmp_path)}))
    store.write(HASH, "venue.json", b"{}")
    assert (tmp_path / HASH / "venue.json").read_bytes() == b"{}"
    assert store.read(HASH, "venue.json") == b"{}"
