"""The options that say when a job must wait, and what it is called."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.completing.words_of_jobs import (
    complete_metadata,
    complete_overlap_keys,
    complete_tags,
)
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import pairs, present_json, span_option, tags
from timegate.domain.jobs.catch_up import CatchUpPolicy
from timegate.domain.jobs.demands import ListRuns, Precision, Priority, ResourceClass
from timegate.domain.limits.collapse import CollapseMode
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.value_classes import dataclass


def given(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values that were given; the API has defaults for the rest."""
    return {name: value for name, value in values.items() if value is not None}


@option_group("After an outage")
class CatchUpOptions:
    """Options of instants that run although they have passed."""

    catch_up: Annotated[
        CatchUpPolicy | None,
        typer.Option(help="Choose which instants that passed unplanned run late; all by default."),
    ] = None
    catch_up_limit: Annotated[
        int | None, typer.Option(metavar="N", help="Run at most so many of all; 1000 by default.")
    ] = None
    catch_up_window: Annotated[
        int | None, span_option(help="Run none that are older; 1 d by default.")
    ] = None
    catch_up_grace: Annotated[
        int | None,
        span_option(help="Take an instant planned so late for not missed; 1 m by default."),
    ] = None
    start_within: Annotated[
        int | None, span_option(help="Skip a run that could not start by then.")
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the policy in the API's form."""
        policy = given(
            {
                "policy": self.catch_up,
                "limit": self.catch_up_limit,
                "window_seconds": self.catch_up_window,
                "grace_seconds": self.catch_up_grace,
            }
        )
        return given({"catch_up": policy or None, "start_within_seconds": self.start_within})


@option_group("Overlap")
class OverlapOptions:
    """Options of runs that are due while others still work."""

    overlap: Annotated[
        OverlapPolicy | None,
        typer.Option(help="Choose what a run does while another is under way; allow by default."),
    ] = None
    max_concurrent: Annotated[
        int | None, typer.Option(metavar="N", help="Let so many work at once; 1 by default.")
    ] = None
    concurrency_key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY",
            autocompletion=complete_overlap_keys,
            help="Share slots with jobs that name the same key.",
        ),
    ] = None
    concurrency_key_from: Annotated[
        str | None,
        typer.Option(
            metavar="POINTER",
            help="Give runs with the same value there in their payload slots of their own, such as"
            " /customer/id.",
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the policy in the API's form."""
        policy = given(
            {
                "policy": self.overlap,
                "max_concurrent": self.max_concurrent,
                "concurrency_key": self.concurrency_key,
                "key_from": self.concurrency_key_from,
            }
        )
        return given({"overlap": policy or None})


@option_group("Triggers that collapse")
class CollapseOptions:
    """A rule by which triggers are one run."""

    collapse: Annotated[
        int | None,
        span_option(help="Make triggers so close together one run, so long after the last."),
    ] = None
    collapse_mode: Annotated[
        CollapseMode | None,
        typer.Option(
            help="Run the last one (by default), or join the first while it waits, or"
            " while it runs (single)."
        ),
    ] = None
    collapse_max_wait: Annotated[
        int | None,
        span_option(
            help="Begin so long after the first, whatever comes; by default ten times --collapse."
        ),
    ] = None
    collapse_key_from: Annotated[
        str | None,
        typer.Option(
            metavar="POINTER",
            help="Take only those with the same value there in their payload, such as"
            " /customer/id.",
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the rule in the API's form."""
        rule = given(
            {
                "mode": self.collapse_mode,
                "span_seconds": self.collapse,
                "max_wait_seconds": self.collapse_max_wait,
                "key_from": self.collapse_key_from,
            }
        )
        return given({"collapse": rule or None})


@option_group("Long runs")
class LongRunOptions:
    """Options of runs that go on in slices."""

    max_duration: Annotated[
        int | None,
        span_option(help="Let a run go on in slices, so long in all; --timeout bounds one slice."),
    ] = None
    max_slices: Annotated[
        int | None,
        typer.Option(metavar="N", help="Let a run have so many slices; 1000 by default."),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the allowance in the API's form."""
        allowed = given({"max_duration_seconds": self.max_duration, "max_slices": self.max_slices})
        return given({"long_run": allowed or None})


@dataclass(frozen=True, kw_only=True, slots=True)
class JobOptions:
    """Everything else about a job."""

    name: Annotated[str | None, typer.Option(metavar="TEXT", help="Name it for people.")] = None
    key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY", help="Give it a unique key, which commands take in place of the id."
        ),
    ] = None
    description: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Describe the job for people.")
    ] = None
    payload: Annotated[
        Any,
        typer.Option(parser=present_json, metavar="JSON|@FILE|-", help="Give this to the target."),
    ] = None
    payload_marks: Annotated[
        bool | None,
        typer.Option(
            "--payload-marks",
            help="Replace marks such as {{date}} in the payload at each call.",
        ),
    ] = None
    payload_marks_zone: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE",
            autocompletion=complete_zones,
            help="Name the days of marks in this zone; by default the schedule's.",
        ),
    ] = None
    payload_schema: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar="JSON|@FILE|-",
            help="Accept payloads that fit this JSON Schema alone, those of triggers included.",
        ),
    ] = None
    priority: Annotated[
        Priority | None, typer.Option(help="Prefer its runs, or not; normal by default.")
    ] = None
    resource_class: Annotated[
        ResourceClass | None,
        typer.Option(help="Say whether a run may take minutes (long); short by default."),
    ] = None
    timeout: Annotated[int | None, span_option(help="Bound one attempt; 30 s by default.")] = None
    precision: Annotated[
        Precision | None, typer.Option(help="Start within milliseconds (subsecond), or the second.")
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", autocompletion=complete_tags, help="Tag the job; may be repeated."
        ),
    ] = None
    list_runs: Annotated[
        ListRuns | None,
        typer.Option(help="Choose the runs of lists; all costs a write for each run."),
    ] = None
    metadata: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            autocompletion=complete_metadata,
            help="Keep this with the job; may be repeated.",
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the definition in the API's form."""
        return given(
            {
                "name": self.name,
                "key": self.key,
                "description": self.description,
                "payload": self.payload,
                "payload_marks": self._marks(),
                "payload_schema": self.payload_schema,
                "priority": self.priority,
                "resource_class": self.resource_class,
                "timeout_seconds": self.timeout,
                "precision": self.precision,
                "list_runs": self.list_runs,
                "tags": tags(self.tag),
                "metadata": pairs(self.metadata or (), "=", option="--metadata") or None,
            }
        )

    def _marks(self) -> dict[str, object] | None:
        if self.payload_marks is None and self.payload_marks_zone is None:
            return None
        return given({"timezone": self.payload_marks_zone})
