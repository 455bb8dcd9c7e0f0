"""A record of a batch that fails keeps no other one waiting."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.values.errors import Throttled
from timegate.ports.telemetry import service_events
from timegate.usecases.dispatch.work_apart import work_apart

HUNDRED = range(100)


class Work:
    """Fails as a whole where one of these records is in it; remembers each try."""

    def __init__(self, *failing: int, refused: Sequence[int] = ()) -> None:
        self.failing, self.refused = set(failing), set(refused)
        self.tries: list[list[int]] = []

    def __call__(self, shown: Sequence[int]) -> list[bool]:
        """Do all of it, or nothing."""
        self.tries.append(list(shown))
        if self.failing & set(shown):
            raise Throttled("Too much.")
        return [each not in self.refused for each in shown]


def left(
    shown: Sequence[int], work: Work, has_time: Callable[[], bool] = lambda: True
) -> list[int]:
    """Work on these records; those that come again."""
    done = work_apart(shown, work, MemoryTelemetry(), has_time=has_time)
    return [each for each, ok in zip(shown, done, strict=True) if not ok]


def test_a_batch_without_a_failure_is_worked_on_together() -> None:
    """One try, whatever it says of single records; an empty one is none."""
    work = Work(refused=[2])

    assert left(range(4), work) == [2]
    assert work.tries == [[0, 1, 2, 3]]
    assert left([], Work()) == []


def test_the_record_that_fails_comes_again_alone() -> None:
    """One of a hundred costs at most eight failing tries, at any place."""
    for failing in (0, 41, 99):
        work = Work(failing)

        assert left(HUNDRED, work) == [failing]
        assert sum(failing in tried for tried in work.tries) <= 8


@given(st.sets(st.integers(0, 99), max_size=3))
def test_all_others_are_done(failing: set[int]) -> None:
    """Each of them once with success, and in the order of the stream."""
    work = Work(*failing)

    assert left(HUNDRED, work) == sorted(failing)

    done = [each for tried in work.tries if not failing & set(tried) for each in tried]

    assert done == [each for each in HUNDRED if each not in failing]


def test_a_batch_of_which_nothing_is_done_fails() -> None:
    """People hear of it; a table that refuses everything is tried a bounded number of times."""
    work = Work(*HUNDRED)
    with pytest.raises(Throttled):
        left(HUNDRED, work)

    assert len(work.tries) == 24


def test_a_record_that_comes_alone_is_tried_once() -> None:
    """Lambda counts its tries, and gives it up."""
    work = Work(1)
    with pytest.raises(Throttled):
        left([1], work)

    assert work.tries == [[1]]


def test_no_part_begins_without_time() -> None:
    """The rest comes again; the first try is always made."""
    work, answers = Work(3), iter([True, True, False])

    assert left(range(4), work, lambda: next(answers)) == [2, 3]
    assert work.tries == [[0, 1, 2, 3], [0, 1], [2, 3]]


def test_the_log_tells_how_many_come_again_and_why() -> None:
    """No function fails where some of its batch is done."""
    telemetry = MemoryTelemetry()
    work_apart(range(4), Work(3), telemetry, has_time=lambda: True)
    (told,) = telemetry.named(service_events.RECORDS_LEFT)

    assert told.fields == {"count": 1, "of": 4, "detail": "Throttled('Too much.')"}
