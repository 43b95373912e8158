"""What holds something, by the names under which CloudFormation and people know it.

CloudFormation takes a changed logical id for another thing: the old one is deleted, or left behind
and forgotten, and a new empty one stands in its place. A changed name is a replacement. So neither
follows a renamed construct: what stands here is deployed.
"""

from __future__ import annotations

from typing import NamedTuple


class Kept(NamedTuple):
    """A thing whose loss an update must not bring.

    Attributes:
        name: with ``test`` as the stage and ``<region>``; "" where CloudFormation makes it.
        holds: what would be gone.
    """

    stack: str
    logical_id: str
    kind: str
    name: str
    holds: str


_TABLE, _BUCKET = "AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket"
_QUEUE, _SECRET = "AWS::SQS::Queue", "AWS::SecretsManager::Secret"
_WAITING = "messages that are on their way"
_GIVEN_UP = "messages that were tried too often, for a person"

KEPT = (
    Kept("Data", "TablesSeatsEBCF90D3", _TABLE, "fairgate-test-seats", "who has which seat"),
    Kept("Data", "TablesReservations48CD8C9C", _TABLE, "fairgate-test-reservations", "orders"),
    Kept("Data", "TablesCatalogA41E506D", _TABLE, "fairgate-test-catalog", "events, their log"),
    Kept("Data", "KeysSecret88F3B70F", _SECRET, "fairgate/test/keys", "keys of sign-ins"),
    Kept("Data", "KeysPaymentsBC02466F", _SECRET, "fairgate/test/payments", "the provider's keys"),
    Kept("Data", "KeysTicketsB807C92B", _SECRET, "fairgate/test/tickets", "the tickets' key"),
    Kept("Data", "KeysAddresses64A00B06", _SECRET, "fairgate/test/addresses", "names of mailboxes"),
    Kept("Data", "KeysIdentityE99CE39F", _SECRET, "fairgate/test/identity", "the client's secret"),
    Kept(
        "Cache",
        "AvailabilityCache22C0A283",
        "AWS::ElastiCache::ServerlessCache",
        "fairgate-test-availability",
        "the seat map: to be filled again in mid-sale",
    ),
    Kept("Cache", "NetworkVpc7FB7348F", "AWS::EC2::VPC", "", "the network of functions and cache"),
    Kept(
        "Edge",
        "GateStoreA6963135",
        "AWS::CloudFront::KeyValueStore",
        "fairgate-test-gate-<region>",
        "every gate's value",
    ),
    Kept(
        "Edge",
        "FrontDoorDistribution20F29BA2",
        "AWS::CloudFront::Distribution",
        "",
        "the address that buyers have",
    ),
    Kept("Edge", "ApiF70053CD", "AWS::ApiGatewayV2::Api", "fairgate-test-api", "the API's address"),
    Kept("Edge", "FrontDoorValueSecret88D8FCDD", _SECRET, "", "what CloudFront is known by"),
    Kept("Edge", "LayoutsBucket110A74CA", _BUCKET, "", "the layouts of events"),
    Kept("Edge", "WebBucketE51352C0", _BUCKET, "", "the pages"),
    Kept("Edge", "JobFilesBucket194C219C", _BUCKET, "", "what jobs wrote"),
    Kept("Edge", "LogsBucket5C52C3D2", _BUCKET, "", "logs"),
    Kept("Events", "RemindersQueue98A213A1", _QUEUE, "", _WAITING),
    Kept("Events", "RemindersDeadLetters0CF3D836", _QUEUE, "", _GIVEN_UP),
    Kept("Events", "AskedJobsQueue266A7340", _QUEUE, "", _WAITING),
    Kept("Events", "AskedJobsDeadLetters0F3417C3", _QUEUE, "", _GIVEN_UP),
    Kept("Events", "SeatChangesWorkQueueC6957ABF", _QUEUE, "", _WAITING),
    Kept("Events", "SeatChangesWorkDeadLetters0DC132C2", _QUEUE, "", _GIVEN_UP),
    Kept("Events", "SeatChangesUndelivered70D1F6C6", _QUEUE, "", _GIVEN_UP),
    Kept("Events", "PaidOrdersWorkQueue83001010", _QUEUE, "", _WAITING),
    Kept("Events", "PaidOrdersWorkDeadLetters30822203", _QUEUE, "", _GIVEN_UP),
    Kept("Events", "PaidOrdersUndeliveredEEC9ECD9", _QUEUE, "", _GIVEN_UP),
    Kept("Events", "MailedChangesUndeliveredCB9DC8E5", _QUEUE, "", _GIVEN_UP),
    Kept("Events", "MailsQueue94113AC9", _QUEUE, "", _WAITING),
    Kept("Events", "MailsDeadLetters192EF268", _QUEUE, "", _GIVEN_UP),
    Kept(
        "Watch",
        "AlarmsCritical0FB98BB8",
        "AWS::SNS::Topic",
        "fairgate-test-alarms-critical",
        "who confirmed to be woken",
    ),
    Kept(
        "Watch",
        "AlarmsWarningD22D5CEB",
        "AWS::SNS::Topic",
        "fairgate-test-alarms-warning",
        "who confirmed to be told",
    ),
)
