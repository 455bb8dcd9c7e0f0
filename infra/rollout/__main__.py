"""``python -m infra.rollout --stage prod [--before INSTANT]``: versions that are invoked; back."""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import boto3

from infra.rollout.versions import Invoked, invoked, move


def main(arguments: list[str] | None = None) -> int:
    """Show what is invoked, or let what was deployed before an instant be invoked again."""
    options = _parser().parse_args(arguments)
    client = boto3.client("lambda")
    try:
        functions = list(invoked(client, options.stage))
        if options.before is None:
            return show(functions)
        strangers = [each.function for each in functions if each.before(options.before) is None]
        if strangers or not functions:
            _say(
                f"nothing is moved: no version of {', '.join(strangers) or 'any function'} is"
                f" older than {options.before:%Y-%m-%dT%H:%M:%SZ}"
            )
            return 1
        for each in functions:
            version = each.before(options.before)
            if version is not None and (version.number != each.live or each.shares):
                move(client, each.function, version.number)
                _say(f"{each.function}: {each.live} -> {version.number}")
        return 0
    finally:
        client.close()


def show(functions: Sequence[Invoked]) -> int:
    """Say of each function which version is invoked, and when each of the last ones came."""
    for each in functions:
        shared = "".join(f", {number} has {share:.0%}" for number, share in each.shares.items())
        last = [f"{v.number} of {v.changed_at:%Y-%m-%dT%H:%M:%SZ}" for v in each.versions[-3:]]
        _say(f"{each.function}: {each.live}{shared} ({', '.join(last)})")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m infra.rollout", description=__doc__)
    parser.add_argument("--stage", required=True)
    parser.add_argument(
        "--before",
        type=_instant,
        help="go back to what was deployed before this instant: 2026-11-26T03:00Z",
    )
    return parser


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        message = f"{text!r} has no offset: end it with Z"
        raise argparse.ArgumentTypeError(message)
    return found.astimezone(UTC)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
