"""Settings of a stage in two regions."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from timegate.runtime.variables import Environment


@dataclass(frozen=True, kw_only=True, slots=True)
class PairSettings:
    """Settings of the planner, which renews the time of its region."""

    #: The table of the record, which has the same name in both regions.
    table: str
    region: str
    home: str
    peer: str
    length: timedelta
    #: Address of the other region's tables; empty: that of AWS.
    peer_endpoint: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            table=env.text("REGION_TABLE"),
            region=env.text("AWS_REGION"),
            home=env.text("HOME_REGION"),
            peer=env.text("PEER_REGION"),
            length=env.seconds("REGION_SECONDS"),
            peer_endpoint=env.optional("PEER_ENDPOINT_URL"),
        )
