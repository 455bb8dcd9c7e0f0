"""A classic fleet for a million active jobs: its parts at list prices."""

from dataclasses import dataclass

_HOURS = 730
JOBS = 1_000_000
#: Each job runs hourly.
RUNS_A_MONTH = JOBS * _HOURS
#: The price of an instance of this family is its size's share: ``m7g.xlarge`` is twice ``large``.
_M7G_LARGE = 0.0816
_M7G_SOURCE = "m7g.large 0.0816 USD an hour, factualminds.com, 2026-06-17"
#: Price in one zone; a standby in a second one doubles it.
_R8G_XLARGE = 0.478


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part of the fleet; ``usd`` is for a month."""

    name: str
    usd: float
    why: str
    source: str


FLEET = (
    Part(
        name="8 workers, m7g.4xlarge",
        usd=8 * 8 * _M7G_LARGE * _HOURS,
        why="a quarter of an hour's runs are due in its first minute: 4,200 a second of 200 ms are"
        " 840 processes of 0.5 GB, 105 on each",
        source=_M7G_SOURCE,
    ),
    Part(
        name="PostgreSQL, db.r8g.4xlarge in two zones",
        usd=2 * 4 * _R8G_XLARGE * _HOURS,
        why="two writes a run are 8,400 a second at the hour",
        source="db.r8g.xlarge 0.478 USD an hour, usage.ai, 2026; two zones cost twice",
    ),
    Part(
        name="1,000 GB of its storage, in two zones",
        usd=1_000 * 0.23,
        why="thirty days of runs at 0.7 KB are 504 GB, and their indexes as much",
        source="gp3 0.23 USD a GB in two zones, infracost's tests",
    ),
    Part(
        name="RabbitMQ, three mq.m5.xlarge",
        usd=1261.44,
        why="the smallest cluster of this class",
        source="infracost's tests: 1,261.44 USD a month",
    ),
    Part(
        name="3 schedulers and APIs, m7g.xlarge",
        usd=3 * 2 * _M7G_LARGE * _HOURS,
        why="one leads, two stand by in other zones",
        source=_M7G_SOURCE,
    ),
    Part(
        name="3 NAT gateways",
        usd=3 * 0.045 * _HOURS,
        why="one in each zone; traffic is left out",
        source="0.045 USD an hour, infracost's reports",
    ),
)
