"""A TypeScript client of the description: a short program compiles, and a wrong one does not."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.wide

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = (Path(__file__).parent / "program.ts").read_text()
SETTINGS = """{"compilerOptions": {
  "strict": true, "noEmit": true, "target": "ES2022", "module": "ESNext", "skipLibCheck": false,
  "moduleResolution": "Bundler", "lib": ["ES2022", "DOM", "DOM.Iterable"], "types": []
}}"""

Compile = Callable[[str], str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The types that openapi-typescript makes of the description, and settings of the compiler."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    (folder / "tsconfig.json").write_text(SETTINGS)
    generator = ROOT / "node_modules" / ".bin" / "openapi-typescript"
    description = ROOT / "docs" / "reference" / "openapi.json"
    subprocess.run(
        # A field with a default may be left out of a request.
        [generator, description, "--default-non-nullable=false", "--output", folder / "api.d.ts"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture
def compile_program(folder: Path) -> Compile:
    """Compile a program against the types; what the compiler says."""

    def compile_it(program: str) -> str:
        (folder / "program.ts").write_text(program)
        compiler = ROOT / "node_modules" / ".bin" / "tsc"
        done = subprocess.run(
            [compiler, "--project", folder], capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    return compile_it


def test_a_program_compiles(compile_program: Compile) -> None:
    """Paths, bodies, filters, answers and problems have their types."""
    assert compile_program(PROGRAM) == ""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('kind: "cron"', 'kind: "crom"', "crom"),
        ("max_attempts", "maximum_attempts", "maximum_attempts"),
        ("job.job_id", "job.id", "Property 'id' does not exist"),
        ('"/v1/jobs/{job_id}/trigger"', '"/v1/jobs/{job_id}/fire"', "/v1/jobs/{job_id}/fire"),
        ('state: "failed"', 'state: "broken"', "broken"),
        ("error.detail", "error.reason", "Property 'reason' does not exist"),
    ],
)
def test_a_wrong_program_does_not(
    compile_program: Compile, right: str, wrong: str, said: str
) -> None:
    """The description is exact where the program is wrong."""
    assert right in PROGRAM
    assert said in compile_program(PROGRAM.replace(right, wrong))
