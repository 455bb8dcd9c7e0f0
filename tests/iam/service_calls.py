"""AWS's own services use the stage's roles in these ways, read off the template.

An event source polls with its function's role and reports failures with it; a schedule and the
machine of DAG runs have roles of their own. With a key of the stage's own, each of these calls, and
each of a function's, makes the service ask KMS in the caller's name.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tests.iam.api_calls import REGION
from tests.iam.evaluator import Request
from tests.infra.stage_template import Resource, StageTemplate

Asked = tuple[str, Request]

#: docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html and services-ddb.html.
_POLLS_QUEUE = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
_POLLS_STREAM = (
    *("dynamodb:DescribeStream", "dynamodb:GetRecords"),
    *("dynamodb:GetShardIterator", "dynamodb:ListStreams"),
)
#: docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html.
_DELIVERS_LOGS = (
    *("CreateLogDelivery", "GetLogDelivery", "UpdateLogDelivery", "DeleteLogDelivery"),
    *("ListLogDeliveries", "PutResourcePolicy", "DescribeResourcePolicies", "DescribeLogGroups"),
)
#: Requests to KMS by the service that stores a thing, in the name of its caller
#: (AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html,
#: AmazonS3/latest/userguide/UsingKMSEncryption.html, amazondynamodb/latest/developerguide/
#: encryption.usagenotes.html, secretsmanager/latest/userguide/security-encryption.html).
_NEEDS_OF_KEY: dict[str, tuple[str, ...]] = {
    "sqs:SendMessage": ("kms:GenerateDataKey", "kms:Decrypt"),
    "sqs:ReceiveMessage": ("kms:Decrypt",),
    "s3:PutObject": ("kms:GenerateDataKey", "kms:Decrypt"),
    "s3:GetObject": ("kms:Decrypt",),
    "secretsmanager:GetSecretValue": ("kms:Decrypt",),
    "ssm:GetParameter": ("kms:Decrypt",),
}


def asked_by_services(template: StageTemplate) -> Iterator[Asked]:
    """The path of a role, and what a service asks with it."""
    for source in template.of_type("AWS::Lambda::EventSourceMapping"):
        yield from _event_source(template, source)
    for config in template.of_type("AWS::Lambda::EventInvokeConfig"):
        yield from _destinations(_role_of(template, config), config.properties)
    for function in template.of_type("AWS::Lambda::Function"):
        yield from _reports(function)
    for schedule in template.of_type("AWS::Scheduler::Schedule"):
        target = schedule.properties["Target"]
        role = _role(target["RoleArn"])
        for arn in _invoked(template, target["Arn"]):
            yield role, Request(action="lambda:InvokeFunction", resource=arn)
        lost = target["DeadLetterConfig"]["Arn"]
        yield role, Request(action="sqs:SendMessage", resource=lost)
    for machine in template.of_type("AWS::StepFunctions::StateMachine"):
        yield from _machine(template, machine)


def asked_of_key(request: Request) -> Iterator[Request]:
    """Yield the requests that a service makes to KMS for a call, if the stage has its own key."""
    service = request.action.partition(":")[0]
    every_table = ("kms:Decrypt",) if service == "dynamodb" else ()
    is_target = "timegate-target-" in request.resource
    needs = () if is_target else _NEEDS_OF_KEY.get(request.action, every_table)
    via = ("kms:ViaService", (f"{service}.{REGION}.amazonaws.com",))
    for action in needs:
        yield Request(action=action, resource="Key.Arn", context=(via,))


def _event_source(template: StageTemplate, source: Resource) -> Iterator[Asked]:
    role = _role_of(template, source)
    arn = source.properties["EventSourceArn"]
    for action in _POLLS_STREAM if arn.endswith(".StreamArn") else _POLLS_QUEUE:
        yield role, Request(action=action, resource=arn)
    yield from _destinations(role, source.properties)


def _destinations(role: str, properties: Any) -> Iterator[Asked]:  # noqa: ANN401 - JSON
    for destination in properties.get("DestinationConfig", {}).values():
        resource = destination["Destination"]
        action = "lambda:InvokeFunction" if "/Function." in resource else "sqs:SendMessage"
        yield role, Request(action=action, resource=resource)


def _reports(function: Resource) -> Iterator[Asked]:
    role = _role(function.properties["Role"])
    logs = f"{function.properties['LoggingConfig']['LogGroup']}.Arn"
    for action in ("logs:CreateLogStream", "logs:PutLogEvents"):
        yield role, Request(action=action, resource=logs)
    if function.properties.get("TracingConfig", {}).get("Mode") == "Active":
        for action in ("xray:PutTraceSegments", "xray:PutTelemetryRecords"):
            yield role, Request(action=action, resource="*")


def _machine(template: StageTemplate, machine: Resource) -> Iterator[Asked]:
    role = _role(machine.properties["RoleArn"])
    definition = json.loads(machine.properties["DefinitionString"])
    text = json.dumps(definition)
    for name, arn in machine.properties["DefinitionSubstitutions"].items():
        if f"${{{name}}}" in text and arn.endswith("/Live"):
            for each in _invoked(template, arn):
                yield role, Request(action="lambda:InvokeFunction", resource=each)
    if machine.properties.get("LoggingConfiguration"):
        for action in _DELIVERS_LOGS:
            yield role, Request(action=f"logs:{action}", resource="*")
    if machine.properties.get("TracingConfiguration", {}).get("Enabled"):
        for action in ("xray:PutTraceSegments", "xray:PutTelemetryRecords"):
            yield role, Request(action=action, resource="*")


def _invoked(template: StageTemplate, alias: str) -> tuple[str, str]:
    """The alias; and the function, which a release before aliases has named."""
    return alias, f"{template.behind(alias)}.Arn"


def _role_of(template: StageTemplate, source: Resource) -> str:
    name = source.properties["FunctionName"]
    if source.type == "AWS::Lambda::EventSourceMapping":
        name = template.behind(name)
    (function,) = (each for each in template.of_type("AWS::Lambda::Function") if each.path == name)
    return _role(function.properties["Role"])


def _role(arn: str) -> str:
    return arn.removesuffix(".Arn")


def grouped(asked: Iterable[Asked]) -> dict[str, set[Request]]:
    """By role."""
    found: dict[str, set[Request]] = {}
    for role, request in asked:
        found.setdefault(role, set()).add(request)
    return found
