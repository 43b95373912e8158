"""Types of CloudFormation that are missing, or whose answer differs from AWS's."""

from __future__ import annotations

import io
import os
import zipfile
from typing import Any
from urllib.parse import urlsplit

from ministack.core.responses import get_account_id, get_region
from ministack.services import lambda_svc
from ministack.services.cloudformation import provisioners

from fairgate_lab.emulator.additions import told
from fairgate_lab.emulator.additions.replace import (
    AdditionError,
    add_type,
    wrap,
    wrap_create,
)

Created = tuple[str, dict[str, Any]]
# One of its own by client; AWS::Cognito::ManagedLoginBranding
_STYLE_NEEDS = ("UserPoolId", "ClientId")
_FLOW_LOG_NEEDS = ("ResourceId", "ResourceType")  # required by AWS::EC2::FlowLog
_CACHE_NEEDS = ("Engine", "ServerlessCacheName")  # required by AWS::ElastiCache::ServerlessCache
_RETENTION_NEEDS = ("LogGroupName", "RetentionInDays", "ServiceToken")  # the CDK's own type
_ASKED_OF_COGNITO = (".amazoncognito.com/oauth2/token", "/.well-known/jwks.json")
# Where the custom resource that copies the pages looks for the AWS CLI, and where it is here. What
# the CLI tells of each file goes nowhere: the emulator looks for an answer in 200 lines at most.
_TOOL = {
    b'aws="/opt/awscli/aws"': (
        b"import sys; aws=sys.executable; args=(next(tool for tool in (layer+'/awscli/aws' for"
        b" layer in os.environ['_LAMBDA_LAYERS_DIRS'].split(':')) if os.path.exists(tool)),)+args"
    ),
    b"check_call([aws] + list(args))": b"check_call([aws, *args], stdout=subprocess.DEVNULL)",
}


def add() -> None:
    handlers = provisioners._RESOURCE_HANDLERS
    add_type(handlers, "AWS::CloudWatch::CompositeAlarm", _all_of)
    add_type(handlers, "AWS::Cognito::ManagedLoginBranding", _style)
    add_type(handlers, "AWS::EC2::FlowLog", _flow_log)
    add_type(handlers, "AWS::EC2::SecurityGroupIngress", _ingress)
    add_type(handlers, "AWS::ElastiCache::ServerlessCache", _serverless_cache)
    add_type(handlers, "Custom::LogRetention", _log_retention)
    wrap_create(handlers, "AWS::CloudWatch::Alarm", _metric_maths)
    wrap(handlers, "AWS::CloudWatch::Alarm", "update", _metric_maths_updated)
    wrap_create(handlers, "AWS::SecretsManager::Secret", _secret_by_arn)
    wrap(handlers, "AWS::SecretsManager::Secret", "update", _secret_updated)
    wrap(handlers, "AWS::SecretsManager::Secret", "delete", _secret_deleted)
    wrap_create(handlers, "AWS::Lambda::Function", _function)
    wrap(handlers, "AWS::Lambda::Function", "update", _function_updated)


def _style(logical_id: str, properties: dict[str, Any], _stack: str) -> Created:
    """How a client's sign-in pages look: recorded, and shown by nobody here."""
    missing = [name for name in _STYLE_NEEDS if name not in properties]
    if missing:
        raise ValueError(f"ManagedLoginBranding needs {missing}")
    physical_id = f"{properties['UserPoolId']}|{logical_id[-36:].lower()}"
    return physical_id, {"ManagedLoginBrandingId": logical_id[-36:].lower()}


def _flow_log(logical_id: str, properties: dict[str, Any], _stack: str) -> Created:
    """A log of a network in which nothing flows."""
    missing = [name for name in _FLOW_LOG_NEEDS if name not in properties]
    if missing:
        raise ValueError(f"FlowLog needs {missing}")
    physical_id = f"fl-{logical_id[-17:].lower()}"
    return physical_id, {"Id": physical_id}


def _ingress(logical_id: str, properties: dict[str, Any], _stack: str) -> Created:
    """A rule of its own: recorded with its group, and enforced as little as the group's are."""
    group = provisioners._ec2._security_groups[properties["GroupId"]]
    group["IpPermissions"] += provisioners._ec2_sg_permissions([properties])
    physical_id = f"sgr-{logical_id[-17:].lower()}"
    return physical_id, {"Id": physical_id}


def _serverless_cache(_logical_id: str, properties: dict[str, Any], _stack: str) -> Created:
    """A cache at the address of the TLS proxy that stands before a real Valkey."""
    missing = [name for name in _CACHE_NEEDS if name not in properties]
    if missing:
        raise ValueError(f"ServerlessCache needs {missing}")
    name = properties["ServerlessCacheName"]
    host, port = os.environ[told.CACHE].rsplit(":", 1)
    region, account = get_region(), get_account_id()
    return name, {
        "ARN": f"arn:aws:elasticache:{region}:{account}:serverlesscache:{name}",
        "Endpoint.Address": host,
        "Endpoint.Port": port,
        "FullEngineVersion": "8.0",
        "Status": "available",
    }


def _log_retention(logical_id: str, properties: dict[str, Any], stack: str) -> Created:
    """What the CDK's function does; the emulator's stand-in for its client is no class."""
    missing = [name for name in _RETENTION_NEEDS if name not in properties]
    if missing:
        raise ValueError(f"LogRetention needs {missing}")
    name, _ = provisioners._cwlogs_create(logical_id, properties, stack)
    return name, {"LogGroupName": name}


def _metric_maths(create: Any) -> Any:
    """Alarms on expressions, which the emulator refuses: recorded as little more than a name."""

    def alarm(logical_id: str, properties: dict[str, Any], stack: str) -> Created:
        if "Metrics" not in properties:
            return create(logical_id, properties, stack)  # type: ignore[no-any-return]
        name = properties.get("AlarmName", f"{stack}-{logical_id}")
        arn = f"arn:aws:cloudwatch:{get_region()}:{get_account_id()}:alarm:{name}"
        return name, {"Arn": arn}

    return alarm


def _all_of(logical_id: str, properties: dict[str, Any], stack: str) -> Created:
    """An alarm on other alarms: recorded as little more than a name."""
    if "AlarmRule" not in properties:
        raise ValueError("CompositeAlarm needs AlarmRule")
    name = properties.get("AlarmName", f"{stack}-{logical_id}")
    return name, {"Arn": f"arn:aws:cloudwatch:{get_region()}:{get_account_id()}:alarm:{name}"}


def _secret_by_arn(create: Any) -> Any:
    """``Ref`` of a secret is its ARN on AWS; the emulator answers its name."""

    def secret(logical_id: str, properties: dict[str, Any], stack: str) -> Created:
        _name, attributes = create(logical_id, properties, stack)
        return attributes["Arn"], attributes

    return secret


def _secret_name(arn: str) -> str:
    """Return the name by which the emulator keeps it: the ARN's, without what AWS adds to it."""
    return arn.rpartition(":secret:")[2].rpartition("-")[0]


def _secret_updated(update: Any) -> Any:
    def updated(arn: str, *rest: Any) -> Created:
        _name, attributes = update(_secret_name(arn), *rest)
        return attributes["Arn"], attributes

    return updated


def _secret_deleted(delete: Any) -> Any:
    return lambda arn, properties: delete(_secret_name(arn), properties)


def _metric_maths_updated(update: Any) -> Any:
    def updated(name: str, old: Any, new: dict[str, Any], *rest: Any) -> Created:
        if "Metrics" not in new:
            return update(name, old, new, *rest)  # type: ignore[no-any-return]
        arn = f"arn:aws:cloudwatch:{get_region()}:{get_account_id()}:alarm:{name}"
        return name, {"Arn": arn}

    return updated


def _function_updated(update: Any) -> Any:
    def updated(name: str, old: Any, new: dict[str, Any], *rest: Any) -> Created:
        return update(name, old, _with_address(new), *rest)  # type: ignore[no-any-return]

    return updated


def _with_address(properties: dict[str, Any]) -> dict[str, Any]:
    """A distribution's name resolves nowhere here, and a user pool's leads to AWS."""
    variables = properties.get("Environment", {}).get("Variables", {})
    shown = {
        name: _shown(value) if isinstance(value, str) else value
        for name, value in variables.items()
    }
    return properties if shown == variables else {**properties, "Environment": {"Variables": shown}}


def _function(create: Any) -> Any:
    """No layer lies at /opt."""

    def function(logical_id: str, properties: dict[str, Any], stack: str) -> Created:
        name, attributes = create(logical_id, _with_address(properties), stack)
        if logical_id.startswith("CustomCDKBucketDeployment"):
            record = lambda_svc._functions[name]
            record["code_zip"] = _with_tool_here(record["code_zip"])
        return name, attributes

    return function


def _shown(value: str) -> str:
    """The address that is asked here, in place of the distribution's own and of Cognito's."""
    if value.startswith("https://") and value.endswith(".cloudfront.net"):
        return os.environ[told.PUBLIC_URL]
    if value.startswith("https://") and value.endswith(_ASKED_OF_COGNITO):
        return f"http://127.0.0.1:{os.environ['GATEWAY_PORT']}{urlsplit(value).path}"
    return value


def _with_tool_here(archive: bytes) -> bytes:
    changed, found = io.BytesIO(), dict.fromkeys(_TOOL, 0)
    with zipfile.ZipFile(io.BytesIO(archive)) as before, zipfile.ZipFile(changed, "w") as after:
        for entry in before.infolist():
            body = before.read(entry)
            for there, here in _TOOL.items():
                found[there] += body.count(there)
                body = body.replace(there, here)
            after.writestr(entry, body)
    if set(found.values()) != {1}:
        raise AdditionError("the copier of the pages looks for its tool elsewhere now")
    return changed.getvalue()
