"""Filter of system calls for a sandbox, as a classic BPF program for `bwrap --seccomp`.

A handler needs files, threads and sockets of its own. Calls that only reach other processes, other namespaces or rare
parts of the kernel fail with "not permitted". So a library that merely tries one can continue without it. Sockets of
families other than unix and internet are refused too: some (vsock) reach the host in spite of a separate network. A
process can set limits only for itself, so nothing can lower the first program's limits and stop its watch.
"""

import platform
import struct
from collections.abc import Mapping

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER_AT, MACHINE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000
FIRST_OF_X32 = 0x40000000
FAMILIES = (1, 2, 10)
"""Unix, internet, internet version 6."""

REFUSED: Mapping[str, tuple[int, int]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "unshare": (272, 97),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "open_tree": (428, 428),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "quotactl": (179, 60),
    "vhangup": (153, 58),
}
"""The numbers of each call: x86-64, 64-bit ARM."""

MACHINES = {"x86_64": (0xC000003E, 0, 41, 302), "aarch64": (0xC00000B7, 1, 198, 261)}
"""By the machine's name: its audit number, its place among the numbers above, its numbers of `socket`, `prlimit64`."""


def filter_program(machine: str | None = None) -> bytes | None:
    """Return the program for this machine; None for a machine whose numbers are not known here."""
    known = MACHINES.get(machine or platform.machine())
    if known is None:
        return None
    audit, place, socket, limit = known
    steps = [
        _step(LOAD, MACHINE_AT),
        _step(JUMP_EQUAL, audit, 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER_AT),
        _step(JUMP_AT_LEAST, FIRST_OF_X32, 0, 1),
        _step(RETURN, REFUSE),
    ]
    for numbers in REFUSED.values():
        steps += [_step(JUMP_EQUAL, numbers[place], 0, 1), _step(RETURN, REFUSE)]
    steps += [_step(JUMP_EQUAL, limit, 0, 4), _step(LOAD, FIRST_ARGUMENT_AT)]
    steps += [_step(JUMP_EQUAL, 0, 0, 1), _step(RETURN, ALLOW), _step(RETURN, REFUSE)]
    steps += [_step(JUMP_EQUAL, socket, 1, 0), _step(RETURN, ALLOW), _step(LOAD, FIRST_ARGUMENT_AT)]
    for family in FAMILIES:
        steps += [_step(JUMP_EQUAL, family, 0, 1), _step(RETURN, ALLOW)]
    return b"".join([*steps, _step(RETURN, REFUSE)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
