"""The control socket: the only way to a running world. JSON lines: requests in, replies and events out.

{"op":"face","color":"red"}     ->  {"ok":{}}  or  {"error":"text"}
                                <-  {"ev":"die","face":"red","zone":0}   (to everybody who is connected, at any time)
"""

import contextlib
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Bytes: a request longer than this, or as much unread by a reader, ends its connection.
LONGEST = 1 << 16
UNREAD = 1 << 20


class Peer:
    """One connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.heard = b""
        self.waiting = b""


class Control:
    """The socket and who is connected to it.

    :param path: the socket's name.
    :param watch: called with a descriptor and whether to read and to write: what to wait for there.
    :param do: carries out one request and returns the `ok` of the reply; a LookupError, ValueError, TypeError or OSError is its
        `error`.
    """

    def __init__(self, path: Path, watch: Callable[[int, bool, bool], None], do: Callable[[dict[str, Any]], Any]) -> None:
        self._watch = watch
        self._do = do
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(os.fspath(path))
        self._listener.listen()
        self._listener.setblocking(False)
        self._peers: dict[int, Peer] = {}
        watch(self._listener.fileno(), True, False)

    def owns(self, descriptor: int) -> bool:
        """Whether this descriptor is the socket or one of its connections."""
        return descriptor == self._listener.fileno() or descriptor in self._peers

    @property
    def held(self) -> bool:
        """Whether anybody is connected."""
        return bool(self._peers)

    def wake(self, descriptor: int) -> None:
        """Something can be read or written there."""
        if descriptor == self._listener.fileno():
            with contextlib.suppress(BlockingIOError):
                connection, _ = self._listener.accept()
                connection.setblocking(False)
                self._peers[connection.fileno()] = Peer(connection)
                self._watch(connection.fileno(), True, False)
            return
        peer = self._peers[descriptor]
        try:
            data = peer.socket.recv(65536)
        except BlockingIOError:
            self._flush(peer)
            return
        except OSError:
            data = b""
        peer.heard += data
        while b"\n" in peer.heard:
            line, peer.heard = peer.heard.split(b"\n", 1)
            self._send(peer, self._reply(line))
        if not data or len(peer.heard) > LONGEST:
            self._drop(peer)

    def tell(self, event: dict[str, Any]) -> None:
        """Send an event to everybody."""
        for peer in list(self._peers.values()):
            self._send(peer, event)

    def close(self) -> None:
        """Close everything."""
        for peer in list(self._peers.values()):
            self._drop(peer)
        self._watch(self._listener.fileno(), False, False)
        self._listener.close()

    def _reply(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise TypeError("a request is a JSON object")
            return {"ok": self._do(request)}
        except LookupError as error:
            return {"error": f"{error} is missing, or nothing of that name is there"}
        except (ValueError, TypeError, OSError) as error:
            return {"error": str(error)}

    def _send(self, peer: Peer, message: dict[str, Any]) -> None:
        peer.waiting += json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self._flush(peer)

    def _flush(self, peer: Peer) -> None:
        if peer.socket.fileno() < 0:
            return
        try:
            sent = peer.socket.send(peer.waiting) if peer.waiting else 0
        except BlockingIOError:
            sent = 0
        except OSError:
            self._drop(peer)
            return
        peer.waiting = peer.waiting[sent:]
        if len(peer.waiting) > UNREAD:
            self._drop(peer)
        else:
            self._watch(peer.socket.fileno(), True, bool(peer.waiting))

    def _drop(self, peer: Peer) -> None:
        descriptor = peer.socket.fileno()
        if descriptor >= 0:
            self._watch(descriptor, False, False)
            del self._peers[descriptor]
            peer.socket.close()
