"""An unused stage: its month's bill, from its synthesised template.

Ticks are played on empty tables, so that what they read and log is counted and not assumed.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.cost.meter import Meter
from timegate.domain.dispatch.looks import LOOK_EVERY
from timegate.domain.metering import prices
from timegate.domain.metering.prices import Price
from timegate.domain.metering.usage import BilledUsage
from timegate.usecases.auditing.audit_shard import audit_shard

_MINUTES = 30.4 * 24 * 60
_LOOKS = int(60 / LOOK_EVERY.total_seconds())
#: Long polls of 20 s by five pollers, which an event source with a ceiling keeps when idle.
_POLLS_PER_SOURCE = 5 * 3 * _MINUTES
#: X-Ray's default rule: the first request of each second, and one in twenty beyond.
_TRACED = 60 * _MINUTES
_EVERY = {"rate(1 minute)": 1, "rate(5 minutes)": 5, "rate(60 minutes)": 60}
#: Resources that cost by being there.
_STANDING: Mapping[str, Price] = {
    "AWS::CloudWatch::Alarm": prices.ALARM,
    "AWS::CloudWatch::CompositeAlarm": prices.COMPOSITE,
    "AWS::CloudWatch::Dashboard": prices.DASHBOARD,
    "AWS::KMS::Key": prices.KEY,
    "AWS::Cognito::UserPoolClient": prices.TOKEN_CLIENT,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A line of the bill, in US dollars a month."""

    service: str
    what: str
    amount: float
    usd: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tick:
    function: str
    shards: int
    #: Ticks of all groups together: auditors share some partitions out over them.
    of: int
    looks: int
    every_minutes: int
    is_traced: bool


def resources(assembly: Path) -> list[dict[str, Any]]:
    """Return the resources of all stacks of an assembly."""
    stacks = [json.loads(path.read_text()) for path in assembly.glob("*.template.json")]
    return [each for stack in stacks for each in stack["Resources"].values()]


def idle_month(assembly: Path) -> list[Line]:
    """Return the bill of a month without a job, the largest line first."""
    found = resources(assembly)
    lines = [*_standing(found), *_polling(found), *_ticking(found)]
    return sorted(lines, key=lambda line: -line.usd)


def _standing(found: list[dict[str, Any]]) -> list[Line]:
    lines = []
    for kind, price in _STANDING.items():
        count = sum(_metrics(each) for each in found if each["Type"] == kind)
        if count:
            usd = count * price.usd
            lines.append(Line(service=price.service, what=price.unit, amount=count, usd=usd))
    return lines


def _metrics(resource: Mapping[str, Any]) -> int:
    """Return how many metrics an alarm is charged for; anything else counts once."""
    parts = resource.get("Properties", {}).get("Metrics", ())
    return sum("MetricStat" in part for part in parts) or 1


def _polling(found: list[dict[str, Any]]) -> list[Line]:
    sources = sum(
        each["Type"] == "AWS::Lambda::EventSourceMapping" and "ScalingConfig" in each["Properties"]
        for each in found
    )
    polls = sources * _POLLS_PER_SOURCE
    what = f"long polls of {sources} queues"
    usd = polls * prices.SQS_REQUEST.usd
    return [Line(service="SQS", what=what, amount=polls, usd=usd)]


def _ticking(found: list[dict[str, Any]]) -> list[Line]:
    month, metrics, traced = BilledUsage(), set[tuple[str, str]](), 0.0
    for tick in _ticks(found):
        played, names = _played(tick)
        played = played.times(_MINUTES / tick.every_minutes)
        month += played
        traced += played.invocations if tick.is_traced else 0
        metrics |= {(tick.function, name) for name in names}
    lines = [
        Line(service=service, what="ticks and looks", amount=month.invocations, usd=usd)
        for service, usd in month.bill().items()
    ]
    traces = min(traced, _TRACED + max(traced - _TRACED, 0) / 20)
    if traces:
        usd = traces * prices.TRACE.usd
        lines.append(Line(service="X-Ray", what="traces of ticks, at most", amount=traces, usd=usd))
    usd = len(metrics) * prices.METRIC.usd
    what = "custom metrics that idle ticks emit"
    return [*lines, Line(service="CloudWatch", what=what, amount=len(metrics), usd=usd)]


def _ticks(found: list[dict[str, Any]]) -> list[_Tick]:
    schedules = [each for each in found if each["Type"] == "AWS::Scheduler::Schedule"]
    events = [json.loads(each["Properties"]["Target"]["Input"]) for each in schedules]
    shards = {shard for event in events for shard in event.get("shards", ())}
    ticks = []
    for each in schedules:
        target = each["Properties"]["Target"]
        event = json.loads(target["Input"])
        named = json.dumps(target["Arn"])
        function = next(name for name in _PLAYS if name.title() in named)
        ticks.append(
            _Tick(
                function=function,
                is_traced=_is_traced(found, function),
                # The archiver has no shards, and works once a tick.
                shards=len(event.get("shards", "1")),
                of=len(shards),
                looks=len(event.get("looks", [])),
                every_minutes=_EVERY[each["Properties"]["ScheduleExpression"]],
            )
        )
    return ticks


def _is_traced(found: list[dict[str, Any]], function: str) -> bool:
    """Tell if X-Ray records the invocations of a function."""
    return any(
        each["Type"] == "AWS::Lambda::Function"
        and str(each["Properties"].get("FunctionName")).endswith(f"-{function}")
        and each["Properties"].get("TracingConfig", {}).get("Mode") == "Active"
        for each in found
    )


def _played(tick: _Tick) -> tuple[BilledUsage, set[str]]:
    """Play one tick of a group of shards on empty tables, and the looks that it asks for."""
    meter = Meter()
    _PLAYS[tick.function](meter, tick)
    meter.world.clock.advance(60 * tick.every_minutes)
    meter.begin()
    names = meter.world.telemetry
    names.counts.clear()
    names.measures.clear()
    with meter.invoked(tick.function, items=tick.shards):
        for _ in range(tick.shards):
            _PLAYS[tick.function](meter, tick)
    meter.usage += BilledUsage(schedules=1)
    for _ in range(_LOOKS if tick.looks else 0):
        meter.sent(1)
        meter.received()
        with meter.invoked("sweeper", items=tick.looks):
            for _ in range(tick.looks):
                meter.world.look()
    emitted = {name for name, count in names.counts.items() if count} | set(names.measures)
    return meter.usage, emitted


def _audit(meter: Meter, tick: _Tick) -> None:
    now = meter.world.clock.now()
    audit_shard(0, meter.world.auditing, of=tick.of, now=now, owner="auditor")


#: A shard's tick of each function with a schedule.
_PLAYS: Mapping[str, Callable[[Meter, _Tick], object]] = {
    "planner": lambda meter, _: meter.world.tick(),
    "sweeper": lambda meter, _: meter.world.sweep(),
    "auditor": _audit,
    "archiver": lambda meter, _: meter.archive(),
}
