"""``timegate import github``: schedules of workflows become requests that start them."""

from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.migrating.workflows import cron, workflow
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]

OPTIONS = ("--repository", "acme/app", "--token-secret", "/timegate-target/acme/github")


@pytest.fixture
def read(timegate: Timegate, tmp_path: Path) -> Any:  # noqa: ANN401 - a function
    """Import workflows, by the names of their files."""

    def run(files: dict[str, str], *options: str) -> Outcome:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        paths = [str(tmp_path / name) for name in files]
        return timegate("import", "github", *paths, *(options or OPTIONS))

    return run


def test_a_schedule_becomes_a_request_that_starts_its_workflow(read: Any) -> None:  # noqa: ANN401
    """GitHub knows the workflow by the name of its file; the token stays a secret."""
    text = workflow(cron("0 6 * * 1-5", "Europe/Berlin"), workflow_dispatch=None)
    outcome = read({"nightly.yml": text})

    assert outcome.code == 0
    assert documents(outcome)["Nightly"] == {
        "schedule": {"kind": "cron", "cron": "0 6 * * 1-5", "timezone": "Europe/Berlin"},
        "action": {
            "type": "webhook",
            "url": "https://api.github.com/repos/acme/app/actions/workflows/nightly.yml/dispatches",
            "headers": {
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
            },
            "secret_headers": {"Authorization": {"ssm_parameter": "/timegate-target/acme/github"}},
        },
        "payload": {"ref": "main"},
    }
    assert "1 imported, 0 refused." in outcome.err


def test_several_files_are_read_at_once(read: Any) -> None:  # noqa: ANN401
    """A file without a schedule adds nothing; equal names are told apart."""
    daily = workflow(cron("0 6 * * *"), workflow_dispatch=None)
    files = {
        "a.yml": daily,
        "push.yml": "on: push\n",
        "b.yml": daily,
        "c d.yaml": workflow(cron("0 7 * * *"), name=None, workflow_dispatch=None),
    }
    outcome = read(files)
    found = documents(outcome)

    assert outcome.code == 0
    assert {name: spec["action"]["url"].split("/")[-2] for name, spec in found.items()} == {
        "Nightly": "a.yml",
        "Nightly 2": "b.yml",
        "c d.yaml": "c%20d.yaml",
    }


def test_what_is_imported_can_be_applied(
    read: Any,  # noqa: ANN401
    timegate: Timegate,
    tmp_path: Path,
) -> None:
    """The API takes each part of it."""
    outcome = read({"nightly.yml": workflow(cron("0 6 * * *"), workflow_dispatch=None)})
    path = tmp_path / "jobs.yaml"
    path.write_text(outcome.out)

    assert timegate("apply", "-f", str(path), "--yes").code == 0


def test_another_branch_and_api_are_asked(read: Any) -> None:  # noqa: ANN401
    """GitHub Enterprise has its API below an address of its own."""
    options = (*OPTIONS, "--ref", "trunk", "--api-url", "https://git.example.com/api/v3/")
    found = documents(read({"a.yml": workflow(cron("0 6 * * *"))}, *options))["Nightly"]

    assert found["action"]["url"] == (
        "https://git.example.com/api/v3/repos/acme/app/actions/workflows/a.yml/dispatches"
    )
    assert found["payload"] == {"ref": "trunk"}


@pytest.mark.parametrize(
    ("events", "step", "code"),
    [
        ({}, "make", "workflow_dispatch"),
        (
            {"workflow_dispatch": {"inputs": {"depth": {"required": True}}}},
            "make",
            "required_inputs",
        ),
        ({"workflow_dispatch": None}, "echo ${{ github.event.schedule }}", "event"),
        ({"workflow_dispatch": None}, "${{ github.event_name == 'schedule' }}", "event"),
        ({"workflow_dispatch": None}, "test $GITHUB_EVENT_NAME = schedule", "event"),
    ],
)
def test_what_a_start_on_request_lacks_is_named(
    read: Any,  # noqa: ANN401
    events: dict[str, Any],
    step: str,
    code: str,
) -> None:
    """The workflow has to be changed, or the payload."""
    text = workflow(cron("0 6 * * *"), **events).replace("make test", step)

    assert read({"a.yml": text}).err.count("warning [") == 1
    assert f"warning [{code}]" in read({"a.yml": text}).err


@pytest.mark.parametrize(
    "inputs",
    [
        {"depth": {"required": True, "default": 1}},
        {"depth": {"required": False}},
        {"depth": None},
        ["depth"],
        "depth",
    ],
)
def test_inputs_that_need_no_value_are_left_out(read: Any, inputs: object) -> None:  # noqa: ANN401
    """Others than objects are GitHub's to refuse."""
    text = workflow(cron("0 6 * * *"), workflow_dispatch={"inputs": inputs})

    assert "warning" not in read({"a.yml": text}).err


def test_a_missing_token_is_named(read: Any) -> None:  # noqa: ANN401
    """GitHub starts nothing without it."""
    text = workflow(cron("0 6 * * *"), workflow_dispatch=None)
    outcome = read({"a.yml": text}, "--repository", "acme/app")

    assert "warning [token]" in outcome.err
    assert "secret_headers" not in outcome.out


def test_a_token_may_be_a_member_of_a_secret(read: Any) -> None:  # noqa: ANN401
    """It is none itself."""
    text, arn = workflow(cron("0 6 * * *")), "arn:aws:secretsmanager:eu-central-1:1:secret:github"
    options = ("--repository", "acme/app", "--token-secret")
    found = documents(read({"a.yml": text}, *options, f"{arn}#token"))["Nightly"]

    assert found["action"]["secret_headers"] == {
        "Authorization": {"secret_arn": arn, "json_key": "token"}
    }
    assert read({"a.yml": text}, *options, "Bearer x").code == 2


def test_one_wrong_schedule_does_not_hold_the_others_back(read: Any) -> None:  # noqa: ANN401
    """The line is named."""
    outcome = read({"a.yml": workflow(cron("@daily"), cron("0 6 * * *"), workflow_dispatch=None)})

    assert (outcome.code, set(documents(outcome))) == (1, {"Nightly 2"})
    assert "line 4 Nightly: refused [invalid_cron]" in outcome.err


def test_a_file_that_is_no_workflow_is_named(read: Any) -> None:  # noqa: ANN401
    """Nothing is written: a part of a directory would look like all of it."""
    outcome = read({"a.yml": workflow(cron("0 6 * * *")), "b.yml": "- x\n"})

    assert (outcome.code, outcome.out) == (2, "")
    assert "b.yml" in outcome.err


@pytest.mark.parametrize("repository", ["acme", "acme/app/x", "acme/", "a b/c", "acme/app?x"])
def test_a_repository_is_an_owner_and_a_name(read: Any, repository: str) -> None:  # noqa: ANN401
    """Anything else would change the address."""
    assert read({"a.yml": "on: push\n"}, "--repository", repository).code == 2


def test_standard_input_has_no_name(timegate: Timegate) -> None:
    """It is part of the address."""
    outcome = timegate("import", "github", "-", *OPTIONS)

    assert outcome.code == 2
    assert "Name the file" in outcome.err
