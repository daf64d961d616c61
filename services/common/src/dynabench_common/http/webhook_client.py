"""Calls to addresses that people gave: never into the platform's own network, only to the checked address.

A name is resolved once. Every address of it must be public, and the connection goes to that very address. So a name
that resolves differently the second time gains nothing. Redirects are not followed. The body is signed, so that the
receiver can verify its origin.
"""

import hashlib
import hmac
import ipaddress
import socket
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import urllib3

TOTAL_SECONDS = 10.0
LONGEST_ADDRESS = 500
HTTPS_PORT, HTTP_PORT = 443, 80
SIGNATURE = "Dynabench-Signature"
NAT64 = ipaddress.ip_network("64:ff9b::/96")


class AddressRefused(Exception):
    """An address must not be called; the message says why."""


class DeliveryFailed(Exception):
    """The receiver did not accept it; `is_final` if a retry can't succeed."""

    def __init__(self, reason: str, *, is_final: bool) -> None:
        super().__init__(reason)
        self.is_final = is_final


@dataclass(frozen=True)
class Outgoing:
    """The rule for allowed addresses. Tests and closed networks may add single hosts, by name, with plain http."""

    allowed_hosts: frozenset[str] = frozenset()

    def check(self, address: str) -> None:
        """Raise AddressRefused unless the address may be called; names are resolved only when it is."""
        self._parts(address)

    def deliver(self, address: str, secret: str, body: bytes) -> None:
        """POST a signed JSON body. Raises AddressRefused, DeliveryFailed."""
        host, port, path, is_https = self._parts(address)
        target = self._resolve(host, port)
        try:
            answer = _pool(target, host, port, is_https=is_https).urlopen(
                "POST",
                path,
                body=body,
                headers={
                    "Host": host if port in {HTTP_PORT, HTTPS_PORT} else f"{host}:{port}",
                    "Content-Type": "application/json",
                    "User-Agent": "dynabench",
                    SIGNATURE: signature(secret, body, int(time.time())),
                },
                redirect=False,
                preload_content=False,
            )
            status = int(answer.status)
            answer.release_conn()
            answer.close()
        except (urllib3.exceptions.HTTPError, OSError) as err:
            raise DeliveryFailed(f"no answer: {type(err).__name__}", is_final=False) from err
        if not 200 <= status < 300:
            raise DeliveryFailed(f"answered {status}", is_final=status == 410)

    def _parts(self, address: str) -> tuple[str, int, str, bool]:
        """Return host, port, path with query, and whether it is https."""
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError as err:
            raise AddressRefused("it is no address") from err
        if (
            len(address) > LONGEST_ADDRESS
            or not address.isascii()
            or not address.isprintable()
            or " " in address
        ):
            raise AddressRefused("it is too long, or holds characters that addresses have not")
        if not host or parts.username is not None or parts.password is not None:
            raise AddressRefused("it names no host, or a user")
        is_https = parts.scheme == "https"
        if not is_https and not (parts.scheme == "http" and host in self.allowed_hosts):
            raise AddressRefused("only https is called")
        if host not in self.allowed_hosts and port not in {None, HTTPS_PORT, 8443}:
            raise AddressRefused("only the ports 443 and 8443 are called")
        if host not in self.allowed_hosts:
            _refuse_private_literal(host)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return host, port or (HTTPS_PORT if is_https else HTTP_PORT), path, is_https

    def _resolve(self, host: str, port: int) -> str:
        """Return one address of the host; all of them must be public."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as err:
            raise DeliveryFailed(f"the name {host} is not known", is_final=False) from err
        addresses = [str(each[4][0]) for each in found]
        if host not in self.allowed_hosts:
            for each in addresses:
                if not is_public(each):
                    raise AddressRefused(f"{host} leads into a private network")
        return addresses[0]


def is_public(address: str) -> bool:
    """Return whether an IP address can be reached from the internet, also one that is embedded in an IPv6 address."""
    found = ipaddress.ip_address(address.split("%", 1)[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is None and found in NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast and not found.is_reserved


def signature(secret: str, body: bytes, at: int) -> str:
    """Return the signature for the receiver: the time in seconds, and the HMAC-SHA256 of "time.body" in hex."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def _refuse_private_literal(host: str) -> None:
    """Refuse an address written as number, in any spelling that systems read as one."""
    try:
        is_fine = is_public(host)
    except ValueError:
        try:
            is_fine = is_public(socket.inet_ntoa(socket.inet_aton(host)))
        except OSError:
            return  # a name: its addresses are checked when it is called
    if not is_fine:
        raise AddressRefused("it leads into a private network")


def _pool(target: str, host: str, port: int, *, is_https: bool) -> urllib3.HTTPConnectionPool:
    timeout = urllib3.Timeout(connect=TOTAL_SECONDS / 2, read=TOTAL_SECONDS / 2)
    if not is_https:
        return urllib3.HTTPConnectionPool(target, port, timeout=timeout, retries=False, maxsize=1)
    return urllib3.HTTPSConnectionPool(
        target,
        port,
        timeout=timeout,
        retries=False,
        maxsize=1,
        server_hostname=host,
        assert_hostname=host,
    )
