"""Quotas of runs per day, kept by the claims with which runs begin."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from timegate.domain.execution.admission import Refuse
from timegate.domain.execution.day_quota import Counted, DayQuota, begins_on, first_claim_counts
from timegate.domain.execution.notices import listening
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.tenant import TenantId
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.telemetry import run_metrics
from timegate.usecases.limits.overlap_claims import give_back
from timegate.usecases.limits.refuse_run import refuse_run
from timegate.usecases.limits.tenant_groups import FailureCollector, all_tenants
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution
from timegate.value_classes import dataclass


def leave_out_beyond(candidates: Sequence[Claimed], execution: Execution) -> list[Claimed]:
    """Return runs for which the day may have room; skip the others.

    Only what this process knows already: it makes no call, and what it does not know is decided by
    the claim. Raises ``Throttled``, having given back every slot.
    """
    now = execution.clock.now()
    kept = []
    try:
        for candidate in candidates:
            quota = _quota(candidate, now)
            tenant = candidate.attempt.tenant
            if quota is None or not execution.runs.is_known_full(tenant, quota):
                kept.append(candidate)
            else:
                skip_beyond(candidate, execution, now=now)
    except TimegateError:
        give_back(candidates, execution, now=now)
        raise
    return kept


@dataclass(frozen=True, kw_only=True, slots=True)
class DayBid:
    """A candidate and the claim that is to be written for it."""

    candidate: Claimed
    claim: LeaseClaim

    @property
    def delivery(self) -> Delivery:
        """The message of its run."""
        return self.candidate.delivery


def claim_in_days(
    bids: Sequence[DayBid], execution: Execution, failures: FailureCollector, *, now: datetime
) -> list[tuple[DayBid, Counted]]:
    """Claim all of them, in as few calls as there are tenants with such a quota, and one.

    A run that begins is counted by the very transaction that leases it, so it is counted once, and
    only if it begins. The first due get what room there is. A call that fails is noted, and the
    claims of other calls stand.
    """
    decided: list[tuple[DayBid, Counted]] = []
    asking: dict[tuple[TenantId, DayQuota], list[DayBid]] = defaultdict(list)
    others: list[DayBid] = []
    for bid in bids:
        quota = _quota(bid.candidate, now)
        same = others if quota is None else asking[bid.candidate.attempt.tenant, quota]
        same.append(bid)
    for (tenant, quota), members in asking.items():
        members.sort(key=lambda bid: (bid.claim.attempt.due_at, bid.claim.attempt.id))
        with failures.keep(members):
            claims = [bid.claim for bid in members]
            counted = execution.runs.claim_within(tenant, quota, claims)
            decided += zip(members, counted, strict=True)
    decided += all_tenants(others, lambda some: _claim_uncounted(some, execution), failures)
    return decided


def _claim_uncounted(bids: Sequence[DayBid], execution: Execution) -> list[tuple[DayBid, Counted]]:
    won = execution.runs.claim_all([bid.claim for bid in bids])
    return [(bid, Counted.HELD if w else Counted.LOST) for bid, w in zip(bids, won, strict=True)]


def skip_beyond(candidate: Claimed, execution: Execution, *, now: datetime) -> None:
    """Record that it did not begin, and call runs that wait behind it.

    Its slots are given back after that: their lines are cleared of runs that have ended, as it has.
    """
    quota = _quota(candidate, now)
    refusal = Refuse(
        state=RunState.SKIPPED,
        reason=Reason.QUOTA,
        explanation=quota.explanation if quota is not None else None,
    )
    heard = listening(candidate.attempt, candidate.job)
    recorded = refuse_run(heard, refusal, execution, now=now)
    execution.telemetry.count(run_metrics.RUNS_BEYOND_DAY, int(recorded))
    give_back([candidate], execution, now=now)


def _quota(candidate: Claimed, now: datetime) -> DayQuota | None:
    """Against what a claim counts; ``None``: against nothing."""
    limit = candidate.job.tenant_day_runs
    if limit is None or not first_claim_counts(candidate.attempt):
        return None
    return DayQuota(day=begins_on(candidate.attempt, now=now), limit=limit)
