"""Each function: its own role, no wildcard, the runtime that the layers are built for."""

from __future__ import annotations

import fnmatch
import json
import re

import pytest

from fairgate import settings
from fairgate.service.shared.keys import gate_value_key
from fairgate_ops.build import layers as built_layers
from infra.config import LAYERS
from infra.functions import BY_NAME, FUNCTIONS, REBUILDER
from infra.operators import LOOKS
from infra.routes import api_functions
from tests.support import needs

from .conftest import ROOT, STAGE, Assembly, listed

NAMES = [spec.name for spec in FUNCTIONS]
# X-Ray has no resource to name. Source: Service Authorization Reference, AWS X-Ray.
TRACES = {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}
# Names of alarms are in no policy here: what lists them takes none. Source: Amazon CloudWatch User
# Guide, "Identity-based policies": DescribeAlarms needs * as its resource.
ALARMS = {"cloudwatch:DescribeAlarms"}
# Nor have log deliveries. Source: Step Functions Developer Guide, "Using CloudWatch Logs to log
# execution history", and "Trace Step Functions request data", IAM permissions.
WORKFLOW_LOGS = {
    *(f"logs:{verb}LogDelivery" for verb in ("Create", "Delete", "Get", "Update")),
    *("logs:ListLogDeliveries", "logs:PutResourcePolicy"),
    *("logs:DescribeLogGroups", "logs:DescribeResourcePolicies"),
    *("xray:GetSamplingRules", "xray:GetSamplingTargets", *TRACES),
}
SETTINGS = {
    value
    for name, value in vars(settings).items()
    if name.isupper() and str(value).startswith("FAIRGATE_")
}


def vpc_actions() -> tuple[str, ...]:
    """What a function in a VPC may do to the network, from the construct."""
    actions: tuple[str, ...] = needs.cdk("infra.constructs.function").VPC_ACTIONS
    return actions


def test_every_folder_is_a_function_when_deployed(assembly: Assembly) -> None:
    folders = {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")}
    assert folders == set(NAMES) == set(assembly.functions())


def test_functions_that_answer_http_are_those_of_the_routes_when_listed() -> None:
    assert set(api_functions()) == {spec.name for spec in FUNCTIONS if spec.trigger == "http"}


@pytest.mark.parametrize("name", NAMES)
def test_function_runs_what_its_layers_are_built_for_when_deployed(
    assembly: Assembly, name: str
) -> None:
    _, function = assembly.functions()[name]
    assert function["Runtime"] == f"python{built_layers.PYTHON}"
    assert function["Architectures"] == ["arm64"]
    assert "aarch64" in built_layers.PLATFORM
    assert function["Handler"] == "handler.handler"
    assert len(function["Layers"]) == 1 + len(BY_NAME[name].layers)


def test_layers_are_named_alike_when_built_and_when_deployed() -> None:
    assert built_layers.LAYERS == LAYERS


def test_roles_are_not_shared_when_deployed(assembly: Assembly) -> None:
    roles = [(stack, json.dumps(f["Role"])) for stack, f in assembly.functions().values()]
    assert len(set(roles)) == len(FUNCTIONS)


@pytest.mark.parametrize("name", NAMES)
def test_role_allows_exactly_what_its_entry_names_when_deployed(
    assembly: Assembly, name: str
) -> None:
    stack, function = assembly.functions()[name]
    spec = BY_NAME[name]
    statements = assembly.statements(stack, function["Role"]["Fn::GetAtt"][0])
    allowed = {a for s in statements if s["Effect"] == "Allow" for a in listed(s["Action"])}
    wanted = {"logs:CreateLogStream", "logs:PutLogEvents", *TRACES}
    wanted |= {action for grant in spec.grants for action in grant.actions}
    reads_secret = spec.secrets or spec.front_door
    wanted |= {"secretsmanager:GetSecretValue"} if reads_secret else set()
    wanted |= {"elasticache:Connect", *vpc_actions()} if spec.cache else set()
    wanted |= {"s3:GetObject", "s3:ListBucket"} if spec.layouts else set()
    wanted |= {"s3:PutObject"} if "write" in (spec.layouts, spec.job_files) else set()
    wanted |= {"s3:GetObject"} if spec.job_files == "read" else set()
    wanted |= {"s3:GetObject", "s3:PutObject", "s3:ListBucket"} if spec.pages else set()
    wanted |= {"cloudwatch:DescribeAlarms"} if spec.alarms else set()
    sends = spec.reminds or spec.asks_for_tickets or spec.posts
    wanted |= {"sqs:SendMessage"} if sends else set()
    wanted |= {"lambda:InvokeFunction"} if spec.journeys else set()
    wanted |= {"ses:SendEmail", "ses:SendRawEmail"} if spec.mail else set()
    store = "cloudfront-keyvaluestore"
    calls = {f"{store}:{call}" for call in ("DescribeKeyValueStore", "GetKey", "PutKey")}
    wanted |= calls if spec.gate == "write" else set()
    if spec.trigger == "queue":
        wanted |= {
            f"sqs:{verb}"
            for verb in (
                "ReceiveMessage",
                "DeleteMessage",
                "ChangeMessageVisibility",
                "GetQueueAttributes",
                "GetQueueUrl",
            )
        }
    assert allowed == wanted


def test_mail_goes_out_as_from_the_sender_alone_whichever_identity_covers_it(
    assembly: Assembly,
) -> None:
    stack, function = assembly.functions()["ticketer"]
    statements = assembly.statements(stack, function["Role"]["Fn::GetAtt"][0])
    (mails,) = [one for one in statements if "ses:SendEmail" in listed(one["Action"])]
    # SES also asks for the right on a recipient that is an identity of the account.
    assert json.dumps(mails["Resource"]).endswith(':identity/*"]]}')
    assert mails["Condition"] == {"StringEquals": {"ses:FromAddress": "tickets@example.org"}}


# Whose values of gates have signing keys and the draw's key in them.
READS_KEYS = {"desk", "sessions"}
WRITES_KEYS = {"controller", "jobs", "operator"}


def partitions_of_the_catalogue(assembly: Assembly, name: str) -> set[str]:
    """What the function's deployed role may touch of the catalogue's table; ``*``: all of it."""
    stack, function = assembly.functions()[name]
    partitions: set[str] = set()
    for statement in assembly.statements(stack, function["Role"]["Fn::GetAtt"][0]):
        on_catalogue = f"fairgate-{STAGE}-catalog" in json.dumps(statement["Resource"])
        if not on_catalogue or not str(statement["Action"]).count("dynamodb:"):
            continue
        condition = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
        partitions |= set(listed(condition.get("dynamodb:LeadingKeys", "*")))
    return partitions


@pytest.mark.parametrize("name", NAMES)
def test_only_those_who_verify_reach_a_gates_keys_when_deployed(
    assembly: Assembly, name: str
) -> None:
    partitions = partitions_of_the_catalogue(assembly, name)
    value = gate_value_key("show").pk
    reaches = {pattern for pattern in partitions if fnmatch.fnmatchcase(value, pattern)}
    if name in READS_KEYS | WRITES_KEYS:
        assert reaches == {"VALUE#*"}
    else:
        assert reaches == set()
    others = {"VALUE#*", "GATE#*", "STORE", "LOG#*"} if name in WRITES_KEYS else reaches
    house = {"HOUSE#*"}
    more = {"sweeper": house, "jobs": house, "operator": house | {"GRANT", "APITOKEN"}}
    others |= more.get(name, set())
    assert partitions - others <= {"EVENT", "CREATION"}
    assert bool(partitions) == any(g.table == "catalog" for g in BY_NAME[name].grants)


def test_only_those_who_write_gates_reach_the_store_of_the_edges_when_deployed(
    assembly: Assembly,
) -> None:
    reaching = set()
    for name, (stack, function) in assembly.functions().items():
        statements = assembly.statements(stack, function["Role"]["Fn::GetAtt"][0])
        if "cloudfront-keyvaluestore:" in json.dumps(statements):
            reaching.add(name)
    assert reaching == WRITES_KEYS


def test_one_role_writes_files_of_the_pages_and_none_of_a_release(assembly: Assembly) -> None:
    writing = {}
    for name, (stack, function) in assembly.functions().items():
        for one in assembly.statements(stack, function["Role"]["Fn::GetAtt"][0]):
            if "s3:PutObject" in listed(one["Action"]):
                writing[name] = [json.dumps(resource) for resource in listed(one["Resource"])]
    (layouts,) = writing.pop("operator")
    (job_files,) = writing.pop("jobs")
    assert re.search(r'JobFilesBucket.*/job_\*"\]\]\}$', job_files)
    assert re.search(r'LayoutsBucket.*/layouts/\*"\]\]\}$', layouts)
    assert set(writing) == {"controller"}
    assert len(writing["controller"]) == 3
    for resource in writing["controller"]:
        assert re.search(r'WebBucket.*"/(e/\*|events\.json|sitemap\.xml)"\]\]\}$', resource)


def test_operators_may_call_the_rebuilder_and_nothing_else_when_given_its_policy(
    assembly: Assembly,
) -> None:
    policy = assembly.only("AWS::IAM::ManagedPolicy")
    assert policy["ManagedPolicyName"]["Fn::Join"][1][0] == f"fairgate-{STAGE}-rebuild-"
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Action"]) == ("Allow", "lambda:InvokeFunction")
    assert assembly.behind_alias("Events", statement["Resource"]["Ref"]) == REBUILDER


def _every_role(assembly: Assembly) -> list[tuple[str, str]]:
    # The construct that copies the pages brings a function and a role of AWS's own making.
    return [
        (stack, role)
        for stack, role in assembly.resources("AWS::IAM::Role")
        if not role.startswith("CustomCDKBucketDeployment")
    ]


def test_no_action_is_a_wildcard_when_any_role_is_read(assembly: Assembly) -> None:
    roles = _every_role(assembly)
    assert len(roles) > len(FUNCTIONS)
    for stack, role in roles:
        for statement in assembly.statements(stack, role):
            for action in listed(statement["Action"]):
                assert "*" not in action, f"{stack}/{role} allows {action}"


def test_every_resource_is_named_when_aws_lets_one_name_it(assembly: Assembly) -> None:
    for stack, role in _every_role(assembly):
        for statement in assembly.statements(stack, role):
            if "*" in listed(statement["Resource"]):
                actions = set(listed(statement["Action"]))
                known = ({*vpc_actions()}, TRACES, {*LOOKS}, WORKFLOW_LOGS, ALARMS)
                assert actions in known, f"{stack}/{role}"


def test_tables_are_reached_by_key_or_index_when_granted() -> None:
    for spec in FUNCTIONS:
        for grant in spec.grants:
            if grant.index:
                assert grant.actions == ("dynamodb:Query",), spec.name


@pytest.mark.parametrize("name", NAMES)
def test_variables_are_those_of_settings_when_set(assembly: Assembly, name: str) -> None:
    _, function = assembly.functions()[name]
    variables = function["Environment"]["Variables"]
    ours = {v for v in variables if not v.startswith("POWERTOOLS_")}
    assert ours <= SETTINGS
    assert variables["POWERTOOLS_SERVICE_NAME"] == name
    assert variables["POWERTOOLS_METRICS_NAMESPACE"] == f"Fairgate/{STAGE}"
    assert variables[settings.STAGE] == STAGE
    assert float(variables[settings.TIMEOUT_S]) == function["Timeout"]
    mails = BY_NAME[name].mail or BY_NAME[name].posts or name == "orders"
    assert (settings.MAIL_SENDER in ours) == mails
    assert (settings.PAYMENTS_PROVIDER in ours) == BY_NAME[name].payments
    # Names of local stand-ins never reach AWS.
    assert not ours & {settings.SECRETS_DIR, settings.FRONT_DOOR_FILE}
    assert not ours & {settings.LAYOUTS_DIR, settings.PAGES_DIR, settings.MAIL_DIR}


@pytest.mark.parametrize("name", NAMES)
def test_function_knows_where_everything_is_that_it_may_touch(
    assembly: Assembly, name: str
) -> None:
    _, function = assembly.functions()[name]
    variables = set(function["Environment"]["Variables"])
    spec = BY_NAME[name]
    for needed, variable in (
        (bool(spec.secrets), settings.SECRETS),
        (spec.front_door, settings.FRONT_DOOR_SECRET_ID),
        (spec.gate == "write", settings.KVS_ARN),
        (spec.reminds, settings.EXPIRY_QUEUE_URL),
        (spec.posts, settings.MAIL_QUEUE_URL),
        (spec.asks_for_tickets, settings.TICKETS_QUEUE_URL),
        (spec.cache, settings.VALKEY_URL),
        (bool(spec.layouts), settings.LAYOUTS_BUCKET),
        (spec.pages, settings.PAGES_BUCKET),
    ):
        assert (variable in variables) == needed, variable


@pytest.mark.parametrize("name", NAMES)
def test_only_users_of_the_cache_run_in_the_vpc_when_deployed(
    assembly: Assembly, name: str
) -> None:
    _, function = assembly.functions()[name]
    assert ("VpcConfig" in function) == BY_NAME[name].cache
    assert BY_NAME[name].cache == (name in {"holds", "invalidator", "seatmap"})


@pytest.mark.parametrize("name", NAMES)
def test_users_of_the_cache_sign_in_as_its_one_user(assembly: Assembly, name: str) -> None:
    stack, function = assembly.functions()[name]
    statements = assembly.statements(stack, function["Role"]["Fn::GetAtt"][0])
    connects = [s for s in statements if "elasticache:Connect" in listed(s["Action"])]
    assert len(connects) == BY_NAME[name].cache
    if connects:
        assert len(connects[0]["Resource"]) == 2
        url = json.dumps(function["Environment"]["Variables"][settings.VALKEY_URL])
        assert "valkeys://fairgate-test-functions@" in url
        assert "?iam=fairgate-test-availability" in url


@pytest.mark.parametrize("name", [spec.name for spec in FUNCTIONS if spec.cache])
def test_code_may_not_use_what_lambda_needs_for_the_network(assembly: Assembly, name: str) -> None:
    stack, function = assembly.functions()[name]
    statements = assembly.statements(stack, function["Role"]["Fn::GetAtt"][0])
    (denied,) = [s for s in statements if s["Effect"] == "Deny"]
    (allowed,) = [s for s in statements if "ec2:CreateNetworkInterface" in listed(s["Action"])][:1]
    assert set(denied["Action"]) == set(allowed["Action"]) == set(vpc_actions())
    assert denied["Resource"] == "*"
    (arn,) = denied["Condition"]["ArnEquals"]["lambda:SourceFunctionArn"]
    assert json.dumps(arn).endswith(f':function:{function["FunctionName"]}"]]}}')
    assert set(denied["Condition"]) == {"ArnEquals"}


def test_every_function_is_traced_by_lambda_itself(assembly: Assembly) -> None:
    for name, (_, function) in assembly.functions().items():
        assert function["TracingConfig"] == {"Mode": "Active"}, name


def test_logs_end_when_their_retention_is_over(assembly: Assembly) -> None:
    groups = assembly.properties("AWS::Logs::LogGroup")
    assert len(groups) >= len(FUNCTIONS)
    assert all(group["RetentionInDays"] > 0 for group in groups)
