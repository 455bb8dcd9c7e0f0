"""A definition is refused if its fields contradict one another."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.factories import EVERY_MINUTE, job_factory
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.demands import Precision, ResourceClass
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.rules.job_rules import MAX_TEXT_BYTES, check_limits
from timegate.domain.values.errors import InvalidInput

PLAIN: dict[str, Any] = {"name": "", "action": WebhookAction(url="", method="")}


def refusal(job: Job) -> tuple[str, str] | None:
    """The refused field and the code; nothing when the job is accepted."""
    try:
        check_limits(job)
    except InvalidInput as refused:
        return refused.field, refused.code
    return None


@pytest.mark.parametrize(
    ("resource_class", "seconds", "accepted"),
    [
        (ResourceClass.SHORT, 60, True),
        (ResourceClass.SHORT, 61, False),
        (ResourceClass.LONG, 840, True),
        (ResourceClass.LONG, 841, False),
    ],
    ids=str,
)
def test_a_run_fits_into_its_executor(
    resource_class: ResourceClass, seconds: int, *, accepted: bool
) -> None:
    """With time to claim before and to record after."""
    job = job_factory(resource_class=resource_class, timeout_seconds=seconds)

    assert refusal(job) == (None if accepted else ("timeout_seconds", "too_large"))


@pytest.mark.parametrize(
    ("precision", "jitter_seconds", "expected"),
    [
        (Precision.SECOND, 1, None),
        (Precision.SUBSECOND, 0, None),
        (Precision.SUBSECOND, 1, ("schedule.jitter_seconds", "not_for_this_precision")),
    ],
    ids=str,
)
def test_a_job_is_spread_or_exact(
    precision: Precision, jitter_seconds: int, expected: tuple[str, str] | None
) -> None:
    """No job can have both."""
    schedule = replace(EVERY_MINUTE, jitter_seconds=jitter_seconds)

    assert expected == refusal(job_factory(schedule=schedule, precision=precision))


@pytest.mark.parametrize(
    ("initial", "expected"),
    [
        pytest.param(300, None, id="as long"),
        pytest.param(300.5, ("retry.initial_delay_seconds", "too_large"), id="longer"),
    ],
)
def test_the_first_delay_is_no_longer_than_the_longest(
    initial: float, expected: tuple[str, str] | None
) -> None:
    """Otherwise one of the two is not what its author meant."""
    retry = RetryPolicy(initial_delay_seconds=initial, max_delay_seconds=300)

    assert expected == refusal(job_factory(retry=retry))


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"name": "x" * MAX_TEXT_BYTES}, id="name"),
        pytest.param({"description": "x" * MAX_TEXT_BYTES}, id="description"),
        pytest.param({"description": "ü" * (MAX_TEXT_BYTES // 2)}, id="bytes, not characters"),
        pytest.param({"tags": {"k": "x" * (MAX_TEXT_BYTES - 1)}}, id="tags"),
        pytest.param({"metadata": {"x" * MAX_TEXT_BYTES: ""}}, id="metadata keys"),
        pytest.param({"action": WebhookAction(method="", url="x" * MAX_TEXT_BYTES)}, id="url"),
        pytest.param(
            {"action": WebhookAction(method="", url="", headers={"h": "x" * (MAX_TEXT_BYTES - 1)})},
            id="headers",
        ),
        pytest.param(
            {
                "action": EventBridgeAction(
                    bus_arn="x" * (MAX_TEXT_BYTES - 2), source="x", detail_type="x"
                )
            },
            id="every text of an action",
        ),
    ],
)
def test_a_definition_has_sixteen_kilobytes_of_text(fields: dict[str, Any]) -> None:
    """And not a byte more, wherever it is."""
    largest = job_factory(**(PLAIN | fields))
    larger = replace(largest, timing=replace(largest.timing, tags={**largest.tags, "y": ""}))

    assert refusal(largest) is None
    assert refusal(larger) == ("job", "definition_too_large")
