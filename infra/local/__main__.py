"""``python -m infra.local up|down|demo``: the local stack, left running."""

import argparse
import sys
from pathlib import Path

from infra.local.access import (
    admin_profile,
    admin_profile_path,
    profile,
    profile_path,
    write_profile,
)
from infra.local.cloud import LocalCloud
from infra.local.demo.show import show
from infra.local.deployment import ROOT, Outputs, deploy

HOME = ROOT / ".timegate" / "local"


def up() -> tuple[LocalCloud, Outputs]:
    """Start what is not running, deploy what has changed, write the profile."""
    cloud = LocalCloud.running(HOME) or LocalCloud.start(HOME)
    outputs = deploy(cloud)
    path = profile_path()
    write_profile(profile(cloud, outputs, outputs["UserPoolClientId"]), path)
    write_profile(admin_profile(cloud, outputs), admin_profile_path())
    _say(f"Timegate runs at {cloud.endpoint}")
    _say(f"  profile   {path}")
    _say(f"  log       {Path(cloud.home) / 'cloud.log'}")
    _say("  try       .venv/bin/timegate jobs list")
    _say("  stop      make local-stop")
    return cloud, outputs


def demo() -> bool:
    """Bring the stack up and show what it does; whether all of it ended as it must."""
    _say("Starting a local cloud and deploying Timegate into it; the first time takes longest …")
    cloud, outputs = up()
    return show(cloud, outputs, profile_path())


def down() -> None:
    """Stop the local stack; does nothing when none runs."""
    cloud = LocalCloud.running(HOME)
    if cloud is None:
        _say("No local stack is running.")
        return
    cloud.stop()
    for path in (profile_path(), admin_profile_path()):
        path.unlink(missing_ok=True)
    _say("Stopped.")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m infra.local", description=__doc__)
    parser.add_argument("command", choices=["up", "down", "demo"])
    match parser.parse_args().command:
        case "up":
            up()
        case "down":
            down()
        case "demo":
            sys.exit(not demo())


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
