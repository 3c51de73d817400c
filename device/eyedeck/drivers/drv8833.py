"""The eye's motor on one bridge of a DRV8833.

Slow decay: one input is high, the other carries the inverted PWM, which gives small motors torque at low speed. Off
means both low and the bridge asleep. The frequency is set once and never again (changing it at run time has a history
of bugs), 20 kHz because nobody hears that.
"""

from machine import PWM
from micropython import const

_FREQ = const(20000)
_FULL = const(65535)


class Motor:
    """A motor on the pins `in1`, `in2` and `sleep`; `cap` is the percent of the supply it may get."""

    def __init__(self, in1, in2, sleep, cap):
        self._cap = cap
        self._sleep_off = sleep.off
        self.wake = sleep.on
        self._duty1 = PWM(in1, freq=_FREQ, duty_u16=0).duty_u16
        self._duty2 = PWM(in2, freq=_FREQ, duty_u16=0).duty_u16

    def off(self):
        """Bridge asleep, inputs low; called by the guard's interrupt, so nothing here allocates."""
        self._sleep_off()
        self._duty1(0)
        self._duty2(0)

    def drive(self, duty):
        """Set the duty, -100..100 percent of the cap; 0 brakes."""
        low = _FULL - abs(duty) * self._cap * _FULL // 10000
        # The full one first: then an awake bridge sees a brake between the two writes, never more than the cap.
        if duty >= 0:
            self._duty1(_FULL)
            self._duty2(low)
        else:
            self._duty2(_FULL)
            self._duty1(low)
