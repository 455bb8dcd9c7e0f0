"""Rules of the action ``ecs``: names, lists of the tenant, sizes."""

from dataclasses import replace
from typing import Any

import pytest

from timegate.domain.actions.kinds.ecs import CLUSTERS, MAX_PAYLOAD_BYTES, EcsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import TenantId

PLACE = "arn:aws:ecs:eu-central-1:111122223333"
OWN = "timegate-target-acme-report"
ACME, OTHER = TenantId("acme"), TenantId("other")
RULES = TargetRules(
    allowed={
        "ecs": (f"{PLACE}:task-definition/timegate-target-{{tenant}}-*",),
        CLUSTERS: (f"{PLACE}:cluster/timegate-target-{{tenant}}-*",),
    }
)
ACTION = EcsAction(
    cluster_arn=f"{PLACE}:cluster/timegate-target-acme-batch",
    task_definition=OWN,
    container="app",
    subnets=("subnet-1a",),
)


def refused(action: EcsAction, tenant: TenantId = ACME) -> tuple[str, str]:
    with pytest.raises(InvalidInput) as caught:
        action.check(RULES, tenant)
    return caught.value.field, caught.value.code


@pytest.mark.parametrize(
    "definition",
    [OWN, f"{OWN}:7", f"{PLACE}:task-definition/{OWN}", f"{PLACE}:task-definition/{OWN}:7"],
)
def test_a_definition_has_three_forms(definition: str) -> None:
    """All of them name one family, in the cluster's account and Region."""
    action = replace(ACTION, task_definition=definition)
    action.check(RULES, ACME)

    assert action.family_arn == f"{PLACE}:task-definition/{OWN}"
    assert action.target == f"ecs:{PLACE}:task-definition/{OWN}"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"cluster_arn": "batch"}, ("action.cluster_arn", "invalid_arn")),
        ({"cluster_arn": f"{PLACE}:service/x"}, ("action.cluster_arn", "invalid_arn")),
        ({"task_definition": f"{OWN}:0"}, ("action.task_definition", "invalid_format")),
        ({"task_definition": f"{OWN}:latest"}, ("action.task_definition", "invalid_format")),
        ({"task_definition": ""}, ("action.task_definition", "invalid_format")),
        ({"subnets": ()}, ("action.subnets", "too_short")),
        ({"command": ("x" * 1_000, "y" * 25)}, ("action.command", "too_long")),
    ],
)
def test_what_ecs_refuses_is_refused(fields: dict[str, Any], expected: tuple[str, str]) -> None:
    """With the field that is wrong."""
    assert refused(replace(ACTION, **fields)) == expected


def test_a_command_may_have_1024_characters() -> None:
    """One more is refused above."""
    replace(ACTION, command=("x" * 1_000, "y" * 24)).check(RULES, ACME)


def test_a_tenant_names_its_own_clusters_and_definitions() -> None:
    """Another tenant's are refused, and so is one's own definition in another's cluster."""
    elsewhere = replace(ACTION, cluster_arn=f"{PLACE}:cluster/timegate-target-other-batch")
    foreign = replace(ACTION, task_definition="timegate-target-other-report")
    abroad = replace(
        ACTION, task_definition=f"arn:aws:ecs:eu-west-1:111122223333:task-definition/{OWN}"
    )

    assert refused(ACTION, OTHER) == ("action.cluster_arn", "target_not_allowed")
    assert refused(elsewhere) == ("action.cluster_arn", "target_not_allowed")
    assert refused(foreign) == ("action.task_definition", "target_not_allowed")
    assert refused(abroad) == ("action.task_definition", "target_not_allowed")


def test_a_payload_has_the_size_of_overrides() -> None:
    """Both sides of the limit."""
    ACTION.check_size(MAX_PAYLOAD_BYTES)
    with pytest.raises(InvalidInput) as caught:
        ACTION.check_size(MAX_PAYLOAD_BYTES + 1)

    assert caught.value.code == "payload_too_large"


def test_runs_are_followed_and_stopped() -> None:
    """An executor looks at them; a cancel reaches a task without a waiter."""
    assert (ACTION.is_followed, ACTION.goes_on_alone) == (True, True)
    assert (ACTION.may_continue, ACTION.silence_seconds, ACTION.offer) == (False, None, None)
