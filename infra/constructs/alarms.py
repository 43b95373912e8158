"""Alarms, each saying what it means and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from aws_cdk import Aws, Duration, Stack
from aws_cdk import aws_chatbot as chatbot
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra.edge_alarms import REGION, edge_suffix
from infra.naming import name, pascal

if TYPE_CHECKING:
    from infra.config import Config

MINUTE = Duration.minutes(1)
ABOVE = cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD
BELOW = cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD
SILENCE_IS_GOOD = cloudwatch.TreatMissingData.NOT_BREACHING
SILENCE_IS_BAD = cloudwatch.TreatMissingData.BREACHING


# critical: buyers or money are harmed now, or nobody sees whether they are; somebody gets up.
# warning: it can wait for the morning, or for the sale's next quiet minute.
Severity = Literal["critical", "warning"]
Thresholds = Mapping[Severity, int]  # from which figure on


class Alarms(Construct):
    """A topic a severity; every alarm tells its own when it rises and when it is over.

    Args:
        suffix: of all names, where a region has the alarms of several regions' stages.
    """

    def __init__(
        self, scope: Construct, construct_id: str, config: Config, *, suffix: str = ""
    ) -> None:
        super().__init__(scope, construct_id)
        self._stage, self._suffix = config.stage, suffix
        self.topics: dict[Severity, sns.Topic] = {
            "critical": self._topic("critical", config.critical_alarm_email or config.alarm_email),
            "warning": self._topic("warning", config.alarm_email),
        }
        if config.alarm_https:
            heard = subscriptions.UrlSubscription(config.alarm_https)
            self.topics["critical"].add_subscription(heard)
        if config.slack_channel and not suffix:
            self._tell_slack(config)

    def _topic(self, severity: Severity, email: str) -> sns.Topic:
        topic = sns.Topic(
            self,
            pascal(severity),
            topic_name=_topic_name(self._stage, severity, self._suffix),
            enforce_ssl=True,
        )
        _let_cloudwatch_publish(topic)
        if email:
            topic.add_subscription(subscriptions.EmailSubscription(email))
        return topic

    def _tell_slack(self, config: Config) -> None:
        """Without any right: in the channel nobody can ask AWS for anything, nor run a command.

        Source: Amazon Q Developer in chat applications, Administrator Guide, "Understanding
        permissions": without guardrails of its own a channel may do all that its role may. An
        account configures a channel once, for all regions, so this names the edge's topics, too.
        """
        heard = [topic.topic_arn for topic in self.topics.values()]
        if config.edge_alarms:
            suffix = edge_suffix(config.edge_alarms)
            heard += [
                Stack.of(self).format_arn(
                    service="sns",
                    region=REGION,
                    resource=_topic_name(self._stage, severity, suffix),
                )
                for severity in self.topics
            ]
        role = iam.Role(
            self,
            "SlackRole",
            assumed_by=iam.ServicePrincipal("chatbot.amazonaws.com"),
            description="Nothing: the channel hears alarms",
        )
        deny = iam.ManagedPolicy.from_aws_managed_policy_name("AWSDenyAll")
        chatbot.CfnSlackChannelConfiguration(
            self,
            "Slack",
            configuration_name=name(self._stage, "alarms"),
            iam_role_arn=role.role_arn,
            guardrail_policies=[deny.managed_policy_arn],
            slack_workspace_id=config.slack_workspace,
            slack_channel_id=config.slack_channel,
            sns_topic_arns=heard,
        )

    def add(
        self,
        construct_id: str,
        metric: cloudwatch.Metric | cloudwatch.MathExpression,
        meaning: str,
        *,
        severity: Severity = "warning",
        threshold: float = 0,
        minutes: int = 1,
        comparison: cloudwatch.ComparisonOperator = ABOVE,
        missing: cloudwatch.TreatMissingData = SILENCE_IS_GOOD,
        silent: bool = False,
    ) -> cloudwatch.Alarm:
        """Rise when ``metric`` is past ``threshold`` for ``minutes`` in a row.

        Args:
            minutes: a whole number of the metric's periods.
            silent: it tells nobody by itself: ``all_of`` does.
        """
        alarm = cloudwatch.Alarm(
            self,
            construct_id,
            alarm_name=name(self._stage, f"{construct_id}{self._suffix}"),
            alarm_description=meaning,
            metric=metric,
            threshold=threshold,
            evaluation_periods=minutes // int(metric.period.to_minutes()),
            comparison_operator=comparison,
            treat_missing_data=missing,
        )
        if not silent:
            self._tell(alarm, severity)
        return alarm

    def all_of(
        self,
        construct_id: str,
        members: Sequence[cloudwatch.Alarm],
        meaning: str,
        *,
        severity: Severity = "warning",
    ) -> None:
        """Rise while all ``members`` are up."""
        alarm = cloudwatch.CompositeAlarm(
            self,
            construct_id,
            composite_alarm_name=name(self._stage, f"{construct_id}{self._suffix}"),
            alarm_description=meaning,
            alarm_rule=cloudwatch.AlarmRule.all_of(
                *(
                    cloudwatch.AlarmRule.from_alarm(one, cloudwatch.AlarmState.ALARM)
                    for one in members
                )
            ),
        )
        self._tell(alarm, severity)

    def _tell(self, alarm: cloudwatch.AlarmBase, severity: Severity) -> None:
        action = actions.SnsAction(self.topics[severity])
        alarm.add_alarm_action(action)
        alarm.add_ok_action(action)


def _topic_name(stage: str, severity: Severity, suffix: str) -> str:
    return name(stage, f"alarms-{severity}{suffix}")


def _let_cloudwatch_publish(topic: sns.Topic) -> None:
    """Say what a topic without a policy allows by itself: ``enforce_ssl`` gives it one."""
    topic.add_to_resource_policy(
        iam.PolicyStatement(
            sid="Alarms",
            principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
            actions=["sns:Publish"],
            resources=[topic.topic_arn],
            conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
        )
    )


def metric(
    namespace: str,
    metric_name: str,
    dimensions: dict[str, str],
    statistic: str = "Sum",
    period: Duration = MINUTE,
) -> cloudwatch.Metric:
    return cloudwatch.Metric(
        namespace=namespace,
        metric_name=metric_name,
        dimensions_map=dimensions,
        statistic=statistic,
        period=period,
    )
