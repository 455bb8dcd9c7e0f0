"""Each function imports with its layers, which win over what the Lambda runtime brings.

The command line imports the command that is chosen.
"""

import re
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.cold_imports import HELP, TERMINAL, answered, bare, command_line, measured
from infra.assets.sdk_services import sdk_services
from tests.architecture.sources import ROOT, text_of
from tests.support.deployed.bare_functions import (
    FUNCTIONS,
    VARIABLES,
    provide,
    search_path,
)

#: Packages that run on people's machines, or read their files in a process of their own.
HEAVY = {
    "timegate.cli",
    "timegate.client",
    "timegate.declaring",
    "timegate.worker",
    "rich",
    "httpx",
    "icalendar",
    "dateutil.rrule",
}

#: Packages that only functions are deployed with.
SERVER = {"boto3", "botocore", "pydantic", "aws_lambda_powertools"}

#: Most modules of each function: its own and its core layer's, and all beside a bare client's.
BOUNDS = {
    "api": (346, 2.06),
    "workers": (366, 2.11),
    "outcomes": (395, 1.81),
    "executor": (302, 1.59),
    "sweeper": (341, 1.68),
    "operations": (344, 1.69),
    "dag_runs": (318, 1.63),
    "auditor": (308, 1.61),
    "planner": (271, 1.52),
    "dead_letter": (241, 1.45),
    "archiver": (181, 1.31),
    "cloud_events": (202, 1.35),
    "relay": (91, 1.09),
}
#: The API's function after its first ``GET /v1/jobs``, likewise.
FIRST_REQUEST = (447, 2.3)


def unreached(words: str) -> str:
    """Run the program in front of a port that no process listens on."""
    environ = {"TIMEGATE_API_URL": "http://127.0.0.1:9/stage", "TIMEGATE_TOKEN": "t"}
    return (
        "import contextlib, io, os\n"
        f"os.environ.update({environ!r})\n"
        f"sys.argv = ['timegate', *{words.split()!r}]\n"
        "from timegate.cli.__main__ import run\n"
        "with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    run()"
    )


@pytest.fixture(scope="module")
def runtime_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the SDK of a runtime, which refuses to be imported."""
    return provide(tmp_path_factory.mktemp("provided"))


@pytest.fixture(scope="module")
def imports(runtime_packages: Path) -> dict[str, Mapping[str, float] | str]:
    """Each handler, imported once in a bare interpreter: what it loads, or its traceback."""
    return {name: tried(name, search_path(runtime_packages)) for name in FUNCTIONS}


@pytest.fixture(scope="module")
def client_modules() -> float:
    """Count the modules that a bare client loads."""
    return bare(search_path())["modules"]


@pytest.fixture(scope="module")
def terminal_modules() -> float:
    """Count the modules that a command line over HTTP loads at least."""
    return command_line(TERMINAL)["modules"]


def tried(name: str, path: list[str]) -> Mapping[str, float] | str:
    """Import a handler; what it loads, or its traceback."""
    try:
        return measured(
            f"{handler_code(name)}\nassert callable(handle) and not heavy, heavy\n"
            f"import gc\nassert gc.isenabled() and gc.get_freeze_count() > 10_000",
            name,
            path,
        )
    except ImportError as error:
        return str(error)


def import_handler(name: str, provided: Path, variables: dict[str, str]) -> str:
    """Import a handler in a bare interpreter; what it printed, or its traceback."""
    return run_bare(handler_code(name), search_path(provided), variables)


def handler_code(name: str) -> str:
    """Import a handler, and say which heavy modules and other functions' wiring came with it."""
    others = {f"timegate.runtime.wiring.{other}" for other in FUNCTIONS if other != name}
    code = f"from {name}.handler import handle\n"
    code += f"heavy = {HEAVY | others!r} & set(sys.modules)\n"
    code += (
        "heavy |= {'pydantic'} & set(sys.modules) if "
        + repr(name not in {"api", "workers"})
        + " else set()\n"
    )
    return code + "print(callable(handle), sorted(heavy))"


def run_bare(code: str, path: list[str], variables: dict[str, str]) -> str:
    """Run code in an interpreter without site packages; what it printed, or its traceback."""
    code = f"import sys; sys.path[:0] = {path!r}\n{code}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or done.stderr


def test_a_function_needs_nothing_but_its_layers(
    imports: dict[str, Mapping[str, float] | str],
) -> None:
    """A package missing from the layer fails here and not after a deployment."""
    assert {name: found for name, found in imports.items() if isinstance(found, str)} == {}


def test_a_function_loads_what_it_needs(
    imports: dict[str, Mapping[str, float] | str], client_modules: float
) -> None:
    """Cold starts take time by the module; a store that one function uses costs the others."""
    assert set(imports) == set(BOUNDS)
    for name, (own, ratio) in BOUNDS.items():
        found = imports[name]
        assert not isinstance(found, str)
        assert found["own_modules"] <= own, name
        assert found["modules"] <= ratio * client_modules, name


def test_dataclasses_compile_nothing_at_import() -> None:
    """The decorator of the standard library takes ten times as long (docs/decisions/0202)."""
    by_hand = re.compile(r"(?m)^from dataclasses import .*\bdataclass\b|^import dataclasses")
    sources = [
        path for room in ("layers/core", "functions") for path in (ROOT / room).rglob("*.py")
    ]

    assert {path.name for path in sources if by_hand.search(text_of(path))} == {"value_classes.py"}


def test_a_first_request_loads_what_its_path_needs(
    imports: dict[str, Mapping[str, float] | str], client_modules: float
) -> None:
    """The API's function imports routes, contracts and use cases with the first request."""
    own, ratio = FIRST_REQUEST
    found, at_first = answered(search_path()), imports["api"]

    assert not isinstance(at_first, str)
    assert at_first["own_modules"] < found["own_modules"] <= own
    assert found["modules"] <= ratio * client_modules


def test_a_function_names_the_variable_it_misses(runtime_packages: Path) -> None:
    """A misdeployed function says what is wrong with it at its first cold start."""
    for missing in ("QUEUE_URLS", "HOLD_LEAD_SECONDS", "REJECTED_QUEUE_URL"):
        variables = {name: text for name, text in VARIABLES.items() if name != missing}

        assert f"The environment variable {missing} is not set." in import_handler(
            "relay", runtime_packages, variables
        )


def test_a_function_refuses_the_sdk_of_the_runtime(tmp_path: Path) -> None:
    """Other bytes than the tested ones fail at the first cold start, and say where they lie."""
    site = Path(sysconfig.get_paths()["purelib"])
    for name in ("boto3", "botocore", "s3transfer", "urllib3"):
        (tmp_path / name).symlink_to(site / name)
    path = search_path()

    before_the_layer = [*path[:-1], str(tmp_path), path[-1]]
    found = run_bare(handler_code("relay"), before_the_layer, VARIABLES)
    assert f"ForeignLibrary: botocore was loaded from {tmp_path} and not from {path[-1]}" in found

    after_the_layer = [*path, str(tmp_path)]
    assert run_bare(handler_code("relay"), after_the_layer, VARIABLES) == "True []"


def test_the_layer_has_a_model_of_every_service_that_is_called() -> None:
    """Each client that the runtime makes can be made with the layer alone."""
    code = (
        "from botocore.session import Session\n"
        "from timegate.runtime import clients\n"
        "session = Session()\n"
        f"services = {sorted(sdk_services())}\n"
        "made = [clients.target(session, each, now=None).meta.service_model.service_name"
        " for each in services]\n"
        "print(made)"
    )

    assert run_bare(code, search_path(), VARIABLES) == str(sorted(sdk_services()))


def test_stores_work_in_memory_without_the_sdk() -> None:
    """Previews and simulations on a desk need none of the server's packages."""
    code = (
        "import sys\n"
        "from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore\n"
        "from timegate.adapters.dynamo.runs.run_store import DynamoRunStore\n"
        "from timegate.adapters.memory.engine import MemoryEngine\n"
        f"print(sorted({SERVER!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_help_of_the_command_line_imports_no_command(terminal_modules: float) -> None:
    """Help loads at most 1.5 times the modules of ``import typer, httpx``; 2.5 times before."""
    found = command_line(HELP)

    assert found["modules"] <= 1.5 * terminal_modules
    assert found["own_modules"] <= 10


@pytest.mark.parametrize(
    ("words", "ratio"), [("health", 1.9), ("runs list", 2.1), ("jobs list", 2.3)]
)
def test_a_stage_that_is_down_is_found_with_few_modules(
    terminal_modules: float, words: str, ratio: float
) -> None:
    """A caller waits for each: 1.8, 2 and 2.2 times ``import typer, httpx``; 2.6 before."""
    found = command_line(unreached(words))["modules"]

    assert found <= ratio * terminal_modules


def test_a_stage_that_is_down_is_told_of_without_what_is_unused() -> None:
    """httpx's own command line, YAML and croniter are slow to import, and print no error."""
    slow = ["httpx._main", "rich.progress", "yaml", "croniter"]
    code = f"{unreached('health')}\nprint([name for name in {slow} if sys.modules.get(name)])"
    site = sysconfig.get_paths()
    path = ["layers/core/python", site["purelib"], site["platlib"]]

    assert run_bare(code, path, {}) == "[]"
