"""Looking for an answer that is on record already: what was done is not done again."""

from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.values.identity import AttemptId
from timegate.ports.stores import AttemptRef
from timegate.usecases.services.execution_services import Claimed, Execution


def known_answer(claimed: Claimed, execution: Execution) -> KeptAnswer | None:
    """Find an answer that earlier leases of the run kept, on any attempt; read after the claim.

    One strongly consistent read, and none under the first fence, before which there was no lease.
    A caller who opens a run again wants it executed: answers from before that do not count.
    """
    if not claimed.keeps_answers or claimed.lease.fence == 1:
        return None
    attempt = claimed.attempt
    refs = [
        AttemptRef(tenant=attempt.tenant, id=AttemptId(run=attempt.id.run, number=number))
        for number in range(attempt.opened_as, attempt.id.number + 1)
    ]
    found = (loaded.attempt for loaded in execution.runs.load_all(refs))
    return next((each.kept_answer for each in found if each and each.kept_answer), None)
