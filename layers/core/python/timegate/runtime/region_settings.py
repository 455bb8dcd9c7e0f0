"""Settings of a stage in two regions."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Self

from timegate.runtime.variables import Environment


@dataclass(frozen=True, kw_only=True, slots=True)
class RegionSettings:
    """The region of a function, and the table of the region's record."""

    table: str
    region: str

    @classmethod
    def read(cls, env: Environment) -> Self | None:
        """Read from the environment; ``None``: the stage has one region."""
        table = env.optional("REGION_TABLE")
        return cls(table=table, region=env.text("AWS_REGION")) if table else None


@dataclass(frozen=True, kw_only=True, slots=True)
class PairSettings:
    """Settings of the planner, which renews the time of its region."""

    home: str
    peer: str
    length: timedelta
    #: Address of the other region's tables; empty: that of AWS.
    peer_endpoint: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            home=env.text("HOME_REGION"),
            peer=env.text("PEER_REGION"),
            length=env.seconds("REGION_SECONDS"),
            peer_endpoint=env.optional("PEER_ENDPOINT_URL"),
        )
