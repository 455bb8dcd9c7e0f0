"""Requests about runs of DAGs."""

from typing import Any

from pydantic import Field

from api.contracts.fields import Contract


class NewDagRun(Contract):
    """Parameters of a new DAG run."""

    parameters: dict[str, Any] = Field(
        default_factory=dict,
        description="References of tasks find them under parameters; up to 256 KB.",
    )
