"""``timegate admin region``: one of two regions acts, and the other one takes over."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from timegate.cli.admin.checkout import StageOption, in_checkout
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, show
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from infra.admin.regions import PairAccess
    from timegate.domain.regions.region_record import RegionRecord

region = typer.Typer(
    no_args_is_help=True,
    help="Show which of two regions acts, and let the other one take over.",
)

RegionOption = Annotated[
    str | None,
    typer.Option(
        "--region", metavar="REGION", help="Name the region; that of the credentials without."
    ),
]


@dataclass(frozen=True, kw_only=True, slots=True)
class FailBackOptions(YesOption):
    """Steps that are shown, or taken."""

    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what it would write, and write nothing.")
    ] = False


@dataclass(frozen=True, kw_only=True, slots=True)
class PromoteOptions(FailBackOptions):
    """Conditions of a promotion."""

    unreachable: Annotated[
        bool,
        typer.Option(
            "--unreachable", help="Wait for the end of the other region's time, and do not ask it."
        ),
    ] = False
    off: Annotated[
        bool,
        typer.Option("--off", help="Be sure that nothing of the other region works any more."),
    ] = False


@region.command("status")
@grouped
def status(stage: StageOption, name: RegionOption = None, *, output: OutputOptions) -> None:
    """Show the record of each region, and how far the ticks of the active one are replicated.

    After a promotion it shows as well how many jobs the planners have checked, and if all are.
    """
    with in_checkout():
        from infra.admin.region_pair import connected_pair  # noqa: PLC0415 - of the checkout

        with connected_pair(stage, name) as pair:
            found = pair.status()
    show(found, _told, output=output.format)


@region.command("history")
@grouped
def history(stage: StageOption, name: RegionOption = None, *, output: OutputOptions) -> None:
    """Show who changed the record of each region, when and to what, latest first."""
    with in_checkout():
        from infra.admin.region_pair import connected_pair  # noqa: PLC0415 - of the checkout

        with connected_pair(stage, name) as pair:
            found = pair.history()
    show(found, _steps, output=output.format)


@region.command("fence")
@grouped
def fence(
    stage: StageOption, name: RegionOption = None, *, options: YesOption, output: OutputOptions
) -> None:
    """End the time of the active region: within forty seconds it begins and changes nothing.

    It stays so until the other region is promoted, or alone lets this one go on.
    """
    options.agree(f"End the time of the active region of the stage {stage}?")
    _take(stage, name, output, lambda pair: pair.fence())


@region.command("promote")
@grouped
def promote(
    stage: StageOption,
    name: RegionOption = None,
    *,
    options: PromoteOptions,
    output: OutputOptions,
) -> None:
    """Let this region take over, and end the time of the other one first.

    Runs that the other one may have begun are not begun again: they are dead letters, with the
    reason region_lost.
    """
    if not options.dry_run:
        options.agree(f"Let the region {name or 'of the credentials'} take over {stage}?")
    _take(
        stage,
        name,
        output,
        lambda pair: pair.promote(
            unreachable=options.unreachable, is_off=options.off, dry_run=options.dry_run
        ),
    )


@region.command("fail-back")
@grouped
def fail_back(
    stage: StageOption,
    name: RegionOption = None,
    *,
    options: FailBackOptions,
    output: OutputOptions,
) -> None:
    """Let this region, which was replaced, take over again when it has caught up.

    It is refused while the other region has not reached this one, or its ticks are not known here.
    """
    if not options.dry_run:
        options.agree(f"Let the region {name or 'of the credentials'} take {stage} over again?")
    _take(stage, name, output, lambda pair: pair.fail_back(dry_run=options.dry_run))


@region.command("alone")
@grouped
def alone(
    stage: StageOption,
    name: RegionOption = None,
    *,
    not_promoted: Annotated[
        bool,
        typer.Option(
            "--not-promoted",
            help="Be sure that the other region, which cannot be asked, was not promoted.",
        ),
    ] = False,
    options: YesOption,
    output: OutputOptions,
) -> None:
    """Let the active region go on without the other one, until that can be asked again."""
    options.agree(f"Let the active region of the stage {stage} go on without the other one?")
    _take(stage, name, output, lambda pair: pair.alone(unreachable=not_promoted))


@region.command("look-again")
@grouped
def look_again(stage: StageOption, name: RegionOption = None, *, output: OutputOptions) -> None:
    """Let planner and sweeper look at old minutes again, for what arrived late."""
    _take(stage, name, output, lambda pair: pair.look_again())


@region.command("streams")
def streams(stage: StageOption, name: RegionOption = None) -> None:
    """Show the setting replicaStreams, with which the other region is deployed."""
    with in_checkout():
        from infra.admin.region_pair import replica_streams  # noqa: PLC0415 - of the checkout

        found = replica_streams(stage, name)
    typer.echo(found)


def _take(
    stage: str,
    name: str | None,
    output: OutputOptions,
    step: Callable[["PairAccess"], "RegionRecord"],
) -> None:
    """Take a step, and show the record that it wrote."""
    with in_checkout():
        from infra.admin.region_pair import connected_pair  # noqa: PLC0415 - of the checkout
        from infra.admin.regions import told  # noqa: PLC0415 - likewise

        with connected_pair(stage, name) as pair:
            found = {"region": pair.region, **told(step(pair), pair.region, now=pair.now)}
    show(found, _fields, output=output.format)


def _fields(found: JsonObject) -> str:
    return "\n".join(f"{name}: {plain(each)}" for name, each in found.items())


def _told(found: JsonObject) -> str:
    lines = [
        f"{name}: {_record(record)}{_checked(record)}" for name, record in found["regions"].items()
    ]
    seen = plain(found["ticks_seen_until"])
    return "\n".join([*lines, f"ticks of the active region are known here until {seen}"])


def _steps(found: JsonObject) -> str:
    return "\n".join(
        line for name, steps in found["regions"].items() for line in _lines_of(name, steps)
    )


def _lines_of(name: str, steps: Sequence[JsonObject] | str) -> list[str]:
    if isinstance(steps, str):
        return [f"{name}: {plain(steps)}"]
    return [
        f"{name}: {plain(each['at'])} {plain(each['command'])} by {plain(each['by'])}:"
        f" {_record(each)}"
        for each in steps
    ] or [f"{name}: no operator changed it"]


def _checked(record: JsonObject | str) -> str:
    """Say how far the walk over all jobs came, where the region owes one."""
    walk = None if isinstance(record, str) else record["jobs_checked"]
    if walk is None:
        return ""
    counts = f"{walk['jobs']} jobs were checked and {walk['mended']} mended"
    if walk["done"]:
        return f"; {counts}, which are all"
    return f"; {counts}, and {walk['shares_done']} of {walk['shares'] or '?'} shares are done"


def _record(record: JsonObject | str) -> str:
    if isinstance(record, str):
        return plain(record)
    acts = "acts" if record["acts_now"] else "does not act"
    fenced = ", fenced" if record["fenced"] else ""
    return (
        f"{acts}; epoch {record['epoch']}, {plain(record['active'])} is active until"
        f" {plain(record['acts_until'])}{fenced}; in doubt before"
        f" {plain(record['in_doubt_before'])}"
    )
