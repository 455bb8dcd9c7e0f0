"""Threads of the product run one after the other in property tests."""

from collections.abc import Iterator

import pytest

from tests.support.pools.inline_pool import InlinePool
from timegate.usecases.planning import plan_shard, retire_shards


@pytest.fixture(scope="package", autouse=True)
def one_after_the_other() -> Iterator[None]:
    """Threads would make each story another one; those who race do so in ``tests/contract``."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (plan_shard, retire_shards):
            patch.setattr(module, "ThreadPoolExecutor", InlinePool)
        yield
