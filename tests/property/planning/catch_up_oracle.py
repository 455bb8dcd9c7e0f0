"""The fate of missed instants and places, said from the documentation and not from the code.

The rules stand in ``docs/reference/api.md`` (``catch_up``), ``docs/concepts/schedules.md``
(``max_runs``) and ``docs/concepts/ledger.md`` (edits). Instants are whole milliseconds after
``NOW``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.runs.run import Reason


@dataclass(frozen=True, kw_only=True)
class Decided:
    """Decision of a catch-up policy about instants that have passed."""

    runs: list[int]
    left_out: list[int]


def passed(period: int, *, after: int, until: int) -> list[int]:
    """The instants of a rate given at ``after``, up to ``until``, by counting up."""
    return list(range(after + period, until + 1, period))


def decide(instants: Sequence[int], policy: CatchUp, *, at: int) -> Decided:
    """Decide ``at`` which of these instants run.

    Later than the grace is missed. Older than the window is too old. ``all`` runs the latest
    ``limit`` of those that are neither; ``latest`` runs the last one; ``skip`` runs none.
    """
    window = policy.window_seconds * 1000
    grace = min(policy.grace_seconds * 1000, window)
    missed = [each for each in instants if at - each > grace]
    young = [each for each in missed if at - each <= window]
    most = {
        CatchUpPolicy.SKIP: 0,
        CatchUpPolicy.LATEST: 1,
        CatchUpPolicy.ALL: policy.limit,
    }[policy.policy]
    caught = young[max(len(young) - most, 0) :]
    return Decided(
        runs=[each for each in instants if each not in missed or each in caught],
        left_out=[each for each in missed if each not in caught],
    )


@dataclass(frozen=True, kw_only=True)
class Expected:
    """Expected records."""

    #: Those that begin, in order; of a job without bound the first ones.
    begun: list[int]
    gaps: dict[int, Reason]
    #: All places are taken, so the job completes.
    completes: bool


def after_an_outage(
    period: int, policy: CatchUp, *, max_runs: int | None, until: int, horizon: int
) -> Expected:
    """A job created at 0 whose planner comes back at ``until``."""
    decided = decide(passed(period, after=0, until=until), policy, at=until)
    coming = passed(period, after=0, until=horizon)
    runs = decided.runs + [each for each in coming if each > until]
    return Expected(
        begun=runs[:max_runs],
        gaps=dict.fromkeys(decided.left_out, Reason.MISSED_WINDOW),
        completes=max_runs is not None and len(runs) >= max_runs,
    )


#: An edit plans so far ahead, where the next tick might come too late, or places change hands.
LOOK_AHEAD = 600_000
NEXT_TICK_WITHIN = 150_000


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Another schedule and another policy, given while no planner ticks."""

    at: int
    period: int
    policy: CatchUp

    def planned_until(self, max_runs: int | None) -> int:
        """Return the end of the edit's own planning, before which nothing can be missed."""
        plans = max_runs is not None or self.period <= NEXT_TICK_WITHIN
        return self.at + LOOK_AHEAD if plans else self.at


def after_an_edit(
    period: int, policy: CatchUp, edit: Edit, *, max_runs: int | None, until: int, horizon: int
) -> Expected:
    """The old version settles at the edit the instants it named before, by its own policy.

    A run that finds no place is a gap for ``max_runs``; an instant at the very edit is superseded.
    The new version settles the instants it named since, if there is a place left.
    """
    named = passed(period, after=0, until=edit.at)
    old = decide([each for each in named if each < edit.at], policy, at=edit.at)
    placed = old.runs[:max_runs]
    gaps = dict.fromkeys(old.left_out, Reason.MISSED_WINDOW)
    gaps |= dict.fromkeys(old.runs[len(placed) :], Reason.MAX_RUNS)
    if edit.at in named:
        gaps[edit.at] = Reason.MAX_RUNS if len(placed) == max_runs else Reason.SUPERSEDED
    coming = passed(edit.period, after=edit.at, until=horizon)
    ahead = [each for each in coming if each <= edit.planned_until(max_runs)]
    missed = [each for each in coming[len(ahead) :] if each <= until]
    new = decide(missed, edit.policy, at=until)
    runs = placed + ahead
    if max_runs is None or len(runs) < max_runs:
        gaps |= dict.fromkeys(new.left_out, Reason.MISSED_WINDOW)
    runs += new.runs + coming[len(ahead) + len(missed) :]
    return Expected(
        begun=runs[:max_runs],
        gaps=gaps,
        completes=max_runs is not None and len(runs) >= max_runs,
    )
