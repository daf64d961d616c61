"""The networks of the cluster: taken from 198.18.0.0/15, which is reserved for tests of networks."""

HOST = "198.18.0.1"
"""The machine's end of the pair of devices that leads into the cluster."""
NODE = "198.18.0.2"
PODS = "198.18.64.0/18"
SERVICES = "198.18.128.0/18"
API_PORT = 6443
ROUTES = (PODS, SERVICES)
