"""Tasks of ECS as targets: looked at until they end, taken over, and stopped."""

import json
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import after, attempt_id
from tests.support.targets.fake_ecs import refusal
from tests.unit.adapters.targets.calls import call_factory
from tests.unit.adapters.targets.calls import refusal as failure_of
from tests.unit.adapters.targets.tasks_of_ecs.tasks import ACTION, TASK, Service, order


@pytest.fixture
def service() -> Service:
    return Service()


def test_a_task_that_goes_on_is_looked_at_again(service: Service) -> None:
    """Young tasks often, old ones once a minute."""
    answer = service.call(deadline_at=after(86_400))
    service.ecs.tasks[TASK]["lastStatus"] = "RUNNING"
    pauses = []
    for age in (49, 51, 599, 601, 7_200):
        service.clock.wait_until(after(age))
        answer = service.call(answer)
        pauses.append(order(answer).delay_seconds)

    assert pauses == [5.0, 5.1, 59.9, 60.0, 60.0]
    assert order(answer).message == "task RUNNING"
    assert len(service.ecs.requests) == 1


def test_the_last_look_comes_when_the_time_is_up(service: Service) -> None:
    """A pause does not reach beyond the instant at which the task is stopped."""
    answer = service.call()
    service.clock.wait_until(after(27))

    assert order(service.call(answer)).delay_seconds == 3.0


def test_a_run_ends_as_its_container_did(service: Service) -> None:
    """Exit code 0 of the job's container is a success, whatever a sidecar's was."""
    answer = service.call()
    service.ecs.ends(TASK, exit_code=0)
    ended = service.call(answer)

    assert ended.continuation is None
    assert ended.text == f"{TASK}: Essential container in task exited"


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ({"exit_code": 1}, ("retryable", "exit_code", "ExitCode1")),
        ({"exit_code": 137}, ("retryable", "exit_code", "ExitCode137")),
        ({}, ("retryable", "task_failed", "EssentialContainerExited")),
        (
            {"stop_code": "TaskFailedToStart"},
            ("retryable", "task_failed_to_start", "TaskFailedToStart"),
        ),
        (
            {"stop_code": "SpotInterruption", "exit_code": 0},
            ("retryable", "task_interrupted", "SpotInterruption"),
        ),
        (
            {"stop_code": "UserInitiated", "exit_code": 0},
            ("permanent", "task_stopped", "UserInitiated"),
        ),
    ],
)
def test_other_ends_are_failures_with_a_code(
    service: Service, end: dict[str, Any], expected: tuple[str, str, str]
) -> None:
    """A task that an operator stopped is not started again; one that was interrupted is."""
    answer = service.call()
    service.ecs.ends(TASK, **end)

    assert failure_of(lambda: service.call(answer)) == expected


def test_a_throttled_look_is_repeated(service: Service) -> None:
    """The task goes on, and a failed attempt would leave it."""
    answer = service.call()
    service.ecs.refusals["DescribeTasks"] = [refusal("ThrottlingException")]

    assert order(service.call(answer)).checkpoint == order(answer).checkpoint


def test_a_look_that_is_refused_fails_the_run(service: Service) -> None:
    """A right that is missing now is missing at the next look: the next attempt has it, or none."""
    answer = service.call()
    service.ecs.refusals["DescribeTasks"] = [refusal("AccessDeniedException")]

    assert failure_of(lambda: service.call(answer))[:2] == ("retryable", "ecs_refused")


def test_a_task_may_be_unknown_for_two_minutes(service: Service) -> None:
    """Descriptions are eventually consistent; later the task is lost."""
    answer = service.call(deadline_at=after(600))
    service.ecs.tasks.clear()
    service.clock.wait_until(after(119.999))
    service.call(answer)
    service.clock.wait_until(after(120))

    assert failure_of(lambda: service.call(answer)) == ("retryable", "task_lost", "Missing")


def test_an_attempt_waits_for_the_end_of_a_task_that_is_being_stopped(service: Service) -> None:
    """Its containers are given time to end; the attempt then starts a task of its own."""
    service.ecs.after_stop = "DEPROVISIONING"
    first = service.call(attempt=attempt_id(1))
    service.clock.wait_until(after(30))
    failure_of(lambda: service.call(first, attempt=attempt_id(1)))
    later: dict[str, Any] = {"attempt": attempt_id(2), "deadline_at": after(60)}
    waiting = service.call(first, **later)
    again = service.call(waiting, **later)
    before = len(service.ecs.requests)
    service.ecs.tasks[TASK]["lastStatus"] = "STOPPED"
    started = service.call(again, **later)

    assert order(again).message == "task DEPROVISIONING"
    assert (before, len(service.ecs.requests)) == (1, 2)
    assert json.loads(order(started).checkpoint or "")["task_arn"] != TASK


def test_a_task_is_stopped_when_its_time_is_up(service: Service) -> None:
    """At the instant, and not a moment before."""
    answer = service.call()
    service.clock.wait_until(after(30) - timedelta(milliseconds=1))
    service.call(answer)
    before = list(service.ecs.stopped)
    service.clock.wait_until(after(30))

    assert failure_of(lambda: service.call(answer)) == ("timeout", "timeout", "TimedOut")
    assert (before, service.ecs.stopped) == ([], [TASK])


def test_a_task_that_timegate_stopped_ran_out_of_time(service: Service) -> None:
    """The worker died after it had stopped the task: the next look says the same."""
    answer = service.call()
    service.clock.wait_until(after(30))
    failure_of(lambda: service.call(answer))

    assert failure_of(lambda: service.call(answer)) == ("timeout", "timeout", "TimedOut")


def test_the_next_attempt_starts_a_task_after_one_that_failed(service: Service) -> None:
    """The run is done anew."""
    answer = service.call(attempt=attempt_id(1))
    service.ecs.ends(TASK, exit_code=1)
    service.call(answer)

    assert len(service.ecs.tasks) == 2


def test_the_next_attempt_takes_over_a_task_that_goes_on(service: Service) -> None:
    """The attempt before ended without it: the task must not run twice."""
    answer = service.call(attempt=attempt_id(1))
    taken = service.call(answer)

    assert len(service.ecs.tasks) == 1
    assert json.loads(order(taken).checkpoint or "")["attempt"] == 2


def test_the_next_attempt_takes_a_success_that_was_not_heard(service: Service) -> None:
    """The task succeeded after its attempt had ended."""
    answer = service.call(attempt=attempt_id(1))
    service.ecs.ends(TASK, exit_code=0)

    assert service.call(answer).continuation is None
    assert len(service.ecs.tasks) == 1


def test_stopping_a_run_stops_each_of_its_tasks(service: Service) -> None:
    """No other run's."""
    service.call(attempt=attempt_id(1))
    service.target.stop(call_factory(), ACTION)
    service.target.stop(call_factory(), ACTION)

    assert service.ecs.stopped == [TASK]


@pytest.mark.parametrize("empty_pages", [0, 1, 2])
def test_a_task_is_stopped_on_whichever_page_it_is(service: Service, empty_pages: int) -> None:
    """A page of AWS may be empty, and name another one."""
    service.ecs.empty_pages = empty_pages
    service.call(attempt=attempt_id(1))
    service.target.stop(call_factory(), ACTION)

    assert service.ecs.stopped == [TASK]
