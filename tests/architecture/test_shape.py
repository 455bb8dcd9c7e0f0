"""The shape of the code: what is where, and how large it may grow."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, name_of, nodes_of, text_of

PACKAGE = ROOT / "layers" / "core" / "python" / "timegate"
MODULE_LINES = 300
#: Written by ``python -m api.openapi``: types of the description's schemas.
GENERATED = {
    "layers/core/python/timegate/client/schemas.py",
}
FUNCTION_LINES = 40
#: Modules and folders in one folder.
ENTRIES = 15
#: Layers that list subjects: they may have as many rooms as there are subjects. Their other
#: entries, and the entries of a room, are counted.
LISTS_OF_SUBJECTS = {
    *(PACKAGE / name for name in ("domain", "usecases", "ports", "contracts", "cli")),
    ROOT / "functions" / "api",
    *(ROOT / "tests" / "unit" / name for name in ("domain", "usecases")),
    *(ROOT / "tests" / "functional" / name for name in ("api", "cli")),
    *(ROOT / "tests" / name for name in ("contract", "e2e", "property", "support")),
}
#: A construct's constructor is a list of properties, not a flow.
CONSTRUCTOR_LINES = 60
HANDLER_LINES = 40


def modules(*folders: str) -> Iterator[Path]:
    """Every module of the project below these folders."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


PRODUCT = [ROOT / "app.py", *modules("layers/core", "functions", "infra", "timegate_cdk")]
EVERYTHING = [*PRODUCT, *modules("tests", "bench", "examples")]


def found(pattern: str, paths: Iterable[Path]) -> set[str]:
    """The modules whose code matches."""
    expression = re.compile(pattern)
    return {name_of(path) for path in paths if expression.search(text_of(path))}


def long_functions(path: Path) -> list[str]:
    """Functions of a module that have more lines than they may."""
    limit = CONSTRUCTOR_LINES if name_of(path).startswith("infra/") else FUNCTION_LINES
    return [
        node.name
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= limit
    ]


def test_a_module_holds_one_idea() -> None:
    """No module is longer than 300 lines."""
    lines = {name_of(path): text_of(path).count("\n") for path in EVERYTHING}
    long = {name: count for name, count in lines.items() if count > MODULE_LINES}

    assert {name: count for name, count in long.items() if name not in GENERATED} == {}


def test_a_function_does_one_thing() -> None:
    """No function is longer than 40 lines, and none of ``infra`` than 60."""
    assert {name_of(path): long for path in EVERYTHING if (long := long_functions(path))} == {}


def entries() -> dict[str, set[str]]:
    """Modules and folders in each folder of modules, but those that are a list of subjects."""
    found: dict[str, set[str]] = {}
    for path in EVERYTHING:
        for entry in (path, *path.relative_to(ROOT).parents[:-2]):
            room = (ROOT / entry).parent
            is_subject = room in LISTS_OF_SUBJECTS and entry != path
            if not is_subject and not path.name.startswith("__"):
                found.setdefault(name_of(room), set()).add(entry.name)
    return found


def test_a_room_is_seen_at_a_glance() -> None:
    """A room has at most 15 entries; a longer list is read, and not seen."""
    found = {room: len(names) for room, names in entries().items()}

    assert len(found) > 300
    assert {room: count for room, count in found.items() if count > ENTRIES} == {}


def test_a_room_of_the_console_is_seen_at_a_glance() -> None:
    """Folders of its sources and tests likewise; pages are a list of subjects."""
    console = ROOT / "console"
    subjects = {console / name / "pages" for name in ("src", "tests")}
    rooms = [room for name in ("src", "tests") for room in (console / name).rglob("*/")]
    found = {name_of(room): len([*room.iterdir()]) for room in rooms if room not in subjects}

    assert len(found) > 40
    assert {room: count for room, count in found.items() if count > ENTRIES} == {}


def test_a_handler_parses_calls_and_maps() -> None:
    """A handler that grows has begun to decide something."""
    handlers = sorted((ROOT / "functions").glob("*/handler.py"))
    lines = {name_of(path): text_of(path).count("\n") for path in handlers}

    assert len(lines) > 10
    assert {name: count for name, count in lines.items() if count > HANDLER_LINES} == {}


def test_only_the_clock_reads_the_time() -> None:
    """Everywhere else ``now`` is an argument, so tests step it and outages can be simulated."""
    readers = found(r"datetime\.now|utcnow|time\.time\(|\btoday\(", PRODUCT)

    assert readers <= {
        "layers/core/python/timegate/adapters/system_clock.py",
        # Programs of users and at their desks; no decision of the scheduler depends on them.
        *(name for name in readers if name.startswith(("infra/local/",))),
        *(name for name in readers if "/timegate/cli/" in name or "/timegate/client/" in name),
        *(name for name in readers if "/timegate/worker/" in name),
    }


def test_expressions_are_made_in_one_module() -> None:
    """Stores say what they need as values; an engine puts it into its own words."""
    writers = found(
        r"ConditionExpression|UpdateExpression|KeyConditionExpression|\"(UPDATE|INSERT INTO) ",
        PRODUCT,
    )

    assert writers == {"layers/core/python/timegate/adapters/dynamo/tables/expressions.py"}


def test_only_the_engine_of_the_tables_knows_the_sdk() -> None:
    """Stores that call AWS by themselves would behave otherwise in memory."""
    tables = modules("layers/core/python/timegate/adapters/dynamo")

    assert found(r"(?m)^(from|import) (boto3|botocore)", [*tables]) == {
        "layers/core/python/timegate/adapters/dynamo/tables/boto_engine.py",
        "layers/core/python/timegate/adapters/dynamo/tables/throttles.py",
    }


def test_the_environment_is_read_in_one_place() -> None:
    """A function's settings are a dataclass; nothing else looks into its variables."""
    readers = found(r"os\.environ|getenv", [*modules("layers/core", "functions")])
    deployed = {n for n in readers if not re.search("/timegate/(cli|client|worker)/", n)}

    assert deployed == {"layers/core/python/timegate/runtime/environment.py"}


def importing(forbidden: str, *folders: str) -> set[str]:
    """Modules of the package's folders that import anything of this name."""
    paths = [path for folder in folders for path in (PACKAGE / folder).rglob("*.py")]
    assert {path.relative_to(PACKAGE).parts[0] for path in paths} == set(folders)
    return found(rf"(?m)^\s*(from|import) .*({forbidden})", paths)


def test_rules_know_no_aws() -> None:
    """Domain, use cases and ports import no SDK, no environment and no log."""
    forbidden = r"boto|powertools|pydantic|import os|logging"

    assert importing(forbidden, "domain", "usecases", "ports") == set()


#: Packages that run on people's machines.
PROGRAMS = ("cli", "client", "declaring", "testing", "worker")
#: Commands that read files without a stage.
READ_FILES = ("previews/schedule_files", "simulation/simulate")


def test_programs_of_users_talk_http() -> None:
    """Command line, SDK and worker import neither the SDK of AWS nor the server.

    Two commands read files by the contracts of requests.
    """
    forbidden = r"boto|timegate\.(adapters|runtime|usecases)"
    reading = {f"{PACKAGE.relative_to(ROOT)}/cli/{name}.py" for name in READ_FILES}

    assert importing(forbidden, *PROGRAMS) == set()
    assert importing(r"timegate\.contracts", *PROGRAMS) == reading


def test_no_module_is_a_grab_bag() -> None:
    """A name that fits everything says nothing."""
    vague = {"util", "utils", "common", "helper", "helpers", "manager", "misc"}

    assert {name_of(p) for p in EVERYTHING if p.stem in vague or p.parent.name in vague} == set()


def test_nothing_is_left_to_do() -> None:
    """Work that is not built is an issue, not a comment; a test is never skipped."""
    marks = r"TO" r"DO|FIX" r"ME|NotImplemented" r"Error|mark\.(skip|xf" r"ail)"

    assert found(marks, EVERYTHING) == set()
