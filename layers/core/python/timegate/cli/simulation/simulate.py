"""``timegate simulate``: the ledger of a scenario, computed here; that of a job, by its stage."""

import json
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.reading.yaml_reading import load
from timegate.cli.simulation.simulation_tables import drawn_simulation
from timegate.cli.terminal.failures import say_error, says_json
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, Surroundings, opened, show
from timegate.cli.terminal.values import file_text, instant_option
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.client.calling import is_key
from timegate.client.errors import FieldProblem
from timegate.domain.simulation import report, simulate
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import rfc3339, to_milliseconds
from timegate.domain.values.written_instants import read_instant
from timegate.value_classes import dataclass

#: The scenario does not come to what it expects.
EXIT_NOT_MET = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedRangeOptions:
    """Range of instants of a stored job."""

    start: Annotated[
        datetime | None,
        instant_option("--from", help="Begin with this instant; with --job, by default now."),
    ] = None
    end: Annotated[
        datetime | None,
        instant_option("--to", help="End with this instant; with --job, by default a day later."),
    ] = None


ScenarioPath = Annotated[
    str | None,
    typer.Option(
        "-f",
        "--file",
        metavar="FILE",
        help="Read a scenario of this file, YAML or JSON; - is stdin.",
    ),
]


SimulatedJob = Annotated[
    str | None,
    typer.Option(
        "--job",
        metavar="JOB_ID",
        autocompletion=complete_jobs,
        help="Simulate this job, as the stage knows it.",
    ),
]


@grouped
def simulate_command(
    ctx: typer.Context,
    path: ScenarioPath = None,
    job_id: SimulatedJob = None,
    *,
    wanted: SimulatedRangeOptions,
    session: SessionOptions,
) -> None:
    """Show what would become of every instant of a job. A file needs no stage and no profile."""
    given = load(file_text(path), "scenario") if path is not None else {}
    if job_id is not None:
        with opened(ctx, session) as opening:
            if is_key(job_id):
                job_id = opening.client.get_job(job_id)["job_id"]
            scenario: Any = _of_job(job_id, given, wanted, opening.surroundings)
            value: JsonObject = opening.client.simulate(scenario)
    elif path is None:
        message = "Name a scenario with -f, or a job with --job."
        raise typer.BadParameter(message)
    elif wanted != SimulatedRangeOptions():
        message = "--from and --to go with --job; a scenario says its own."
        raise typer.BadParameter(message)
    else:
        # Imported here: a job of a stage needs no contracts.
        from timegate.contracts.simulation.reading import read_document  # noqa: PLC0415

        document = read_document(given)
        value = report(simulate(document.scenario), document.expectations)
    show(value, drawn_simulation, output=session.format)
    if value["unmet"]:
        _say_unmet(value["unmet"])
        raise typer.Exit(EXIT_NOT_MET)


def _of_job(
    job_id: str, given: object, wanted: SimulatedRangeOptions, around: Surroundings
) -> dict[str, object]:
    """The scenario of a file, or of nothing but a range, about a job that exists."""
    if not isinstance(given, dict):
        raise InvalidInput("scenario", "wrong_type", "It must be an object.")
    scenario = {"job_id": job_id, **{str(name): each for name, each in given.items()}}
    if scenario["job_id"] != job_id:
        raise InvalidInput("job_id", "not_for_this_job", "--job names another.")
    if "schedule" in scenario:
        raise InvalidInput("schedule", "not_for_this_job", "The job has its own.")
    if wanted.start is not None or "from" not in scenario:
        scenario["from"] = rfc3339(wanted.start or to_milliseconds(around.now()))
    if wanted.end is not None:
        scenario["to"] = rfc3339(wanted.end)
    elif "to" not in scenario:
        scenario["to"] = rfc3339(_read_instant(scenario["from"]) + timedelta(days=1))
    return _plain_json(scenario)


def _read_instant(value: object) -> datetime:
    try:
        return read_instant(value if isinstance(value, str) else "")
    except InvalidInput as refused:
        raise InvalidInput("from", refused.code, refused.detail) from refused


def _plain_json(scenario: dict[str, object]) -> dict[str, object]:
    """YAML knows values that no request can carry."""
    try:
        json.dumps(scenario, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidInput("scenario", "invalid_yaml", "It is no JSON.") from error
    return scenario


def _say_unmet(unmet: list[JsonObject]) -> None:
    """Say a line for each expectation that is not met; or one error with a field for each."""
    told = [f"expected {_wish(each)}, but it is {each['actual']}" for each in unmet]
    if says_json():
        fields = tuple(
            FieldProblem(field=each["field"], code="not_met", detail=line)
            for each, line in zip(unmet, told, strict=True)
        )
        say_error("not_met", "The simulation is not as expected.", fields)
        return
    for line in told:
        typer.echo(line, err=True)


def _wish(unmet: JsonObject) -> str:
    most = "at most " if unmet["field"] == "max_lateness_ms" else ""
    whose = f"{plain(unmet['job'])}: " if unmet["job"] is not None else ""
    return f"{whose}{plain(unmet['field'])} to be {most}{unmet['expected']}"
