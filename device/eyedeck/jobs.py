"""Operations that take a while: one at a time, and each ends with exactly one `job` event."""

from eyedeck.link.session import Refused


class Jobs:
    """The job that runs, or the last one that did."""

    def __init__(self, events):
        self.number = 0
        self.state = "ok"  # "run", "ok", or why it failed
        self._events = events

    @property
    def running(self):
        """Does one run?"""
        return self.state == "run"

    def begin(self):
        """Begin a job and return the reply that names it; refuse while another one runs."""
        if self.running:
            raise Refused("busy", "job %d is running" % self.number)
        self.number += 1
        self.state = "run"
        return {"job": self.number}

    def end(self, ok, why):
        """End the job that runs."""
        self.state = "ok" if ok else why
        self._events.event("job", {"job": self.number, "ok": ok, "why": why})
