"""``timegate simulate``: the ledger of a scenario. Computed here; no stage is asked."""

import json
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.console import Group, RenderableType
from rich.table import Table

from timegate.cli.session import show
from timegate.cli.tables import state
from timegate.cli.wording import moment, plain, span
from timegate.client import JsonObject
from timegate.domain.errors import InvalidInput
from timegate.domain.simulation import Unmet, read_document, report, simulate

#: The scenario does not come to what it expects.
EXIT_NOT_MET = 4


def simulate_file(
    path: Annotated[
        str,
        typer.Option("-f", "--file", metavar="FILE", help="A scenario, YAML or JSON; - is stdin."),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print rows and summary as JSON.")
    ] = False,
) -> None:
    """Show what would become of every instant of a job. Works offline, without a profile."""
    document = read_document(_load(_text(path)))
    value = report(simulate(document.scenario))
    show(value, _drawn, as_json=as_json)
    unmet = document.expectation.unmet(value["summary"])
    for one in unmet:
        typer.echo(f"expected {_wish(one)}, but it is {one.actual}", err=True)
    if unmet:
        raise typer.Exit(EXIT_NOT_MET)


def _text(path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        message = f"{path} cannot be read: {why}."
        raise typer.BadParameter(message) from error


class _Loader(yaml.SafeLoader):
    """YAML without surprises: no dates read by YAML's own rules, and no field twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """As the parent does, refusing what it would silently drop."""
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for name in names:
            if names.count(name) > 1:
                raise InvalidInput(name, "there_twice", f"Line {node.start_mark.line + 1}.")
        return super().construct_mapping(node, deep=deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _load(text: str) -> object:
    """JSON, or else YAML; raises ``InvalidInput``."""
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass  # YAML can begin with a brace, too; what is neither is refused below.
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise InvalidInput("scenario", "invalid_yaml", f"It cannot be read: {why}") from error


def _drawn(value: JsonObject) -> RenderableType:
    summary = value["summary"]
    left_out = [
        f"{count} {name} ({reason})"
        for name in ("skipped", "cancelled")
        for reason, count in summary[name].items()
    ]
    undecided = [f"{summary['undecided']} undecided"] if summary["undecided"] else []
    counts = ", ".join([f"{summary['runs']} run", *left_out, *undecided])
    late = span(summary["max_lateness_ms"])
    total = f"{summary['instants']} instants: {counts}; at most {late} late."
    refused = [
        f"{plain(one['field'])} is refused at {moment(one['at'])} [{plain(one['code'])}]"
        for one in value["refused"]
    ]
    return Group(_table(value["rows"]), "", total, *refused)


def _table(rows: list[JsonObject]) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("instants (UTC)", "count", "state", "why", "decided (UTC)", "late", "took"):
        table.add_column(heading, no_wrap=True, justify="right" if heading == "count" else "left")
    for row in rows:
        table.add_row(*(_gap(row) if row["type"] == "gap" else _run(row)))
    return table


def _gap(row: JsonObject) -> tuple[Any, ...]:
    instants = moment(row["first"])
    if row["count"] > 1:
        instants = f"{instants} to {moment(row['last'])}"
    decided = moment(row["recorded_at"])
    return instants, str(row["count"]), state(row["state"]), row["reason"], decided, "-", "-"


def _run(row: JsonObject) -> tuple[Any, ...]:
    return (
        moment(row["scheduled_at"]),
        "1",
        state(row["state"]),
        plain(row["reason"]),
        moment(row["planned_at"]),
        span(row["lateness_ms"]),
        span(row["duration_ms"]),
    )


def _wish(unmet: Unmet) -> str:
    most = "at most " if unmet.field == "max_lateness_ms" else ""
    return f"{plain(unmet.field)} to be {most}{unmet.expected}"
