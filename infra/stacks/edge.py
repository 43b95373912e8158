"""The way in: gate, distribution, buckets of pages and layouts, and the HTTP API's address.

The API itself is made here, before its routes: the distribution needs its address, while the
functions behind it need the distribution's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import CfnOutput, Stack
from aws_cdk import aws_apigatewayv2 as apigatewayv2

from infra.constructs.cache_policies import EdgePolicies
from infra.constructs.front_door import FrontDoor
from infra.constructs.front_door_secret import FrontDoorSecret
from infra.constructs.gate import Gate
from infra.constructs.operator_parameter import OperatorParameter
from infra.constructs.storage import LogBucket, PrivateBucket
from infra.constructs.user_pool_client import UserPoolClient
from infra.functions import REBUILDER
from infra.naming import live, name

if TYPE_CHECKING:
    from constructs import Construct

    from infra.config import Config


JOB_FILES_DAYS = 7


class EdgeStack(Stack):
    def __init__(self, scope: Construct, construct_id: str, config: Config) -> None:
        super().__init__(
            scope,
            construct_id,
            stack_name=name(config.stage, "edge"),
            description="Fairgate: gate, distribution, buckets",
        )
        self.api = apigatewayv2.HttpApi(
            self,
            "Api",
            api_name=name(config.stage, "api"),
            create_default_stage=False,  # it names the routes, so it is made with them
            disable_execute_api_endpoint=bool(config.api_domain),
        )
        self.front_door = FrontDoorSecret(self, "FrontDoorValue", config)
        self.gate = Gate(self, "Gate", config)
        logs = LogBucket(self, "Logs", config)
        self.layouts = PrivateBucket(self, "Layouts", logs=logs, versioned=True).bucket
        self.web = PrivateBucket(self, "Web", logs=logs).bucket
        # Its addresses are in the log, too, hours after their five minutes.
        self.job_files = PrivateBucket(self, "JobFiles", logs=logs, days=JOB_FILES_DAYS).bucket
        door = FrontDoor(
            self,
            "FrontDoor",
            config,
            api=self.api,
            front_door_value=self.front_door.header_value,
            web=self.web,
            layouts=self.layouts,
            gate=self.gate,
            policies=EdgePolicies(self, "Policies", config),
        )
        self.distribution = door.distribution
        self.public_url = door.public_url
        if config.sign_in == "cognito":
            UserPoolClient(self, "SignIn", config, public_url=self.public_url)
        OperatorParameter(
            self,
            "Operator",
            config,
            tables=config.tables,
            kvs_arn=self.gate.store.key_value_store_arn,
            layouts=self.layouts,
            public_url=self.public_url,
            rebuilder=live(config.stage, REBUILDER),
        )
        CfnOutput(
            self,
            "DistributionId",
            value=door.distribution.distribution_id,
            description="For -c access_logs=… and -c edge_alarms=…",
        )
        CfnOutput(self, "PublicUrl", value=self.public_url, description="Where buyers go")
