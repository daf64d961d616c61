"""Configuration of the node's programs: files, tokens, certificates and command lines, and the cluster's networks.

The networks are taken from 198.18.0.0/15, which is reserved for tests of networks.
"""

import json
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

NODE_NAME = "node"
DOMAIN = "cluster.local"
PAUSE_IMAGE = "dynabench.test/pause:1"
CGROUP = "/dynabench-cluster"
MAX_PODS = 200
HOST = "198.18.0.1"
"""The machine's end of the pair of devices that leads into the cluster."""
NODE = "198.18.0.2"
PODS = "198.18.64.0/18"
SERVICES = "198.18.128.0/18"
API_PORT = 6443
ROUTES = (PODS, SERVICES)


@dataclass(frozen=True)
class Places:
    """Folders of the programs, the network plugins and the state of one cluster."""

    programs: Path
    plugins: Path
    state: Path

    @property
    def kubeconfig(self) -> Path:
        """Return the file by which an administrator reaches the cluster."""
        return self.state / "kubeconfig"

    @property
    def containerd(self) -> Path:
        """Return containerd's socket; it lies in the cluster's own /run."""
        return Path("/run/containerd/containerd.sock")


def write_all(places: Places) -> None:
    """Write every file that the programs read, with fresh secrets."""
    state = places.state
    for folder in ("logs", "cni", "volumes", "manifests"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    token = secrets.token_hex(24)
    (state / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
    (state / "tokens.csv").chmod(0o600)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    (state / "accounts.key").write_bytes(private)
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (state / "accounts.pub").write_bytes(public)
    _write_json(places.kubeconfig, _kubeconfig(token, state / "certificates" / "apiserver.crt"))
    places.kubeconfig.chmod(0o600)
    _write_json(state / "kubelet.json", _kubelet(places))
    _write_json(state / "cni" / "10-pods.conflist", _network())
    (state / "containerd.toml").write_text(_containerd(places))
    (state / "Corefile").write_text(_names(places))
    (state / "resolv.conf").write_text(f"nameserver {NODE}\n")


def _write_json(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=1))


def _kubeconfig(token: str, authority: Path) -> dict[str, Any]:
    """The API server's own certificate, which it makes at its start, is the authority."""
    server = f"https://{NODE}:{API_PORT}"
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [
            {"name": "test", "cluster": {"server": server, "certificate-authority": str(authority)}}
        ],
        "users": [{"name": "admin", "user": {"token": token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "admin"}}],
        "current-context": "test",
    }


def _kubelet(places: Places) -> dict[str, Any]:
    return {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
        "authorization": {"mode": "AlwaysAllow"},
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": CGROUP,
        "clusterDNS": [NODE],
        "clusterDomain": DOMAIN,
        "containerRuntimeEndpoint": f"unix://{places.containerd}",
        "enforceNodeAllocatable": [],
        "evictionHard": {"memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
        "failCgroupV1": False,
        "failSwapOn": False,
        "imageGCHighThresholdPercent": 100,
        "maxPods": MAX_PODS,
        "registerNode": True,
        "resolvConf": str(places.state / "resolv.conf"),
        "serializeImagePulls": False,
        "staticPodPath": "",
    }


def _network() -> dict[str, Any]:
    """Every pod has a pair of devices of its own, so its traffic passes the node's chains of iptables."""
    subnet = [[{"subnet": PODS}]]
    ipam = {"type": "host-local", "ranges": subnet, "routes": [{"dst": "0.0.0.0/0"}], "dataDir": "/run/cni"}
    plugins = [
        {"type": "ptp", "ipMasq": False, "ipam": ipam},
        {"type": "portmap", "capabilities": {"portMappings": True}},
    ]
    return {"cniVersion": "0.4.0", "name": "pods", "plugins": plugins}


def _containerd(places: Places) -> str:
    return f"""version = 2
root = "{places.state}/containerd"
state = "/run/containerd/state"
[grpc]
  address = "{places.containerd}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "{PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "{places.plugins}"
    conf_dir = "{places.state}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
"""


def _names(places: Places) -> str:
    return f""".:53 {{
    bind {NODE}
    errors
    kubernetes {DOMAIN} in-addr.arpa {{
        kubeconfig {places.kubeconfig} test
    }}
    cache 5
}}
"""


def command_lines(places: Places) -> dict[str, list[str]]:
    """Return every program of the node with its arguments, in the order of their starts."""
    state, config = places.state, f"--kubeconfig={places.kubeconfig}"
    own = {name: str(places.programs / name) for name in ("etcd", "coredns")}
    own |= {name: str(places.programs / name) for name in ("kube-apiserver", "kube-controller-manager")}
    own |= {name: str(places.programs / name) for name in ("kube-scheduler", "kubelet", "kube-proxy")}
    issuer = f"https://kubernetes.default.svc.{DOMAIN}"
    return {
        "etcd": [own["etcd"], f"--data-dir={state}/etcd", "--unsafe-no-fsync", "--log-level=warn"],
        "containerd": ["containerd", "--config", str(state / "containerd.toml")],
        "kube-apiserver": [
            own["kube-apiserver"],
            "--etcd-servers=http://127.0.0.1:2379",
            f"--advertise-address={NODE}",
            f"--secure-port={API_PORT}",
            f"--cert-dir={state}/certificates",
            f"--service-cluster-ip-range={SERVICES}",
            f"--token-auth-file={state}/tokens.csv",
            f"--service-account-issuer={issuer}",
            f"--service-account-key-file={state}/accounts.pub",
            f"--service-account-signing-key-file={state}/accounts.key",
            "--authorization-mode=Node,RBAC",
            "--allow-privileged=true",
            "--kubelet-preferred-address-types=InternalIP",
            "--endpoint-reconciler-type=lease",
        ],
        "kube-controller-manager": [
            own["kube-controller-manager"],
            config,
            f"--root-ca-file={state}/certificates/apiserver.crt",
            f"--service-account-private-key-file={state}/accounts.key",
            "--leader-elect=false",
        ],
        "kube-scheduler": [own["kube-scheduler"], config, "--leader-elect=false"],
        "coredns": [own["coredns"], "-conf", str(state / "Corefile")],
        "kubelet": [
            own["kubelet"],
            config,
            f"--config={state}/kubelet.json",
            f"--root-dir={state}/kubelet",
            f"--cert-dir={state}/kubelet-certificates",
            f"--hostname-override={NODE_NAME}",
            f"--node-ip={NODE}",
        ],
        "kube-proxy": [
            own["kube-proxy"],
            config,
            f"--hostname-override={NODE_NAME}",
            f"--cluster-cidr={PODS}",
            "--proxy-mode=iptables",
            "--conntrack-max-per-core=0",
            "--conntrack-min=0",
            "--conntrack-tcp-timeout-established=0",
            "--conntrack-tcp-timeout-close-wait=0",
            "--iptables-min-sync-period=0s",
        ],
    }
