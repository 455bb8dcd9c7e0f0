"""Requests about approvals and their links."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from timegate.contracts.values.fields import PRINTABLE, Contract
from timegate.contracts.values.queries import PageQuery
from timegate.domain.approvals.link import MAX_LENGTH, MAX_RECEIVER


class NewLink(Contract):
    """The receiver of a new link."""

    receiver: (
        Annotated[str, StringConstraints(min_length=1, max_length=MAX_RECEIVER, pattern=PRINTABLE)]
        | None
    ) = Field(None, description="The person it is for, as the trail will name her; null: you.")


class LinkQuery(BaseModel):
    """The link of an approval."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    link: str = Field(max_length=MAX_LENGTH, description="As the message or its maker gave it.")


_Name = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=PRINTABLE)]


class ApprovalsQuery(PageQuery):
    """Filter of a list of approvals that wait; every criterion that is given must hold."""

    dag_id: _Name | None = Field(None, description="Of runs of this DAG.")
    task_key: _Name | None = Field(None, description="Of tasks of this key.")
