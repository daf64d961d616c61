"""Annotation's HTTP interface, for the count of probes."""

from urllib.parse import quote

from dynabench_common.http.client import JsonClient, UpstreamError

from gateway.domain.errors import ModelInTheLoop

IN_THE_LOOP = "/problems/target-in-the-loop"


class HttpProbeCounter:
    """A counter of probes that reports to annotation over HTTP."""

    def __init__(self, client: JsonClient) -> None:
        self._client = client

    def count(self, name: str, person_id: str, texts: int, *, also_in_the_loop: bool) -> None:
        """Count the texts for which a person saw a model's answers. Raises ModelInTheLoop, UpstreamError."""
        path = f"/api/annotation/v1/targets/{quote(name, safe='')}/probes"
        body = {"person_id": person_id, "texts": texts, "also_in_the_loop": also_in_the_loop}
        try:
            self._client.call("POST", path, body)
        except UpstreamError as err:
            if isinstance(err.body, dict) and err.body.get("type") == IN_THE_LOOP:
                raise ModelInTheLoop(name) from err
            raise
