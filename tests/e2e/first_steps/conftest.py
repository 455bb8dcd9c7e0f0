"""A stack as `make local` starts it: IAM is not enforced."""

from collections.abc import Iterator

import pytest

from tests.support.deployed.stack import Stack, deployed


@pytest.fixture(scope="package")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Deploy it beside the stack of the session, and stop it after this folder's tests."""
    with deployed(tmp_path_factory.mktemp("newcomer"), auth=False) as stack:
        yield stack
