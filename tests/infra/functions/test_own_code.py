"""Our own code as it is deployed: with its bytecode, and the same for the same sources."""

import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.assets import bytecode, own_code
from infra.assets.own_code import OwnCode, build_code, code_hash
from infra.stage.settings import HOST_PLATFORM, LAMBDA_PLATFORM
from tests.infra.stage_template import StageTemplate

#: Bytes of a ``.pyc`` before its code, and how its flags say "unchecked hash".
HEADER, UNCHECKED_HASH = 16, b"\x01\x00\x00\x00"


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OwnCode:
    """A package with a part that no function imports, and an empty cache."""
    monkeypatch.setattr(own_code, "CACHE", tmp_path / "cache")
    sources = {"kept/__init__.py": "", "kept/part.py": "ANSWER = 42\n", "kept/cli/main.py": ""}
    for name, text in sources.items():
        path = tmp_path / "sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    left_out = ("kept/cli",)
    return OwnCode(what="code is", folder=tmp_path / "sources", mounted="/opt/x", left_out=left_out)


def bytecode_of(source: Path) -> Path:
    """Return the file that a function looks for; this process may keep its own elsewhere."""
    return source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"


def files_of(built: Path) -> set[str]:
    """Sources and others, without bytecode."""
    return {str(path.relative_to(built)) for path in built.rglob("*.py")}


def test_each_source_has_bytecode_that_needs_no_time_stamp(code: OwnCode) -> None:
    """Unpacked files have other time stamps; a traceback names the file where Lambda has it."""
    built = build_code(code, HOST_PLATFORM)
    compiled = bytecode_of(built / "kept" / "part.py").read_bytes()

    assert files_of(built) == {"kept/__init__.py", "kept/part.py"}
    assert bytecode_of(built / "kept" / "__init__.py").exists()
    assert compiled[4:8] == UNCHECKED_HASH
    assert marshal.loads(compiled[HEADER:]).co_filename == "/opt/x/kept/part.py"


def test_the_same_sources_are_the_same_asset(code: OwnCode) -> None:
    """Time stamps and bytecode of a checkout change nothing, and nothing is compiled anew."""
    first = build_code(code, HOST_PLATFORM)
    os.utime(code.folder / "kept" / "part.py", (1, 1))
    (code.folder / "kept" / "__pycache__").mkdir()
    (code.folder / "kept" / "__pycache__" / "part.cpython-311.pyc").touch()
    (code.folder / "kept" / "cli" / "main.py").write_text("print()\n")

    assert build_code(code, HOST_PLATFORM) == first
    assert first.name == code_hash(code, HOST_PLATFORM)


@pytest.mark.parametrize("name", ["part.py", "other.py"])
def test_another_source_is_another_asset(code: OwnCode, name: str) -> None:
    """A change and a new file."""
    before = code_hash(code, HOST_PLATFORM)
    (code.folder / "kept" / name).write_text("ANSWER = 43\n")

    assert code_hash(code, HOST_PLATFORM) != before


def test_without_the_target_s_python_there_are_sources_alone(
    code: OwnCode, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is another asset, and a line says how cold starts get shorter."""
    monkeypatch.setattr(bytecode, "interpreter", lambda _: "/bin/python-of-the-target")
    compiled = code_hash(code, LAMBDA_PLATFORM)
    monkeypatch.setattr(bytecode, "interpreter", lambda _: None)
    built = build_code(code, LAMBDA_PLATFORM)

    assert built.name != compiled
    assert list(built.rglob("*.pyc")) == []
    assert files_of(built) == {"kept/__init__.py", "kept/part.py"}
    assert "The code is built without bytecode, as Python 3.13" in capsys.readouterr().err


def test_a_source_that_does_not_compile_leaves_nothing(code: OwnCode) -> None:
    """Half a build would be taken for a whole one by the next synthesis."""
    (code.folder / "kept" / "part.py").write_text("def\n")

    with pytest.raises(subprocess.CalledProcessError):
        build_code(code, HOST_PLATFORM)
    assert list(own_code.CACHE.iterdir()) == []


def test_the_builds_that_were_used_last_are_kept(
    code: OwnCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each change is a build of 20 MB."""
    monkeypatch.setattr(own_code, "MOST_KEPT", 1)
    first = build_code(code, HOST_PLATFORM)
    os.utime(first, (1, 1))
    (code.folder / "kept" / "part.py").write_text("ANSWER = 43\n")
    second = build_code(code, HOST_PLATFORM)

    assert list(own_code.CACHE.iterdir()) == [second]


def test_stages_deploy_bytecode(local: StageTemplate) -> None:
    """The core layer and the functions: a cold start compiles none of them."""
    assets = local.assembly
    own = [*assets.rglob("executor/handler.py"), *assets.rglob("timegate/value_classes.py")]
    sources = [path for each in own for path in each.parents[1].rglob("*.py")]

    assert len(own) == 2
    assert len(sources) > 1_000
    assert [path for path in sources if not bytecode_of(path).exists()] == []
