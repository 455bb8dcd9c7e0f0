"""Ticks: the clock that wakes a function for every group of shards."""

import json

from aws_cdk import Aws
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.scheduler_function import SchedulerFunction
from infra.settings import StageSettings

#: A tick two minutes old is worth nothing: the next one has done its work.
_MAX_AGE_SECONDS = 120
_MAX_RETRIES = 2


class Ticks(Construct):
    """One schedule per shard group, with a static input and nothing between."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        group: scheduler.CfnScheduleGroup,
        function: SchedulerFunction,
        dead_letters: sqs.IQueue,
        every: str = "1 minute",
    ) -> None:
        super().__init__(scope, construct_id)
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal(
                "scheduler.amazonaws.com",
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            ),
        )
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["lambda:InvokeFunction"], resources=[function.function.function_arn]
            )
        )
        role.add_to_policy(
            iam.PolicyStatement(actions=["sqs:SendMessage"], resources=[dead_letters.queue_arn])
        )
        for number, shards in enumerate(settings.shard_groups):
            schedule = scheduler.CfnSchedule(
                self,
                f"Group{number}",
                name=f"{function.name}-{number}",
                description=f"Wakes {function.name} for shards {shards[0]} to {shards[-1]}",
                group_name=group.ref,
                schedule_expression=f"rate({every})",
                flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
                target=scheduler.CfnSchedule.TargetProperty(
                    arn=function.function.function_arn,
                    role_arn=role.role_arn,
                    # Shards that are retired but not empty are shared out by remainder.
                    input=json.dumps({"shards": shards, "of": settings.shards}),
                    dead_letter_config=scheduler.CfnSchedule.DeadLetterConfigProperty(
                        arn=dead_letters.queue_arn
                    ),
                    retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(
                        maximum_event_age_in_seconds=_MAX_AGE_SECONDS,
                        maximum_retry_attempts=_MAX_RETRIES,
                    ),
                ),
            )
            # Its creation checks that the role can be assumed.
            schedule.node.add_dependency(role)
