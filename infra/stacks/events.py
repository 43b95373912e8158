"""What happens without a request: change feeds, reminders, the planner every ten seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_ssm as ssm

from infra.constructs.backends import Backends
from infra.constructs.change_feed import ChangeFeed
from infra.constructs.function import ServiceFunction
from infra.constructs.global_names import global_name
from infra.constructs.layers import Layers
from infra.constructs.operator_roles import OperatorRoles, Reach
from infra.constructs.tables import stream_in_use, tables_in_use
from infra.constructs.ten_second_schedule import TenSecondSchedule
from infra.constructs.timer import Timer
from infra.constructs.work_queue import WorkQueue
from infra.feeds import MAILED_CHANGES, PAID_ORDERS, SEAT_CHANGES
from infra.functions import BY_NAME, CANARY, REBUILDER
from infra.naming import name, pascal, queues_parameter

if TYPE_CHECKING:
    from aws_cdk import aws_sqs as sqs
    from constructs import Construct

    from infra.config import Config
    from infra.stacks.cache import CacheStack
    from infra.stacks.data import DataStack
    from infra.stacks.edge import EdgeStack


JOBS_SPARE_S = 60  # a run gives its job up earlier than another one may take it


class EventsStack(Stack):
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        data: DataStack,
        cache: CacheStack,
        edge: EdgeStack,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "events"),
            description="Fairgate: change feeds, reminders, and what runs by the clock",
        )
        self.add_stack_dependency(data)  # it tells the streams
        expiry = WorkQueue(self, "Reminders", consumer_timeout_s=BY_NAME["expiry"].timeout_s)
        mails = WorkQueue(self, "Mails", consumer_timeout_s=BY_NAME["ticketer"].timeout_s)
        # A run that died is followed by the next one when its own time would be over, not after
        # six times that: two at a time are never refused, as nobody else may have their places.
        jobs_s = BY_NAME["jobs"].timeout_s
        jobs = WorkQueue(
            self, "AskedJobs", consumer_timeout_s=jobs_s, hidden_s=jobs_s + JOBS_SPARE_S
        )
        feeds = self._change_feeds(config, mails)
        self.backends = Backends(
            tables=tables_in_use(self, config),
            secrets=data.secrets,
            front_door=edge.front_door.secret,
            network=cache.network,
            cache_url=cache.cache.url,
            cache_arns=(cache.cache.arn, cache.cache.user_arn),
            kvs_arn=edge.gate.store.key_value_store_arn,
            layouts=edge.layouts,
            web=edge.web,
            public_url=edge.public_url,
            expiry=expiry.queue,
            mails=mails.queue,
            tickets=feeds["PaidOrders"].work.queue,
            jobs=jobs.queue,
            job_files=edge.job_files,
        )
        layers = Layers(self, "Layers", config)
        self.functions = {
            spec.name: ServiceFunction(
                self, pascal(spec.name), config, spec=spec, layers=layers, backends=self.backends
            )
            for spec in BY_NAME.values()
            if spec.trigger in {"queue", "timer"} and (spec.name != CANARY or config.canary_event)
        }
        works = {
            "expiry": expiry,
            "jobs": jobs,
            "invalidations": feeds["SeatChanges"].work,
            "mails": mails,
            "tickets": feeds["PaidOrders"].work,
        }
        self._feed(works)
        self._schedule(config)
        self._let_operators_rebuild(config.stage)
        self._tell_queues(config.stage, works)
        self._let_people_in(config, works, edge)
        self.queues = {queue_id: work.queue for queue_id, work in works.items()}
        self.pipes = {feed_id: feed.pipe for feed_id, feed in feeds.items()}
        self.dead_letters = _dead_letters(works, feeds)

    def _change_feeds(self, config: Config, mails: WorkQueue) -> dict[str, ChangeFeed]:
        reservations = stream_in_use(self, config, "reservations")
        return {
            "SeatChanges": ChangeFeed(
                self,
                "SeatChanges",
                stream=stream_in_use(self, config, "seats"),
                patterns=SEAT_CHANGES,
                consumer_timeout_s=BY_NAME["invalidator"].timeout_s,
            ),
            "PaidOrders": ChangeFeed(
                self,
                "PaidOrders",
                stream=reservations,
                patterns=PAID_ORDERS,
                consumer_timeout_s=BY_NAME["ticketer"].timeout_s,
            ),
            # The second reader of that stream, and the last: more would be throttled. Source:
            # DynamoDB Developer Guide, Change data capture for DynamoDB Streams. Nobody is mailed
            # what happened before somebody was there to mail it.
            "MailedChanges": ChangeFeed(
                self,
                "MailedChanges",
                stream=reservations,
                patterns=MAILED_CHANGES,
                work=mails,
                since_it_is_there=True,
            ),
        }

    def _feed(self, works: dict[str, WorkQueue]) -> None:
        """Connect each queue to its function, by the queue's name for operators."""
        functions = {name: function.live for name, function in self.functions.items()}
        # A change must be seen within 1–2 s, so a batch waits for one at most.
        works["invalidations"].feed(
            functions["invalidator"], batch_size=100, window_s=1, concurrency_max=50
        )
        works["expiry"].feed(functions["expiry"], batch_size=10, concurrency_max=50)
        # A buyer waits for the tickets, and nobody for the mail: however many of those there are,
        # and however slow the mail service is, they never stand before a ticket.
        works["tickets"].feed(functions["ticketer"], batch_size=5, concurrency_max=20)
        # One at a time in each call, so that a job has the whole of its time.
        works["jobs"].feed(functions["jobs"], batch_size=1, concurrency_max=2)
        works["mails"].feed(functions["ticketer"], batch_size=5, concurrency_max=10)

    def _schedule(self, config: Config) -> None:
        Timer(self, "EachMinute", self.functions["sweeper"].live, minutes=1)
        Timer(self, "EachTenMinutes", self.functions["auditor"].live, minutes=10)
        Timer(self, "EachHour", self.functions["reconcile"].live, minutes=60)
        if CANARY in self.functions:
            Timer(self, "CanaryEachMinute", self.functions[CANARY].live, minutes=1)
        self.ten_second_schedule = TenSecondSchedule(
            self, "Beat", config, self.functions["controller"].live
        )

    def _let_operators_rebuild(self, stage: str) -> None:
        iam.ManagedPolicy(
            self,
            "Rebuilders",
            managed_policy_name=global_name(stage, "rebuild"),
            description="Lets operators who have it run `fairgate cache rebuild`, and nothing else",
            statements=[
                iam.PolicyStatement(
                    actions=["lambda:InvokeFunction"],
                    resources=[self.functions[REBUILDER].live.function_arn],
                )
            ],
        )

    def _let_people_in(self, config: Config, works: dict[str, WorkQueue], edge: EdgeStack) -> None:
        OperatorRoles(
            self,
            "People",
            config,
            Reach(
                tables=self.backends.tables,
                queues=[work.queue.queue_arn for work in works.values()],
                dead_letters=[work.dead_letters.queue_arn for work in works.values()],
                layouts=edge.layouts.bucket_arn,
                kvs=edge.gate.store.key_value_store_arn,
                secrets=[secret.secret_arn for secret in self.backends.secrets.values()],
            ),
        )

    def _tell_queues(self, stage: str, works: dict[str, WorkQueue]) -> None:
        ssm.StringParameter(
            self,
            "Queues",
            parameter_name=queues_parameter(stage),
            description="What `fairgate queue` needs: each queue, and its dead letters",
            string_value=self.to_json_string(
                {
                    name: {"url": work.queue.queue_url, "dead": work.dead_letters.queue_url}
                    for name, work in works.items()
                }
            ),
        )


def _dead_letters(
    works: dict[str, WorkQueue], feeds: dict[str, ChangeFeed]
) -> dict[str, sqs.Queue]:
    """What consumers and pipes give up on, by the end of its alarm's name."""
    return {
        "Jobs": works["jobs"].dead_letters,
        "Reminders": works["expiry"].dead_letters,
        "SeatChanges": works["invalidations"].dead_letters,
        "PaidOrders": works["tickets"].dead_letters,
        "Mails": works["mails"].dead_letters,
        **{f"{feed_id}Pipe": feed.undelivered for feed_id, feed in feeds.items()},
    }
