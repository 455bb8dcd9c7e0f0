"""What is sent about runs of DAGs."""

from typing import Any

from pydantic import Field

from api.contracts.fields import Contract


class NewDagRun(Contract):
    """What a run of a DAG is started with."""

    parameters: dict[str, Any] = Field(
        default_factory=dict,
        description="References of tasks find them under parameters; up to 256 KB.",
    )
