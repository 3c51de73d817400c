"""What runs on the board while it is flashed (MicroPython): sent once, then called by `console.Repl.run`."""

import binascii
import errno
import hashlib
import json
import os
import sys

_page = memoryview(bytearray(512))


def calm():
    """Feed a watchdog that runs, whoever started it: it would cut the upload short."""
    import machine

    where = 0x400D8000 if "RP2350" in getattr(sys.implementation, "_machine", "") else 0x40058000
    try:
        runs = machine.mem32[where] & 1 << 30
    except (AttributeError, ValueError):
        runs = 0
    if runs:
        dog = machine.WDT(timeout=8000)
        machine.Timer(-1, period=1000, mode=machine.Timer.PERIODIC, callback=lambda _: dog.feed())


def sha(path):
    """SHA-256 of a file, in hex."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            count = file.readinto(_page)
            if not count:
                return binascii.hexlify(total.digest()).decode()
            total.update(_page[:count])


def below(path):
    """The files in a folder, by full path; nothing when it is not there."""
    try:
        found = list(os.ilistdir(path or "/"))
    except OSError:
        return
    for entry in found:
        name = path + "/" + entry[0]
        if entry[1] & 0x4000:
            yield from below(name)
        else:
            yield name


def load(path):
    """What a JSON file holds, or None."""
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def ours(path):
    """Is this start file one of ours, of whatever version? They begin so; others may speak of eyedeck, too."""
    with open(path, "rb") as file:
        text = file.read(40)
    begins = (b'"""Starts the firmware,', b'"""Starts the deck,', b'"""First of all the motor')
    return any(text.startswith(begin) for begin in begins)


def probe():
    """Everything that the host has to know, as one line of JSON."""
    import machine

    root = {}
    start = {}
    for entry in os.ilistdir("/"):
        name = entry[0]
        if entry[1] & 0x4000:
            root[name + "/"] = 0
        else:
            root[name] = entry[3] if len(entry) > 3 else 0
            if name.split(".")[0] in ("boot", "main"):
                start[name] = [sha("/" + name), ours("/" + name)]
    space = os.statvfs("/")
    told = {
        "version": list(sys.implementation.version[:3]),
        "name": sys.implementation.name,
        "machine": getattr(sys.implementation, "_machine", ""),
        "platform": sys.platform,
        "mpy": getattr(sys.implementation, "_mpy", 0),
        "uid": machine.unique_id().hex(),
        "block": space[0],
        "free": space[3],
        "root": root,
        "start": start,
        "pointer": load("/slot.json"),
        "files": {path: sha(path) for slot in "ab" for path in below("/slot_" + slot)},
    }
    print(json.dumps(told))


def put(path, text, more=False):
    """Write a piece of a file; it comes compressed."""
    import io

    import deflate

    at = path.find("/", 1)
    while at > 0:
        try:
            os.mkdir(path[:at])
        except OSError as error:
            if error.errno != errno.EEXIST:
                raise
        at = path.find("/", at + 1)
    with open(path, "ab" if more else "wb") as file:
        file.write(deflate.DeflateIO(io.BytesIO(binascii.a2b_base64(text)), deflate.RAW, 12).read())


def copy(source, path):
    """Copy a file."""
    put(path, "AwA=")
    with open(source, "rb") as old, open(path, "wb") as new:
        while True:
            count = old.readinto(_page)
            if not count:
                return
            new.write(_page[:count])


def swap(path, text):
    """Put a small file in the place of another, in one moment."""
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


def drop(path):
    """Remove a file or a whole folder; it need not be there."""
    try:
        for entry in list(os.ilistdir(path)):
            drop(path + "/" + entry[0])
        os.rmdir(path)
    except OSError:
        try:
            os.remove(path)
        except OSError:
            pass


def check(slot, manifest=None):
    """Print the names of files in a slot that are not as its manifest says; `null` when it has none.

    `manifest` is the SHA-256 that this itself has to have, where it is known.
    """
    there = {path[len(slot) + 1 :]: sha(path) for path in below(slot)}
    found = there.pop("manifest.json", None)
    told = load(slot + "/manifest.json")
    bad = None
    if manifest not in (None, found):
        bad = ["manifest.json"]
    elif isinstance(told, dict):
        want = told["files"]
        bad = [name for name in set(list(there) + list(want)) if there.get(name) != want.get(name)]
    print(json.dumps(bad))
