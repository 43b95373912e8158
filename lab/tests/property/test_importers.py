"""Whatever a chart holds, importing ends in a venue or in a refusal with places."""

from __future__ import annotations

import copy
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.shared.reading import SHOWN_MAX
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.importers.chart_places import with_places
from fairgate_ops.operate.importers.chart_sketch import sketched
from fairgate_ops.operate.importers.detect import import_chart
from tests.support.charts import chart
from tests.support.lengths import at_length

NAMES = ("little-hall.venue.json", "two-rooms.seatsio.json", "chapel.pretix.json")

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(("x" * 500, "#", "\x00", "\ud800", "1", "A", "🎭", "1e400")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("x", "y", "label", "seats", "list")), inner, max_size=3)
    ),
    max_leaves=6,
)


def _places(document, path=()):
    """The path of every value of a document."""
    yield path
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from _places(value, (*path, key))
        else:
            yield (*path, key)


@st.composite
def mutated_charts(draw):
    """A chart in which up to four values are replaced, deleted, doubled or moved."""
    document = chart(draw(st.sampled_from(NAMES)))
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(sorted(_places(document), key=str)))
        if not path:
            continue
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        change = draw(st.sampled_from(("replace", "replace", "delete", "double", "borrow")))
        if change == "delete":
            del parent[path[-1]]
        elif change == "double" and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[path[-1]]))
        elif change == "borrow":
            parent[path[-1]] = copy.deepcopy(draw(st.sampled_from(list(_values(document)))))
        else:
            parent[path[-1]] = draw(JSON_VALUES)
    return document


def _values(document):
    for path in sorted(_places(document), key=str):
        value = document
        for key in path:
            value = value[key]
        if path:
            yield value


def assert_drawn(errors, document):
    """What is drawn of a chart with faults can be sent, and its marks are seats of the drawing."""
    found = sketched(with_places(errors, document), document)
    json.dumps(found, allow_nan=False, ensure_ascii=False).encode()
    drawn = found["map"] or {"seats": {"sections": []}, "venue": {"sections": []}}
    counts = [section["seats"] for section in drawn["venue"]["sections"]]
    pictures = drawn["seats"]["sections"]
    assert [len(one["x"]) for one in pictures] == [len(one["numbers"]) for one in pictures]
    assert counts == [sum(one["rows"][1::2]) for one in pictures]
    assert all(
        0 <= first < last <= sum(counts)
        for error in found["errors"]
        for first, last in error.get("spans", ())
    )


@settings(max_examples=at_length(150, 600), deadline=None)
@given(mutated_charts())
def test_mutated_chart_is_imported_whole_or_refused_with_places(document):
    before = copy.deepcopy(document)
    try:
        venue = import_chart(document)
    except MalformedInputError as refused:
        errors = refused.fields.get("errors")
        if errors is not None:
            assert isinstance(errors, list)
            assert 1 <= len(errors) <= SHOWN_MAX
            assert all(entry["where"] and entry["what"] for entry in errors)
            json.dumps(errors).encode()  # can be shown to people
            refused.detail.encode()
            assert_drawn(errors, document)
    else:
        assert parse_venue(json.loads(json.dumps(dump_venue(venue)))) == venue
    assert str(document) == str(before)  # NaN is not equal to itself


@settings(max_examples=at_length(50, 200), deadline=None)
@given(JSON_VALUES)
def test_any_json_is_refused_or_imported(document):
    for chart_of in (
        {"subChart": document, "zones": document, "name": "x"},
        {"zones": [document], "categories": [document], "name": "x"},
    ):
        try:
            import_chart(chart_of)
        except MalformedInputError as refused:
            assert_drawn(refused.fields.get("errors", []), chart_of)
