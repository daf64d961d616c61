"""Pages over the fake platform: in process for plain forms, served for a browser."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.serving import make_server

sys.path.insert(0, str(Path(__file__).parent))

from web_fake_platform import FakePlatform
from web_visiting import Visitor, pages_over


@pytest.fixture
def fake() -> Iterator[FakePlatform]:
    started = FakePlatform()
    started.start()
    yield started
    started.stop()


@pytest.fixture
def visitor(fake: FakePlatform) -> Visitor:
    return Visitor(pages_over(fake).test_client())


@pytest.fixture
def ada(visitor: Visitor) -> Visitor:
    visitor.sign_in("ada")
    return visitor


@pytest.fixture
def site(fake: FakePlatform) -> Iterator[str]:
    """Serve the pages and return their origin."""
    app = pages_over(fake, "http://127.0.0.1")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(timeout=5)
    server.server_close()
