"""Rights as a table: read off a template, held against the documentation."""

from collections.abc import Iterator
from typing import Any

from infra.stage.settings import FUNCTION_NAMES, QUEUE_KEYS
from tests.infra.permissions.allowed import FOLDERS
from tests.infra.stage_template import StageTemplate, listed

#: Meaning of an action, by its name.
VERBS = {
    **dict.fromkeys(("GetItem", "BatchGetItem", "Query", "Scan", "DescribeTable"), "read"),
    **dict.fromkeys(("GetObject", "ListBucket"), "read"),
    **dict.fromkeys(("GetSecretValue", "GetParameter"), "read"),
    **dict.fromkeys(("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"), "read"),
    **dict.fromkeys(("PutItem", "UpdateItem", "PartiQLUpdate", "PutObject"), "write"),
    **dict.fromkeys(("BatchWriteItem", "PartiQLInsert"), "write"),
    **dict.fromkeys(("ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility"), "consume"),
    "GetQueueAttributes": "count",
    "GetPublicKey": "read",
    "Sign": "sign",
    **dict.fromkeys(("GetMetricData", "DescribeAlarms"), "read"),
    "SendMessage": "send",
    **dict.fromkeys(("InvokeFunction", "Publish", "PutEvents", "StartExecution"), "invoke"),
    **dict.fromkeys(("DescribeExecution", "StopExecution"), "invoke"),
    **dict.fromkeys(("RunTask", "DescribeTasks", "StopTask", "ListTasks", "PassRole"), "invoke"),
    **dict.fromkeys(("SendTaskSuccess", "SendTaskFailure"), "answer"),
    **dict.fromkeys(("AssumeRole", "TagSession"), "for one tenant"),
}
#: Things, and the form of their ARNs; the first that fits counts.
THINGS = {
    "jobs' stream": ("Jobs/Table.StreamArn",),
    "runs' stream": ("Runs/Table.StreamArn",),
    "jobs": ("Jobs/Table.Arn",),
    "runs": ("Runs/Table.Arn",),
    "run queues": tuple(f"Queues/{key}/Queue.Arn" for key in QUEUE_KEYS),
    "dead-letter queues": tuple(f"Queues/{key}/DeadLetters.Arn" for key in QUEUE_KEYS),
    "rejected": ("Rejected/Queue.Arn",),
    "looks": ("Looks/Queue.Arn",),
    "lost ticks": ("LostTicks/Queue.Arn",),
    "lost events": ("/Lost/Queue.Arn",),
    "payloads": ("/payloads/*",),
    "results": ("/results/*",),
    "checkpoints": ("/checkpoints/*",),
    "archive": tuple(f"/{folder}/*" for folder in FOLDERS),
    "seals' key": ("Seals/Key.Arn",),
    "DAG machine": ("-dag-runs",),
    "targets' secrets": (":secretsmanager:", ":ssm:"),
    "targets": ("timegate-target-",),
    "targets' role": ("Executors/Targets/Role.Arn",),
    "hooks' role": ("HookSecrets/Role.Arn",),
}
#: Role that executors assume for one tenant.
TARGETS_ROLE = "Executors/Targets/Role"
#: Role that the API assumes for one tenant.
HOOKS_ROLE = "HookSecrets/Role"
#: In the order of reading.
COLUMNS = (
    *("jobs", "runs", "jobs' stream", "runs' stream", "run queues", "dead-letter queues"),
    *("rejected", "looks", "lost ticks", "payloads", "results", "checkpoints", "archive"),
    *("seals' key", "DAG machine"),
    *("targets' role", "hooks' role", "targets", "targets' secrets", "metrics"),
)
_OWN = ("logs:", "xray:")
_EXECUTORS = tuple(f"executor-{key}" for key in QUEUE_KEYS)

Rights = dict[str, dict[str, set[str]]]


def rights(template: StageTemplate, function: str) -> dict[str, set[str]]:
    """By thing, what a function may do; with which partitions or index, if not with all of it."""
    return rights_of(template.statements(function))


def rights_of(statements: list[dict[str, Any]]) -> dict[str, set[str]]:
    """The same, of the statements of a role."""
    found: dict[str, set[str]] = {}
    for thing, verb in _rights(statements):
        found.setdefault(thing, set()).add(verb)
    return {thing: _without_bounded(verbs) for thing, verbs in found.items()}


def table(template: StageTemplate) -> str:
    """The rights of every function, as Markdown; those of the executors are one row."""
    rows = {name: rights(template, name) for name in FUNCTION_NAMES if name not in _EXECUTORS}
    (rows["executor-*"],) = _distinct(rights(template, name) for name in _EXECUTORS)
    rows["targets' role"] = rights_of(template.statements_of_role(TARGETS_ROLE))
    rows["hooks' role"] = rights_of(template.statements_of_role(HOOKS_ROLE))
    lines = [
        f"| | {' | '.join(COLUMNS)} |",
        f"|---|{'---|' * len(COLUMNS)}",
        *(
            f"| `{name}` | {' | '.join(_cell(may.get(column, set())) for column in COLUMNS)} |"
            for name, may in rows.items()
        ),
    ]
    return "\n".join(lines)


def _rights(statements: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    allowed = [each for each in statements if each["Effect"] == "Allow"]
    for statement in allowed:
        bounds = statement.get("Condition", {}).get("ForAllValues:StringLike", {})
        partitions = listed(bounds.get("dynamodb:LeadingKeys", []))
        bound = "".join(f" `{partition}`" for partition in partitions)
        for action in listed(statement["Action"]):
            if not action.startswith(_OWN):
                for resource in _bounded(statement):
                    index = resource.partition("/index/")[2]
                    by = f" by `{index}`" if index else bound
                    yield _thing(resource), VERBS[action.partition(":")[2]] + by


def _bounded(statement: dict[str, Any]) -> list[str]:
    """The resources of a statement, or what binds it: a bucket's prefixes, clusters of tasks."""
    conditions = statement.get("Condition", {})
    prefixes = conditions.get("StringLikeIfExists", {}).get("s3:prefix")
    if prefixes:
        return [f"/{each}" for each in prefixes]
    clusters = conditions.get("ArnLike", {}).get("ecs:cluster")
    return listed(clusters or statement["Resource"])


def _thing(resource: str) -> str:
    """Raises ``StopIteration`` for what the table does not know."""
    if resource == "*":
        # Nothing else is granted on everything, but for traces and logs.
        return "metrics"
    return next(t for t, marks in THINGS.items() if any(mark in resource for mark in marks))


def _without_bounded(verbs: set[str]) -> set[str]:
    """Drop reads of a part beside a read of the whole, and counts beside a consumption."""
    whole = {verb for verb in verbs if " " not in verb}
    beside = {verb for verb in verbs - whole if verb.split()[0] not in whole}
    return (whole | beside) - ({"count"} if "consume" in whole else set())


def _cell(verbs: set[str]) -> str:
    return ", ".join(sorted(verbs))


def _distinct(each: Iterator[dict[str, set[str]]]) -> list[dict[str, set[str]]]:
    found: list[dict[str, set[str]]] = []
    for one in each:
        if one not in found:
            found.append(one)
    return found
