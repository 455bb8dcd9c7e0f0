"""``timegate doctor``: a deployment, checked end to end, in words."""

import json
from dataclasses import replace
from secrets import token_hex
from typing import Annotated

import typer

from timegate.cli.completing.known_words import complete_profiles
from timegate.cli.doctor.account import AccountOptions, compare_account
from timegate.cli.doctor.canary import Canary
from timegate.cli.doctor.checkup import Checkup, StepEnded, StepOutcome, TakenStep, allowed
from timegate.cli.terminal.failures import EXIT_NO_ACCESS, EXIT_NOT_SUCCEEDED
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import (
    Session,
    SessionOptions,
    opened,
    show,
    surroundings,
)
from timegate.cli.terminal.values import seconds_option
from timegate.cli.terminal.wording import plain
from timegate.client import CredentialsError, TimegateClient

_MARK_BYTES = 6
_HEALTH = "read the stage's health"
_PATIENCE_SECONDS = 60.0


@grouped
def doctor(
    ctx: typer.Context,
    session: SessionOptions,
    account: AccountOptions,
    timeout: Annotated[
        float | None, seconds_option(help="Wait so long for each step; 1 minute by default.")
    ] = None,
    admin_profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_profiles,
            help="Read the stage's health with this profile.",
        ),
    ] = None,
) -> None:
    """Check a deployment end to end with a job of one run, and say what is wrong.

    The job is created in the profile's tenant, offered in the pool timegate-doctor, worked on by
    this command, and ended in any case; nothing outside the stage is called. Exits with 0 if all is
    well, with 4 after a problem, and with 3 without an answer or credentials. With --aws nothing
    but the account is asked, with credentials for AWS and from the stage's checkout.
    """
    checkup = Checkup(now=surroundings(ctx).now, tell=_told if not session.wants_data else _kept)
    if account.aws:
        compare_account(checkup, account)
    else:
        _take_all(ctx, session, checkup, admin_profile, timeout or _PATIENCE_SECONDS)
    _end(checkup, session)


def _take_all(
    ctx: typer.Context,
    session: SessionOptions,
    checkup: Checkup,
    admin_profile: str | None,
    patience: float,
) -> None:
    """Ask the API, read the stage's health, and send a job through the stage."""
    try:
        with opened(ctx, session) as opening:
            if checkup.step("ask the API", lambda: _who(opening.client)):
                _look_at_health(ctx, session, opening, checkup, admin_profile)
                _canary(opening, patience).fly(checkup)
    except CredentialsError as error:
        # There is no profile: nothing could be asked.
        checkup.fail("read the profile", error)


def _end(checkup: Checkup, session: SessionOptions) -> None:
    """Print what was found in the end; raises ``Exit`` unless all is well."""
    if session.wants_data:
        show(checkup.data(), json.dumps, output=session.format)
    else:
        _conclude(checkup)
    if not checkup.has_access:
        raise typer.Exit(EXIT_NO_ACCESS)
    if not checkup.is_well:
        raise typer.Exit(EXIT_NOT_SUCCEEDED)


def _look_at_health(
    ctx: typer.Context,
    session: SessionOptions,
    opening: Session,
    checkup: Checkup,
    admin_profile: str | None,
) -> None:
    """Read the stage's health, by the profile of its administration if there is one."""
    if admin_profile is None:
        checkup.step(_HEALTH, lambda: _health(opening.client))
        return

    def of_administration() -> str:
        with opened(ctx, replace(session, profile=admin_profile)) as administration:
            return _health(administration.client)

    checkup.step(_HEALTH, of_administration)


def _canary(opening: Session, patience: float) -> Canary:
    around = opening.surroundings
    return Canary(
        client=opening.client,
        now=around.now,
        sleep=around.sleep,
        mark=f"canary-{token_hex(_MARK_BYTES)}",
        patience_seconds=patience,
    )


def _who(client: TimegateClient) -> str:
    tenant = client.get_own_tenant()
    if tenant["status"] != "active":
        raise StepEnded(
            StepOutcome.PROBLEM,
            f"The tenant {tenant['tenant']} is {tenant['status']}: nothing of it starts.",
            f"The stage's administration resumes it: timegate tenants resume {tenant['tenant']}.",
        )
    # An older API does not say them.
    regions = tenant.get("target_regions") or []
    called = f" Jobs call targets in {', '.join(regions)}." if regions else ""
    return f"The API answers for the tenant {tenant['tenant']}.{called}"


def _health(client: TimegateClient) -> str:
    with allowed("admin"):
        found = client.get_health()
    if found["status"] == "healthy":
        return f"All {found['shards']['open']} shards are planned, swept and audited in time."
    outcome = StepOutcome.PROBLEM if found["status"] == "unhealthy" else StepOutcome.WARNING
    details = " ".join(each["detail"] for each in found["problems"])
    first = found["problems"][0]
    raise StepEnded(outcome, details, f"{first['remedy']} {first['runbook']}")


def _told(finding: TakenStep) -> None:
    """Print a step for a person, at once."""
    took = f" ({finding.seconds:.1f} s)" if finding.seconds >= 1 else ""
    typer.echo(f"{finding.outcome.value:<8} {finding.step}: {plain(finding.detail)}{took}")
    if finding.remedy:
        typer.echo(f"{'':<8} {plain(finding.remedy)}")


def _kept(_: TakenStep) -> None:
    """Print nothing: all of it is printed in the end."""


def _conclude(checkup: Checkup) -> None:
    found = [each.outcome for each in checkup.findings]
    problems, warnings = found.count(StepOutcome.PROBLEM), found.count(StepOutcome.WARNING)
    skipped = found.count(StepOutcome.SKIPPED)
    if problems:
        typer.echo(f"{problems} of {len(found)} steps found a problem.")
        return
    rest = [f"{warnings} to look at"] * bool(warnings) + [f"{skipped} skipped"] * bool(skipped)
    typer.echo(f"All is well{f' ({chr(44).join(rest)})' if rest else ''}.")
