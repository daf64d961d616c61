"""Annotation's HTTP interface, as far as it counts probes."""

from urllib.parse import quote

from dynabench_common.client import JsonClient


class HttpProbeCounter:
    """Tells annotation over HTTP."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def count(self, name: str, person_id: str, texts: int) -> None:
        """Count that a person was told what a model answers on as many texts. Raises UpstreamError."""
        path = f"/api/annotation/v1/targets/{quote(name, safe='')}/probes"
        self._client.call("POST", path, {"person_id": person_id, "texts": texts})
