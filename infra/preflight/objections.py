"""Objections to a deployment."""

from collections.abc import Collection, Iterator

from infra.concurrency import UNRESERVED
from infra.preflight.deployed import Deployed
from infra.preflight.planned import Planned
from infra.stage.given.lists import listed


def objections(planned: Planned, deployed: Deployed, dropped: Collection[str]) -> Iterator[str]:
    """Each begins with a stable code and ends with what to do.

    ``dropped``: the choices that the operator means to take back.
    """
    yield from _dropped_choices(planned, deployed, dropped)
    yield from _dropped_clients(planned, deployed, dropped)
    yield from _changed_pair(planned, deployed)
    yield from _exports_in_use(planned, deployed)
    yield from _concurrency(planned, deployed)


def _dropped_choices(
    planned: Planned, deployed: Deployed, dropped: Collection[str]
) -> Iterator[str]:
    for name, value in sorted(deployed.choices.items()):
        if name not in planned.choices and name not in dropped:
            again = f"{name} as before" if value.startswith("sha256:") else f"{name}={value}"
            yield (
                f"choice_dropped: the stage was deployed with {name}={value}, and this deployment "
                f"does not say it. Give -c {again}, or --drop {name} to take it back."
            )


#: Outputs of Cognito's clients, the choice that keeps each, and its value in earlier defaults.
_CLIENTS = (("TenantClientIds", "tenants", "first"), ("AdminClientId", "adminClient", "on"))


def _dropped_clients(
    planned: Planned, deployed: Deployed, dropped: Collection[str]
) -> Iterator[str]:
    """Keep clients that an earlier release made unasked; a choice on record is held above."""
    for output, name, value in _CLIENTS:
        unasked = name not in deployed.choices and name not in dropped
        if unasked and output in deployed.outputs - planned.outputs:
            yield (
                f"clients_dropped: the stage has {output}, and this deployment deletes these "
                f"clients: their programs could not ask for tokens. Give -c {name}={value}, or "
                f"--drop {name} to take them back."
            )


def _changed_pair(planned: Planned, deployed: Deployed) -> Iterator[str]:
    was, will = (listed(each.choices.get("regionPair")) for each in (deployed, planned))
    if deployed.exists and was != will:
        before, after = (f"in {' and '.join(each)}" if each else "as one" for each in (was, will))
        yield (
            f"region_pair_changed: the stage's tables were made {before}, and would be made {after}"
            " now; CloudFormation makes no table a global one, nor the other way. Deploy a stage of"
            " another name, and move its tenants (docs/operations/stages/regions.md, A deployed "
            "stage becomes a pair)."
        )


def _exports_in_use(planned: Planned, deployed: Deployed) -> Iterator[str]:
    for export, stacks in sorted(deployed.imports.items()):
        if stacks and export not in planned.exports:
            yield (
                f"export_in_use: {export} would be removed while {', '.join(sorted(stacks))} "
                "import it; CloudFormation refuses that. Deploy first a version that keeps the "
                "export and imports it nowhere (docs/operations/deploying.md, Removing what is "
                "exported)."
            )


def _concurrency(planned: Planned, deployed: Deployed) -> Iterator[str]:
    wanted = sum(planned.reserved.values())
    needed = wanted + UNRESERVED
    if wanted and needed > deployed.available:
        yield (
            f"account_concurrency_too_low: the stage sets {wanted:,} environments aside and AWS "
            f"keeps {UNRESERVED} unreserved, which makes {needed:,}; the account has "
            f"{deployed.available:,} left for it. Have the quota Concurrent executions raised, or "
            "choose a smaller -c capacity= (docs/operations/deploying.md, Concurrency)."
        )
