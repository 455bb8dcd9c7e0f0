"""Tasks of ECS as targets: each attempt starts one, and no replay a second."""

import json
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from tests.support.factories import NOW, attempt_id
from tests.support.targets.fake_ecs import CLUSTER, FakeEcs, refusal
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import RUN_ID, call_factory
from tests.unit.adapters.targets.calls import refusal as failure_of
from tests.unit.adapters.targets.tasks_of_ecs.tasks import (
    ACTION,
    PLACE,
    RULES,
    TASK,
    Service,
    order,
)
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.ecs import TaskTarget, client_token
from timegate.domain.actions.kinds.ecs import CLUSTERS, Capacity, EcsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.trace_context import traceparent


@pytest.fixture
def service() -> Service:
    return Service()


def test_a_run_starts_one_task_and_goes_on_in_another_slice(service: Service) -> None:
    """Its checkpoint names the task; nothing waits meanwhile."""
    answer = service.call()

    assert json.loads(order(answer).checkpoint or "") == {
        "task_arn": TASK,
        "attempt": 2,
        "since": "2026-11-21T07:00:00.000Z",
        "until": "2026-11-21T07:00:30.000Z",
    }
    assert (order(answer).delay_seconds, order(answer).message) == (5.0, "task started")


def test_the_container_gets_payload_and_run_as_variables(service: Service) -> None:
    """The request names definition, network and capacity."""
    service.call()
    (request,) = service.ecs.requests
    ((container,),) = request.pop("overrides").values()

    assert container["name"] == "app"
    assert {each["name"]: each["value"] for each in container["environment"]} == {
        "TIMEGATE_RUN_ID": RUN_ID,
        "TIMEGATE_IDEMPOTENCY_KEY": RUN_ID,
        "TIMEGATE_FENCE": "3",
        "TIMEGATE_ATTEMPT": "2",
        "TIMEGATE_SCHEDULED_AT": "2026-11-21T07:00:00.000Z",
        "TIMEGATE_TRACEPARENT": traceparent(call_factory()),
        "TIMEGATE_PAYLOAD": '{"report": "sales"}',
    }
    assert len(request.pop("clientToken")) == 64
    assert request == {
        "cluster": CLUSTER,
        "taskDefinition": "timegate-target-acme-report:3",
        "count": 1,
        "startedBy": RUN_ID.replace(".", "-"),
        "networkConfiguration": {
            "awsvpcConfiguration": {"subnets": ["subnet-1a"], "assignPublicIp": "DISABLED"}
        },
        "launchType": "FARGATE",
    }


def test_the_request_is_one_that_ecs_takes(stubbed: Stubbed) -> None:
    """Every option, checked by the service's own model."""
    client, stubber = stubbed("ecs")
    stubber.add_response("run_task", {"tasks": [{"taskArn": TASK}], "failures": []})
    action = EcsAction(
        cluster_arn=CLUSTER,
        task_definition=f"{PLACE}:task-definition/timegate-target-acme-report",
        container="app",
        subnets=("subnet-1a", "subnet-1b"),
        command=("python", "report.py"),
        security_groups=("sg-1",),
        public_ip=True,
        capacity=Capacity.FARGATE_SPOT,
        platform_version="1.4.0",
    )
    sent: list[dict[str, Any]] = []
    client.meta.events.register(
        "provide-client-params.ecs.RunTask", lambda params, **_: sent.append(params)
    )
    answer = TaskTarget(client, RULES, MemoryClock(NOW)).invoke(
        call_factory(attempt=attempt_id(1)), action
    )

    assert order(answer).checkpoint is not None
    (request,) = sent
    assert request["taskDefinition"] == "timegate-target-acme-report"
    assert request["capacityProviderStrategy"] == [
        {"capacityProvider": "FARGATE_SPOT", "weight": 1}
    ]
    assert "launchType" not in request
    assert request["platformVersion"] == "1.4.0"
    assert request["overrides"]["containerOverrides"][0]["command"] == ["python", "report.py"]
    assert request["networkConfiguration"]["awsvpcConfiguration"] == {
        "subnets": ["subnet-1a", "subnet-1b"],
        "assignPublicIp": "ENABLED",
        "securityGroups": ["sg-1"],
    }


def test_a_replay_of_an_attempt_starts_no_second_task(service: Service) -> None:
    """Its worker died after the start: the next one has another fence, and the same token."""
    first = service.call()
    again = service.call(fence=4)

    assert len(service.ecs.tasks) == 1
    assert len({each["clientToken"] for each in service.ecs.requests}) == 1
    assert json.loads(order(again).checkpoint or "")["task_arn"] == TASK
    assert json.loads(order(first).checkpoint or "")["task_arn"] == TASK


def test_another_attempt_has_another_token(service: Service) -> None:
    """ECS would return the failed task."""
    first = service.call(attempt=attempt_id(1))
    service.ecs.ends(TASK, exit_code=1)
    service.call(first, attempt=attempt_id(2))

    tokens = [client_token(call_factory(attempt=attempt_id(1)), number) for number in (1, 2)]
    assert [each["clientToken"] for each in service.ecs.requests] == tokens


def test_a_start_whose_answer_was_lost_is_found_by_the_next_attempt(service: Service) -> None:
    """No checkpoint names its task; ECS lists it under the run."""
    service.ecs.lost_starts = [ReadTimeoutError(endpoint_url="https://ecs")]
    lost = failure_of(lambda: service.call(attempt=attempt_id(1)))
    second = service.call(attempt=attempt_id(2))

    assert lost == ("timeout", "timeout", "TimedOut")
    assert len(service.ecs.requests) == 1
    assert json.loads(order(second).checkpoint or "")["task_arn"] == TASK


def test_a_lost_start_is_found_after_an_earlier_task_as_well(service: Service) -> None:
    """The checkpoint names the task of the attempt before, which failed."""
    first = service.call(attempt=attempt_id(1))
    service.ecs.ends(TASK, exit_code=1)
    service.ecs.lost_starts = [ReadTimeoutError(endpoint_url="https://ecs")]
    failure_of(lambda: service.call(first, attempt=attempt_id(2)))
    third = service.call(first, attempt=attempt_id(3))
    (_, task) = service.ecs.tasks

    assert len(service.ecs.requests) == 2
    assert json.loads(order(third).checkpoint or "")["task_arn"] == task


def test_a_lost_start_whose_task_has_succeeded_is_no_second_one(service: Service) -> None:
    """ECS lists no task that has ended, and knows the token of its start."""
    service.ecs.lost_starts = [ReadTimeoutError(endpoint_url="https://ecs")]
    failure_of(lambda: service.call(attempt=attempt_id(1)))
    service.ecs.ends(TASK, exit_code=0)
    second = service.call(attempt=attempt_id(2))

    assert (second.continuation, len(service.ecs.tasks)) == (None, 1)
    assert second.text.startswith(TASK)


def test_a_lost_start_whose_task_has_failed_is_followed_by_another(service: Service) -> None:
    """Each attempt that follows meets the same tasks, also when answers are lost again."""
    service.ecs.lost_starts = [ReadTimeoutError(endpoint_url="https://ecs")]
    failure_of(lambda: service.call(attempt=attempt_id(1)))
    service.ecs.ends(TASK, exit_code=1)
    service.ecs.lost_on = 2
    failure_of(lambda: service.call(attempt=attempt_id(2)))
    (_, task) = service.ecs.tasks
    service.ecs.ends(task, exit_code=0)
    third = service.call(attempt=attempt_id(3))

    assert (third.continuation, len(service.ecs.tasks)) == (None, 2)
    assert third.text.startswith(task)


def test_attempts_that_started_nothing_share_a_token_with_the_next(service: Service) -> None:
    """ECS refused the first; the answer to the second is lost, and the third finds its task."""
    service.ecs.refusals["RunTask"] = [refusal("ThrottlingException", "RunTask")]
    failure_of(lambda: service.call(attempt=attempt_id(1)))
    service.ecs.lost_starts = [ReadTimeoutError(endpoint_url="https://ecs")]
    failure_of(lambda: service.call(attempt=attempt_id(2)))
    service.ecs.ends(TASK, exit_code=0)
    third = service.call(attempt=attempt_id(3))

    assert (third.continuation, len(service.ecs.tasks)) == (None, 1)
    assert len({each["clientToken"] for each in service.ecs.requests}) == 1


def test_a_lost_start_that_ecs_does_not_describe_yet_is_followed(service: Service) -> None:
    """Descriptions come a moment later: a second task would be one too many."""
    service.ecs.lost_starts = [ReadTimeoutError(endpoint_url="https://ecs")]
    failure_of(lambda: service.call(attempt=attempt_id(1)))
    del service.ecs.tasks[TASK]
    second = service.call(attempt=attempt_id(2))

    assert json.loads(order(second).checkpoint or "")["task_arn"] == TASK
    assert service.ecs.tasks == {}


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("RESOURCE:MEMORY", ("retryable", "no_capacity", "RESOURCE")),
        (
            "Capacity is unavailable at this time. Please try again later or in a different zone",
            ("retryable", "no_capacity", "Capacity is unavailable at this time"),
        ),
        ("AGENT", ("retryable", "no_capacity", "AGENT")),
        ("ATTRIBUTE", ("permanent", "task_refused", "ATTRIBUTE")),
        ("MISSING", ("permanent", "task_refused", "MISSING")),
    ],
)
def test_reasons_for_which_no_task_starts(
    service: Service, reason: str, expected: tuple[str, str, str]
) -> None:
    """Capacity comes back; what the request lacks does not."""
    service.ecs.no_start = reason

    assert failure_of(service.call) == expected


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("ClusterNotFoundException", "permanent"),
        ("ClientException", "permanent"),
        ("PlatformUnknownException", "permanent"),
        ("AccessDeniedException", "retryable"),
        ("InvalidParameterException", "permanent"),
        ("ServerException", "retryable"),
        ("ThrottlingException", "retryable"),
    ],
)
def test_refusals_of_a_start(service: Service, code: str, kind: str) -> None:
    """ECS refuses some requests for good."""
    service.ecs.refusals["RunTask"] = [refusal(code, "RunTask")]
    is_refused = kind == "permanent" or code == "AccessDeniedException"
    said = "ecs_refused" if is_refused else "ecs_unavailable"

    assert failure_of(service.call) == (kind, said, code)


def test_a_payload_that_grows_beyond_the_overrides_is_refused(service: Service) -> None:
    """Quotes have a backslash each in the request."""
    fits = json.dumps("x" * 4_000)
    grows = json.dumps(['"'] * 1_200)
    first = attempt_id(1)
    service.call(payload=fits, attempt=first)
    refused = failure_of(lambda: service.call(payload=grows, attempt=first))

    assert refused[:2] == ("permanent", "payload_too_large")


@pytest.mark.parametrize("allowed", ["ecs", CLUSTERS])
def test_definition_and_cluster_are_both_on_the_list(allowed: str) -> None:
    """The list may have changed since the job was made."""
    client: Any = FakeEcs()
    rules = TargetRules(allowed={allowed: RULES.allowed[allowed]})
    target = TaskTarget(client, rules, MemoryClock(NOW))

    assert failure_of(lambda: target.invoke(call_factory(), ACTION))[1] == "target_not_allowed"
    assert client.requests == []
