"""Computed ids: the same question always gives the same name."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.execution.placing import placed
from timegate.domain.values.errors import RunNotFound
from timegate.domain.values.identity import (
    AttemptId,
    JobId,
    Origin,
    RunId,
    job_id_for_key,
    parse_job_id,
)
from timegate.domain.values.tenant import TenantId

JOB = job_id_for_key(TenantId("acme"), "nightly-billing")
instants = st.datetimes(
    min_value=datetime(2000, 1, 1),  # noqa: DTZ001 - st wants naive
    max_value=datetime(2099, 12, 31),  # noqa: DTZ001 - st wants naive
).map(lambda t: t.replace(microsecond=t.microsecond // 1000 * 1000, tzinfo=UTC))


def test_a_key_names_the_same_job_every_time() -> None:
    """Creating twice under one key meets one job."""
    again = job_id_for_key(TenantId("acme"), "nightly-billing")

    assert again == JOB


def test_the_same_key_of_another_tenant_names_another_job() -> None:
    """No tenant can reach a job by guessing another's key."""
    other = job_id_for_key(TenantId("globex"), "nightly-billing")

    assert other != JOB


def test_tenant_and_key_cannot_run_into_each_other() -> None:
    """Moving characters from the tenant to the key gives another id."""
    left = job_id_for_key(TenantId("ab"), "c")
    right = job_id_for_key(TenantId("a"), "bc")

    assert left != right


@given(scheduled_at=instants, origin=st.sampled_from("st").map(Origin), number=st.integers(1, 9999))
def test_an_attempt_id_is_read_back_as_it_was_written(
    scheduled_at: datetime, origin: Origin, number: int
) -> None:
    """Ids parse back to keys without a look-up."""
    run = RunId(job_id=JOB, origin=origin, scheduled_at=scheduled_at)
    attempt = AttemptId(run=run, number=number)

    assert attempt == AttemptId.parse(str(attempt))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param(f"{JOB}", id="job id"),
        pytest.param(f"{JOB}.x20261121T070000000Z", id="unknown origin"),
        pytest.param(f"{JOB}.s20261321T070000000Z", id="thirteenth month"),
        pytest.param(f"{JOB}.s20261121T070000000Z.1", id="attempt id"),
        pytest.param(f"{JOB}.s20261121T070000000Z\n", id="trailing newline"),
        pytest.param(f"{JOB.upper()}.s20261121T070000000Z", id="upper case"),
        pytest.param("../../etc/passwd", id="path"),
    ],
)
def test_what_is_no_run_id_is_an_unknown_run(text: str) -> None:
    """A garbled id is answered exactly as one that does not exist."""
    with pytest.raises(RunNotFound):
        RunId.parse(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(str(JOB), JOB, id="id"),
        pytest.param("short", None, id="too short"),
        pytest.param(f"{JOB}a", None, id="too long"),
        pytest.param(f"{JOB[:-1]}#", None, id="key separator"),
    ],
)
def test_only_the_shape_of_a_job_id_is_one(text: str, expected: JobId | None) -> None:
    """Nothing but 26 letters and digits reaches a key."""
    assert expected == parse_job_id(text)


def test_jobs_spread_evenly_over_shards() -> None:
    """No shard gets a fifth more or less than its share of 20,000 jobs."""
    counts = [0] * 8
    for number in range(20_000):
        counts[placed(8).shard_of(job_id_for_key(TenantId("acme"), str(number)))] += 1

    assert all(2_000 < count < 3_000 for count in counts)
