"""Planted bugs: each a small change of one function, and the suite that has to notice it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from secrets import token_bytes
from typing import Any

import pytest

from tests.mutation.dag_mutants import DAG_MUTANTS
from tests.mutation.mutant import Mutant
from tests.mutation.poison_mutants import POISON_MUTANTS
from tests.mutation.suites import (
    PAGE,
    crowded_bucket,
    flow,
    given_up,
    leases,
)
from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.limits.day_counts import DayCounts
from timegate.adapters.dynamo.runs import run_store
from timegate.adapters.dynamo.runs.leases import claim_writes
from timegate.domain.execution import admission
from timegate.domain.execution.admission import Admit
from timegate.domain.execution.day_quota import Counted, DayQuota
from timegate.domain.runs import watch
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import PATIENCE, Publish
from timegate.domain.values.identity import job_id_from
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.runs.claims import LeaseClaim
from timegate.usecases.execution.claims import claim_runs, consider_run
from timegate.usecases.jobs import create_job
from timegate.usecases.planning import plan_step
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.usecases.sweeping import sweep_buckets

# --- fence not checked


def _ends_without_a_fence(patch: pytest.MonkeyPatch) -> None:
    """A worker that was working, however long ago, may write the end."""
    checked = run_store.DynamoRunStore._finish

    def unchecked(self: run_store.DynamoRunStore, ended: Attempt) -> Any:  # noqa: ANN401 - an ``Update``
        return replace(checked(self, ended), where={"state": RunState.RUNNING})

    patch.setattr(run_store.DynamoRunStore, "_finish", unchecked)


# --- lease compared the wrong way


def _live_leases_are_claimed(patch: pytest.MonkeyPatch) -> None:
    def backwards(attempt: Attempt, now: datetime) -> bool:
        lease = attempt.lease
        expired = lease is not None and lease.expires_at > now
        return attempt.state is RunState.QUEUED or (attempt.state is RunState.RUNNING and expired)

    patch.setattr(admission, "is_claimable", backwards)


# --- ack before commit


def _acknowledges_first(patch: pytest.MonkeyPatch) -> None:
    """The message goes with the claim, as that of ``at_most_once`` may."""

    def at_once(held: Sequence[Claimed], execution: Execution) -> None:
        execution.inbox.acknowledge([each.delivery.receipt for each in held])

    patch.setattr(claim_runs, "_settle_messages", at_once)


# --- Dynein: what is under way has no owner and no lease, so recovery starts it over


def _recovers_what_is_under_way(patch: pytest.MonkeyPatch) -> None:
    def start_over(_: Attempt, now: datetime) -> Publish:
        return Publish(watch_at=now + PATIENCE)

    patch.setattr(watch, "_judge_running", start_over)


# --- serverless-scheduler: marked as queued before it is sent, and no sweeper looks again


def _marks_and_forgets(patch: pytest.MonkeyPatch) -> None:
    """The sweeper takes what is queued for sent."""

    def trusting(attempt: Attempt, now: datetime, load: watch.QueueDepth) -> watch.LookAgain:
        assert load in watch.QueueDepth
        return watch.LookAgain(at=max(attempt.due_at, now) + PATIENCE)

    patch.setattr(watch, "_judge_unclaimed", trusting)


# --- serverless-scheduler: what was released is not looked at again, so a cancel is ignored


def _executes_whatever_the_job_says(patch: pytest.MonkeyPatch) -> None:
    def admits(timing: Any, *_: object) -> Admit:  # noqa: ANN401 - a job's timing
        return Admit(job_version=timing.version)

    patch.setattr(admission, "_judge_job", admits)


# --- both: what is due is read as far as one page, from the head of the shard


def _reads_one_page(patch: pytest.MonkeyPatch) -> None:
    whole = DynamoJobStore.due

    def first_page(self: DynamoJobStore, minute: str, shard: int, **_: object) -> Any:  # noqa: ANN401
        return islice(whole(self, minute, shard), PAGE)

    patch.setattr(DynamoJobStore, "due", first_page)


def _what_is_stuck_stays(patch: pytest.MonkeyPatch) -> None:
    """Dynein: what cannot be worked off stays at the head, where each scan begins."""
    _reads_one_page(patch)
    patch.setattr(plan_step, "_put_off", lambda *_: None)


# --- serverless-scheduler: a request that is repeated is another request


def _forgets_keys(patch: pytest.MonkeyPatch) -> None:
    def another(*_: object) -> Any:  # noqa: ANN401 - a job's id
        return job_id_from(token_bytes(32))

    patch.setattr(create_job, "job_id_for_key", another)


# --- and some of our own


def _takes_its_own_claim_for_anothers(patch: pytest.MonkeyPatch) -> None:
    """The client asked again, for the answer was lost; the condition then fails on its own work."""

    def only_now(result: Any, _: object) -> bool:  # noqa: ANN401 - of one statement
        return bool(result.done)

    patch.setattr(claim_writes, "_is_claimed", only_now)


def _executes_again_what_may_run_once(patch: pytest.MonkeyPatch) -> None:
    """A dead worker's run is taken over, whatever its job asked for."""
    judged = admission.admit
    judged_dead = watch._judge_abandoned

    def forgetful(timing: Any, attempt: Attempt | None, **known: Any) -> Any:  # noqa: ANN401
        ordinary = attempt and replace(attempt, delivery="at_least_once")  # type: ignore[arg-type]
        return judged(timing, ordinary, **known)

    def forgetful_of_death(attempt: Attempt, now: datetime) -> Any:  # noqa: ANN401
        return judged_dead(replace(attempt, delivery="at_least_once"), now)  # type: ignore[arg-type]

    patch.setattr(consider_run, "admit", forgetful)
    patch.setattr(watch, "_judge_abandoned", forgetful_of_death)


def _direct_runs_are_trusted(patch: pytest.MonkeyPatch) -> None:
    """A creator that dies before it publishes leaves a run that no process is to publish."""
    looked_at = sweep_buckets._settle

    def looks_away(loaded: Any, *services: Any) -> bool:  # noqa: ANN401
        direct = loaded.attempt is not None and loaded.attempt.direct
        return False if direct else looked_at(loaded, *services)

    patch.setattr(sweep_buckets, "_settle", looks_away)


def _reads_the_day_and_then_claims(patch: pytest.MonkeyPatch) -> None:
    """A worker that dies in between has counted a run that has not begun; it is counted again."""

    def claimed_after(
        counts: DayCounts,
        table: str,
        tenant: TenantId,
        quota: DayQuota,
        claims: Sequence[LeaseClaim],
        *,
        shards: ShardPlacement,
    ) -> list[Counted]:
        (key, share), *_ = counts._places(tenant, quota, "")
        if share - counts.begun(tenant, quota.day) < len(claims):
            return [Counted.BEYOND] * len(claims)
        counts._try([counts._count(key, quota, share, by=len(claims))])
        won = claim_writes.claim_all(counts._engine, table, claims, shards=shards)
        return [Counted.HELD if each else Counted.LOST for each in won]

    patch.setattr(claim_writes, "claim_within", claimed_after)


def _forgets_what_follows(patch: pytest.MonkeyPatch) -> None:
    """An end leaves the index at once: whatever Lambda gives up of the stream is lost."""
    patch.setattr(run_store, "watch_fields", lambda *_, **__: {})


MUTANTS = (
    Mutant("fence not checked", _ends_without_a_fence, flow("execute long", stalls=True)),
    Mutant("fence not checked in memory", _ends_without_a_fence, leases),
    Mutant("lease compared the wrong way", _live_leases_are_claimed, leases),
    Mutant("ack before commit", _acknowledges_first, flow("create immediate", clean=True)),
    Mutant(
        "Dynein: recovery ignores leases",
        _recovers_what_is_under_way,
        leases,
    ),
    Mutant(
        "serverless-scheduler: queued before it is sent",
        _marks_and_forgets,
        flow("create immediate", function="api"),
    ),
    Mutant(
        "serverless-scheduler: a cancel is not seen any more",
        _executes_whatever_the_job_says,
        flow("cancel job", clean=True),
    ),
    Mutant(
        "serverless-scheduler: one page of what is due",
        _reads_one_page,
        crowded_bucket(stuck=0, sound=2 * PAGE + 1, ticks=1),
    ),
    Mutant(
        "Dynein: what is stuck blocks its shard",
        _what_is_stuck_stays,
        crowded_bucket(stuck=PAGE, sound=1, ticks=3),
    ),
    Mutant(
        "serverless-scheduler: repeated requests",
        _forgets_keys,
        flow("create immediate", function="api"),
    ),
    Mutant(
        "its own claim is taken for another's",
        _takes_its_own_claim_for_anothers,
        flow("create immediate", function="executor short"),
    ),
    Mutant(
        "executed again although once at most",
        _executes_again_what_may_run_once,
        flow("once at most", function="executor short"),
    ),
    Mutant(
        "direct runs are not looked at",
        _direct_runs_are_trusted,
        flow("create immediate", function="api"),
    ),
    Mutant(
        "an end is not watched",
        _forgets_what_follows,
        given_up("create immediate", function="outcomes"),
    ),
    Mutant(
        "a quota of a day that workers read before they claim",
        _reads_the_day_and_then_claims,
        flow("quota of the day", function="executor short"),
    ),
    *POISON_MUTANTS,
    *DAG_MUTANTS,
)
