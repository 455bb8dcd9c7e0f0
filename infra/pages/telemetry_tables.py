"""The page of metrics and log events, written from the register."""

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from infra.constructs.observability.log_queries import BUSINESS, OPERATORS
from timegate.ports.telemetry import run_events, run_metrics, service_events, service_metrics
from timegate.ports.telemetry.telemetry import Definition, LogEvent, Metric

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operations" / "telemetry.md"

_INTRODUCTION = """# Metrics and log events

`python -m infra.pages.telemetry_tables` writes this page from the register
`timegate.ports.telemetry`.

Metrics are in CloudWatch's namespace `Timegate`. Their one dimension `service` is the physical
name of the emitting function. The dashboard `operator` shows each of them. Log events are JSON
lines; their `message` is the name, and their fields name the tenant. In the tables, `executor`
means the executor of each queue. An ordinary run is logged once, when it ends: `run_ended` lists in
`ends` the attempts that were stored together and ended alike. Each names its tenant and trace.

No metric has a tenant or a job: a metric by tenant costs 0.30 USD a month for each. Figures by
tenant and job come from fields of log events. Logs Insights has the queries as
`timegate/STAGE/…`, and the dashboard `business` shows those in the second list.

- For operators: {operators}.
- By tenant and job: {business}.
"""


def metrics() -> list[Metric]:
    """Every registered metric, sorted by name."""
    found = _defined(run_metrics, service_metrics)
    return sorted(each for each in found if isinstance(each, Metric))


def events() -> list[LogEvent]:
    """Every registered log event, sorted by name."""
    found = _defined(run_events, service_events)
    return sorted(each for each in found if isinstance(each, LogEvent))


def page() -> str:
    """The page as Markdown."""
    rows = [
        f"| `{each}` | {each.unit} | {_functions(each)} | {each.meaning} |" for each in metrics()
    ]
    told = [f"| `{each}` | {_functions(each)} | {each.meaning} |" for each in events()]
    return "\n".join(
        [
            _INTRODUCTION.format(operators=_listed(OPERATORS), business=_listed(BUSINESS)),
            "## Metrics\n",
            "| metric | unit | emitted by | meaning |",
            "|---|---|---|---|",
            *rows,
            "\n## Log events\n",
            "| event | emitted by | meaning |",
            "|---|---|---|",
            *told,
            "",
        ]
    )


def _listed(queries: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in queries)


def _defined(*modules: ModuleType) -> Iterable[Definition]:
    for module in modules:
        yield from (each for each in vars(module).values() if isinstance(each, Definition))


def _functions(each: Definition) -> str:
    return ", ".join(each.by)


if __name__ == "__main__":
    PAGE.write_text(page())
