"""Durations at hand: one query for a job's recent runs, every ten minutes."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.execution.deadlines import USUAL, with_history
from tests.support.factories import JOB_ID, NOW, OTHER_TENANT, TENANT, after, job_id
from tests.support.world import World
from timegate.domain.runs.finishing import FEWEST_RUNS
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services import durations_at_hand
from timegate.usecases.services.durations_at_hand import DurationsAtHand, read_usual_ms

USUAL_MS = USUAL * 1000


class Reader:
    """A process that reads durations, and counts its queries."""

    def __init__(self, world: World) -> None:
        self.world, self.queries, self.durations = world, 0, DurationsAtHand()
        list_runs = world.runs.list_runs

        def counting(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            self.queries += 1
            return list_runs(*args, **kwargs)

        world.runs.list_runs = counting  # type: ignore[method-assign]

    def read(self, at: float, job: JobId = JOB_ID, tenant: TenantId = TENANT) -> int | None:
        """The usual duration of a job."""
        return self.durations.usual_ms(tenant, job, self.world.runs, now=after(at))


@pytest.fixture
def reader() -> Reader:
    world = World()
    with_history(world)
    return Reader(world)


@pytest.mark.parametrize(
    ("at", "queries"),
    [
        pytest.param(0, 1, id="at once"),
        pytest.param(599.999, 1, id="within ten minutes"),
        pytest.param(600, 2, id="ten minutes later"),
        pytest.param(-599.999, 1, id="by a clock that was set back a little"),
        pytest.param(-600, 2, id="by a clock that was set back further"),
    ],
)
def test_what_was_read_lately_is_not_read_again(reader: Reader, at: float, queries: int) -> None:
    """Runs that end meanwhile change a forecast ten minutes later."""
    assert reader.read(0) == USUAL_MS
    reader.read(at)

    assert reader.queries == queries


def test_too_few_runs_are_remembered_as_well() -> None:
    """A new job costs no query for each of its runs."""
    world = World()
    with_history(world, runs=FEWEST_RUNS - 1)
    reader = Reader(world)

    assert [reader.read(0), reader.read(1)] == [None, None]
    assert reader.queries == 1


def test_each_job_of_each_tenant_has_its_own(reader: Reader) -> None:
    """Ids of jobs repeat from tenant to tenant."""
    found = [
        reader.read(0),
        reader.read(0, job=job_id("other")),
        reader.read(0, JOB_ID, OTHER_TENANT),
    ]

    assert found == [USUAL_MS, None, None]
    assert reader.queries == 3


def test_the_jobs_that_were_read_first_are_forgotten(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process keeps a bounded number."""
    monkeypatch.setattr(durations_at_hand, "MOST_KEPT", 2)
    first, second, third = (job_id(name) for name in ("first", "second", "third"))
    for each in (first, second, third):
        reader.read(0, each)
    assert reader.queries == 3
    reader.read(1, second)
    reader.read(1, third)
    assert reader.queries == 3
    reader.read(1, first)
    assert reader.queries == 4


def test_a_job_that_is_read_again_is_kept_longer(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts from its last read."""
    monkeypatch.setattr(durations_at_hand, "MOST_KEPT", 2)
    first, second, third = (job_id(name) for name in ("first", "second", "third"))
    for at, each in ((0, first), (0, second), (600, first), (600, third)):
        reader.read(at, each)
    reader.read(601, first)

    assert reader.queries == 4


def test_a_refused_query_is_not_remembered(reader: Reader) -> None:
    """The next forecast asks again."""
    list_runs = reader.world.runs.list_runs

    reader.world.runs.list_runs = Mock(side_effect=Throttled)  # type: ignore[method-assign]
    with pytest.raises(Throttled):
        reader.read(0)
    reader.world.runs.list_runs = list_runs  # type: ignore[method-assign]

    assert reader.read(1) == USUAL_MS


def test_runs_that_are_planned_push_none_of_the_past_out(reader: Reader) -> None:
    """Only instants up to now are read."""
    now = NOW - timedelta(hours=1, milliseconds=1)

    assert read_usual_ms(TENANT, JOB_ID, reader.world.runs, now=now) is None
    assert read_usual_ms(TENANT, JOB_ID, reader.world.runs, now=NOW) == USUAL_MS
