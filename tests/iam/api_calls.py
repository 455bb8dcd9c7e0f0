"""Requests to IAM for a call of the SDK: one for each member of a batch or transaction.

By the Service Authorization Reference
(https://docs.aws.amazon.com/service-authorization/latest/reference/reference.html); a batch is
authorised by what its members do, a query by the index that it reads. Resources are named as
``StageTemplate`` names them: ``Jobs/Table.Arn``.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from tests.iam.evaluator import Request, Unmodelled

Params = Mapping[str, Any]

REGION, ACCOUNT = "us-east-1", "111122223333"
LEADING_KEYS, ATTRIBUTES = "dynamodb:LeadingKeys", "dynamodb:Attributes"
TABLES = {"jobs": "Jobs/Table.Arn", "runs": "Runs/Table.Arn"}
BUCKET = f"arn:aws:s3:::timegate-prod-blobs-{ACCOUNT}-{REGION}"
MACHINE = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:timegate-prod-dag-runs"
TARGETS_ROLE = "Executors/Targets/Role.Arn"
#: Sessions of it read secrets alone, as those of the targets' role may.
HOOKS_ROLE = "HookSecrets/Role.Arn"
#: The machine that tests call by this name.
_OWN_MACHINE = "stateMachine:dag-runs"
_SINGLE = ("GetItem", "PutItem", "UpdateItem", "DeleteItem")
_MEMBERS = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
    "Get": "GetItem",
}
_PARTIQL = {"UPDATE": "Update", "INSERT": "Insert", "DELETE": "Delete", "SELECT": "Select"}
#: A field's name, or its placeholder, where no value and no field within a map begins.
_NAME = re.compile(r"(?<![:.#\w])#?[A-Za-z_]\w*")
_KEYWORDS = {
    *("SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"),
    *("attribute_exists", "attribute_not_exists", "if_not_exists", "list_append", "size"),
    *("begins_with", "contains"),
}
_QUOTED = re.compile(r"[\"']([A-Za-z_]\w*)[\"']")
_EQUALS = re.compile(r"\s*#?\w+\s*=\s*(:\w+)")


def requests_of(service: str, operation: str, params: Params) -> set[Request]:
    """Everything that has to be allowed; raises ``Unmodelled`` for an undescribed call."""
    asking = _SERVICES.get(service)
    if asking is None:
        raise Unmodelled(f"{service}:{operation}")
    return set(asking(operation, params))


def keyed(
    action: str, table: str, keys: list[str], index: str = "", *, fields: Iterable[str] = ()
) -> Request:
    """A request to DynamoDB, with the partition keys and the fields that IAM is told."""
    resource = TABLES[table] + (f"/index/{index}" if index else "")
    named = tuple(sorted(set(fields)))
    context = ((LEADING_KEYS, tuple(sorted(set(keys)))), *(((ATTRIBUTES, named),) if named else ()))
    return Request(action=f"dynamodb:{action}", resource=resource, context=context)


def _dynamodb(operation: str, params: Params) -> Iterator[Request]:
    if operation in _SINGLE:
        yield keyed(operation, params["TableName"], [_partition(params)], fields=_written(params))
    elif operation in {"Query", "Scan"}:
        # A scan is of no partition: what is bound to some does not allow it.
        keys = [_queried(params)] if operation == "Query" else []
        yield keyed(operation, params["TableName"], keys, params.get("IndexName", ""))
    elif operation in {"BatchGetItem", "BatchWriteItem"}:
        for table, wanted in params["RequestItems"].items():
            yield keyed(operation, table, _batched(wanted), fields=_fields_of_batch(wanted))
    elif operation in {"TransactWriteItems", "TransactGetItems"}:
        yield from _transaction(params["TransactItems"])
    elif operation in {"ExecuteStatement", "BatchExecuteStatement"}:
        for statement in params.get("Statements", [params]):
            yield _partiql(statement)
    else:
        raise Unmodelled(f"dynamodb:{operation}")


def _batched(wanted: Mapping[str, Any] | list[Mapping[str, Any]]) -> list[str]:
    """The partitions of a batch: of keys that are read, or of items that are written."""
    if isinstance(wanted, Mapping):
        return [key["pk"]["S"] for key in wanted["Keys"]]
    return [_partition(next(iter(each.values()))) for each in wanted]


def _fields_of_batch(wanted: Mapping[str, Any] | list[Mapping[str, Any]]) -> set[str]:
    """The fields of items that are written."""
    if isinstance(wanted, Mapping):
        return set()
    return {name for each in wanted for name in _written(next(iter(each.values())))}


def _written(member: Mapping[str, Any]) -> set[str]:
    """The fields of a whole item, or those that expressions of a write name."""
    names = member.get("ExpressionAttributeNames", {})
    texts = (member.get(f"{each}Expression", "") for each in ("Update", "Condition"))
    said = {word for text in texts for word in _NAME.findall(text)} - _KEYWORDS
    return {*member.get("Item", {}), *(names.get(word, word) for word in said)}


def _transaction(items: list[Mapping[str, Any]]) -> Iterator[Request]:
    """Each member is authorised as the single call; IAM is told all keys and fields of an action at
    once.
    """
    touched: dict[tuple[str, str], list[Params]] = defaultdict(list)
    for item in items:
        ((kind, member),) = item.items()
        touched[_MEMBERS[kind], member["TableName"]].append(member)
    for (action, table), members in touched.items():
        fields = {name for each in members for name in _written(each)}
        yield keyed(action, table, [_partition(each) for each in members], fields=fields)


def _partiql(statement: Mapping[str, Any]) -> Request:
    text = statement["Statement"]
    named = re.fullmatch(r'(\w+)[^"]*"(\w+)".*', text, re.DOTALL)
    before, matched, _ = text.partition("'pk': ?" if text.startswith("INSERT") else "pk = ?")
    if named is None or not matched or named[1] not in _PARTIQL:
        raise Unmodelled(f"PartiQL: {text}")
    key = statement["Parameters"][before.count("?")]["S"]
    fields = set(_QUOTED.findall(text)) - {named[2]}
    return keyed(f"PartiQL{_PARTIQL[named[1]]}", named[2], [key], fields=fields)


def _partition(member: Mapping[str, Any]) -> str:
    return str((member.get("Key") or member["Item"])["pk"]["S"])


def _queried(params: Params) -> str:
    """The partition that a query reads: of the index, if it reads one."""
    first = _EQUALS.match(params["KeyConditionExpression"])
    if first is None:
        raise Unmodelled(f"query by {params['KeyConditionExpression']}")
    (text,) = params["ExpressionAttributeValues"][first[1]].values()
    return str(text)


def _sqs(operation: str, params: Params) -> Iterator[Request]:
    action = operation.removesuffix("Batch")
    if action not in {
        *("SendMessage", "DeleteMessage", "ChangeMessageVisibility"),
        *("ReceiveMessage", "GetQueueAttributes"),
    }:
        raise Unmodelled(f"sqs:{operation}")
    yield Request(action=f"sqs:{action}", resource=queue_arn(params["QueueUrl"]))


def queue_arn(url: str) -> str:
    """A queue by its address: one of the stack's, or a target."""
    name = urlsplit(url).path.rpartition("/")[2]
    if name.startswith("timegate-target-"):
        return f"arn:aws:sqs:{REGION}:{ACCOUNT}:{name}"
    alone = {
        "rejected": "Rejected/Queue.Arn",
        "looks": "Looks/Queue.Arn",
        "cloud-events": "CloudEvents/Queue.Arn",
    }
    return alone.get(name, f"Queues/{name}/Queue.Arn")


def _s3(operation: str, params: Params) -> Iterator[Request]:
    # A head is a get without its body, and authorised as one.
    action = {"HeadObject": "GetObject"}.get(operation, operation)
    if action not in {"GetObject", "PutObject"}:
        raise Unmodelled(f"s3:{operation}")
    yield Request(action=f"s3:{action}", resource=f"{BUCKET}/{params['Key']}")
    if action == "GetObject":
        # S3 reveals a missing object only to a caller that may list the bucket.
        prefix = (("s3:prefix", (params["Key"],)),)
        yield Request(action="s3:ListBucket", resource=BUCKET, context=prefix)


def _states(operation: str, params: Params) -> Iterator[Request]:
    resources = {
        "StartExecution": params.get("stateMachineArn"),
        # The token's machine is meant; only that of DAG runs hands tokens to us.
        "SendTaskSuccess": MACHINE,
        "SendTaskFailure": MACHINE,
        "DescribeExecution": params.get("executionArn"),
        "StopExecution": params.get("executionArn"),
    }
    resource = resources[operation]
    if resource is None:
        raise Unmodelled(f"states:{operation}")
    is_own = resource.endswith(_OWN_MACHINE)
    yield Request(action=f"states:{operation}", resource=MACHINE if is_own else resource)


def _ecs(operation: str, params: Params) -> Iterator[Request]:
    cluster = params["cluster"]
    within = (("ecs:cluster", (cluster,)),)
    place = cluster.rpartition(":cluster/")[0]
    match operation:
        case "RunTask":
            # IAM is told the revision that runs, whether it was named or not.
            name = params["taskDefinition"].rpartition("/")[2]
            revision = name if ":" in name else f"{name}:1"
            resource = f"{place}:task-definition/{revision}"
            yield Request(action="ecs:RunTask", resource=resource, context=within)
            # The role of the task, as its definition names it.
            passed = (("iam:PassedToService", ("ecs-tasks.amazonaws.com",)),)
            role = f"arn:aws:iam::{ACCOUNT}:role/{name.partition(':')[0]}"
            yield Request(action="iam:PassRole", resource=role, context=passed)
        case "DescribeTasks" | "StopTask":
            for task in params.get("tasks") or [params["task"]]:
                yield Request(action=f"ecs:{operation}", resource=task, context=within)
        case "ListTasks":
            yield Request(action="ecs:ListTasks", resource="*", context=within)
        case _:
            raise Unmodelled(f"ecs:{operation}")


def _single(action: str, parameter: str) -> Callable[[str, Params], Iterator[Request]]:
    """A service of which one action is used."""

    def asking(operation: str, params: Params) -> Iterator[Request]:
        if _ACTIONS.get(operation, operation) != action.partition(":")[2]:
            raise Unmodelled(f"{action.partition(':')[0]}:{operation}")
        yield Request(action=action, resource=params[parameter])

    return asking


def _events(operation: str, params: Params) -> Iterator[Request]:
    if operation != "PutEvents":
        raise Unmodelled(f"events:{operation}")
    for entry in params["Entries"]:
        # A target is named by its ARN, the stage's own bus by its name.
        name = str(entry["EventBusName"])
        bus = name if name.startswith("arn:") else "CloudEvents/Bus.Arn"
        yield Request(action="events:PutEvents", resource=bus)


def _ssm(operation: str, params: Params) -> Iterator[Request]:
    if operation != "GetParameter":
        raise Unmodelled(f"ssm:{operation}")
    # A parameter's full name begins with the slash that the ARN has.
    resource = f"arn:aws:ssm:{REGION}:{ACCOUNT}:parameter{params['Name']}"
    yield Request(action="ssm:GetParameter", resource=resource)


def _sts(operation: str, params: Params) -> Iterator[Request]:
    if operation != "AssumeRole":
        raise Unmodelled(f"sts:{operation}")
    # The tags of the session are asked for as well.
    for action in ("AssumeRole", "TagSession"):
        yield Request(action=f"sts:{action}", resource=_role_of(params["RoleArn"]))


def _role_of(arn: str) -> str:
    """The role of a session, by the name that functions are told."""
    return HOOKS_ROLE if arn.endswith("-hook-secrets") else TARGETS_ROLE


#: Where an action is not called as its operation.
_ACTIONS = {"Invoke": "InvokeFunction"}
_SERVICES: Mapping[str, Callable[[str, Params], Iterator[Request]]] = {
    "dynamodb": _dynamodb,
    "sqs": _sqs,
    "s3": _s3,
    "stepfunctions": _states,
    "ecs": _ecs,
    "events": _events,
    "lambda": _single("lambda:InvokeFunction", "FunctionName"),
    "sns": _single("sns:Publish", "TopicArn"),
    "secretsmanager": _single("secretsmanager:GetSecretValue", "SecretId"),
    "ssm": _ssm,
    "sts": _sts,
}
