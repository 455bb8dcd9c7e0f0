"""The crash matrix's region, whose calls are remembered, and the roles that are to allow them."""

from collections.abc import Iterator

import pytest

from tests.crash.region import Region
from tests.crash.services import functions
from tests.crash.services.cloud import Cloud
from tests.iam.recording import Recorder
from tests.iam.roles import Roles
from tests.infra.conftest import Synthesise, keyed, prod, synthesise
from tests.infra.stage_template import StageTemplate

__all__ = ["keyed", "prod", "synthesise"]


@pytest.fixture
def recorder() -> Recorder:
    """Return the recorder of a test's requests."""
    return Recorder()


@pytest.fixture(scope="module")
def recorders() -> list[Recorder]:
    """The recorder that hears the calls: the last one."""
    return [Recorder()]


@pytest.fixture(scope="module")
def cloud_that_tells(recorders: list[Recorder]) -> Iterator[Cloud]:
    """Everything deployed, the auditor as well, with its shards open."""
    with pytest.MonkeyPatch.context() as patch:
        tell = Recorder.wrapping(functions.Clients.create_client, lambda: recorders[-1])
        patch.setattr(functions.Clients, "create_client", tell)
        region = Region(patch)
        recorders[-1].at_work = lambda: region.injector.current.function
        cloud = Cloud(region)
        for function in ("planner", "sweeper"):
            cloud.invoke(function, {"shards": [0], "of": 1})
        yield cloud


@pytest.fixture
def cloud(cloud_that_tells: Cloud, recorders: list[Recorder], recorder: Recorder) -> Cloud:
    """The same cloud for every test of a module; its calls are told to the test's recorder."""
    recorder.at_work = recorders[0].at_work
    recorders[1:] = [recorder]
    return cloud_that_tells


@pytest.fixture(scope="session")
def roles(prod: StageTemplate) -> Roles:
    """Return the roles of production."""
    return Roles(prod)


@pytest.fixture(scope="session")
def keyed_roles(keyed: StageTemplate) -> Roles:
    """Return the roles of production with a key of its own."""
    return Roles(keyed)


@pytest.fixture(scope="session")
def telling_roles(synthesise: Synthesise) -> Roles:
    """Return the roles of production with a key of its own, which tells of transitions."""
    return Roles(synthesise(stage="prod", events="on", kmsKey="own"))
