"""What EventBridge Pipes and Lambda's event source mappings do in AWS, as threads.

At least once, like the originals: a stream position moves only after its records are in the
queue; a message is deleted only after its handler has not named it as failed. The queue itself
delivers the rest again after its visibility time-out and moves them to its dead-letter queue
after RECEIVES_MAX receives.
Source: Lambda Developer Guide, "Creating and configuring an Amazon SQS event source mapping" and
"Implementing partial batch responses".
"""

from __future__ import annotations

import base64
import json
import sys
import threading
import traceback
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from fairgate_ops.run.local.api_events import LambdaContext, given_s_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Self

SQS_BATCH_MAX = 10  # SendMessageBatch, ReceiveMessage and DeleteMessageBatch alike
RECEIVES_MAX = 5
VISIBILITY_S = 30
STREAM_POLL_S, STREAM_IDLE_S = 0.1, 0.4  # longer and longer while nothing comes
STREAM_RECORDS_MAX = 500
LONG_POLL_S = 2  # bounds how long stop() waits
RETRY_S = 0.5
HANDLER_S = 30.0

Record = dict[str, Any]


@dataclass(frozen=True)
class Queue:
    url: str
    dead_letters_url: str


def create_queue(sqs: Any, name: str, *, visibility_s: int = VISIBILITY_S) -> Queue:
    """A queue and its dead-letter queue, ``<name>-dead``. Creating them again changes nothing."""
    dead_url = sqs.create_queue(QueueName=f"{name}-dead")["QueueUrl"]
    dead_arn = sqs.get_queue_attributes(QueueUrl=dead_url, AttributeNames=["QueueArn"])
    redrive = {
        "deadLetterTargetArn": dead_arn["Attributes"]["QueueArn"],
        "maxReceiveCount": RECEIVES_MAX,
    }
    url = sqs.create_queue(
        QueueName=name,
        Attributes={
            "VisibilityTimeout": str(visibility_s),
            "RedrivePolicy": json.dumps(redrive),
        },
    )["QueueUrl"]
    return Queue(url, dead_url)


class NotSentError(Exception):
    """The queue refused some of a page: the whole page goes again."""


class Pump(ABC):
    """A thread that turns until it is stopped, and survives an engine that hiccups."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        self._begin()
        self._stop.clear()
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()
        return self

    def ask_to_stop(self) -> None:
        """Let the turn under way be the last one."""
        self._stop.set()

    def stop(self) -> None:
        """Return once the turn under way has ended."""
        self.ask_to_stop()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _begin(self) -> None:  # noqa: B027 not every pump has something to find first
        """What must succeed before ``start`` returns."""

    @abstractmethod
    def _turn(self) -> None:
        """Do what waits, or wait a little for it."""

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._turn()
            except (BotoCoreError, ClientError, NotSentError) as error:
                print(f"{self.name}: {error}; trying again", file=sys.stderr, flush=True)
                self._stop.wait(RETRY_S)


class StreamToQueue(Pump):
    """Each record of a table's stream that ``accept`` lets through becomes one message.

    Args:
        streams: client of ``dynamodbstreams``.
        sqs: client of ``sqs``.
        table: the table's name; its stream must be enabled.
        accept: the pipe's filter, called with the record as JSON would show it.
        from_start: begin with the oldest record instead of the first after ``start``.
        idle_s: how long a stream of which nothing came for a while is left alone.
    """

    def __init__(
        self,
        streams: Any,
        sqs: Any,
        table: str,
        queue_url: str,
        *,
        accept: Callable[[Mapping[str, Any]], bool] = lambda _record: True,
        from_start: bool = False,
        idle_s: float = STREAM_IDLE_S,
    ) -> None:
        super().__init__(f"stream of {table}")
        self._streams, self._sqs = streams, sqs
        self._table, self._queue_url = table, queue_url
        self._accept, self._idle_s = accept, idle_s
        self._iterator_type = "TRIM_HORIZON" if from_start else "LATEST"
        self._shards: dict[str, _Shard] = {}
        self._arn = ""
        self._pause_s = STREAM_POLL_S
        self.carried = 0

    def _begin(self) -> None:
        found = self._streams.list_streams(TableName=self._table)["Streams"]
        if not found:
            raise LookupError(f"the table {self._table} has no stream")
        self._arn = found[0]["StreamArn"]
        self._discover(self._iterator_type)

    def _discover(self, iterator_type: str) -> None:
        described = self._streams.describe_stream(StreamArn=self._arn)["StreamDescription"]
        for shard in described["Shards"]:
            shard_id = shard["ShardId"]
            if shard_id not in self._shards:
                self._shards[shard_id] = _Shard(shard_id, self._iterator(shard_id, iterator_type))

    def _turn(self) -> None:
        if all(shard.iterator is None for shard in self._shards.values()):
            self._discover("TRIM_HORIZON")  # a shard has closed: its children from their start
        pages = [self._carry(shard) for shard in self._shards.values() if shard.iterator]
        most = max(pages, default=0)
        self._pause_s = STREAM_POLL_S if most else min(self._idle_s, self._pause_s * 1.5)
        if most < STREAM_RECORDS_MAX:  # all there was: more gathers meanwhile
            self._stop.wait(self._pause_s)

    def _carry(self, shard: _Shard) -> int:
        try:
            page = self._streams.get_records(ShardIterator=shard.iterator, Limit=STREAM_RECORDS_MAX)
        except self._streams.exceptions.ExpiredIteratorException:
            shard.iterator = self._iterator(shard.id, "AFTER_SEQUENCE_NUMBER", shard.last)
            return 0
        records = [plain_record(record, self._arn) for record in page["Records"]]
        self._send([record for record in records if self._accept(record)])
        if records:  # only now: what could not be sent is read again
            shard.last = records[-1]["dynamodb"]["SequenceNumber"]
        shard.iterator = page.get("NextShardIterator")
        return len(records)

    def _iterator(self, shard_id: str, iterator_type: str, after: str | None = None) -> str:
        position: dict[str, str] = {"ShardIteratorType": iterator_type}
        if iterator_type == "AFTER_SEQUENCE_NUMBER":
            position = (
                {"ShardIteratorType": self._iterator_type}
                if after is None
                else {**position, "SequenceNumber": after}
            )
        answer = self._streams.get_shard_iterator(StreamArn=self._arn, ShardId=shard_id, **position)
        return str(answer["ShardIterator"])

    def _send(self, records: Sequence[Record]) -> None:
        for some in _batches(records):
            entries = [
                {"Id": str(number), "MessageBody": json.dumps(record, separators=(",", ":"))}
                for number, record in enumerate(some)
            ]
            answer = self._sqs.send_message_batch(QueueUrl=self._queue_url, Entries=entries)
            if answer.get("Failed"):
                raise NotSentError(f"{len(answer['Failed'])} messages were refused")
            self.carried += len(some)


@dataclass
class _Shard:
    id: str
    iterator: str | None
    last: str | None = None


class QueueToHandler(Pump):
    """Messages of a queue become Lambda's SQS events for one handler, one batch at a time.

    Args:
        sqs: client of ``sqs``.
        function: the name in the handler's context.
        batch_max: up to 100 messages are merged into an event when that many wait.
        given_s: how long the handler may take, at most.
    """

    def __init__(
        self,
        sqs: Any,
        queue_url: str,
        handler: Callable[[dict[str, Any], Any], Any],
        *,
        function: str = "function",
        batch_max: int = SQS_BATCH_MAX,
        given_s: float = HANDLER_S,
    ) -> None:
        super().__init__(f"queue of {function}")
        self._sqs, self._queue_url = sqs, queue_url
        self._handler, self._function = handler, function
        self._batch_max, self._given_s = batch_max, given_s
        self._arn = ""
        self.handled = 0
        self.failed = 0

    def _begin(self) -> None:
        attributes = self._sqs.get_queue_attributes(
            QueueUrl=self._queue_url, AttributeNames=["QueueArn"]
        )
        self._arn = attributes["Attributes"]["QueueArn"]

    def _turn(self) -> None:
        messages = self._receive(LONG_POLL_S)
        while messages and len(messages) + SQS_BATCH_MAX <= self._batch_max:
            more = self._receive(0)
            if not more:
                break
            messages += more
        if messages:
            done = self._handle(messages)
            self.failed += len(messages) - len(done)
            for some in _batches(done):
                self._delete(some)
            self.handled += len(done)

    def _receive(self, wait_s: int) -> list[Record]:
        answer = self._sqs.receive_message(
            QueueUrl=self._queue_url,
            MaxNumberOfMessages=min(SQS_BATCH_MAX, self._batch_max),
            WaitTimeSeconds=wait_s,
            MessageSystemAttributeNames=["All"],
        )
        return list(answer.get("Messages", ()))

    def _handle(self, messages: Sequence[Record]) -> list[Record]:
        """Those that need not come again."""
        event = {"Records": [sqs_record(message, self._arn) for message in messages]}
        given_s = given_s_of(self._function, self._given_s)
        context = LambdaContext(self._function, uuid.uuid4().hex, given_s)
        try:
            answer = self._handler(event, context)
        except Exception:  # noqa: BLE001 whatever a handler raises fails its batch, as in Lambda
            traceback.print_exc()
            return []
        return remaining(messages, answer)

    def _delete(self, messages: Sequence[Record]) -> None:
        self._sqs.delete_message_batch(
            QueueUrl=self._queue_url,
            Entries=[
                {"Id": str(number), "ReceiptHandle": message["ReceiptHandle"]}
                for number, message in enumerate(messages)
            ],
        )


def remaining(messages: Sequence[Record], answer: Any) -> list[Record]:
    """The messages that a handler's answer declares done.

    As Lambda reads it: nothing or an empty list means all; a list that is malformed, or that names
    a message which was not in the batch, means none.
    """
    if not answer or not answer.get("batchItemFailures"):
        return list(messages)
    known = {message["MessageId"] for message in messages}
    try:
        failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
    except (KeyError, TypeError):
        return []
    if not failed <= known:
        return []
    return [message for message in messages if message["MessageId"] not in failed]


def plain_record(record: Mapping[str, Any], stream_arn: str) -> Record:
    """A stream record as Pipes puts it into a message: times as epoch seconds, bytes as base64."""
    plain: Record = json.loads(json.dumps(record, default=_plain))
    return {**plain, "eventSourceARN": stream_arn}


def sqs_record(message: Mapping[str, Any], queue_arn: str) -> Record:
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": dict(message.get("Attributes", {})),
        "messageAttributes": {},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": queue_arn,
        "awsRegion": queue_arn.split(":")[3],
    }


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"a stream record holds no {type(value).__name__}")


def _batches(items: Sequence[Record]) -> Iterator[Sequence[Record]]:
    for start in range(0, len(items), SQS_BATCH_MAX):
        yield items[start : start + SQS_BATCH_MAX]
