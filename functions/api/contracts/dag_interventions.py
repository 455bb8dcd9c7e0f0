"""What operators say about tasks of DAG runs."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from api.contracts.fields import PRINTABLE, Contract
from timegate.domain.dag.intervening import RerunScope
from timegate.domain.resolution import MAX_NOTE

_Reason = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NOTE, pattern=PRINTABLE)]


class TaskSkip(Contract):
    """Why a task is not to be run."""

    reason: _Reason | None = Field(default=None, description="For whoever reads the record.")


class TaskCompletion(TaskSkip):
    """Why a task has succeeded, and what it answered."""

    result: Any = Field(
        default=None,
        description="What references find as its result: any JSON up to 256 KB; absent: nothing.",
    )


class TaskRerun(TaskSkip):
    """Why a task is run again, and what with it."""

    scope: RerunScope = Field(
        default=RerunScope.BRANCH,
        description="branch: with everything behind it; task: with what came to nothing there.",
    )
