"""Resources that jobs may target: their lists in the context, their ARNs and the rights on them.

One entry is one kind of action that calls a resource of AWS. Settings, variables of functions,
the policy of the targets' role and its acknowledgements follow from it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from infra.stage.target_patterns import OWN_TARGETS


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
    #: The rights of a tenant's session, and the ARNs that each is for, made from a listed one.
    rights: Mapping[str, Callable[[str], str]] = field(default_factory=dict)


def _itself(arn: str) -> str:
    return arn


def _executions(machine: str) -> str:
    """Return the executions of a state machine, each of any name."""
    return f"{machine.replace(':stateMachine:', ':execution:', 1)}:*"


TARGET_LISTS = (
    TargetList(
        setting="lambdaTargets",
        listed="lambda",
        service="lambda",
        resource="function",
        rights={"lambda:InvokeFunction": _itself},
    ),
    TargetList(
        setting="queueTargets", listed="sqs", service="sqs", rights={"sqs:SendMessage": _itself}
    ),
    TargetList(
        setting="topicTargets", listed="sns", service="sns", rights={"sns:Publish": _itself}
    ),
    TargetList(
        setting="busTargets",
        listed="eventbridge",
        service="events",
        resource="event-bus",
        separator="/",
        rights={"events:PutEvents": _itself},
    ),
    TargetList(
        setting="stateMachineTargets",
        listed="stepfunctions",
        service="states",
        resource="stateMachine",
        rights={
            "states:StartExecution": _itself,
            "states:DescribeExecution": _executions,
            "states:StopExecution": _executions,
        },
    ),
)


def given_targets(**lists: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Return the names on every list, by the list's name; one that is not given has a tenant's own.

    Names are given by ``listed``.
    """
    return {each.listed: lists.get(each.listed, OWN_TARGETS) for each in TARGET_LISTS}
