#!/usr/bin/env python3
"""A client for `walkable watch --listen`, without dependencies. docs/live.md specifies the protocol.

As a program it moves a crate, bakes, loads the tiles that changed, and asks two questions:

    walkable watch level.walkable -o tiles.bin --listen 127.0.0.1:7777 --token-file token.txt
    python3 walkable_live.py 127.0.0.1:7777 token.txt
"""

import base64
import itertools
import json
import socket
import sys

PROTOCOL = 1
# Maximum length of a line to the program, in bytes, with its line break.
MAX_LINE = 64 * 1024
# Maximum number of tiles of a request.
MAX_TILES = 64


class Refused(Exception):
    """A reply that reports an error."""


class Client:
    """A connection to a running `walkable watch`."""

    def __init__(self, address, token, timeout=60.0):
        host, port = address.rsplit(":", 1)
        self._socket = socket.create_connection((host.strip("[]"), int(port)), timeout)
        self._lines = self._socket.makefile("rb")
        self._ids = itertools.count(1)
        # Events that arrived while a reply was awaited.
        self.events = []
        self._send({"type": "hello", "protocol": PROTOCOL, "token": token})
        # The first line has the parameters of the navmesh, and the tiles that exist.
        self.greeting = self._receive()
        if self.greeting["type"] != "hello":
            raise Refused(self.greeting.get("error", self.greeting))

    def close(self):
        self._lines.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _send(self, message):
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        if len(line) > MAX_LINE:
            raise ValueError(f"a message has {len(line)} bytes, more than {MAX_LINE}: split it")
        self._socket.sendall(line)

    def _receive(self):
        line = self._lines.readline()
        if not line:
            raise ConnectionError("the program closed the connection")
        return json.loads(line)

    def ask(self, kind, **fields):
        """Sends a message and returns its reply. Events that arrive before are added to `events`."""
        number = next(self._ids)
        self._send({"type": kind, "id": number, **fields})
        while True:
            line = self._receive()
            if line.get("id") != number:
                if line["type"] == "error":
                    raise Refused(line["error"])
                self.events.append(line)
            elif line["type"] == "error":
                raise Refused(line["error"])
            else:
                return line

    def wait_for_event(self):
        """Returns the next event: what another program, or a change of the files, made bake."""
        return self.events.pop(0) if self.events else self._receive()

    def bake(self):
        """Bakes what has changed."""
        return self.ask("bake")

    def tiles(self, places):
        """Returns the bytes of tiles, as `dtNavMesh::addTile` takes them, by (x, z, layer)."""
        places = [{key: place[key] for key in ("x", "z", "layer")} for place in places]
        found = {}
        for first in range(0, len(places), MAX_TILES):
            reply = self.ask("tiles", tiles=places[first : first + MAX_TILES])
            for tile in reply["tiles"]:
                data = base64.b64decode(tile["data"])
                if fnv1a(data) != tile["hash"]:
                    raise ValueError("a tile was damaged on its way")
                found[tile["x"], tile["z"], tile["layer"]] = data
        return found


def fnv1a(data):
    """The 64-bit FNV-1a hash of bytes, as the protocol writes it: its initial value is not the usual one."""
    number = 1_469_598_103_934_665_603
    for byte in data:
        number = (number ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{number:016x}"


def box(name, low, high):
    """An object with the shape of a box between two corners."""
    (a, b, c), (d, e, f) = low, high
    vertices = [[x, y, z] for x in (a, d) for y in (b, e) for z in (c, f)]
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [[p, q, r] for p, q, r, _ in sides] + [[p, r, s] for p, _, r, s in sides]
    return {"name": name, "vertices": vertices, "triangles": triangles}


def main():
    address, token_file = sys.argv[1:3]
    with open(token_file, encoding="ascii") as file:
        token = file.read().strip()
    with Client(address, token) as client:
        known = client.tiles(client.greeting["tiles"])
        print(f"{client.greeting['program']}: {len(known)} tiles")
        for x in (10, 25):
            client.ask("objects", replace=[box("Crate", [x, 0, 10], [x + 2, 2, 12])])
            reply = client.bake()
            changed = client.tiles(reply["changed"])
            known.update(changed)
            print(f"crate at {x}: {reply['status']}, {len(changed)} tiles loaded")
        why = client.ask("why_here", at=[26, 0, 11])
        print(f"under the crate: {why['chain'][0]['text'] if why['chain'] else 'walkable'}")
        why = client.ask("why_path", **{"from": [3, 0, 20], "to": [35, 0, 30]})
        print(f"path: {why['status']}")
        client.ask("objects", restore=["Crate"])
        print(f"without the crate: {client.bake()['status']}")


if __name__ == "__main__":
    main()
