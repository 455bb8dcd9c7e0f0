"""Alternatives and their list prices for a million runs that call something for 200 ms."""

from dataclasses import dataclass

from bench.cost.meter import TARGET_SECONDS
from timegate.domain.metering import prices

_MILLION = 1_000_000
#: A function of 128 MB that waits for the target, as Scheduler and Step Functions need one.
_FUNCTION = _MILLION * (prices.INVOCATION.usd + TARGET_SECONDS * 128 / 1024 * prices.GB_SECOND.usd)


@dataclass(frozen=True, kw_only=True, slots=True)
class Peer:
    """An alternative; ``usd`` is for a million runs in a month."""

    name: str
    usd: float
    #: How the figure comes about.
    sum: str
    source: str
    lacks: str


PEERS = (
    Peer(
        name="EventBridge Scheduler and a function",
        usd=_MILLION * prices.SCHEDULE.usd + _FUNCTION,
        sum="an invocation, and a function of 128 MB for 200 ms",
        source=prices.SCHEDULE.source,
        lacks="seconds, run history, overlap, catch-up, freezes, DAGs, per-tenant limits",
    ),
    Peer(
        name="Step Functions, wait and task",
        usd=3 * _MILLION * prices.TRANSITION.usd + _FUNCTION,
        sum="three transitions, and the same function",
        source=prices.TRANSITION.source,
        lacks="recurring schedules, overlap, catch-up, tenants; an execution for each run",
    ),
    Peer(
        name="Cloud Tasks",
        usd=0.8,
        sum="two operations: the task, and its delivery",
        source="cloud.google.com/tasks/pricing: 0.40 USD a million",
        lacks="recurring schedules, leases, run history, DAGs; not on AWS",
    ),
    Peer(
        name="QStash",
        usd=10.0,
        sum="a message for each delivery",
        source="upstash.com/pricing/qstash: 1 USD for 100,000 messages, and 0.01 for each active"
        " schedule beyond 1,000",
        lacks="your own account, a ledger of every instant, freezes, calendars",
    ),
    Peer(
        name="Trigger.dev Cloud",
        usd=25.0 + _MILLION * TARGET_SECONDS * 0.0000169,
        sum="0.25 USD for 10,000 runs, and 200 ms of its smallest machine",
        source="trigger.dev/pricing, read 2026-05-22 by api-evangelist/trigger-dev",
        lacks="your own account, a ledger of every instant, freezes; its plan has 1,000 schedules",
    ),
    Peer(
        name="Inngest Cloud",
        usd=50.0,
        sum="an execution for each run; another for each step",
        source="inngest.com/pricing, read 2026-05-22 by api-evangelist/inngest: 1 to 5 million",
        lacks="your own account, a ledger of every instant, freezes, calendars",
    ),
    Peer(
        name="Temporal Cloud",
        usd=100.0,
        sum="two actions at least: the workflow and its activity; its schedule is more",
        source="temporal.io/pricing, read 2026-07-02 by api-evangelist/temporal-io: 50 USD/million",
        lacks="workers, which are yours to run and pay for; a ledger of every instant, freezes",
    ),
    Peer(
        name="MWAA, its smallest environment",
        usd=730 * 0.49,
        sum="730 hours, whatever runs; workers are more",
        source="AWS price list as infracost's tests quote it: 357.70 USD a month",
        lacks="a million runs a month need more than one worker; seconds, per-tenant limits",
    ),
)
