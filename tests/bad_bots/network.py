"""A bot that wants to talk to the world. What is refused escapes as the exception it comes as."""

import errno
import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from harness import Bot, Turn, View


def tcp() -> None:
    socket.create_connection(("127.0.0.1", 1), 0.01)


def udp() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"hand", ("127.0.0.1", 9))


def listen() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()


def unix(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()


def raw() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close()


def netlink() -> None:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        link.bind((0, 0))


def vsock() -> None:
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as link:
        link.connect((2, 1))


WAYS: dict[str, Callable[[], Any]] = {
    "tcp": tcp,
    "udp": udp,
    "dns": lambda: socket.getaddrinfo("example.org", 80),
    "http": lambda: urllib.request.urlopen("http://127.0.0.1:1/", timeout=0.01),
    "listen": listen,
    "abstract": lambda: unix("\0boss-gossip"),
    "unix": lambda: unix("/tmp/boss-gossip"),
    "raw": raw,
    "netlink": netlink,
    "vsock": vsock,
}


class Network(Bot):
    """Tries `way` in the first decision of each game."""

    def __init__(self, way: str) -> None:
        self.way = WAYS[way]

    def act(self, view: View) -> Turn:
        if (view.hand_number, view.turn_number) == (1, 1):
            try:
                self.way()
            except OSError as error:
                if error.errno == errno.EAFNOSUPPORT:
                    raise PermissionError(str(error)) from None
                self.explain(error)
        return Turn(view.hand[0])

    def explain(self, error: OSError) -> None:
        """Raise what came back; a PermissionError where the network says only that it is not there."""
        if isinstance(error, (socket.gaierror, ConnectionRefusedError, TimeoutError, urllib.error.URLError)):
            raise PermissionError(f"{type(error).__name__}: {error}") from None
        raise error
