"""Where the operator's tools find a deployment, and its brand: nothing secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws, Stack
from aws_cdk import aws_ssm as ssm
from constructs import Construct

from infra.functions import FUNCTIONS
from infra.naming import brand_parameter, live, operator_parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aws_cdk import aws_s3 as s3

    from fairgate.adapters.dynamodb.schema import Name
    from infra.config import Config


class OperatorParameter(Construct):
    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        config: Config,
        *,
        tables: Mapping[Name, str],
        kvs_arn: str,
        layouts: s3.Bucket,
        public_url: str,
        rebuilder: str,
    ) -> None:
        super().__init__(scope, construct_id)
        ssm.StringParameter(
            self,
            "Parameter",
            parameter_name=operator_parameter(config.stage),
            description="What the command `fairgate` needs to reach this deployment",
            string_value=Stack.of(self).to_json_string(
                {
                    "region": Aws.REGION,
                    "tables": dict(tables),
                    "kvs_arn": kvs_arn,
                    "layouts_bucket": layouts.bucket_name,
                    "public_url": public_url,
                    "rebuilder": rebuilder,
                    "functions": {spec.name: live(config.stage, spec.name) for spec in FUNCTIONS},
                    "payments_provider": config.payments_provider,
                    "payments_url": config.payments_url,
                    "rehearsal_buyers": config.rehearsal_buyers,
                    "backup_days": config.backup_days or 0,
                    "limits": {
                        "api_rate": config.api_rate,
                        "payments_per_s": config.checkouts_per_s,
                    },
                }
            ),
        )
        if config.brand:
            ssm.StringParameter(
                self,
                "Brand",
                parameter_name=brand_parameter(config.stage),
                description="What `fairgate event create` takes where an event says nothing",
                string_value=config.brand,
            )
