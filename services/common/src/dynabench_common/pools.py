"""Connection pools to other processes: for https, certificate and host name are checked.

Public authorities are trusted, and also those of HTTP_AUTHORITIES_FILE.
"""

import ssl
from functools import cache
from pathlib import Path
from typing import Any

import urllib3

from dynabench_common.settings import SettingsError, TrustSettings, load


def trusted_authorities() -> ssl.SSLContext:
    """Return a TLS context that trusts public authorities and those of HTTP_AUTHORITIES_FILE. Raises SettingsError."""
    return _trusting(load(TrustSettings).http_authorities_file)


@cache
def _trusting(file: Path | None) -> ssl.SSLContext:
    """Return one context for all pools of the process: to read the public authorities takes 30 ms."""
    context = urllib3.util.create_urllib3_context()
    context.load_default_certs()
    if file is not None:
        try:
            context.load_verify_locations(file)
        except OSError as err:
            raise SettingsError(
                f"unusable environment: HTTP_AUTHORITIES_FILE {file} can't be used: {err.strerror or err}. "
                "Give a file of certificates of authorities, as PEM."
            ) from err
    return context


def new_pool(**options: Any) -> urllib3.PoolManager:
    """Return a pool of connections to other processes, which never retries. Raises SettingsError."""
    return urllib3.PoolManager(retries=False, ssl_context=trusted_authorities(), **options)


def reason_of(error: BaseException) -> str:
    """Return the reason of a failed call, in words for a TLS failure."""
    inner = error.args[-1] if isinstance(error, urllib3.exceptions.SSLError) and error.args else None
    if isinstance(inner, ssl.SSLCertVerificationError):
        return f"its certificate is not accepted: {inner.verify_message}"
    if isinstance(inner, ssl.SSLError):
        return f"no TLS with it ({inner.reason or inner}); does it speak HTTPS?"
    return type(error).__name__
