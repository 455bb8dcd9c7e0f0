"""Results of the study, and their page."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Any

from bench.scale import facts
from bench.scale.wheels import figures
from bench.scale.wheels.courses import THIN, Load, loads, thin
from bench.scale.wheels.model import Course
from bench.scale.wheels.protocol import Rules, explore
from bench.scale.wheels.qualifies import REASONS
from timegate.domain.metering.usage import BilledUsage

Result = Mapping[str, Any]
ROOT = Path(__file__).parents[3]
TODAY = ROOT / "bench" / "results" / "scale.json"
_MB_A_GB = 1_024
_PERCENTS = {"p50": 50, "p99": 99, "max": 100}
_VERDICTS = {True: "**holds**", False: "does not hold"}
_LINKS = {
    "at_full_size": "[at full size](scale.md)",
    "decision": "[Decision 158](../decisions/0158-wheels-are-studied.md)",
    "architecture": "[architecture](architecture.md#why-nothing-is-lost)",
}
_PERIODS = {"daily": 86_400, "minutely": 60}
_HEAD = (
    *("choice", "begun", "p50, s", "p99, s", "latest, s", "executors", "saturates first"),
    *("units a run", "last end on record after, s", "USD a million", ""),
)


def played() -> dict[str, Any]:
    """Play everything."""
    return {
        "loads": [_result(load, label) for load in loads() for label in load.choices],
        "thin": [
            {"period": name, "members": members, "usd_a_million": _cost(thin(members, seconds))}
            for name, seconds in _PERIODS.items()
            for members in THIN
        ],
        "protocol": _protocol(),
    }


def _result(load: Load, label: str) -> Result:
    course = load.play(label)
    choices = load.choices[label]
    late = course.lateness.percentiles([*_PERCENTS.values()])
    first = course.first_to_saturate()
    p99 = late[1]
    return {
        "load": load.name,
        "title": load.title,
        "beside": load.beside,
        "choice": label,
        "runs": course.lateness.count,
        "late_seconds": {
            name: round(each or 0, 2) for name, each in zip(_PERCENTS, late, strict=True)
        },
        "executors": course.most_busy,
        "first_to_wait": first.name if first else None,
        "units_a_run": round(course.units / course.lateness.count, 3),
        "unrecorded_seconds": round(course.unrecorded_seconds, 1),
        "usd_a_million": _cost(course, choices.memory_mb, queued=choices.pollers is not None),
        "holds": p99 is not None and p99 < load.bound_seconds,
    }


def _cost(course: Course, memory_mb: int = 1_024, *, queued: bool = True) -> float:
    """Return US dollars for a million runs, of what ``bench.scale`` counts and of S3."""
    seconds = course.environment_seconds + course.staging_seconds
    usage = BilledUsage(
        write_units=course.units,
        read_units=course.read_units,
        sqs_requests=course.sent / facts.QUEUE_BATCH + 2 * course.sheaves if queued else 0,
        invocations=course.sheaves + course.staged,
        gb_seconds=seconds * memory_mb / _MB_A_GB,
    )
    bodies = course.staged * figures.PUT_USD + course.sheaves * figures.GET_USD
    return round((usage.usd + bodies) / course.lateness.count * 1e6, 2)


def _protocol() -> Result:
    states, broken = explore()
    left_out = {
        "the seal does not name the revocations it read": Rules(seal_names_revocations=False),
        "a revocation does not name the phase": Rules(revoke_names_phase=False),
        "an end does not name its fence": Rules(end_names_fence=False),
    }
    return {
        "states": states,
        "broken": sorted(broken),
        "left_out": {name: sorted(explore(rules)[1]) for name, rules in left_out.items()},
    }


def page(results: Mapping[str, Any]) -> str:
    """Return ``docs/design/wheels.md``."""
    return Template((Path(__file__).parent / "page.md").read_text()).substitute(
        **_LINKS,
        loads=_loads(results["loads"]),
        today=_table(("load", "stage", "p99, s", "USD a million"), _today(results["loads"])),
        thin=_table(
            ("members of a wheel", *_PERIODS),
            (
                (
                    f"{members:,}",
                    *(
                        f"{each['usd_a_million']:,.2f}"
                        for period in _PERIODS
                        for each in results["thin"]
                        if (each["period"], each["members"]) == (period, members)
                    ),
                )
                for members in THIN
            ),
        ),
        reasons="\n".join(f"- {each}" for each in REASONS),
        states=f"{results['protocol']['states']:,}",
        left_out=_table(
            ("condition left out", "the search finds"),
            ((name, ", ".join(found)) for name, found in results["protocol"]["left_out"].items()),
        ),
    )


def _loads(results: Sequence[Result]) -> str:
    return "\n\n".join(
        f"### {title}\n\n{_table(_HEAD, (_row(each) for each in group))}"
        for title, group in groupby(results, key=lambda each: each["title"])
    )


def _row(each: Result) -> Sequence[str]:
    return (
        each["choice"],
        f"{each['runs']:,}",
        *(f"{each['late_seconds'][name]:.2f}" for name in _PERCENTS),
        f"{each['executors']:,}",
        each["first_to_wait"] or "nothing",
        f"{each['units_a_run']:.3f}",
        f"{each['unrecorded_seconds']:.1f}",
        f"{each['usd_a_million']:.2f}",
        _VERDICTS[each["holds"]],
    )


def _today(results: Sequence[Result]) -> Iterable[Sequence[str]]:
    """Return the last stage of each scenario that is compared with: the best that is offered."""
    known = json.loads(TODAY.read_text())
    for name in dict.fromkeys(each["beside"] for each in results):
        best = min(
            (each for each in known if each["scenario"] == name),
            key=lambda each: each["late_seconds"]["p99"],
        )
        yield (
            best["title"],
            best["stage"],
            f"{best['late_seconds']['p99']:.2f}",
            f"{best['usd_a_million']:.2f}",
        )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
