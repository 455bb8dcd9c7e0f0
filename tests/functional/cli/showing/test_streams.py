"""Standard streams of other encodings, full disks and closed pipes."""

import json
import os
import subprocess
import sys
from errno import ENOSPC
from io import StringIO
from pathlib import Path

import pytest
import yaml

from timegate.cli.main import app

PREVIEW = ("schedule", "preview", "--cron", "0 9 * * *", "--count", "1")
NAME = "Bericht-é→😀"


def ran(
    *words: str, encoding: str = "utf-8", before: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process whose streams have this encoding."""
    environ = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PYTHONIOENCODING": encoding,
        "PYTHONUTF8": "0",
    }
    program = f"import sys; {before}\nfrom timegate.cli.__main__ import run; run()"
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        env=environ,
        capture_output=True,
        check=False,
    )


@pytest.fixture
def convert(tmp_path: Path) -> tuple[str, ...]:
    """A command that prints a text of many scripts."""
    path = tmp_path / "crontab"
    path.write_text(f"0 9 * * * {NAME}\n", encoding="utf-8")
    return ("schedule", "convert", "--from", "crontab", str(path))


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_data_are_the_same_in_each_encoding(encoding: str, convert: tuple[str, ...]) -> None:
    """JSON and YAML are ASCII where the stream is not Unicode: any program reads them."""
    as_json = ran(*convert, "--json", encoding=encoding)
    as_yaml = ran(*convert, "-o", "yaml", encoding=encoding)
    entries = [
        json.loads(as_json.stdout.decode("utf-8"))["entries"],
        yaml.safe_load(as_yaml.stdout.decode("utf-8"))["entries"],
    ]

    assert (as_json.stderr, as_yaml.stderr) == (b"", b"")
    assert [found[0]["name"] for found in entries] == [NAME, NAME]


def test_a_table_has_escapes_for_what_its_encoding_lacks(convert: tuple[str, ...]) -> None:
    """A command that has done its work does not fail for a tenant's name."""
    shown = ran(*convert, encoding="cp1252")

    assert b"Traceback" not in shown.stderr
    assert "Bericht-é\\u2192\\ud83d\\ude00" in shown.stdout.decode("cp1252")


@pytest.mark.parametrize("words", [PREVIEW, (*PREVIEW, "--json"), ("jobs", "--help")])
def test_a_closed_stream_is_the_null_device(words: tuple[str, ...]) -> None:
    """A service or a scheduled task may have none."""
    closed = ran(*words, before="sys.stdout = None")

    assert (closed.returncode, closed.stderr) == (0, b"")


@pytest.mark.parametrize("words", [PREVIEW, ("--help",)])
@pytest.mark.parametrize("columns", ["0", "wide", "²"])
def test_an_impossible_width_is_none(words: tuple[str, ...], columns: str) -> None:
    """Tools that run a command without a terminal export 0."""
    shown = ran(*words, before=f"import os; os.environ['COLUMNS'] = {columns!r}")
    unset = ran(*words, before="import os; os.environ.pop('COLUMNS', None)")

    assert (shown.stdout, shown.stderr) == (unset.stdout, b"")


class _Full(StringIO):
    """A file on a disk that is full."""

    def write(self, _text: str) -> int:
        """Refuse, as the system does."""
        raise OSError(ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    "words", [PREVIEW, (*PREVIEW, "--json"), ("--help",), ("--version",), ("jobs", "--help")]
)
def test_a_full_disk_is_said_in_one_sentence(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With an exit code, and no trace of the program."""
    monkeypatch.setattr("sys.stdout", _Full())
    with pytest.raises(SystemExit) as ended:
        app(words)

    assert ended.value.code == 1
    assert "No space left on device: the output." in capsys.readouterr().err
