"""Data of events for what they start: whole, in part, or put together anew."""

from typing import Any

import pytest

from tests.support.event_triggers.triggering import JOB, cloud_event
from timegate.domain.dags.evaluation import Budget
from timegate.domain.event_triggers.event_trigger import (
    MAX_TEMPLATE_BYTES,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.event_triggers.projections import check_templates, projected
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import DagId


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (None, cloud_event()),
        ('{"$ref":"event.data"}', {"order": "o-17", "total": 120}),
        ("null", None),
        (
            '{"id":{"$ref":"event.data.order"},"by":"shop","vip":{"$ref":"event.vip","default":0}}',
            {"id": "o-17", "by": "shop", "vip": 0},
        ),
    ],
)
def test_a_template_is_filled_in(template: str | None, expected: Any) -> None:  # noqa: ANN401
    """Without one, with all of the event."""
    assert projected(template, cloud_event(), "starts.payload", Budget()) == expected


@pytest.mark.parametrize(
    ("template", "code"),
    [
        ('{"$ref":"event.data.nothing"}', "reference_missing"),
        ('{"$ref":"length(event.data.total)"}', "reference_invalid"),
        ('{"$ref":"event.data' + " | [@,@]" * 40 + '"}', "reference_too_complex"),
    ],
)
def test_a_reference_that_finds_nothing_is_refused(template: str, code: str) -> None:
    """The field is the one of the trigger."""
    with pytest.raises(InvalidInput) as refused:
        projected(template, cloud_event(), "starts.payload", Budget())

    assert (refused.value.field, refused.value.code) == ("starts.payload", code)


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("event..", "invalid_reference"),
        ("run.id", "unknown_reference"),
        ("@", "unknown_reference"),
        ("parameters", "unknown_reference"),
        ("nothing(event)", "invalid_reference"),
    ],
)
def test_references_are_checked_before_any_event(reference: str, code: str) -> None:
    """References for a job and for a DAG run are checked alike."""
    template = f'{{"a":{{"$ref":"{reference}"}}}}'
    job = StartsJob(job_id=JOB, payload_patch=template)
    dag = StartsDagRun(dag_id=DagId(JOB), parameters=template)

    for starts, field in ((job, "starts.payload_patch"), (dag, "starts.parameters")):
        with pytest.raises(InvalidInput) as refused:
            check_templates(starts)

        assert (refused.value.field, refused.value.code) == (field, code)


def test_a_template_has_a_limit() -> None:
    """To the byte."""
    check_templates(StartsJob(job_id=JOB, payload=f'"{"x" * (MAX_TEMPLATE_BYTES - 2)}"'))
    with pytest.raises(InvalidInput, match="4097 bytes"):
        check_templates(StartsJob(job_id=JOB, payload=f'"{"x" * (MAX_TEMPLATE_BYTES - 1)}"'))
