"""``timegate admin export`` and ``import``, and what they say."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from botocore.exceptions import ClientError

from infra.admin import stage_access
from infra.admin.stage_access import NoAccess, NoStage, StageAccess, StoreNames
from tests.functional.cli.conftest import Outcome
from tests.support.moving.stages import held, opened, reached
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World

Timegate = Callable[..., Outcome]


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> dict[str, World]:
    """Two stages, of which one has two tenants."""
    found = {"prod": opened(), "prod-b": opened()}
    for tenant in ("acme", "other"):
        inhabit(found["prod"], tenant)

    @contextmanager
    def connected(
        stage: str, *, rights: str, stores: StoreNames | None = None
    ) -> Iterator[StageAccess]:
        if stores is not None:
            assert (stores.jobs_table, stores.runs_table) == (JOBS_TABLE, RUNS_TABLE)
            yield reached(found["prod"], stage)
            return
        if stage == "none":
            raise NoAccess("AWS cannot be asked: no credentials.", rights=rights)
        if stage not in found:
            raise NoStage(f"Timegate-{stage}-Data")
        yield reached(found[stage], stage)

    monkeypatch.setattr(stage_access, "connected", connected)
    return found


def test_a_stage_is_exported_and_imported(
    timegate: Timegate, stages: dict[str, World], tmp_path: Path
) -> None:
    """Counts for people, and for programs."""
    file = str(tmp_path / "prod.export")
    exported = timegate("admin", "export", file, "--stage", "prod")
    imported = timegate("admin", "import", file, "--stage", "prod-b", "--json")

    assert (exported.code, imported.code) == (0, 0)
    assert "6 job" in exported.out
    assert imported.json["stored"]["job"] == 6
    assert len(held(stages["prod-b"])) > 30


def test_one_tenant_is_exported_with_its_history(
    timegate: Timegate, stages: dict[str, World], tmp_path: Path
) -> None:
    """Both options are taken together."""
    file = tmp_path / "acme.export"
    words = ("--stage", "prod", "--tenant", "acme", "--history", "--json")
    exported = timegate("admin", "export", str(file), *words).json

    assert (exported["tenant"], exported["history"], exported["resumed"]) == ("acme", True, False)
    assert exported["records"]["run"] >= 3
    assert "acme" in file.read_text()


def test_a_damaged_file_is_refused_with_its_code(
    timegate: Timegate, stages: dict[str, World], tmp_path: Path
) -> None:
    """Nothing is imported."""
    file = tmp_path / "f"
    timegate("admin", "export", str(file), "--stage", "prod")
    file.write_text(file.read_text().replace("holidays", "holydays", 1))
    before = held(stages["prod-b"])
    refused = timegate("admin", "import", str(file), "--stage", "prod-b", "--json")

    assert refused.code == 1
    assert json.loads(refused.err)["error"]["code"] == "export_damaged"
    assert held(stages["prod-b"]) == before


def test_what_differs_is_told(timegate: Timegate, stages: dict[str, World], tmp_path: Path) -> None:
    """It exits as ``diff`` does."""
    file = str(tmp_path / "f")
    timegate("admin", "export", file, "--stage", "prod")
    timegate("admin", "import", file, "--stage", "prod-b")
    jobs = stages["prod-b"].tables.jobs
    place = next(iter(jobs))
    jobs[place] = replace(jobs[place], name="renamed")
    again = timegate("admin", "import", file, "--stage", "prod-b")

    assert again.code == 5
    assert "left as it is, differs: " in again.out


@pytest.mark.parametrize(
    ("stage", "code", "told"),
    [
        ("none", "no_aws_access", "dynamodb:Scan"),
        ("staging", "stage_not_found", "Timegate-staging-Data"),
    ],
)
def test_a_stage_that_cannot_be_reached_is_named(
    timegate: Timegate,
    stages: dict[str, World],
    tmp_path: Path,
    stage: str,
    code: str,
    told: str,
) -> None:
    """With the rights that the command needs."""
    assert stages
    refused = timegate("admin", "export", str(tmp_path / "f"), "--stage", stage)

    assert refused.code == 3
    assert f"error [{code}]" in refused.err
    assert told in refused.err


def test_quotas_are_recounted(timegate: Timegate, stages: dict[str, World]) -> None:
    """The count is that of ``look_after``."""
    found = timegate("admin", "quotas", "--stage", "prod", "--tenant", "acme")

    assert (found.code, found.out.splitlines()[0]) == (0, "jobs: 2 counted, 2 present")
    assert stages


def test_concurrency_asks_nothing(timegate: Timegate) -> None:
    """The table is computed of settings."""
    shown = timegate("admin", "concurrency", "--stage", "prod")

    assert "quota that the account needs" in shown.out


def test_an_assembly_that_is_not_there_is_said(timegate: Timegate, tmp_path: Path) -> None:
    """Before AWS is asked."""
    refused = timegate("admin", "preflight", "--app", str(tmp_path / "none"))

    assert (refused.code, "error [nothing_synthesised]" in refused.err) == (1, True)


def test_outside_a_checkout_the_tools_say_where_they_are(
    timegate: Timegate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel has none of the server's packages."""
    package = tmp_path / "a" / "b" / "c" / "timegate" / "__init__.py"
    monkeypatch.setattr("timegate.__file__", str(package))
    refused = timegate("admin", "quotas", "--stage", "prod", "--tenant", "acme")

    assert refused.code == 2
    assert "error [checkout_needed]" in refused.err


def test_a_tenant_is_moved_step_by_step(timegate: Timegate, stages: dict[str, World]) -> None:
    """Each step shows both stages; one that is not due is refused with its time."""
    ends = ("--from", "prod", "--to", "prod-b", "--tenant", "acme")
    begun = timegate("admin", "move", "begin", *ends, "--at", "2026-11-21T08:00:00Z")
    early = timegate("admin", "move", "close", *ends)
    shown = timegate("admin", "move", "show", *ends, "--json")
    withdrawn = timegate("admin", "move", "withdraw", *ends)

    assert begun.out.splitlines() == [
        "prod: leaving to stage prod-b, with the cut-over at 2026-11-21T08:00:00.000Z",
        "prod-b: arriving from stage prod, with the cut-over at 2026-11-21T08:00:00.000Z",
    ]
    assert (early.code, "error [move_refused]" in early.err) == (1, True)
    assert "2026-11-21T07:57:00" in early.err
    assert shown.json["stages"]["prod"].startswith("leaving to stage prod-b")
    assert withdrawn.out.splitlines()[0] == "prod: not on the move"
    assert stages


def test_a_table_that_is_still_being_restored_is_waited_for(
    timegate: Timegate, stages: dict[str, World], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restore takes minutes to hours, and DynamoDB does not know the table until then."""
    missing = {"Error": {"Code": "ResourceNotFoundException", "Message": "not found"}}

    def scan(*_: object) -> NoReturn:
        raise ClientError(missing, "Scan")  # type: ignore[arg-type]  # parts of an answer

    monkeypatch.setattr(stages["prod"].tables.engine, "scan", scan)
    words = ("--stage", "prod", "--jobs-table", "jobs-restored")
    refused = timegate("admin", "export", str(tmp_path / "f"), *words)

    assert refused.code == 1
    assert "error [table_not_ready]: jobs-restored or" in refused.err
    assert "aws dynamodb wait table-exists" in refused.err


def test_a_stage_whose_stacks_are_gone_is_exported_by_its_stores(
    timegate: Timegate, stages: dict[str, World], tmp_path: Path
) -> None:
    """Tables and bucket outlive them; no output names these any more."""
    stores = ("--jobs-table", JOBS_TABLE, "--runs-table", RUNS_TABLE)
    words = ("admin", "export", str(tmp_path / "f"), "--stage", "gone", "--bucket", "blobs")
    half = timegate(*words, *stores[:2])
    done = timegate(*words, *stores)

    assert stages
    assert (half.code, "bucket: Name both tables as well." in half.err) == (1, True)
    assert (done.code, "6 job" in done.out) == (0, True)
