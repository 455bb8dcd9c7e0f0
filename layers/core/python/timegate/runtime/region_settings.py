"""Settings of a stage in two regions."""

from datetime import timedelta

from timegate.runtime.variables import Environment, Settings, setting
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PairSettings(Settings):
    """Settings of the planner, which renews the time of its region."""

    #: The table of the record, which has the same name in both regions.
    table: str = setting(Environment.text, "REGION_TABLE")
    region: str = setting(Environment.text, "AWS_REGION")
    home: str = setting(Environment.text, "HOME_REGION")
    peer: str = setting(Environment.text, "PEER_REGION")
    length: timedelta = setting(Environment.seconds, "REGION_SECONDS")
    #: Address of the other region's tables; empty: that of AWS.
    peer_endpoint: str = setting(Environment.optional, "PEER_ENDPOINT_URL")
