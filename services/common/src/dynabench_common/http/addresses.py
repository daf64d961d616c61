"""Client addresses of requests, as keys for counting."""

from ipaddress import IPv6Address, ip_address, ip_network

from flask import request

FORWARDED = "X-Forwarded-For"
UNKNOWN = "unknown"
NETWORK_BITS = 64
"""Prefix length for IPv6: the owner of one address has the whole network."""


def sender() -> str:
    """Return the client address of a request, as the edge or the pages saw it; of IPv6 the network."""
    named = request.headers.get(FORWARDED, "").rpartition(",")[2].strip()
    return comparable(named or request.remote_addr or "")


def comparable(text: str) -> str:
    """Return an address in the form that limits count by."""
    try:
        address = ip_address(text)
    except ValueError:
        return UNKNOWN
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ip_network((address, NETWORK_BITS), strict=False))
    return str(address)
