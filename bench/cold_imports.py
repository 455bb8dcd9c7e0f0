"""Imports of a cold start, beside those of a bare client (V5), as one JSON line.

    {"repetitions": 15, "functions": {"relay": {"ratio": 2.1, "ms": 399.0, "client_ms": 190.2, …}}}

Each function's handler is imported in an interpreter of its own, with nothing but its layers; in
turns with a bare client: a function that makes one client of the SDK, a logger and its metrics.
A ratio is the median over the pairs, by processor time: what else the machine does is in neither.
``own_modules`` are those of the function and its layers, ``modules`` all that are loaded by then.
``first_request`` is the API's function with its first ``GET /v1/jobs``, on tables that are empty.
``help`` is ``timegate --help`` beside ``import typer, httpx``, in this environment.

    python -m bench.cold_imports [REPETITIONS]
"""

import json
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from bench.alternatives.origin import origin
from tests.support.deployed.bare_functions import FUNCTIONS, search_path, variables_of
from tests.support.deployed.first_request import first_request

REPETITIONS = 15
#: The path that the API's function is asked for first.
FIRST_TARGET = "/v1/jobs"
#: Imports that every function needs: one client, a logger and metrics.
CLIENT = (
    "import boto3\n"
    "from aws_lambda_powertools import Logger, Metrics\n"
    "boto3.client('dynamodb')\n"
    "Logger()\n"
    "Metrics()"
)
#: Imports that a command line over HTTP needs at least.
TERMINAL = "import typer, httpx"
HELP = (
    "import contextlib, io\nfrom timegate.cli.main import app\n"
    "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
    "    app(['--help'])"
)
_MEASURED = """
import json, sys, time
sys.path[:0] = {path!r}
before = time.process_time()
{code}
spent = time.process_time() - before
ours = [name for name in sys.modules if name.split(".")[0] in {{"api", "timegate", {function!r}}}]
print(json.dumps({{"ms": 1000 * spent, "modules": len(sys.modules), "own_modules": len(ours)}}))
"""


def measured(code: str, function: str, path: list[str]) -> Mapping[str, float]:
    """Processor milliseconds of the code in a new interpreter, and how many modules it loaded."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-I", "-S", "-c", _MEASURED.format(**locals())],
        env=variables_of(function),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ImportError(done.stderr)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def command_line(code: str) -> Mapping[str, float]:
    """Measure code with the packages of this environment."""
    site = sysconfig.get_paths()
    core = Path(__file__).resolve().parents[1] / "layers" / "core" / "python"
    return measured(code, "", [str(core), site["purelib"], site["platlib"]])


def compared(function: str, path: list[str], repetitions: int) -> dict[str, float]:
    """One function beside a bare client, in turns; medians."""
    return summarised([(imported(function, path), bare(path)) for _ in range(repetitions)])


def imported(function: str, path: list[str]) -> Mapping[str, float]:
    """Measure the import of a function's handler."""
    return measured(f"import {function}.handler", function, path)


def answered(path: list[str]) -> Mapping[str, float]:
    """Measure the import of the API's handler, and its first request."""
    return measured(first_request(FIRST_TARGET), "api", path)


def bare(path: list[str]) -> Mapping[str, float]:
    """Measure a bare client."""
    return measured(CLIENT, "", path)


def summarised(pairs: list[tuple[Mapping[str, float], Mapping[str, float]]]) -> dict[str, float]:
    """Medians of pairs: what is measured, and what it is measured beside."""
    handlers = [handler for handler, _ in pairs]
    return {
        "ratio": round(median(handler["ms"] / client["ms"] for handler, client in pairs), 2),
        "ms": round(median(handler["ms"] for handler in handlers), 1),
        "client_ms": round(median(client["ms"] for _, client in pairs), 1),
        "modules": handlers[0]["modules"],
        "own_modules": handlers[0]["own_modules"],
    }


def main() -> None:
    """Measure every function, and print one line."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else REPETITIONS
    path = search_path()
    bare(path)  # Fills the file cache.
    functions = {name: compared(name, path, repetitions) for name in FUNCTIONS}
    first = summarised([(answered(path), bare(path)) for _ in range(repetitions)])
    spoken = summarised([(command_line(HELP), command_line(TERMINAL)) for _ in range(repetitions)])
    measures = {"functions": functions, "first_request": first, "help": spoken}
    print(json.dumps({**origin(), "repetitions": repetitions, **measures}))


if __name__ == "__main__":
    main()
