"""Each function imports with its layers and what the Lambda runtime brings, and nothing else."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.bare_functions import FUNCTIONS, VARIABLES, provide, search_path

#: What runs on people's machines, and what reads their files in a process of its own.
HEAVY = {
    "timegate.cli",
    "timegate.client",
    "timegate.worker",
    "rich",
    "httpx",
    "icalendar",
    "dateutil.rrule",
}


@pytest.fixture(scope="module")
def runtime_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the Lambda runtime brings."""
    return provide(tmp_path_factory.mktemp("provided"))


def import_handler(name: str, provided: Path, variables: dict[str, str]) -> str:
    """Import a handler in a bare interpreter; what it printed, or its traceback."""
    code = f"import sys; sys.path[:0] = {search_path(provided)!r}\n"
    code += f"from {name}.handler import handle\n"
    code += f"heavy = {HEAVY!r} & set(sys.modules)\n"
    code += (
        "heavy |= {'pydantic'} & set(sys.modules) if "
        + repr(name not in {"api", "workers"})
        + " else set()\n"
    )
    code += "print(callable(handle), sorted(heavy))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_needs_nothing_but_its_layers(name: str, runtime_packages: Path) -> None:
    """A package missing from the layer fails here and not after a deployment."""
    assert import_handler(name, runtime_packages, VARIABLES) == "True []"


@pytest.mark.parametrize("missing", ["QUEUE_URLS", "HOLD_LEAD_SECONDS", "REJECTED_QUEUE_URL"])
def test_a_function_names_the_variable_it_misses(missing: str, runtime_packages: Path) -> None:
    """A misdeployed function says what is wrong with it at its first cold start."""
    variables = {name: text for name, text in VARIABLES.items() if name != missing}

    assert f"The environment variable {missing} is not set." in import_handler(
        "relay", runtime_packages, variables
    )
