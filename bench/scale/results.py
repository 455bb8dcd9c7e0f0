"""The result of a course: what is written down, and what the page is made of."""

from typing import Any

from bench.scale import costs, facts
from bench.scale.model import planner, relay
from bench.scale.model.capacity import Component
from bench.scale.model.stage import Course
from bench.scale.scenarios import FIRST, Scenario
from infra.stage.delivery import STREAMS
from timegate.domain.metering.usage import BilledUsage

_HOURS_A_MONTH = 730
_MB_A_GB = 1024
_PERCENTS = {"p50": 50, "p99": 99, "p99.9": 99.9, "max": 100}
#: Messages may arrive a moment before their instant.
_EARLY = 1
#: Seconds of the chart of starts, and the number of its bars.
_CHART_BARS = 30


def result(scenario: Scenario, label: str, course: Course) -> dict[str, Any]:
    """Return a course's result, as JSON has it."""
    late = course.lateness.percentiles([*_PERCENTS.values()])
    p99 = late[1]
    usage = _usage(course)
    choices = scenario.choices[label]
    return {
        "scenario": scenario.name,
        "title": scenario.title,
        "promise": scenario.promise,
        "stage": label,
        "runs": course.begun,
        "late_seconds": {
            name: round(each, 2) for name, each in zip(_PERCENTS, late, strict=True) if each
        },
        "by_tenant": _by_tenant(course),
        "holds": _holds(scenario, course, p99),
        "last_start_seconds": round(max(course.last_start - FIRST, 0), 1),
        "starts_a_second": _chart(course),
        "most_environments": course.most_busy,
        "first_to_wait": _named(course.first_to_saturate()),
        "first_to_wait_when_due": _named(course.first_to_saturate(since=FIRST - _EARLY)),
        "throttles": {each.name: each.refusals for each in course.components if _throttles(each)},
        "write_units": round(sum(course.units.values())),
        "usd": round(usage.usd, 2),
        "usd_a_million": round(usage.usd / course.begun * 1e6, 2) if course.begun else None,
        "pollers_usd_a_month": round(
            (choices.pollers or 0) * facts.POLLER_HOUR_USD * _HOURS_A_MONTH, 2
        ),
    }


def _named(component: Component | None) -> dict[str, Any] | None:
    if component is None or component.saturated_at is None:
        return None
    # Partitions of an index are alike.
    name = component.name.rstrip("/0123456789")
    return {"component": name, "at_seconds": round(component.saturated_at - FIRST)}


def _holds(scenario: Scenario, course: Course, p99: float | None) -> bool | None:
    if scenario.bound_seconds is None:
        return course.moves == 0 if scenario.name == "idle" else None
    everything = scenario.runs is None or course.begun >= scenario.runs
    return everything and p99 is not None and p99 < scenario.bound_seconds


def _by_tenant(course: Course) -> dict[str, dict[str, float]]:
    if "flood" not in course.by_tenant:
        return {}
    return {
        tenant: {
            name: round(each, 2)
            for name, each in zip(_PERCENTS, late.percentiles([*_PERCENTS.values()]), strict=True)
            if each is not None
        }
        for tenant, late in course.by_tenant.items()
    }


def _chart(course: Course) -> list[int]:
    """Return starts a second, in equal spans from the first due instant to the last start."""
    span = max(int(course.last_start) + 1 - FIRST, 1)
    bars = min(_CHART_BARS, span)
    width = span / bars
    sums = [0] * bars
    for second, count in course.starts.items():
        if second >= FIRST:
            sums[min(int((second - FIRST) / width), bars - 1)] += count
    return [round(each / width) for each in sums]


def _throttles(component: Any) -> bool:  # noqa: ANN401 - any component
    return component.refusals > 0 and not component.name.endswith("event source")


def _usage(course: Course) -> BilledUsage:
    """Return what AWS bills: seconds of functions are those of the model."""
    sends = course.runs / facts.QUEUE_BATCH
    working = course.moves * costs.PLAN_CPU / facts.processors(planner.MEMORY_MB)
    relaying = course.runs * costs.RELAY_CPU / facts.processors(relay.MEMORY_MB)
    return BilledUsage(
        write_units=sum(course.units.values()),
        sqs_requests=sends + course.requests,
        invocations=course.invocations + course.runs / STREAMS.batch_size,
        gb_seconds=course.environment_seconds * course.executor_mb / _MB_A_GB
        + working * planner.MEMORY_MB / _MB_A_GB
        + relaying * relay.MEMORY_MB / _MB_A_GB,
    )
