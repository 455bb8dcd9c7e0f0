"""Ticks: the clock that wakes a function for every group of shards."""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from aws_cdk import Aws
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.runtime.scheduler_function import SchedulerFunction
from infra.rollout_choice import LIVE
from infra.stage.delivery import TICK_MAX_AGE_SECONDS, TICK_RETRIES
from infra.stage.settings import StageSettings

_MAX_RETRIES = 2
#: EventBridge Scheduler puts the instant of the tick in its place, by its own clock.
_SCHEDULED_AT = "<aws.scheduler.scheduled-time>"


class Ticks(Construct):
    """One schedule per shard group, or one alone, with an input of its own and nothing between.

    Scheduler invokes asynchronously: its retries end when Lambda accepts the tick. Lambda's
    handling of a tick that its function was too busy for, or failed at, is configured here too.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        group: scheduler.CfnScheduleGroup,
        function: SchedulerFunction,
        dead_letters: sqs.IQueue,
        every_minutes: int = 1,
        looks: Mapping[int, tuple[int, ...]] = MappingProxyType({}),
        by_shards: bool = True,
    ) -> None:
        super().__init__(scope, construct_id)
        self._expire(function, dead_letters, every_minutes)
        every = "1 minute" if every_minutes == 1 else f"{every_minutes} minutes"
        role = iam.Role(
            self,
            "Role",
            assumed_by=iam.ServicePrincipal(
                "scheduler.amazonaws.com",
                conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
            ),
        )
        function.live.let_invoke(role)
        role.add_to_policy(
            iam.PolicyStatement(actions=["sqs:SendMessage"], resources=[dead_letters.queue_arn])
        )
        for number, (whom, told) in enumerate(
            _inputs(function.settings, looks, by_shards=by_shards)
        ):
            schedule = scheduler.CfnSchedule(
                self,
                f"Group{number}",
                name=f"{function.name}-{number}",
                description=f"Wakes {function.name}{whom}",
                group_name=group.ref,
                schedule_expression=f"rate({every})",
                flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
                target=scheduler.CfnSchedule.TargetProperty(
                    arn=function.live.function_arn,
                    role_arn=role.role_arn,
                    input=json.dumps(told),
                    dead_letter_config=scheduler.CfnSchedule.DeadLetterConfigProperty(
                        arn=dead_letters.queue_arn
                    ),
                    retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(
                        maximum_event_age_in_seconds=TICK_MAX_AGE_SECONDS,
                        maximum_retry_attempts=_MAX_RETRIES,
                    ),
                ),
            )
            # Its creation checks that the role can be assumed.
            schedule.node.add_dependency(role)

    def _expire(
        self, function: SchedulerFunction, dead_letters: sqs.IQueue, every_minutes: int
    ) -> None:
        """Drop a tick when a later one has come: that one does the work.

        Lambda's own rule is six hours and two retries, which would replay stale ticks for hours
        after a throttle. A failed tick is not repeated: the next one is its retry.
        """
        function.allow(["sqs:SendMessage"], dead_letters.queue_arn)
        config = lambda_.CfnEventInvokeConfig(
            self,
            "Expiry",
            function_name=function.function.function_name,
            qualifier=LIVE,
            maximum_event_age_in_seconds=max(TICK_MAX_AGE_SECONDS, 60 * every_minutes),
            maximum_retry_attempts=TICK_RETRIES,
            destination_config=lambda_.CfnEventInvokeConfig.DestinationConfigProperty(
                on_failure=lambda_.CfnEventInvokeConfig.OnFailureProperty(
                    destination=dead_letters.queue_arn
                )
            ),
        )
        # Its creation checks that the alias is there, and that the function may send there.
        config.node.add_dependency(function.live, function.role)


def _inputs(
    settings: StageSettings, looks: Mapping[int, tuple[int, ...]], *, by_shards: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the static input of each schedule, and for whom it wakes the function."""
    if not by_shards:
        yield "", {}
        return
    for number, shards in enumerate(settings.shard_groups):
        # Shards that are retired but not empty are shared out by remainder.
        told: dict[str, Any] = {"shards": shards, "of": settings.shards, "at": _SCHEDULED_AT}
        # The shards that are looked at between two ticks, at its request.
        told |= {"looks": looks[number]} if number in looks else {}
        yield f" for shards {shards[0]} to {shards[-1]}", told
