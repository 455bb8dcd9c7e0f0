"""The vendor layer's build: cached, whole, and the same for the same list."""

import subprocess
import sys
from pathlib import Path

import pytest

from infra import vendor
from infra.settings import HOST_PLATFORM, LAMBDA_PLATFORM
from infra.vendor import build_vendor, vendor_hash


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """Record uv's command lines instead of running them, with an empty cache and a short list."""
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("croniter==7.0.0\n")
    monkeypatch.setattr(vendor, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(vendor, "REQUIREMENTS", requirements)
    recorded: list[list[str]] = []

    def run(command: list[str], *, check: bool) -> None:
        assert check
        recorded.append(command)
        into = Path(command[command.index("--target") + 1])
        for part in ("bin", "icalendar/tests", "icalendar/cal"):
            (into / part).mkdir(parents=True)

    monkeypatch.setattr(subprocess, "run", run)
    return recorded


def test_the_list_is_the_locked_runtime_part() -> None:
    """``uv export`` of the lock file gives the list that is shipped."""
    export = "--frozen --offline --no-default-groups --no-emit-project --no-hashes --no-annotate"
    exported = subprocess.run(
        [sys.executable, "-m", "uv", "export", "--quiet", "--no-header", *export.split()],
        cwd=vendor.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert exported.stdout == vendor.REQUIREMENTS.read_text()


def test_nothing_is_shipped_that_the_runtime_brings() -> None:
    """boto3 and what it stands on would double the layer and shadow Lambda's own."""
    shipped = {line.partition("==")[0] for line in vendor.REQUIREMENTS.read_text().splitlines()}

    assert shipped.isdisjoint({"boto3", "botocore", "s3transfer", "urllib3"})


def test_wheels_are_chosen_for_lambda_whatever_the_machine(commands: list[list[str]]) -> None:
    """Platform and Python are named, and nothing is compiled."""
    build_vendor(LAMBDA_PLATFORM)
    (command,) = commands

    assert command[command.index("--python-platform") + 1] == "aarch64-manylinux2014"
    assert command[command.index("--python-version") + 1] == "3.13"
    assert command[command.index("--only-binary") + 1] == ":all:"


def test_what_no_function_runs_is_left_out(commands: list[list[str]]) -> None:
    """Scripts, and the tests that some packages bring along: two megabytes of one alone."""
    built = build_vendor(LAMBDA_PLATFORM) / "python"

    assert [str(path.relative_to(built)) for path in sorted(built.rglob("*"))] == (
        ["icalendar", "icalendar/cal"]
    )


def test_a_built_layer_is_used_again(commands: list[list[str]]) -> None:
    """The second synthesis needs no uv and no network."""
    first = build_vendor(LAMBDA_PLATFORM)
    second = build_vendor(LAMBDA_PLATFORM)

    assert first == second
    assert len(commands) == 1


def test_a_changed_list_is_another_layer(commands: list[list[str]]) -> None:
    """The hash follows the content of the list and the platform."""
    before = vendor_hash(LAMBDA_PLATFORM)
    vendor.REQUIREMENTS.write_text("croniter==6.0.0\n")

    assert before != vendor_hash(LAMBDA_PLATFORM)
    assert vendor_hash(LAMBDA_PLATFORM) != vendor_hash(HOST_PLATFORM)
    assert commands == []


def test_a_failed_build_leaves_nothing(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a layer would be taken for a whole one by the next synthesis."""

    def fail(command: list[str], *, check: bool) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(subprocess.CalledProcessError):
        build_vendor(LAMBDA_PLATFORM)

    assert list(vendor.CACHE.iterdir()) == []
    assert commands == []
