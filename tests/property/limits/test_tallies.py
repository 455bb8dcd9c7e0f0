"""Creations that are counted in many records: never one too many, and no room that is lost.

Several processes create and end records of one tenant, each by what it read last, under quotas
that change. The model is a set.
"""

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.support.factories import TENANT, job_id
from timegate.adapters.dynamo.limits import tally as tallies
from timegate.adapters.dynamo.limits.tally import QuotaTally
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.execution.quota_usage import Quota, QuotaExceeded
from timegate.domain.values.identity import JobId

NAMES = [job_id(str(number)) for number in range(60)]
STEPS = st.tuples(
    st.integers(0, 2),
    st.sampled_from(NAMES),
    st.sampled_from(["make", "make", "end", "correct"]),
    st.one_of(st.none(), st.integers(0, 45)),
)


@given(steps=st.lists(STEPS, max_size=150))
@settings(max_examples=some(60))
def test_a_tally_lets_in_what_has_room(steps: list[tuple[int, JobId, str, int | None]]) -> None:
    """A refusal is right at its moment, whatever its process knew; so is a creation."""
    engine = MemoryEngine()
    processes = [QuotaTally(engine, table="jobs", quota=Quota.JOBS) for _ in range(3)]
    there: set[JobId] = set()
    with patch.object(tallies, "LARGE", 20):
        for process, name, change, limit in steps:
            tally = processes[process]
            if change == "end" and name in there:
                assert tally.write((TENANT, name), [_changed(name)], counts=(True, False))
                there.discard(name)
            elif change == "make" and name not in there:
                has_room = limit is None or len(there) < limit
                assert _is_let_in(tally, name, limit) == has_room
                there |= {name} if has_room else set()
            elif change == "correct":
                # A recount found one more, and then one less.
                assert tally.correct(TENANT, tally.read(TENANT), by=1)
                assert tally.correct(TENANT, tally.read(TENANT), by=-1)
            assert tally.used(TENANT) == len(there)


def _changed(name: JobId) -> Update:
    key = Key(pk=f"{TENANT}#{name}", sk="job")
    return Update(table="jobs", key=key, fields={"changed": 1}, where={}, creates=True)


def _is_let_in(tally: QuotaTally, name: JobId, limit: int | None) -> bool:
    try:
        return tally.write((TENANT, name), [_changed(name)], counts=(False, True), limit=limit)
    except QuotaExceeded:
        return False
