"""Property tests look for the same counterexamples on every machine, and always finish."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.pools.inline_pool import InlinePool
from timegate.usecases.planning import plan_shard, retire_shards

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")


@pytest.fixture(scope="session", autouse=True)
def one_after_the_other() -> Iterator[None]:
    """Threads would make each story another one; those who race do so in ``tests/contract``."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (plan_shard, retire_shards):
            patch.setattr(module, "ThreadPoolExecutor", InlinePool)
        yield
