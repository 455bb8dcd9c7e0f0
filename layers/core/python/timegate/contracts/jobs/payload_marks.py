"""Marks in payloads, as they are asked for."""

from typing import Annotated

from pydantic import Field

from timegate.contracts.values.fields import Contract
from timegate.domain.values.payload import PayloadMarks


class PayloadMarksContract(Contract):
    """Marks such as {{date}} in texts of the payload are filled at each call."""

    timezone: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=64,
            description="IANA name of the zone whose days are named; null: that of the schedule.",
        ),
    ] = None

    def to_domain(self) -> PayloadMarks:
        """Return the domain's value."""
        return PayloadMarks(**self.as_domain())
