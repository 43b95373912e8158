"""List the AWS actions that the command `fairgate` needs: to read, and to act.

It imports nothing of the CDK. Tests compare it with the calls in the command's code.
"""

from __future__ import annotations

# Of the tables that hold no key: read by key, by index, and as a whole for reports and the audit.
TABLE_READ = ("dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan")
# PynamoDB, which reads reports, and `fairgate doctor` ask what a table is like.
TABLE_DESCRIBED = ("dynamodb:DescribeContinuousBackups", "dynamodb:DescribeTable")
CATALOG_READ = ("dynamodb:GetItem", "dynamodb:Query")
# A transaction needs the action of each of its parts.
TABLE_WRITE = ("dynamodb:PutItem", "dynamodb:UpdateItem")
# `fairgate event create`: seats that a creation left behind, and whether no other run has begun.
# `fairgate event delete`: a draft and its seats; a later creation of its id: its gate's history.
SEATS_REMOVED = ("dynamodb:DeleteItem",)
CREATION_CHECKED = ("dynamodb:ConditionCheckItem",)

PARAMETER_READ = ("ssm:GetParameter",)
QUEUE_COUNTED = ("sqs:GetQueueAttributes",)
QUEUE_SENT = ("sqs:SendMessage",)
DEAD_TAKEN = ("sqs:DeleteMessage", "sqs:ReceiveMessage")
LAYOUT_READ = ("s3:GetObject",)
LAYOUT_WRITTEN = ("s3:PutObject",)
STORE_LOOKED_AT = ("cloudfront-keyvaluestore:DescribeKeyValueStore",)
STORE_WRITTEN = ("cloudfront-keyvaluestore:GetKey", "cloudfront-keyvaluestore:PutKey")
SECRET = (
    "secretsmanager:GetSecretValue",
    "secretsmanager:PutSecretValue",
    "secretsmanager:UpdateSecretVersionStage",
)
REBUILD = ("lambda:InvokeFunction",)
# `fairgate prewarm`. UpdateTable warms a table, and AWS knows no right for that alone.
TABLE_WARMED = ("dynamodb:UpdateTable",)
CONCURRENCY_PROVISIONED = (
    "lambda:DeleteProvisionedConcurrencyConfig",
    "lambda:PutProvisionedConcurrencyConfig",
)
CACHE_PREPARED = ("elasticache:ModifyServerlessCache",)
# `fairgate prewarm` freezes and frees the stacks.
STACK_FROZEN = ("cloudformation:SetStackPolicy",)
# `fairgate prewarm schedule`: a schedule is given the role as which it calls AWS.
SCHEDULED = ("scheduler:CreateSchedule", "scheduler:UpdateSchedule")
ROLE_PASSED = ("iam:PassRole",)
ALARM_TRIED = ("cloudwatch:SetAlarmState",)

# What `fairgate doctor` looks at, where AWS lets nobody name one resource. Nothing of it is secret,
# and nothing changes. Source: Service Authorization Reference, of each service.
LOOKS = (
    "cloudwatch:DescribeAlarmHistory",
    "cloudwatch:DescribeAlarms",
    "dynamodb:DescribeLimits",
    "ec2:DescribeSubnets",
    "elasticache:DescribeServerlessCaches",
    "lambda:GetAccountSettings",
    "servicequotas:GetAWSDefaultServiceQuota",
    "servicequotas:GetServiceQuota",
    "servicequotas:ListAWSDefaultServiceQuotas",
    "servicequotas:ListServiceQuotas",
    "ses:GetAccount",
    "ses:GetEmailIdentity",
    "sns:ListSubscriptionsByTopic",
)
# API Gateway's rights are named for HTTP's methods. Source: API Gateway Developer Guide, Control
# access to a REST API with IAM permissions.
API_ACCOUNT_LOOKED_AT = ("apigateway:GET",)
CONCURRENCY_LOOKED_AT = ("lambda:GetProvisionedConcurrencyConfig",)
