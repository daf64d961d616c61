"""Run the test server of the crowd platforms: `python -m tests.crowd_platforms --port 8090`."""

import argparse

from tests.crowd_platforms.server import CrowdPlatforms
from tests.crowd_platforms.state import AWS_ACCESS_KEY_ID, PROLIFIC_TOKEN


def main() -> None:
    """Serve until the process is stopped."""
    parser = argparse.ArgumentParser(prog="tests.crowd_platforms", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    chosen = parser.parse_args()
    platforms = CrowdPlatforms(chosen.port, chosen.host)
    print(
        f"Prolific and Mechanical Turk (test) at {platforms.url}, control at {platforms.url}/control/",
        flush=True,
    )
    print(
        f"Prolific token: {PROLIFIC_TOKEN}. AWS access key id: {AWS_ACCESS_KEY_ID}, with any secret.",
        flush=True,
    )
    platforms.serve()


if __name__ == "__main__":
    main()
