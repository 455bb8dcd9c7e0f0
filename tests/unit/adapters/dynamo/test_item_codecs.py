"""A value that a codec writes into an item is read back from it."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.execution.placing import placed
from tests.support.factories import attempt_factory, running
from tests.unit.adapters.dynamo import job_strategies, plain_strategies, strategies
from timegate.adapters.dynamo.dispatch.images import attempt_from_image
from timegate.adapters.dynamo.jobs import job_items
from timegate.adapters.dynamo.jobs.job_items import (
    job_from_fields,
    job_to_fields,
    timing_from_fields,
)
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.codec import codec_of
from timegate.adapters.dynamo.tables.keys import (
    NOTICE_PREFIX,
    attempt_key,
    bucket,
    job_key,
    notices_prefix,
    parse_attempt_key,
)
from timegate.adapters.dynamo.tables.values import (
    Item,
    Plain,
    from_attribute,
    from_item,
    stored_value,
    to_attribute,
    to_item,
)
from timegate.domain.actions.action import Action
from timegate.domain.jobs.definition import DEFINED
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import parse_notice_mark
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId, Origin
from timegate.domain.values.tenant import TenantId

RETENTION = timedelta(days=30)

plain_values: st.SearchStrategy[Plain] = st.recursive(
    st.none()
    | st.booleans()
    | st.text(max_size=8)
    | st.integers(-(10**38) + 1, 10**38 - 1)
    | st.floats(-1e125, 1e125).filter(lambda number: number == 0 or abs(number) >= 1e-130),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


def item_of(attempt: Attempt) -> Item:
    """An attempt as it is stored."""
    return to_item(attempt_to_fields(attempt, shards=placed(3), retention=RETENTION))


@pytest.mark.parametrize(
    ("number", "kept"),
    [(1e-130, "1e-130"), (9.9e-131, "0.0"), (-5e-324, "0.0"), (9.9e125, "9.9e+125")],
)
def test_a_number_next_to_nothing_is_stored_as_nothing(number: float, kept: str) -> None:
    """DynamoDB refuses smaller ones, with all that is written beside them."""
    assert to_attribute(number) == {"N": kept}
    assert stored_value(number) == float(kept)


@pytest.mark.parametrize("number", [1e126, -1e126, math.inf, math.nan])
def test_a_number_that_no_item_holds_is_refused(number: float) -> None:
    """It is a bug of the caller's: contracts bound what requests may say."""
    with pytest.raises(TypeError, match="DynamoDB stores no"):
        to_attribute(number)
    with pytest.raises(TypeError, match="DynamoDB stores no"):
        stored_value(number)


@given(plain_values)
def test_a_value_survives_its_typed_form(value: Plain) -> None:
    """Text, whole numbers, floats, booleans, maps and lists, however nested."""
    assert value == from_attribute(to_attribute(value))


@pytest.mark.parametrize(
    "later",
    [
        {"B": b"x"},
        {"BS": [b"x"]},
        {"SS": ["x"]},
        {"NS": ["1", "2.5"]},
        {"N": "1E+40"},
        {"N": "-0.5"},
        {"NULL": True},
        {"L": [{"M": {"inner": {"NS": ["0.5"]}}}]},
    ],
    ids=str,
)
def test_an_attribute_of_any_type_is_passed_over(later: Any) -> None:  # noqa: ANN401 - of any type
    """A later release may add it; the attributes beside it are read."""
    assert from_item({"pk": {"S": "acme"}, "later": later})["pk"] == "acme"


@given(st.dictionaries(st.text(), plain_values))
def test_an_item_leaves_out_what_says_nothing(fields: dict[str, Plain]) -> None:
    """Absent and ``None`` read alike; an empty map says that there is one."""
    kept = {name: value for name, value in fields.items() if value is not None}

    assert kept == from_item(to_item(fields))


@given(job_strategies.jobs)
def test_a_job_survives_its_item(job: Job) -> None:
    """Every field of it."""
    fields = from_item(to_item(job_to_fields(job, shards=placed(3))))

    assert job == job_from_fields(fields)
    assert job.timing == timing_from_fields(fields)


@pytest.mark.parametrize("name", sorted(DEFINED - {"payload", "key"}))
def test_a_field_of_a_definition_is_stored_without_a_line_of_its_own(name: str) -> None:
    """Its type says how: the payload's place is part of a job's state, and its key is claimed."""
    assert re.findall(rf"[.\"]{name}\b", Path(str(job_items.__file__)).read_text()) == []


@given(job_strategies.jobs)
def test_only_a_job_that_waits_is_in_the_due_index(job: Job) -> None:
    """An idle job costs nothing per tick because no bucket of the future holds it (N1).

    One that is behind is shown when it was written: no planner comes back to an earlier bucket.
    """
    # A rule that rolls instants back has planners look earlier.
    job = job.redefined({"calendars": ()})
    fields = job_to_fields(job, shards=placed(3))
    next_run_at = job.timing.next_run_at
    shown_at = max(next_run_at, job.updated_at) if next_run_at is not None else None
    expected = bucket(shown_at, job.job_id, placed(3)) if shown_at is not None else None

    assert expected == fields["due_bucket"]
    assert (fields["due_at"] is None) == (next_run_at is None)


@given(strategies.attempts())
def test_an_attempt_survives_its_item(attempt: Attempt) -> None:
    """And so does one that the stream shows."""
    item = item_of(attempt)

    assert attempt == attempt_from_fields(from_item(item))
    assert attempt == attempt_from_image(item)


@given(strategies.attempts())
def test_an_attempt_is_forgotten_some_time_after_its_end(attempt: Attempt) -> None:
    """One that has not ended never is; one that needs no look is in no watch bucket.

    A dead letter that was settled counts from then: its record says who did it.
    """
    fields = attempt_to_fields(attempt, shards=placed(3), retention=RETENTION)
    ended_at, settled = attempt.ended_at, attempt.resolution
    if ended_at is not None and settled is not None:
        ended_at = max(ended_at, settled.at)
    expected = int((ended_at + RETENTION).timestamp()) if ended_at is not None else None

    assert expected == fields["expires_at"]
    assert ("watch_bucket" in fields) == (attempt.watch_at is not None)


@given(plain_strategies.tenants, plain_strategies.attempt_ids)
def test_an_attempts_key_names_it(tenant: TenantId, attempt: AttemptId) -> None:
    """It is read back without a look-up."""
    key = attempt_key(tenant, attempt)

    assert (tenant, attempt) == parse_attempt_key(key.pk, key.sk)
    assert key.pk == job_key(tenant, attempt.run.job_id).pk


@given(st.lists(plain_strategies.attempt_ids.filter(lambda a: not a.run.about), max_size=5))
def test_history_sorts_by_instant_then_by_attempt(attempts: list[AttemptId]) -> None:
    """Text order is the order of time."""
    by_key = sorted(attempts, key=lambda each: attempt_key(TenantId("acme"), each).sk)
    by_time = sorted(attempts, key=lambda a: (a.run.scheduled_at, a.run.origin, a.number))

    assert [(a.run.scheduled_at, a.run.origin, a.number) for a in by_time] == [
        (a.run.scheduled_at, a.run.origin, a.number) for a in by_key
    ]


@given(plain_strategies.attempt_ids, plain_strategies.attempt_ids)
def test_what_tells_of_runs_sorts_after_all_of_them(one: AttemptId, other: AttemptId) -> None:
    """A list of runs ends where notices begin; those of one run lie together."""
    tenant = TenantId("acme")
    keys = [attempt_key(tenant, each).sk for each in (one, other)]
    tell = [each.run.origin is Origin.NOTIFICATION for each in (one, other)]
    mark = parse_notice_mark(one.run.about)
    origin = mark.origin if tell[0] and mark is not None else "s"
    told = replace(one.run, origin=Origin(origin[0]), about=origin[1:])

    assert [key >= NOTICE_PREFIX for key in keys] == tell
    assert keys[0].startswith(notices_prefix(told)) is tell[0]


@pytest.mark.parametrize(
    ("pk", "sk"),
    [
        ("acme", "20261121T070000000Z#s#0001"),
        ("acme#job", "20261121T070000000Z#s"),
        ("acme#job", "20261121T070000000Z#x#0001"),
        ("acme#job", "2026-11-21T07:00:00Z#s#0001"),
        ("acme#job", "20261121T070000000Z#s#first"),
        ("shard#1", "planner"),
    ],
    ids=["no-job", "no-attempt", "origin", "instant", "number", "cursor"],
)
def test_a_key_of_another_kind_is_malformed(pk: str, sk: str) -> None:
    """It cannot be an attempt's."""
    with pytest.raises(Malformed):
        parse_attempt_key(pk, sk)


WHOLE = item_of(running(attempt_factory()))
OPTIONAL = {"tenant", "watch_bucket", "watch_at", "direct", "lease_seconds"}
REQUIRED = sorted(WHOLE.keys() - OPTIONAL)
attributes = st.one_of(
    st.dictionaries(
        st.sampled_from(["S", "N", "BOOL", "NULL", "M", "L", "B"]),
        st.none() | st.text() | st.integers() | st.lists(st.text()) | st.just("1e999"),
        max_size=2,
    ),
    st.none() | st.text() | st.integers() | st.lists(st.text()),
)


@pytest.mark.parametrize("name", [name for name in REQUIRED if name != "owner"])
def test_an_image_that_lacks_a_field_is_malformed(name: str) -> None:
    """It was written by no store of attempts."""
    with pytest.raises(Malformed):
        attempt_from_image({key: value for key, value in WHOLE.items() if key != name})


@given(st.sampled_from(sorted(WHOLE)), attributes)
def test_a_damaged_image_is_malformed_and_nothing_worse(name: str, damage: object) -> None:
    """A batch must be able to go on after any record."""
    image: Mapping[str, object] = {**WHOLE, name: damage}
    try:
        read: object = attempt_from_image(image)
    except Malformed as malformed:
        read = malformed

    assert isinstance(read, Attempt | Malformed)


@pytest.mark.parametrize("image", [None, [], "image", 5], ids=str)
def test_what_is_no_image_is_malformed(image: Mapping[str, object]) -> None:
    """An image without the keys of an item is Malformed and raises no other error."""
    with pytest.raises(Malformed):
        attempt_from_image(image)


def test_an_action_of_a_later_version_is_malformed() -> None:
    """After a rollback there may be jobs that this code cannot carry out."""
    with pytest.raises(Malformed):
        codec_of(Action)[1]({"type": "carrier_pigeon"})
