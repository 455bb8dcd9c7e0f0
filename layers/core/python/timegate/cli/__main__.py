"""The ``timegate`` script, and ``python -m timegate.cli``."""

import sys
from types import ModuleType

from timegate.cli.streams import drop_impossible_sizes, open_streams

#: The SDK alone is installed by ``pip install timegate``.
_HINT = "The command line needs {missing}: pip install 'timegate[cli]'\n"


#: httpx imports a command line of its own where it finds rich: a tenth of a second, and unused.
_UNUSED = "httpx._main"


def run() -> None:
    """Run the command line; without the extra ``cli``, say how to install it and exit with 1."""
    open_streams()
    drop_impossible_sizes()
    # An import of it fails, as it does where its packages are missing.
    modules: dict[str, ModuleType | None] = sys.modules  # type: ignore[assignment]
    modules.setdefault(_UNUSED, None)
    try:
        from timegate.cli.main import app  # noqa: PLC0415 - may lack its packages
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "timegate":
            raise
        sys.stderr.write(_HINT.format(missing=error.name))
        raise SystemExit(1) from error
    app()


if __name__ == "__main__":
    run()
