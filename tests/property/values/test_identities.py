"""Ids: written and read back, and never in two ways."""

from contextlib import suppress
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.support.execution.placing import placed
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.demands import Precision
from timegate.domain.values.errors import InvalidInput, RunNotFound
from timegate.domain.values.identity import (
    AttemptId,
    Origin,
    RunId,
    job_id_for_key,
    job_id_from,
    parse_job_id,
)
from timegate.domain.values.instants import compact, from_compact, rfc3339
from timegate.domain.values.tenant import TenantId

instants = st.datetimes(
    min_value=datetime(1000, 1, 1),  # noqa: DTZ001 - st wants naive
    max_value=datetime(9999, 12, 31),  # noqa: DTZ001 - st wants naive
).map(lambda t: t.replace(microsecond=t.microsecond // 1000 * 1000, tzinfo=UTC))
job_ids = st.binary(max_size=8).map(job_id_from)
run_ids = st.one_of(
    st.builds(
        RunId,
        job_id=job_ids,
        origin=st.sampled_from((Origin.SCHEDULE, Origin.TRIGGER)),
        scheduled_at=instants,
    ),
    st.builds(
        RunId,
        job_id=job_ids,
        origin=st.just(Origin.TRIGGER),
        scheduled_at=instants,
        about=st.from_regex(r"[a-z2-7]{16}", fullmatch=True),
    ),
    st.builds(
        RunId,
        job_id=job_ids,
        origin=st.sampled_from((Origin.NOTIFICATION, Origin.FOLLOW_UP)),
        scheduled_at=instants,
        about=st.from_regex(r"[a-z0-9_-]{1,64}", fullmatch=True),
    ),
)
attempt_ids = st.builds(AttemptId, run=run_ids, number=st.integers(1, 999_999_999))
#: Near misses: the right shape, in any alphabet and of any value.
like_an_id = st.one_of(
    st.from_regex(r"[a-z2-7]{25,27}\.[a-z]\d{8}T\d{8,10}Z(\.\d{0,3})?", fullmatch=True),
    st.builds(
        "{}.{}".format, run_ids, st.from_regex(r"\d{1,3}", fullmatch=True) | st.text(max_size=3)
    ),
    st.builds("{}{}".format, run_ids, st.text(max_size=2)),
)


@given(attempt=attempt_ids)
def test_an_id_is_read_back_as_it_was_written(attempt: AttemptId) -> None:
    """Run and attempt; and the job's is found in them."""
    assert RunId.parse(str(attempt.run)) == attempt.run
    assert AttemptId.parse(str(attempt)) == attempt
    assert parse_job_id(str(attempt).split(".")[0]) == attempt.run.job_id


@given(first=attempt_ids, second=attempt_ids)
def test_two_things_never_share_an_id(first: AttemptId, second: AttemptId) -> None:
    """Nor a thing two ids."""
    assert (first == second) is (str(first) == str(second))
    assert (first.run == second.run) is (str(first.run) == str(second.run))


@settings(max_examples=some(300))
@given(text=like_an_id | st.text(max_size=60))
def test_any_text_is_an_id_or_is_not_found(text: str) -> None:
    """A parsed id is written back as it was: no record has a second name."""
    for parse in (RunId.parse, AttemptId.parse):
        with suppress(RunNotFound):
            assert str(parse(text)) == text


@given(job=job_ids, origin=st.sampled_from(Origin), first=instants, second=instants)
def test_ids_of_a_job_sort_by_their_instants(
    job: str, origin: Origin, first: datetime, second: datetime
) -> None:
    """Listings of a job's runs rely on this order."""
    early = str(RunId(job_id=job_id_from(job.encode()), origin=origin, scheduled_at=first))
    late = str(RunId(job_id=job_id_from(job.encode()), origin=origin, scheduled_at=second))

    assert (early < late) is (first < second)


@given(instant=instants)
def test_an_instant_is_written_in_two_ways_and_read_back(instant: datetime) -> None:
    """For keys, and for people."""
    assert from_compact(compact(instant)) == instant
    assert datetime.fromisoformat(rfc3339(instant)) == instant


#: An instant in which something was mistyped.
like_an_instant = st.builds(
    lambda instant, place, typed: compact(instant)[:place] + typed + compact(instant)[place + 1 :],
    instants,
    st.integers(0, 18),
    st.sampled_from(["", "0", "9", "_", " ", "-", "+", "٣", "T", "Z", "Zx"]),
)


@settings(max_examples=some(300))
@given(text=like_an_instant | st.text(max_size=20))
def test_any_text_is_an_instant_or_is_refused(text: str) -> None:
    """Each instant is written in one way only."""
    with suppress(InvalidInput):
        assert compact(from_compact(text)) == text


@given(attempt=attempt_ids, due_at=instants, precision=st.sampled_from(Precision))
def test_a_message_is_read_back_as_it_was_written(
    attempt: AttemptId, due_at: datetime, precision: Precision
) -> None:
    """A message may name any attempt."""
    message = RunMessage(
        tenant=TenantId("acme"),
        attempt=attempt,
        due_at=due_at,
        precision=precision,
        queue_key="normal-short",
    )

    assert RunMessage.from_fields(message.fields(), queue_key="normal-short") == message


@given(tenant=st.text("abc\n", max_size=4), key=st.text("abc\n", max_size=4))
def test_a_job_id_has_its_shape_and_its_shard(tenant: str, key: str) -> None:
    """26 characters, in one of the shards there are, for any tenant and key."""
    job = job_id_for_key(TenantId(tenant), key)

    assert parse_job_id(job) == job
    assert 0 <= placed(8).shard_of(job) < 8
