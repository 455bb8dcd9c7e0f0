"""Errors of requests about a DAG run."""

from timegate.domain.values.errors import Conflict, Malformed, NotFound, TimegateError


class DagRunNotFound(NotFound):
    """The tenant has no DAG run with this id."""

    code = "dag_run_not_found"

    def __init__(self, dag_run_id: str) -> None:
        super().__init__(f"There is no DAG run {dag_run_id}.")


class DagRunDamaged(Malformed):
    """The DAG run is there, and it or a task cannot be read until operators repaired it."""

    code = "dag_run_damaged"

    def __init__(self, dag_run_id: str, reason: str) -> None:
        super().__init__(
            f"The record of DAG run {dag_run_id} cannot be read; operators must repair it."
        )
        #: Damage in words: for them, not for callers.
        self.reason = reason


class DagRunIsFinished(Conflict):
    """The DAG run has ended; there is nothing to stop."""

    code = "dag_run_finished"

    def __init__(self, dag_run_id: str, status: str) -> None:
        super().__init__(f"DAG run {dag_run_id} has already ended: {status}.")


class DagRunIsUnfinished(Conflict):
    """The DAG run goes on; only one that has ended can be tried again."""

    code = "dag_run_unfinished"

    def __init__(self, dag_run_id: str, status: str) -> None:
        super().__init__(f"DAG run {dag_run_id} has not ended yet: it is {status}.")


class NothingToRepeat(Conflict):
    """Every task of the DAG run has succeeded, or its failure was dealt with."""

    code = "nothing_to_repeat"

    def __init__(self, dag_run_id: str) -> None:
        super().__init__(f"DAG run {dag_run_id} has no task that would be run again.")


class TaskNotFound(NotFound):
    """The DAG, as the run keeps to it, has no such task."""

    code = "task_not_found"

    def __init__(self, dag_run_id: str, key: str) -> None:
        super().__init__(f"DAG run {dag_run_id} has no task {key}.")


class TaskHasEnded(Conflict):
    """The task has ended in a way that this would not change."""

    code = "task_ended"

    def __init__(self, key: str, state: str) -> None:
        super().__init__(f"Task {key} has already ended: {state}.")


class TaskNotStarted(Conflict):
    """The task has not run yet; it will when its edges hold."""

    code = "task_not_started"

    def __init__(self, key: str) -> None:
        super().__init__(f"Task {key} is pending: there is nothing to run again.")


class NotAFanOut(Conflict):
    """The task has no members: it does not fan out, or ended before it did."""

    code = "not_a_fan_out"

    def __init__(self, key: str) -> None:
        super().__init__(f"Task {key} has no members.")


class MemberNotFound(NotFound):
    """The fan-out is not as wide."""

    code = "member_not_found"

    def __init__(self, key: str, index: int, width: int) -> None:
        super().__init__(f"Task {key} has no member {index}: its {width} are numbered from 0.")


class MemberHasEnded(Conflict):
    """The member has ended in a way that this would not change."""

    code = "member_ended"

    def __init__(self, key: str, index: int, state: str) -> None:
        super().__init__(f"Member {index} of task {key} has already ended: {state}.")


class NoFailedMembers(Conflict):
    """No member of the fan-out has failed."""

    code = "no_failed_members"

    def __init__(self, key: str) -> None:
        super().__init__(f"Task {key} has no member that has failed.")


class MembersIncomplete(Conflict):
    """The runs of the members are not all on record: not yet, or not any more."""

    code = "members_incomplete"

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The runs of the members of task {key} are not all on record;"
            " ask again when they are, or run the whole task again."
        )


class DagRunIsBusy(Conflict):
    """The DAG run is being opened, put back or stopped; ask again when that is done."""

    code = "dag_run_busy"

    def __init__(self, dag_run_id: str, status: str) -> None:
        super().__init__(f"DAG run {dag_run_id} is {status}; ask again when that is done.")


class TooManyRounds(Conflict):
    """The DAG run has been repeated as often as one can be."""

    code = "too_many_rounds"

    def __init__(self, dag_run_id: str, most: int) -> None:
        super().__init__(f"DAG run {dag_run_id} has had {most} rounds; start a new one.")


class NotAnApproval(Conflict):
    """The task waits for no person."""

    code = "not_an_approval"

    def __init__(self, key: str) -> None:
        super().__init__(f"Task {key} is no approval: there is nothing to approve or reject.")


class ApprovalExpired(Conflict):
    """The end of the approval has come; it ends as its DAG says."""

    code = "approval_expired"

    def __init__(self, key: str) -> None:
        super().__init__(f"The time to decide task {key} is over.")


class NotAnApprover(TimegateError):
    """The approval names its approvers, and the caller is none of them."""

    code = "not_an_approver"

    def __init__(self, key: str, caller: str) -> None:
        super().__init__(f"Only the approvers of task {key} may decide it, and not {caller}.")


class TaskWasPutBack(Conflict):
    """The task is in another round than the one that is meant."""

    code = "task_was_put_back"

    def __init__(self, key: str) -> None:
        super().__init__(f"Task {key} was put back since: it is in another round.")


class NotAnEventTask(Conflict):
    """The task waits for no event."""

    code = "not_an_event_task"

    def __init__(self, key: str) -> None:
        super().__init__(f"Task {key} waits for no event: there is nothing to signal.")


class EventExpired(Conflict):
    """The end of the wait for an event has come; it ends as its DAG says."""

    code = "event_expired"

    def __init__(self, key: str) -> None:
        super().__init__(f"The time in which task {key} waits for an event is over.")
