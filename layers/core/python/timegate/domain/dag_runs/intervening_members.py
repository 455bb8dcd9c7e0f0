"""Interventions in members of a fan-out: run again, completed, or left out.

A round begins in which the task goes on: members that were not named keep the runs that they have,
of whichever round these are, and their ends count on. So no work of theirs is done twice.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from timegate.domain.dag_runs.intervening import (
    InterventionRecords,
    TaskIntervention,
    came_to_nothing,
    failed_members,
    refuse_stopping,
    run_again_with,
    taken_out,
)
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    InterventionKind,
    Members,
    TaskProgress,
    TaskState,
)
from timegate.domain.dag_runs.reopening import IndexedDag, asked_round
from timegate.domain.dag_runs.run_errors import (
    DagRunIsBusy,
    MemberHasEnded,
    MemberNotFound,
    MembersIncomplete,
    NoFailedMembers,
    NotAFanOut,
    NotAnApproval,
    TaskNotStarted,
)
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import TaskKey

#: Each is given a record of its own, in the transaction of the request.
MOST_COMPLETED = 25


def effect_on_members(
    layout: IndexedDag,
    run: DagRun,
    tasks: Mapping[TaskKey, TaskProgress],
    wanted: TaskIntervention,
    *,
    now: datetime,
) -> InterventionRecords:
    """Return the effect of an intervention in members; its ``members`` are those it was done with.

    Raises ``DagRunIsBusy``, ``TaskNotStarted``, ``NotAFanOut``, ``MemberNotFound``,
    ``MemberHasEnded``, ``NoFailedMembers``, ``MembersIncomplete``, ``TooManyRounds``, and
    ``InvalidInput`` for more than can be completed at once.
    """
    if run.status in {DagRunStatus.OPENING, DagRunStatus.REOPENING}:
        raise DagRunIsBusy(run.dag_run_id, run.status)
    refuse_stopping(run)
    task = tasks[wanted.key]
    members = _members(task)
    chosen = _chosen(task, members, wanted)
    behind = _behind(layout, run, tasks, wanted)
    again = asked_round(run, layout.dag, layout.placed(behind), now=now)
    return taken_out(layout, again, _going_on(task, members, again, chosen, wanted))


def _members(task: TaskProgress) -> Members:
    if task.state is TaskState.PENDING:
        raise TaskNotStarted(task.key)
    if task.members is None:
        raise NotAFanOut(task.key)
    if not task.members.is_complete:
        raise MembersIncomplete(task.key)
    return task.members


def _chosen(task: TaskProgress, members: Members, wanted: TaskIntervention) -> frozenset[int]:
    if wanted.members == "failed" or wanted.members is None:
        chosen = failed_members(members)
        if not chosen:
            raise NoFailedMembers(task.key)
    else:
        chosen = wanted.members
        beyond = min((each for each in chosen if each >= members.width), default=None)
        if beyond is not None:
            raise MemberNotFound(task.key, beyond, members.width)
    _refuse_ended(task, members, chosen, wanted.kind)
    return chosen


def _refuse_ended(
    task: TaskProgress, members: Members, chosen: frozenset[int], kind: InterventionKind
) -> None:
    match kind:
        case InterventionKind.RERUN:
            return
        case InterventionKind.COMPLETE:
            if len(chosen) > MOST_COMPLETED:
                detail = f"At most {MOST_COMPLETED} are completed at once, and not {len(chosen)}."
                raise InvalidInput("members", "too_many", detail)
            ended = {"succeeded": chosen & members.succeeded - members.skipped}
        case InterventionKind.SKIP:
            ended = {
                "skipped": chosen & members.skipped,
                "succeeded": chosen & members.succeeded - members.skipped,
            }
        case InterventionKind.APPROVE | InterventionKind.REJECT | InterventionKind.SIGNAL:
            raise NotAnApproval(task.key)
        case _:
            assert_never(kind)
    for state, those in ended.items():
        if those:
            raise MemberHasEnded(task.key, min(those), state)


def _behind(
    layout: IndexedDag, run: DagRun, tasks: Mapping[TaskKey, TaskProgress], wanted: TaskIntervention
) -> frozenset[TaskKey]:
    """Nothing has come of a task that goes on."""
    if not tasks[wanted.key].has_ended:
        return frozenset()
    if wanted.kind is InterventionKind.RERUN:
        return run_again_with(layout, tasks, wanted)
    return came_to_nothing(layout, run, tasks, wanted.key)


def _going_on(
    task: TaskProgress,
    members: Members,
    again: DagRun,
    chosen: frozenset[int],
    wanted: TaskIntervention,
) -> TaskProgress:
    """The task under way in the new round, with the ends of those that were not named."""
    skips = wanted.kind is InterventionKind.SKIP
    skipped = members.skipped | chosen if skips else members.skipped - chosen
    earlier = {
        index: task.round_of(index)
        for index in range(members.width)
        if index not in chosen and index not in skipped
    }
    return replace(
        task,
        state=TaskState.RUNNING,
        round=again.round,
        members=Members(
            width=members.width,
            # Those that are completed have their runs with this write.
            is_complete=wanted.kind is not InterventionKind.RERUN,
            succeeded=members.succeeded.intersection(earlier),
            failed=members.failed.intersection(earlier),
            skipped=skipped,
            earlier=earlier,
        ),
        ended_at=None,
        attempts=0,
        reason=None,
        error=None,
        result=None,
        stored_result=None,
        tokens=task.tokens if again.opened_as < again.round else (),
        intervention=replace(wanted.intervention, members=tuple(sorted(chosen))),
    )
