"""The link session: who is talking, what was answered already. Pure; what the operations do is handed in.

A host resends a request that it got no answer to, with the same id. The board must not do it twice, so the last eight
replies are kept and sent again. Ids belong to one link session, which begins with a `hello` that has a new nonce.
"""

from eyedeck.link import frame

PROTO = (1, 0)

_KEPT = 8  # replies, and nonces of earlier link sessions
_TYPED = ("hello", "state", "stats", "die", "stop")  # what a person may type: nothing that starts anything
# Answered before any hello: also when they are sent again after a reboot they change nothing twice.
_ALWAYS = ("stop", "state", "stats", "die", "maint")


class Refused(Exception):
    """An operation that is not carried out; `code` is one of the protocol's closed list."""

    def __init__(self, code, text):
        super().__init__(code, text)
        self.code = code
        self.text = text


def _error(ident, code, text):
    return frame.dumps({"re": ident, "er": [code, text]})


def _frame(ident, reply):
    try:
        return frame.wrap(reply, frame.REPLY)
    except ValueError:
        return frame.wrap(_error(ident, "fault", "the answer is too long"), frame.REPLY)


class Session:
    """Answers requests.

    `ops` maps an operation to a function of its arguments that returns the reply's data, as a dict or as JSON in bytes, or
    raises Refused. `about()` is what `hello` tells, `begin(lease)` is called when a link session begins (lease: ms or None),
    `renew()` for every valid request, `trouble(error)` for a fault of ours in an operation: it may have been done in part, so
    its reply is kept like any other and it is not done again.
    """

    def __init__(self, ops, about, begin, renew, trouble):
        self.nonce = None
        self._ops = ops
        self._about = about
        self._begin = begin
        self._renew = renew
        self._trouble = trouble
        self._past = []
        self._ids = [0] * _KEPT  # of what was answered; no id is 0
        self._replies = [None] * _KEPT  # their frames
        self._oldest = 0  # the place of the next

    def take(self, msg):
        """Return the reply frame to a message, or None when there is nothing to reply to."""
        ident = msg.get("id")
        if type(ident) is not int or not 0 < ident < 65536:
            return None
        op = msg.get("op")
        if op == "hello":  # neither kept nor looked up: the ids that are kept may be another session's
            return _frame(ident, self._reply(ident, self._hello, op, msg))
        if ident in self._ids:
            self._renew()
            return self._replies[self._ids.index(ident)]
        reply = _frame(ident, self._reply(ident, self._request, op, msg))
        if self.nonce is not None:
            self._ids[self._oldest] = ident
            self._replies[self._oldest] = reply
            self._oldest = (self._oldest + 1) % _KEPT
        return reply

    def typed(self, line):
        """Return the reply line to what a person typed, or None when it is no request."""
        if not (line.startswith(b"{") and line.endswith(b"}")):
            return None
        msg = frame.loads(line)
        if msg is None or type(msg.get("op")) is not str:
            return None
        ident = msg.get("id")
        return self._reply(ident if type(ident) is int and 0 < ident < 65536 else 0, self._plain, msg["op"], msg) + b"\n"

    def _reply(self, ident, run, op, msg):
        """Return the JSON of the reply."""
        args = msg["a"] if "a" in msg else {}  # noqa: SIM401 - half the time of get
        if type(args) is not dict:
            return _error(ident, "bad_arg", "a must be an object")
        try:
            data = run(op, args)
            if type(data) is not bytes:
                data = frame.dumps(data)
        except Refused as no:
            return _error(ident, no.code, no.text)
        except Exception as error:  # noqa: BLE001 - whatever it is, the host has to know
            self._trouble(error)
            return _error(ident, "fault", "a fault of ours: %s" % type(error).__name__)
        return b"".join((b'{"re":%d,"ok":' % ident, data, b"}"))

    def _request(self, op, args):
        run = self._ops.get(op) if type(op) is str else None
        if run is None:
            raise Refused("bad_op", "no such operation")
        if self.nonce is None and op not in _ALWAYS:
            raise Refused("lease", "say hello first")
        self._renew()
        return run(args)

    def _plain(self, op, args):
        if op not in _TYPED:
            raise Refused("bad_op", "typed lines: " + " ".join(_TYPED))
        if op == "hello":
            return self._greeting(args.get("nonce"))
        return self._ops[op](args)

    def _hello(self, _op, args):
        proto = args.get("proto")
        if not isinstance(proto, list) or len(proto) != 2 or [type(n) for n in proto] != [int, int]:
            raise Refused("bad_arg", "proto must be [major,minor]")
        if proto[0] != PROTO[0]:
            raise Refused("version", "this board speaks protocol %d.%d: run captain flash" % PROTO)
        nonce = args.get("nonce")
        if type(nonce) is not str or not 0 < len(nonce) <= 8:
            raise Refused("bad_arg", "nonce must have 1 to 8 characters")
        lease = args.get("lease")
        if lease is not None and (type(lease) is not int or lease < 0):
            raise Refused("bad_arg", "lease must be milliseconds")
        if nonce in self._past:
            raise Refused("bad_arg", "an older nonce")
        if nonce != self.nonce:
            if self.nonce is not None:
                self._past = (self._past + [self.nonce])[-_KEPT:]
            self.nonce = nonce
            self._ids = [0] * _KEPT
            self._begin(lease)
        else:
            self._renew()
        return self._greeting(nonce, min(proto[1], PROTO[1]))

    def _greeting(self, nonce, minor=PROTO[1]):
        reply = {"nonce": nonce if type(nonce) is str else None, "proto": [PROTO[0], minor]}
        reply.update(self._about())
        return reply
