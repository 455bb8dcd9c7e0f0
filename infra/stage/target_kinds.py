"""Resources that jobs may target: their lists in the context, their ARNs and the rights on them.

One entry is one kind of action that calls a resource of AWS. Settings, variables of functions,
the policy of the targets' role and its acknowledgements follow from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from infra.stage.target_patterns import OWN_TARGETS


def _itself(arn: str) -> str:
    return arn


@dataclass(frozen=True, kw_only=True)
class Right:
    """A right of a tenant's session on the resources of a list."""

    action: str
    #: The ARN that the right is for, made from a listed one.
    of: Callable[[str], str] = _itself
    #: A condition key, and the list whose ARNs it may have.
    within: tuple[str, str] | None = None
    #: Condition keys with the one value that each may have.
    where: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class TargetList:
    """One list of names in a stage's context."""

    #: The list's name in the context, such as ``lambdaTargets``.
    setting: str
    #: The list's name in the rules of jobs: that of the kind of action.
    listed: str
    #: A bare name is one of this service and type, in the stage's account and Region.
    service: str
    resource: str | None = None
    separator: str = ":"
    #: Its ARNs name a Region; those of IAM name none.
    is_regional: bool = True
    rights: tuple[Right, ...] = ()


def _executions(machine: str) -> str:
    """Return the executions of a state machine, each of any name."""
    return f"{machine.replace(':stateMachine:', ':execution:', 1)}:*"


def _revisions(family: str) -> str:
    """Return the revisions of a task definition."""
    return f"{family}:*"


def _tasks(cluster: str) -> str:
    """Return the tasks of a cluster."""
    return f"{cluster.replace(':cluster/', ':task/', 1)}/*"


def _any(_: str) -> str:
    """Return all resources: the action takes none, and a condition binds it."""
    return "*"


_IN_CLUSTER = ("ecs:cluster", "ecs_clusters")

TARGET_LISTS = (
    TargetList(
        setting="lambdaTargets",
        listed="lambda",
        service="lambda",
        resource="function",
        rights=(Right(action="lambda:InvokeFunction"),),
    ),
    TargetList(
        setting="queueTargets",
        listed="sqs",
        service="sqs",
        rights=(Right(action="sqs:SendMessage"),),
    ),
    TargetList(
        setting="topicTargets", listed="sns", service="sns", rights=(Right(action="sns:Publish"),)
    ),
    TargetList(
        setting="busTargets",
        listed="eventbridge",
        service="events",
        resource="event-bus",
        separator="/",
        rights=(Right(action="events:PutEvents"),),
    ),
    TargetList(
        setting="stateMachineTargets",
        listed="stepfunctions",
        service="states",
        resource="stateMachine",
        rights=(
            Right(action="states:StartExecution"),
            Right(action="states:DescribeExecution", of=_executions),
            Right(action="states:StopExecution", of=_executions),
        ),
    ),
    TargetList(
        setting="taskDefinitionTargets",
        listed="ecs",
        service="ecs",
        resource="task-definition",
        separator="/",
        rights=(Right(action="ecs:RunTask", of=_revisions, within=_IN_CLUSTER),),
    ),
    TargetList(
        setting="clusterTargets",
        listed="ecs_clusters",
        service="ecs",
        resource="cluster",
        separator="/",
        rights=(
            Right(action="ecs:DescribeTasks", of=_tasks),
            Right(action="ecs:StopTask", of=_tasks),
            Right(action="ecs:ListTasks", of=_any, within=_IN_CLUSTER),
        ),
    ),
    # Roles of tasks, and those that pull their images.
    TargetList(
        setting="taskRoles",
        listed="ecs_roles",
        service="iam",
        resource="role",
        separator="/",
        is_regional=False,
        rights=(
            Right(action="iam:PassRole", where={"iam:PassedToService": "ecs-tasks.amazonaws.com"}),
        ),
    ),
)


def given_targets(**lists: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Return the names on every list, by the list's name; one that is not given has a tenant's own.

    Names are given by ``listed``.
    """
    return {each.listed: lists.get(each.listed, OWN_TARGETS) for each in TARGET_LISTS}
