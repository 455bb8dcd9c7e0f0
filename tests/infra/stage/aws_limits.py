"""Limits of AWS that a template can break: each once, with its source and how it is measured."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.infra.stage import limit_measures as measure
from tests.infra.stage_template import StageTemplate

_DOCS = "https://docs.aws.amazon.com"
_DYNAMODB = f"{_DOCS}/amazondynamodb/latest"
_PROJECTION = f"{_DYNAMODB}/APIReference/API_Projection.html"
_LAMBDA = f"{_DOCS}/lambda/latest/dg/gettingstarted-limits.html"
_HTTP_API = f"{_DOCS}/apigateway/latest/developerguide/http-api-quotas.html"
_STACKS = f"{_DOCS}/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"
_ALARM = f"{_DOCS}/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html"
_MATH = f"{_DOCS}/AmazonCloudWatch/latest/monitoring/alarm-limits.html"
_COMPOSITE = f"{_DOCS}/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html"
_CLOUDWATCH = f"{_DOCS}/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html"
_MACHINES = f"{_DOCS}/step-functions/latest/dg/service-quotas.html"
_IAM = f"{_DOCS}/IAM/latest/UserGuide/reference_iam-quotas.html"
_SQS = f"{_DOCS}/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-quotas.html"
_SCHEDULER = f"{_DOCS}/scheduler/latest/UserGuide/scheduler-quotas.html"
_GROUP = f"{_DOCS}/xray/latest/api/API_CreateGroup.html"
_SOURCE = f"{_DOCS}/lambda/latest/api/API_CreateEventSourceMapping.html"
_BUCKET = f"{_DOCS}/AmazonS3/latest/userguide/bucketnamingrules.html"
_POOL = f"{_DOCS}/cognito/latest/developerguide/quotas.html"

#: Where a thing is, and how much of its limit it takes.
Measured = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One limit, and everything in a stage that it holds for."""

    name: str
    most: int
    source: str
    measure: Callable[[StageTemplate], Iterator[Measured]]

    def measured(self, template: StageTemplate) -> list[Measured]:
        """Every thing of a stage with what it takes."""
        return list(self.measure(template))


LIMITS = tuple(
    Limit(name=name, most=most, source=source, measure=how)
    for name, most, source, how in (
        ("attributes projected into an index", 20, _PROJECTION, measure.projected_by_index),
        ("attributes projected into a table's indexes", 100, _PROJECTION, measure.projected),
        (
            "global indexes of a table",
            20,
            f"{_DYNAMODB}/developerguide/ServiceQuotas.html",
            measure.indexes,
        ),
        ("bytes of a function's environment", 4_096, _LAMBDA, measure.environment),
        ("layers of a function", 5, _LAMBDA, measure.layers),
        ("bytes of a function and its layers", 250 * 1024**2, _LAMBDA, measure.unzipped),
        ("seconds of an invocation", 900, _LAMBDA, measure.timeouts),
        ("bytes of a function's resource policy", 20 * 1024, _LAMBDA, measure.permissions),
        ("filters of an event source", 5, _SOURCE, measure.filters),
        ("characters of a filter", 4_096, _SOURCE, measure.filter_characters),
        ("batches of an event source in work", 1_000, _SOURCE, measure.source_concurrency),
        ("characters of a function's name", 64, _LAMBDA, measure.names("Function")),
        ("routes of an API", 300, _HTTP_API, measure.routes),
        ("integrations of an API", 300, _HTTP_API, measure.integrations),
        ("authorizers of an API", 10, _HTTP_API, measure.authorizers),
        ("audiences of an authorizer", 50, _HTTP_API, measure.audiences),
        ("scopes of a route", 10, _HTTP_API, measure.scopes),
        ("metrics of an alarm", 10, _MATH, measure.alarm_metrics),
        ("expressions of an alarm", 10, _ALARM, measure.alarm_expressions),
        ("actions of an alarm", 5, _ALARM, measure.alarm_actions),
        ("characters of an alarm's description", 1_024, _ALARM, measure.alarm_descriptions),
        ("characters of an alarm's name", 255, _ALARM, measure.names("Alarm")),
        ("characters of a composite alarm's rule", 10_240, _COMPOSITE, measure.rules),
        ("alarms of a composite alarm", 100, _COMPOSITE, measure.rule_alarms),
        ("widgets of a dashboard", 500, _CLOUDWATCH, measure.widgets),
        ("metrics of a widget", 500, _CLOUDWATCH, measure.widget_metrics),
        ("metrics of a dashboard", 2_500, _CLOUDWATCH, measure.dashboard_metrics),
        ("characters of a trace group's name", 32, _GROUP, measure.names("Group")),
        ("characters of inline policies of a role", 10_240, _IAM, measure.inline_policies),
        ("characters of a trust policy", 2_048, _IAM, measure.trust_policies),
        ("resources of a stack", 500, _STACKS, measure.stack("Resources")),
        ("outputs of a stack", 200, _STACKS, measure.stack("Outputs")),
        ("parameters of a stack", 200, _STACKS, measure.stack("Parameters")),
        ("bytes of a template", 1024**2, _STACKS, measure.template_bytes),
        ("bytes of a state machine's definition", 1024**2, _MACHINES, measure.definitions),
        ("characters of a state machine's name", 80, _MACHINES, measure.names("StateMachine")),
        ("bytes of a schedule's input", 256 * 1024, _SCHEDULER, measure.inputs),
        ("characters of a schedule's name", 64, _SCHEDULER, measure.names("Schedule")),
        ("statements of a queue's policy", 20, _SQS, measure.queue_statements),
        ("characters of a queue's name", 80, _SQS, measure.names("Queue")),
        ("seconds that a queue keeps a message", 1_209_600, _SQS, measure.retention),
        ("seconds that a queue hides a message", 43_200, _SQS, measure.visibility),
        ("characters of a bucket's name", 63, _BUCKET, measure.names("Bucket")),
        ("scopes of a resource server", 100, _POOL, measure.pool_scopes),
    )
)
