"""Measured share of a limit for each resource of a stage; ``aws_limits`` names the limits."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.infra.stage_template import Resource, StageTemplate, listed

Measured = tuple[str, int]
Measure = Callable[[StageTemplate], Iterator[Measured]]

#: The longest that CloudFormation puts where a template has a reference or a placeholder.
_LONGEST = {
    "<AWS::Partition>": "aws-us-gov",
    "<AWS::Region>": "ap-northeast-1",
    "<AWS::AccountId>": "111122223333",
}
_ARN_CHARACTERS = 130
_REFERENCE = re.compile(r'"[A-Za-z][\w-]*(/[\w-]+)+(\.\w*Arn)?(/index/\w+)?"')


def deployed(text: str) -> str:
    """A text of a template with placeholders of the greatest length."""
    for placeholder, longest in _LONGEST.items():
        text = text.replace(placeholder, longest)
    return text


def characters(value: Any) -> int:  # noqa: ANN401 - any JSON value
    """The length of compact JSON, a full ARN where the template refers to a resource."""
    text = deployed(json.dumps(value, separators=(",", ":")))
    return len(_REFERENCE.sub(f'"{"a" * _ARN_CHARACTERS}"', text))


def _each(kind: str, count: Callable[[Resource], int]) -> Measure:
    """Measure every resource of a type."""

    def measured(template: StageTemplate) -> Iterator[Measured]:
        for resource in template.of_type(f"AWS::{kind}"):
            yield resource.path, count(resource)

    return measured


def _length(kind: str, *names: str) -> Measure:
    """Count what a property lists; none where it is absent."""

    def count(resource: Resource) -> int:
        value: Any = resource.properties
        for name in names:
            value = value.get(name, {})
        return len(value)

    return _each(kind, count)


def _number(kind: str, *names: str) -> Measure:
    """Read a number; 0 where it is absent."""

    def count(resource: Resource) -> int:
        value: Any = resource.properties
        for name in names:
            value = value.get(name, {})
        return int(value or 0)

    return _each(kind, count)


# --- tables


def projected_by_index(template: StageTemplate) -> Iterator[Measured]:
    """Attributes beside the keys, by index."""
    for table in template.of_type("AWS::DynamoDB::Table"):
        for index in table.properties["GlobalSecondaryIndexes"]:
            place = f"{table.path}/{index['IndexName']}"
            yield place, len(index["Projection"].get("NonKeyAttributes", []))


def projected(template: StageTemplate) -> Iterator[Measured]:
    """The same attribute in two indexes counts twice."""
    found: dict[str, int] = defaultdict(int)
    for place, count in projected_by_index(template):
        found[place.rpartition("/")[0]] += count
    yield from found.items()


indexes = _length("DynamoDB::Table", "GlobalSecondaryIndexes")

# --- functions

environment = _each(
    "Lambda::Function",
    lambda each: sum(
        len(deployed(f"{name}{text}").encode())
        for name, text in each.properties["Environment"]["Variables"].items()
    ),
)
layers = _length("Lambda::Function", "Layers")
timeouts = _number("Lambda::Function", "Timeout")
filters = _length("Lambda::EventSourceMapping", "FilterCriteria", "Filters")
source_concurrency = _number("Lambda::EventSourceMapping", "ScalingConfig", "MaximumConcurrency")


def unzipped(template: StageTemplate) -> Iterator[Measured]:
    """A function's own code with everything its layers bring."""
    sizes: dict[str, int] = {}
    content = {each.path: each for each in template.of_type("AWS::Lambda::LayerVersion")}
    for function in template.of_type("AWS::Lambda::Function"):
        parts = [function.properties["Code"]]
        parts += [content[path].properties["Content"] for path in function.properties["Layers"]]
        for part in parts:
            sizes.setdefault(part["S3Key"], _asset_bytes(template.assembly, part["S3Key"]))
        yield function.path, sum(sizes[part["S3Key"]] for part in parts)


def _asset_bytes(assembly: Path, key: str) -> int:
    (folder,) = assembly.glob(f"asset.{key.partition('.')[0]}*")
    return _bytes_below(str(folder))


@cache
def _bytes_below(folder: str) -> int:
    """Add up the files below a folder; no assembly of the tests is written twice."""
    with os.scandir(folder) as entries:
        return sum(map(_bytes_of, entries))


def _bytes_of(entry: os.DirEntry[str]) -> int:
    if entry.is_dir(follow_symlinks=False):
        return _bytes_below(entry.path)
    return entry.stat().st_size if entry.is_file() else 0


def permissions(template: StageTemplate) -> Iterator[Measured]:
    """Each permission is a statement of its function's policy."""
    found: dict[str, int] = defaultdict(int)
    for permission in template.of_type("AWS::Lambda::Permission"):
        found[permission.properties["FunctionName"]] += characters(permission.properties)
    yield from found.items()


def _patterns(source: Resource) -> list[str]:
    criteria = source.properties.get("FilterCriteria", {})
    return [each["Pattern"] for each in criteria.get("Filters", [])]


filter_characters = _each(
    "Lambda::EventSourceMapping", lambda each: max(map(len, _patterns(each)), default=0)
)

# --- the API


def _of_api(kind: str) -> Measure:
    """Count what an API has of a kind."""

    def measured(template: StageTemplate) -> Iterator[Measured]:
        found: dict[str, int] = defaultdict(int)
        for resource in template.of_type(f"AWS::ApiGatewayV2::{kind}"):
            found[resource.properties["ApiId"]] += 1
        yield from found.items()

    return measured


routes, integrations, authorizers = map(_of_api, ("Route", "Integration", "Authorizer"))
audiences = _length("ApiGatewayV2::Authorizer", "JwtConfiguration", "Audience")
scopes = _length("ApiGatewayV2::Route", "AuthorizationScopes")
pool_scopes = _length("Cognito::UserPoolResourceServer", "Scopes")

# --- alarms and dashboards


def _queries(part: str) -> Measure:
    return _each(
        "CloudWatch::Alarm",
        lambda alarm: sum(part in query for query in alarm.properties.get("Metrics", [])),
    )


alarm_metrics, alarm_expressions = map(_queries, ("MetricStat", "Expression"))
alarm_actions = _length("CloudWatch::Alarm", "AlarmActions")
alarm_descriptions = _each(
    "CloudWatch::Alarm", lambda alarm: len(alarm.properties.get("AlarmDescription", ""))
)
_IN_RULE = re.compile(r"ALARM\(")
rules = _each(
    "CloudWatch::CompositeAlarm",
    # Each names an alarm by its ARN at most.
    lambda alarm: (
        len(deployed(alarm.properties["AlarmRule"]))
        + _ARN_CHARACTERS * len(_IN_RULE.findall(alarm.properties["AlarmRule"]))
    ),
)
rule_alarms = _each(
    "CloudWatch::CompositeAlarm", lambda alarm: len(_IN_RULE.findall(alarm.properties["AlarmRule"]))
)


def _bodies(template: StageTemplate) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for dashboard in template.of_type("AWS::CloudWatch::Dashboard"):
        yield dashboard.path, json.loads(dashboard.properties["DashboardBody"])["widgets"]


def widgets(template: StageTemplate) -> Iterator[Measured]:
    """Widgets of a dashboard."""
    return ((path, len(found)) for path, found in _bodies(template))


def widget_metrics(template: StageTemplate) -> Iterator[Measured]:
    """Lines of the fullest widget."""
    for path, found in _bodies(template):
        yield path, max(len(each["properties"].get("metrics", [])) for each in found)


def dashboard_metrics(template: StageTemplate) -> Iterator[Measured]:
    """Lines of all widgets of a dashboard."""
    for path, found in _bodies(template):
        yield path, sum(len(each["properties"].get("metrics", [])) for each in found)


# --- rights


def inline_policies(template: StageTemplate) -> Iterator[Measured]:
    """All inline policies of a role together, as deployed."""
    found: dict[str, int] = defaultdict(int)
    for policy in template.of_type("AWS::IAM::Policy"):
        for role in policy.properties["Roles"]:
            found[role] += characters(policy.properties["PolicyDocument"])
    yield from found.items()


trust_policies = _each(
    "IAM::Role", lambda role: characters(role.properties["AssumeRolePolicyDocument"])
)
queue_statements = _each(
    "SQS::QueuePolicy", lambda each: len(listed(each.properties["PolicyDocument"]["Statement"]))
)

# --- the rest


def stack(section: str) -> Measure:
    """Count the entries of one section of each template."""

    def measured(template: StageTemplate) -> Iterator[Measured]:
        for file in template.files:
            yield file.name, len(json.loads(file.read_text()).get(section, {}))

    return measured


def template_bytes(template: StageTemplate) -> Iterator[Measured]:
    """The size of each template."""
    return ((file.name, file.stat().st_size) for file in template.files)


definitions = _each(
    "StepFunctions::StateMachine", lambda each: len(each.properties["DefinitionString"])
)
inputs = _each("Scheduler::Schedule", lambda each: len(each.properties["Target"]["Input"]))
retention = _number("SQS::Queue", "MessageRetentionPeriod")
visibility = _number("SQS::Queue", "VisibilityTimeout")


def names(kind: str) -> Measure:
    """Lengths of the names that the stage chooses for a kind of resource."""

    def measured(template: StageTemplate) -> Iterator[Measured]:
        for resource in template.resources:
            name = resource.properties.get(f"{kind}Name" if kind != "Schedule" else "Name", "")
            if resource.type.endswith(f"::{kind}") and name:
                yield resource.path, len(deployed(name))

    return measured
