"""Generated examples do not depend on the tests that ran before."""

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers

from tests.examples import collect_local_constants, freeze_local_constants


def drawn() -> list[tuple[str, int]]:
    """Draw examples as every derandomized test does."""
    found: list[tuple[str, int]] = []

    @settings(max_examples=500, derandomize=True, phases=[Phase.generate])
    @given(st.text(), st.integers())
    def collect(text: str, number: int) -> None:
        found.append((text, number))

    collect()
    return found


def load_module(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Load a local module that is full of constants."""
    name = f"constants_of_{folder.name}"
    path = folder / f"{name}.py"
    path.write_text("\n".join(f"C{n} = ({n + 1_000_000}, 'text {n}')" for n in range(500)))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    patch.setitem(sys.modules, name, module)


def test_loaded_modules_change_no_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests that ran before decide which modules a process has loaded."""
    freeze_local_constants(monkeypatch)
    before = drawn()
    load_module(tmp_path, monkeypatch)

    assert len(before) == 500
    assert drawn() == before


def test_hypothesis_would_take_constants_of_loaded_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it takes none, or takes them elsewhere, nothing is to be frozen there any more."""
    monkeypatch.setattr(providers, "_get_local_constants", collect_local_constants)
    # Constants of modules that other tests have loaded would be drawn in place of these.
    monkeypatch.setattr(providers, "_seen_modules", set(map(id, list(sys.modules.values()))))
    monkeypatch.setattr(providers, "_local_constants", type(providers._local_constants)())
    monkeypatch.setattr(providers, "_sys_modules_len", None)
    providers.CONSTANTS_CACHE.cache.clear()
    load_module(tmp_path, monkeypatch)

    assert any(text.startswith("text ") for text, _ in drawn())
    providers.CONSTANTS_CACHE.cache.clear()
