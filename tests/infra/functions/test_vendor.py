"""The vendor layer's build: cached, whole, and the same for the same list."""

import re
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from infra.assets import bytecode, vendor
from infra.assets.sdk_services import UnknownService, sdk_services, services_of
from infra.assets.vendor import build_vendor, vendor_hash
from infra.stage.settings import HOST_PLATFORM, LAMBDA_PLATFORM


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """Record command lines instead of running them, with an empty cache and a short list."""
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("croniter==7.0.0\n")
    monkeypatch.setattr(vendor, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(vendor, "REQUIREMENTS", requirements)
    monkeypatch.setattr(bytecode, "interpreter", lambda _: "/bin/python-of-the-target")
    recorded: list[list[str]] = []

    def run(command: list[str], *, check: bool) -> None:
        assert check
        recorded.append(command)
        if "--target" not in command:
            return
        into = Path(command[command.index("--target") + 1])
        for part in ("bin", "icalendar/tests", "icalendar/cal", "boto3/data/sqs"):
            (into / part).mkdir(parents=True)
        for service in ("sqs", "ec2"):
            (into / "botocore" / "data" / service).mkdir(parents=True)
        (into / "botocore" / "data" / "endpoints.json").touch()

    monkeypatch.setattr(subprocess, "run", run)
    return recorded


def pinned() -> dict[str, str]:
    """The versions on the list, by package."""
    lines = vendor.REQUIREMENTS.read_text().splitlines()
    return dict(line.split()[0].split("==") for line in lines if "==" in line)


def test_the_list_is_the_locked_runtime_part() -> None:
    """``python -m infra.assets.vendor`` writes the list anew from the lock file."""
    assert vendor.locked_list() == vendor.REQUIREMENTS.read_text()


def test_the_layer_brings_everything_that_speaks_to_the_outside() -> None:
    """The SDK of a runtime changes without a deployment, and was never tested with this code."""
    shipped = {"boto3", "botocore", "s3transfer", "urllib3", "jmespath", "python-dateutil"}

    assert shipped <= set(pinned())


def test_every_file_of_the_layer_has_a_known_hash() -> None:
    """An index cannot give other bytes than those that were locked."""
    entries = vendor.REQUIREMENTS.read_text().replace("\\\n", "").splitlines()

    assert all("--hash=sha256:" in entry for entry in entries)
    assert len(entries) == len(pinned())


def test_tests_run_on_the_versions_of_the_layer() -> None:
    """This environment has exactly the shipped version of every shipped package."""
    assert pinned() == {name: version(name) for name in pinned()}


def test_a_file_of_another_hash_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """uv itself compares: a changed digit ends the build, and nothing is kept."""
    (line,) = (x for x in vendor.locked_list().replace("\\\n", "").splitlines() if "six" in x)
    forged = tmp_path / "requirements.txt"
    forged.write_text(re.sub(r"sha256:\w{8}", "sha256:00000000", line))
    monkeypatch.setattr(vendor, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(vendor, "REQUIREMENTS", forged)

    with pytest.raises(subprocess.CalledProcessError):
        build_vendor(HOST_PLATFORM)
    assert "Hash mismatch" in capfd.readouterr().err
    assert list(vendor.CACHE.iterdir()) == []


def test_the_layer_has_bytecode_of_every_module() -> None:
    """A cold start compiles nothing of it."""
    python = build_vendor(HOST_PLATFORM) / "python"
    sources = {path.relative_to(python) for path in python.rglob("*.py")}
    compiled = {
        path.relative_to(python).parent.parent / f"{path.name.partition('.')[0]}.py"
        for path in python.rglob("*.pyc")
    }

    assert sources <= compiled


def test_wheels_are_chosen_for_lambda_whatever_the_machine(commands: list[list[str]]) -> None:
    """Platform and Python are named, and nothing is compiled."""
    build_vendor(LAMBDA_PLATFORM)
    command, compiling = commands

    assert "--require-hashes" in command
    assert "--no-deps" not in command
    assert compiling[0] == "/bin/python-of-the-target"
    assert command[command.index("--python-platform") + 1] == "aarch64-manylinux2014"
    assert command[command.index("--python-version") + 1] == "3.13"
    assert command[command.index("--only-binary") + 1] == ":all:"


def test_what_no_function_runs_is_left_out(commands: list[list[str]]) -> None:
    """Scripts, tests that packages bring along, and models of services that nothing calls."""
    built = build_vendor(LAMBDA_PLATFORM) / "python"

    assert [str(path.relative_to(built)) for path in sorted(built.rglob("*"))] == [
        *("boto3", "botocore", "botocore/data", "botocore/data/endpoints.json"),
        *("botocore/data/sqs", "icalendar", "icalendar/cal"),
    ]


def test_another_service_is_another_layer(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A layer that was built before a client was added has no model for it."""
    before = vendor_hash(LAMBDA_PLATFORM)
    monkeypatch.setattr(vendor, "sdk_services", lambda: {"sqs", "sts"})

    assert before != vendor_hash(LAMBDA_PLATFORM)


def test_services_are_read_off_the_code() -> None:
    """Both ways to make a client, in every package that a function can import."""
    text = "boto3.client('sts'); session.create_client('kms', config=c); store.client"

    assert list(services_of(text, "a.py")) == ["sts", "kms"]
    assert {"dynamodb", "sqs"} <= sdk_services()


def test_a_service_that_is_not_spelt_out_is_refused() -> None:
    """The layer could lack its model, and no test would know before the first call."""
    with pytest.raises(UnknownService, match=r"a\.py:2 makes a client"):
        list(services_of("\nboto3.client(name)", "a.py"))


def test_a_function_that_passes_a_service_on_leaves_its_name_to_callers() -> None:
    """The literal stands where the function is called, and is read there."""
    text = "def made(self, service):\n    return session.client(service)\nclients.client('ecs')"

    assert list(services_of(text, "a.py")) == ["ecs"]


def test_a_service_out_of_a_variable_is_refused_within_a_function() -> None:
    """Only the function's own parameter is its callers' business."""
    text = "def made(self, service):\n    return session.client(other)"

    with pytest.raises(UnknownService, match=r"a\.py:2 makes a client"):
        list(services_of(text, "a.py"))


def test_a_layer_without_bytecode_is_another_layer(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The build warns of the cost if the target's interpreter is missing."""
    with_bytecode = build_vendor(LAMBDA_PLATFORM)
    monkeypatch.setattr(bytecode, "interpreter", lambda _: None)

    assert with_bytecode != build_vendor(LAMBDA_PLATFORM)
    assert "uv python install 3.13" in capsys.readouterr().err


def test_a_built_layer_is_used_again(commands: list[list[str]]) -> None:
    """The second synthesis needs no uv and no network."""
    first = build_vendor(LAMBDA_PLATFORM)
    second = build_vendor(LAMBDA_PLATFORM)

    assert first == second
    assert len(commands) == 2


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
