"""Events that start runs of DAGs: a rule for each, which says whose DAG it is."""

import json

from aws_cdk import Aws
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.constructs.data.sealed_queue import ParkingQueue
from infra.constructs.observability.alerts import Concern
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime.scheduler_function import SchedulerFunction
from infra.rollout_choice import LIVE
from infra.stage.dag_events import DagEvent

#: Bound for a function that is missing or throttled; EventBridge tries for a day at most.
_MAX_AGE_SECONDS = 86_400
_MAX_RETRIES = 185
#: Parts of the event for a run; a template inserts a text with its quotes, an object as it is.
INPUT_PATHS = {
    "id": "$.id",
    "time": "$.time",
    "source": "$.source",
    "type": "$.detail-type",
    "detail": "$.detail",
}
_GIVEN = (
    '"event":{"id":<id>,"time":<time>,"source":<source>,"detail_type":<type>,"detail":<detail>}'
)


def input_template(tenant: str, dag_id: str) -> str:
    """Build the function's input: the rule, and not the event, names the tenant and DAG."""
    whose = json.dumps({"step": "start", "tenant": tenant, "dag_id": dag_id})
    return f"{whose[:-1]},{_GIVEN}}}"


class DagEvents(Construct):
    """The rules, and queues for events that started nothing: by a fault, and by a tenant's."""

    def __init__(self, scope: Construct, construct_id: str, *, steps: SchedulerFunction) -> None:
        super().__init__(scope, construct_id)
        settings = steps.settings
        self._steps = steps
        self._lost = ParkingQueue(
            self,
            "Lost",
            name="dag-events-dlq",
            settings=settings,
            meaning="Events that should have started runs of DAGs started none.",
            runbook=Runbook.REJECTED_MESSAGES,
            alerts=steps.alerts,
        ).queue
        self._keep_failures()
        self._keep_refused()
        for each in settings.dag_events:
            self._rule(each)

    def _keep_failures(self) -> None:
        """Keep events on which the function failed, after Lambda's two retries."""
        self._steps.allow(["sqs:SendMessage"], self._lost.queue_arn)
        on_failure = lambda_.CfnEventInvokeConfig.OnFailureProperty(
            destination=self._lost.queue_arn
        )
        config = lambda_.CfnEventInvokeConfig(
            self,
            "Failures",
            function_name=self._steps.function.function_name,
            qualifier=LIVE,
            maximum_retry_attempts=2,
            maximum_event_age_in_seconds=21_600,
            destination_config=lambda_.CfnEventInvokeConfig.DestinationConfigProperty(
                on_failure=on_failure
            ),
        )
        # Its creation checks that the alias is there, and that the function may send there.
        config.node.add_dependency(self._steps.live, self._steps.role)

    def _keep_refused(self) -> None:
        """Keep events that tenants' standing refuses: the function does not fail with them."""
        steps = self._steps
        refused = ParkingQueue(
            self,
            "Refused",
            name="dag-events-refused",
            settings=steps.settings,
            meaning="Events started no DAG run: a tenant is suspended, its day full, its DAG gone.",
            runbook=Runbook.REJECTED_MESSAGES,
            alerts=steps.alerts,
            concern=Concern.TENANT,
        ).queue
        steps.allow(["sqs:SendMessage"], refused.queue_arn)
        steps.tell("REFUSED_EVENTS_QUEUE_URL", refused.queue_url)

    def _rule(self, event: DagEvent) -> None:
        transformer = events.CfnRule.InputTransformerProperty(
            input_paths_map=INPUT_PATHS, input_template=input_template(event.tenant, event.dag_id)
        )
        rule = events.CfnRule(
            self,
            event.name,
            name=self._steps.settings.physical_name(f"dag-{event.name}"),
            description=f"Starts runs of DAG {event.dag_id} of {event.tenant}",
            event_bus_name=event.bus,
            # Only this account's: an event that another one's bus passes on still names its
            # account.
            event_pattern={**event.pattern, "account": [Aws.ACCOUNT_ID]},
            targets=[
                events.CfnRule.TargetProperty(
                    id="Steps",
                    arn=self._steps.live.function_arn,
                    input_transformer=transformer,
                    dead_letter_config=events.CfnRule.DeadLetterConfigProperty(
                        arn=self._lost.queue_arn
                    ),
                    retry_policy=events.CfnRule.RetryPolicyProperty(
                        maximum_event_age_in_seconds=_MAX_AGE_SECONDS,
                        maximum_retry_attempts=_MAX_RETRIES,
                    ),
                )
            ],
        )
        lambda_.CfnPermission(
            self,
            f"{event.name}-may-start",
            action="lambda:InvokeFunction",
            function_name=self._steps.live.function_arn,
            principal="events.amazonaws.com",
            source_account=Aws.ACCOUNT_ID,
            source_arn=rule.attr_arn,
        )
        self._lost.add_to_resource_policy(
            iam.PolicyStatement(
                actions=["sqs:SendMessage"],
                principals=[iam.ServicePrincipal("events.amazonaws.com")],
                resources=[self._lost.queue_arn],
                conditions={"ArnEquals": {"aws:SourceArn": rule.attr_arn}},
            )
        )
