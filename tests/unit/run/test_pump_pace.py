"""How often a change stream is read: the engine has one thread for everybody."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate_ops.run.local import pump
from fairgate_ops.run.local.pump import Pump, StreamToQueue


class Stream:
    """A stream whose pages are as long as told; beyond them it is empty."""

    def __init__(self, *pages: int) -> None:
        self._pages = list(pages)

    def list_streams(self, **_: Any) -> Any:
        return {"Streams": [{"StreamArn": "arn"}]}

    def describe_stream(self, **_: Any) -> Any:
        return {"StreamDescription": {"Shards": [{"ShardId": "s"}]}}

    def get_shard_iterator(self, **_: Any) -> Any:
        return {"ShardIterator": "i"}

    def get_records(self, **_: Any) -> Any:
        count = self._pages.pop(0) if self._pages else 0
        record = {"dynamodb": {"SequenceNumber": "1"}}
        return {"Records": [record] * count, "NextShardIterator": "i"}

    class exceptions:  # noqa: N801 botocore's name
        class ExpiredIteratorException(Exception):  # noqa: N818 botocore's name
            pass


@pytest.mark.parametrize(
    ("records", "pauses"),
    [(1, 1), (pump.STREAM_RECORDS_MAX - 1, 1), (pump.STREAM_RECORDS_MAX, 0)],
)
def test_a_stream_rests_after_each_page_that_is_not_full(
    monkeypatch: pytest.MonkeyPatch, records: int, pauses: int
) -> None:
    read = StreamToQueue(Stream(records), None, "seats", "url", accept=lambda _record: False)
    waited: list[float] = []
    monkeypatch.setattr(read._stop, "wait", waited.append)
    read._begin()
    read._turn()
    assert waited == [pump.STREAM_POLL_S] * pauses


def test_a_stream_is_asked_ever_less_while_nothing_comes_and_often_again_at_the_first_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = [1, *[0] * 8, 1, 0]
    read = StreamToQueue(Stream(*pages), None, "seats", "url", accept=lambda _record: False)
    waited: list[float] = []
    monkeypatch.setattr(read._stop, "wait", waited.append)
    read._begin()
    for _ in pages:
        read._turn()
    assert waited[0] == waited[9] == pump.STREAM_POLL_S
    assert waited[1:9] == sorted(waited[1:9])
    assert waited[8] == pump.STREAM_IDLE_S
    assert pump.STREAM_POLL_S < waited[1] == waited[10] < pump.STREAM_IDLE_S


def test_a_pump_that_says_nothing_of_its_turn_cannot_be_made() -> None:
    class Still(Pump):
        pass

    with pytest.raises(TypeError, match="_turn"):
        Still("still")  # type: ignore[abstract]
