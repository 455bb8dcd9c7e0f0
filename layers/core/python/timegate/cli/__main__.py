"""The ``timegate`` script, and ``python -m timegate.cli``."""

import sys

#: The SDK alone is installed by ``pip install timegate``.
_HINT = "The command line needs {missing}: pip install 'timegate[cli]'\n"


def run() -> None:
    """Run the command line; without the extra ``cli``, say how to install it and exit with 1."""
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
