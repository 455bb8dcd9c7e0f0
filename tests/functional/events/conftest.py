"""The handlers that Lambda imports, working on tables in memory and without a network."""

import importlib
from collections.abc import Mapping
from types import ModuleType

import pytest

from tests.functional.events.functions import NEEDS, VARIABLES, Functions

#: Variables of every function; credentials are the role's.
_LAMBDA = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "POWERTOOLS_SERVICE_NAME": "timegate-test-events",
    "POWERTOOLS_METRICS_NAMESPACE": "Timegate",
}


@pytest.fixture(autouse=True)
def offline(socket_disabled: None) -> None:
    """Refuse network access: a handler works with its services alone."""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process has the variables of every function."""
    for name, text in {**_LAMBDA, **VARIABLES}.items():
        monkeypatch.setenv(name, text)


@pytest.fixture(scope="session")
def handlers() -> Mapping[str, ModuleType]:
    """The modules that Lambda imports, each with the variables it is told and no others."""
    modules: dict[str, ModuleType] = {}
    for function, names in NEEDS.items():
        with pytest.MonkeyPatch.context() as patch:
            for name in VARIABLES:
                patch.delenv(name, raising=False)
            for name, text in {**_LAMBDA, **{n: VARIABLES[n] for n in names}}.items():
                patch.setenv(name, text)
            modules[function] = importlib.import_module(f"{function}.handler")
    return modules


@pytest.fixture
def functions(handlers: Mapping[str, ModuleType], monkeypatch: pytest.MonkeyPatch) -> Functions:
    """All of them in one world."""
    functions = Functions(handlers)
    for module, services in functions.services(handlers):
        monkeypatch.setattr(module, "services", services)
    return functions
