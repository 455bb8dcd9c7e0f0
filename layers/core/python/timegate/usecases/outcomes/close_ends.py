"""Closing ends: once all that follows them is done, the sweeper need not look at them."""

from collections.abc import Sequence

from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import awaits_outcomes
from timegate.ports.stores import RunStore


def close_ends(shown: Sequence[Attempt], runs: RunStore) -> None:
    """Take these ends out of the ``watch`` index; raises ``Throttled``.

    Outcomes does this last. A process that dies before it leaves ends that the sweeper shows again.
    """
    ended = {(each.tenant, each.id): each for each in shown if awaits_outcomes(each)}
    if ended:
        runs.unwatch_all(list(ended.values()))
