"""Bugs in the blame for the deaths of workers."""

import pytest

from tests.mutation.mutant import Mutant
from tests.mutation.suites import flow
from timegate.domain.execution import admission
from timegate.domain.runs import watch
from timegate.domain.runs.run import Attempt
from timegate.usecases.execution.claims import consider_run
from timegate.usecases.operations import bury_message


def _blames_the_whole_batch(patch: pytest.MonkeyPatch) -> None:
    """A dead worker's runs are executed together again, and each death counts against all."""

    def has_died_often(attempt: Attempt, *, leases: int) -> bool:
        return attempt.deaths >= leases

    patch.setattr(consider_run, "is_suspect", lambda _: False)
    for judge in (admission, bury_message, watch):
        patch.setattr(judge, "has_killed", has_died_often)


POISON_MUTANTS = (
    Mutant(
        "the whole batch is blamed for a killer",
        _blames_the_whole_batch,
        flow("killers in a batch", clean=True),
    ),
)
