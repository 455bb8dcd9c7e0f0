"""Records that can be read, for tests in which all can."""

from collections.abc import Iterable

from timegate.domain.ledger.damaged_records import GapRecord, RunRecord
from timegate.domain.ledger.ledger import Gap
from timegate.domain.runs.run import Attempt


def sound_gaps(records: Iterable[GapRecord]) -> tuple[Gap, ...]:
    """The gaps, none of them damaged."""
    found = tuple(records)
    gaps = tuple(each for each in found if isinstance(each, Gap))
    assert len(gaps) == len(found)
    return gaps


def sound_runs(records: Iterable[RunRecord]) -> tuple[Attempt, ...]:
    """The last attempts at runs, none of them damaged."""
    found = tuple(records)
    runs = tuple(each for each in found if isinstance(each, Attempt))
    assert len(runs) == len(found)
    return runs
