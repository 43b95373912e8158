"""One Lambda function with a role of its own that names every action it may take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import ArnFormat, Duration, Stack
from aws_cdk import aws_ec2 as ec2
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from fairgate import settings
from fairgate.adapters.dynamodb.schema import GSI1
from fairgate.service.catalog import write_pages
from infra.acknowledged import ANY, acknowledge, any_identity, any_job_file, any_layout, any_page
from infra.carried import carried
from infra.concurrency import reserved, table_reads_per_s
from infra.constructs.layers import ARCHITECTURE, RUNTIME
from infra.constructs.log_group import log_group
from infra.constructs.log_readers import log_readers, workgroups_text
from infra.constructs.user_pool_client import provider_in_use
from infra.functions import SIGNS_CANARY_IN
from infra.identity import account_claims
from infra.naming import LIVE, brand_parameter, live, metrics_namespace, name, secrets_prefix

if TYPE_CHECKING:
    from aws_cdk import aws_s3 as s3
    from aws_cdk import aws_secretsmanager as secretsmanager
    from aws_cdk import aws_sqs as sqs

    from infra.config import Config
    from infra.constructs.backends import Backends
    from infra.constructs.layers import Layers
    from infra.functions import FunctionSpec
    from infra.identity import Provider

TABLE_VARIABLES = {
    "seats": settings.SEATS_TABLE,
    "reservations": settings.RESERVATIONS_TABLE,
    "catalog": settings.CATALOG_TABLE,
}
# What Lambda needs to put a function into a VPC; AWS offers no resource to name here.
# Source: Lambda Developer Guide, Giving Lambda functions access to resources in a VPC.
VPC_ACTIONS = (
    "ec2:CreateNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:DeleteNetworkInterface",
    "ec2:AssignPrivateIpAddresses",
    "ec2:UnassignPrivateIpAddresses",
)
SECRET_READ = ("secretsmanager:GetSecretValue",)
ALARMS_READ = ("cloudwatch:DescribeAlarms",)
KVS_WRITE = (
    "cloudfront-keyvaluestore:DescribeKeyValueStore",
    "cloudfront-keyvaluestore:GetKey",
    "cloudfront-keyvaluestore:PutKey",
)


class ServiceFunction(Construct):
    """``functions/<name>`` with the layers, variables and rights that its entry names.

    Callers call ``live``, an alias of the version that was deployed last: a deployment
    changes over at once, when the new version is ready, and concurrency can be provisioned.

    No SnapStart: it would hand out its credentials by an address instead of the environment, and
    that turns the light clients off (docs/adr/0014); nor does it go with provisioned concurrency.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        spec: FunctionSpec,
        layers: Layers,
        backends: Backends,
    ) -> None:
        super().__init__(scope, construct_id)
        function_name = name(config.stage, spec.name)
        self.spec = spec
        self.log_group = log_group(self, "Logs", config, f"/aws/lambda/{function_name}")
        statements = [
            _allow(("logs:CreateLogStream", "logs:PutLogEvents"), self.log_group.log_group_arn),
            *_data_statements(spec, backends),
            *_service_statements(self, spec, backends, config),
        ]
        if spec.cache:
            statements += _network_statements(self, function_name)
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
            description=f"What the {spec.name} function may do",
            inline_policies={"Exact": iam.PolicyDocument(statements=statements)},
        )
        self.function = lambda_.Function(
            self,
            "Function",
            function_name=function_name,
            description=spec.purpose,
            runtime=RUNTIME,
            architecture=ARCHITECTURE,
            handler="handler.handler",
            code=lambda_.Code.from_asset(str(layers.shipped.functions / spec.name)),
            layers=[layers.core, *(layers.third_party[layer] for layer in spec.layers)],
            memory_size=spec.memory_mb,
            timeout=Duration.seconds(spec.timeout_s),
            reserved_concurrent_executions=reserved(config.concurrency).get(spec.name),
            environment=environment(config, spec, backends)
            | (_identity(config, provider_in_use(self, config)) if spec.identity else {}),
            log_group=self.log_group,
            recursive_loop=lambda_.RecursiveLoop.ALLOW if spec.loops else None,
            tracing=lambda_.Tracing.ACTIVE,  # Lambda's own segments; no SDK of X-Ray in the code
            role=role,
            vpc=backends.network.vpc if spec.cache else None,
            vpc_subnets=ec2.SubnetSelection(subnet_type=ec2.SubnetType.PRIVATE_ISOLATED)
            if spec.cache
            else None,
            security_groups=[backends.network.functions] if spec.cache else None,
        )
        acknowledge(
            self.function, "L1", "layers and bytecode are built for this one; infra/bytecode.py"
        )
        acknowledge(self, ANY, "X-Ray, alarms and network interfaces have no name for IAM")
        if spec.mail and config.mail_sender:
            acknowledge(role, any_identity(), "the sender's address is in the condition instead")
        _acknowledge_files(spec, role, config)
        self.live = lambda_.Alias(
            self,
            "Live",
            alias_name=LIVE,
            version=self.function.current_version,
            description="What is called; every deployment moves it to its own version",
        )


def _acknowledge_files(spec: FunctionSpec, role: iam.Role, config: Config) -> None:
    if spec.layouts:
        acknowledge(role, any_layout(config), "a layout's name is the hash of what it holds")
    if spec.job_files:
        acknowledge(role, any_job_file(config), "a job is named when it is asked for")
    if spec.pages:
        acknowledge(role, any_page(config), "an event's page has the name of the event")


def environment(config: Config, spec: FunctionSpec, backends: Backends) -> dict[str, str]:
    """The variables of ``fairgate.settings`` that this function uses, and Powertools' own."""
    variables = {
        settings.STAGE: config.stage,
        settings.PUBLIC_URL: backends.public_url,
        settings.TIMEOUT_S: str(spec.timeout_s),
        "POWERTOOLS_SERVICE_NAME": spec.name,
        "POWERTOOLS_METRICS_NAMESPACE": metrics_namespace(config.stage),
        "POWERTOOLS_LOG_LEVEL": "INFO",
    }
    for variable, queue in _queues(spec, backends).items():
        variables[variable] = queue.queue_url
    for grant in spec.grants:
        variables[TABLE_VARIABLES[grant.table]] = backends.tables[grant.table].table_name
    if spec.secrets:
        variables[settings.SECRETS] = secrets_prefix(config.stage)
    if spec.front_door:
        variables[settings.FRONT_DOOR_SECRET_ID] = backends.front_door.secret_arn
    if spec.cache:
        variables[settings.VALKEY_URL] = backends.cache_url
        variables[settings.TABLE_READS_PER_S] = _table_reads(config, spec)
    if spec.gate == "write":
        variables[settings.KVS_ARN] = backends.kvs_arn
    buckets = {
        settings.LAYOUTS_BUCKET: (bool(spec.layouts), backends.layouts),
        settings.PAGES_BUCKET: (spec.pages, backends.web),
        settings.JOB_FILES_BUCKET: (bool(spec.job_files), backends.job_files),
    }
    variables |= {name: bucket.bucket_name for name, (used, bucket) in buckets.items() if used}
    share = carried(config.api_rate, config.checkouts_per_s).of_event()
    if spec.name == "holds":
        variables[settings.EVENT_HOLDS_PER_S] = str(int(share.holds_per_s))
    if spec.name in ("controller", "jobs"):  # jobs forecast
        variables[settings.EVENT_ADMISSIONS_PER_S] = str(max(1, int(share.admissions_per_s)))
    variables[settings.LOG_WORKGROUPS] = workgroups_text(config) if spec.asks_logs else ""
    variables |= _of_others(config, spec)
    return {key: value for key, value in variables.items() if value}


def _of_others(config: Config, spec: FunctionSpec) -> dict[str, str]:
    """What the context says of those whom the deployment works with."""
    variables = {}
    if spec.labels and config.web_acl_arn:
        variables[settings.FIREWALL] = "on"
    # Who asks for mails says it where none is sent, and the order's page says what was mailed.
    if spec.mail or spec.posts or spec.name == "orders":
        variables[settings.MAIL_SENDER] = config.mail_sender
    if spec.name == "operator" and config.second_person:
        variables[settings.SECOND_PERSON] = "on"
    if spec.name == "operator" and config.rehearsal_buyers:
        variables[settings.REHEARSAL_BUYERS] = str(config.rehearsal_buyers)
    if spec.brand and config.brand:
        variables[settings.BRAND_PARAMETER] = brand_parameter(config.stage)
    if spec.alarms:
        variables[settings.EDGE_DISTRIBUTION] = config.edge_alarms
    if spec.journeys:
        variables[settings.CANARY_EVENT] = config.canary_event
        variables[settings.SIGN_IN_FUNCTION] = live(config.stage, SIGNS_CANARY_IN)
    if spec.payments:
        variables[settings.PAYMENTS_PROVIDER] = config.payments_provider
        variables[settings.PAYMENTS_URL] = config.payments_url
        if config.checkouts_per_s:
            variables[settings.PAYMENTS_PER_S] = str(config.checkouts_per_s)
    return variables


def _identity(config: Config, provider: Provider) -> dict[str, str]:
    """How a function asks the identity provider."""
    variables = account_claims(config) | {
        settings.OIDC_ISSUER: provider.issuer,
        settings.OIDC_CLIENT_ID: provider.client_id,
        settings.OIDC_AUDIENCE: provider.audience,
        settings.OIDC_TOKEN_URL: provider.token_url,
        settings.OIDC_JWKS_URL: provider.jwks_url,
    }
    return {key: value for key, value in variables.items() if value}


def _table_reads(config: Config, spec: FunctionSpec) -> str:
    share = table_reads_per_s(config.concurrency, spec.name) if spec.trigger == "http" else None
    return str(share or "")


def _queues(spec: FunctionSpec, backends: Backends) -> dict[str, sqs.Queue]:
    """The queues that the function sends to, by the variable that names each."""
    asked = {
        settings.EXPIRY_QUEUE_URL: (spec.reminds, backends.expiry),
        settings.MAIL_QUEUE_URL: (spec.posts, backends.mails),
        settings.TICKETS_QUEUE_URL: (spec.asks_for_tickets, backends.tickets),
        settings.JOBS_QUEUE_URL: (spec.jobs, backends.jobs),
    }
    return {variable: queue for variable, (sends, queue) in asked.items() if sends}


def _data_statements(spec: FunctionSpec, backends: Backends) -> list[iam.PolicyStatement]:
    statements = []
    for grant in spec.grants:
        arn = backends.tables[grant.table].table_arn
        resource = f"{arn}/index/{GSI1}" if grant.index else arn
        statements.append(_allow(grant.actions, resource, partitions=grant.partitions))
    return statements


def _service_statements(
    scope: Construct, spec: FunctionSpec, backends: Backends, config: Config
) -> list[iam.PolicyStatement]:
    statements = []
    if spec.secrets:
        statements.append(_secrets_statement(*(backends.secrets[name] for name in spec.secrets)))
    if spec.front_door:
        statements.append(_allow(SECRET_READ, backends.front_door.secret_arn))
    plain = (
        (spec.cache, ("elasticache:Connect",), backends.cache_arns),
        (spec.gate == "write", KVS_WRITE, (backends.kvs_arn,)),
        (spec.alarms, ALARMS_READ, ("*",)),
    )
    statements += [_allow(actions, *resources) for asked, actions, resources in plain if asked]
    if spec.journeys:
        statements.append(_allow(("lambda:InvokeFunction",), _signing_in(scope, config)))
    statements += [
        _allow(("sqs:SendMessage",), queue.queue_arn) for queue in _queues(spec, backends).values()
    ]
    statements += _file_statements(spec, backends)
    if spec.brand and config.brand:
        named = brand_parameter(config.stage).removeprefix("/")
        parameter = Stack.of(scope).format_arn(
            service="ssm", resource="parameter", resource_name=named
        )
        statements.append(_allow(("ssm:GetParameter",), parameter))
    if spec.asks_logs and (readers := log_readers(config)):
        statements.append(_allow(("sts:AssumeRole",), *(one.role_arn for one in readers)))
    if spec.mail and config.mail_sender:
        statements.append(_mail_statement(scope, config.mail_sender))
    return statements


def _file_statements(spec: FunctionSpec, backends: Backends) -> list[iam.PolicyStatement]:
    statements = []
    if spec.layouts:
        files = ("s3:GetObject", *(("s3:PutObject",) if spec.layouts == "write" else ()))
        statements.append(_allow(files, backends.layouts.arn_for_objects("layouts/*")))
        # Without it S3 calls a missing object forbidden.
        statements.append(_allow(("s3:ListBucket",), backends.layouts.bucket_arn))
    if spec.job_files:
        action = "s3:PutObject" if spec.job_files == "write" else "s3:GetObject"
        statements.append(_allow((action,), backends.job_files.arn_for_objects("job_*")))
    if spec.pages:
        statements += _page_statements(backends.web)
    return statements


def _page_statements(web: s3.Bucket) -> list[iam.PolicyStatement]:
    """Let the pages of events be written, and no page of a release."""
    written = ("e/*", write_pages.LIST, write_pages.MAP)
    read = (write_pages.INDEX, write_pages.WRITTEN)
    return [
        _allow(("s3:GetObject",), *map(web.arn_for_objects, read)),
        _allow(("s3:PutObject",), *map(web.arn_for_objects, written)),
        _allow(("s3:ListBucket",), web.bucket_arn),
    ]


def _secrets_statement(*secrets: secretsmanager.Secret) -> iam.PolicyStatement:
    """Let the keys in force be read, and no version before: it may hold what has moved since.

    Source: Secrets Manager User Guide, Identity-based policies: a version may have several labels,
    so the operator is one for sets.
    """
    return iam.PolicyStatement(
        actions=list(SECRET_READ),
        resources=[secret.secret_arn for secret in secrets],
        conditions={"ForAnyValue:StringEquals": {"secretsmanager:VersionStage": "AWSCURRENT"}},
    )


def _signing_in(scope: Construct, config: Config) -> str:
    """Name the function that signs the canary in; its own stack is deployed later."""
    return Stack.of(scope).format_arn(
        service="lambda",
        resource="function",
        resource_name=live(config.stage, SIGNS_CANARY_IN),
        arn_format=ArnFormat.COLON_RESOURCE_NAME,
    )


def _mail_statement(scope: Construct, sender: str) -> iam.PolicyStatement:
    """Let mail go out as from this address, and as from no other of a domain that is verified.

    SES asks for the right on the identity that covers the sender, which may be its domain or one
    above that, and on a recipient's own where that is one of the account's, as all are that the
    sandbox sends to. Source: SES Developer Guide, Controlling access to Amazon SES, restricting
    the "From" address.
    """
    identities = Stack.of(scope).format_arn(
        service="ses",
        resource="identity",
        resource_name="*",
        arn_format=ArnFormat.SLASH_RESOURCE_NAME,
    )
    return iam.PolicyStatement(
        actions=["ses:SendEmail", "ses:SendRawEmail"],
        resources=[identities],
        conditions={"StringEquals": {"ses:FromAddress": sender}},
    )


def _network_statements(scope: Construct, function_name: str) -> list[iam.PolicyStatement]:
    """Let Lambda make the function's network interfaces, and not the function's own code.

    Source: Lambda Developer Guide, "Using source function ARN to control function access behavior":
    what Lambda itself calls on the function's behalf carries no such ARN, but for logs, X-Ray, EFS.
    """
    itself = Stack.of(scope).format_arn(
        service="lambda",
        resource="function",
        resource_name=function_name,
        arn_format=ArnFormat.COLON_RESOURCE_NAME,
    )
    return [
        _allow(VPC_ACTIONS, "*"),
        iam.PolicyStatement(
            effect=iam.Effect.DENY,
            actions=list(VPC_ACTIONS),
            resources=["*"],
            conditions={"ArnEquals": {"lambda:SourceFunctionArn": [itself]}},
        ),
    ]


def _allow(
    actions: tuple[str, ...], *resources: str, partitions: tuple[str, ...] = ()
) -> iam.PolicyStatement:
    keys = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(partitions)}}
    return iam.PolicyStatement(
        actions=list(actions), resources=list(resources), conditions=keys if partitions else None
    )
