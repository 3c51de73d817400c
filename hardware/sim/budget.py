"""The current drawn from USB over a game: the firmware's own way of moving the eye, on a motor of the chosen kind.

The motor: counter voltage goes with the speed; friction takes the current of a free motor. The bridge draws from its
rail what flows in the motor, times the duty.
"""

from pathlib import Path
from random import Random

import numpy as np

from eyedeck.core.eye import ROAM, Eye
from sim import facts
from sim.plots import figure

STEP = 10  # ms
GAME = 120_000  # ms that are played
TURN = 20_000  # ms: the eye rolls, then somebody looks; a third of the time it rests
REST = 6_000
POWER = 60  # percent: what the table asks for (eyecaptain.boards.serial.POWER)
LIGHTS = 0.5  # share of the strip's capped current, on the average of a game
PAIR = 100  # ms: lamp off, lamp on


class Clock:
    """A clock for the firmware's code."""

    @staticmethod
    def ticks_diff(one: int, other: int) -> int:
        """Milliseconds between two times."""
        return one - other


class Motor:
    """The motor on its rail; `blocked`: it does not turn."""

    def __init__(self, blocked: bool = False) -> None:
        self.blocked = blocked
        self.amps = 0.0
        self._counter = 0.0  # volts

    def step(self, duty: float) -> float:
        """Apply a duty of -1 to 1 for one step; return what it draws from the rail, in A."""
        ohms = facts.loop_ohms() + facts.CABLE_OHMS + facts.FUSE_OHMS + facts.BULK_OHMS
        if not duty:
            self._counter *= np.exp(-STEP / 1000 / facts.MOTOR_SECONDS)
            self.amps = 0.0
            return 0.0
        self.amps = (duty * facts.VOLTS - self._counter) / ohms
        friction = facts.FREE_AMPS * np.sign(duty)
        if not self.blocked:
            self._counter += (self.amps - friction) * ohms * STEP / 1000 / facts.MOTOR_SECONDS
        limited = min(abs(self.amps), facts.TRIP_VOLTS / facts.SHUNT_OHMS)
        return limited * abs(duty)


def motor_current(blocked: bool, power: int = POWER) -> tuple[list[float], list[float]]:
    """What the motor draws, and how fast it is driven, over a game."""
    chance = Random(1)  # noqa: S311 - any game will do
    eye, motor = Eye(chance.randint, Clock), Motor(blocked)
    drawn, duties = [], []
    for now in range(0, GAME, STEP):
        if now % TURN == 0:
            eye.start(ROAM, power, now)
        elif now % TURN == TURN - REST:
            eye.stop()
        duty = eye.step(now) / 100 * facts.CAP / 100
        drawn.append(motor.step(duty))
        duties.append(duty)
    return drawn, duties


def run(folder: Path) -> dict[str, float]:
    """Draw `budget.svg`; return currents in mA."""
    drawn, _ = motor_current(blocked=False)
    stuck, _ = motor_current(blocked=True)
    time = np.arange(0, GAME, STEP) / 1000
    lamp = np.where(np.arange(0, GAME, STEP) % PAIR < PAIR / 2, 0.0, facts.SENSOR_AMPS)
    lights = facts.STRIP_IDLE_AMPS + LIGHTS * (facts.STRIP_CAPPED_AMPS - facts.STRIP_IDLE_AMPS)
    game = facts.PICO_AMPS + lamp + lights + np.array(drawn)
    limit = facts.TRIP_VOLTS / facts.SHUNT_OHMS
    rest = facts.PICO_AMPS + facts.SENSOR_AMPS
    with figure(folder / "budget.svg") as axes:
        shown = time < 60
        axes.plot(time[shown], game[shown] * 1e3, linewidth=0.6, label="a game")
        blocked = (facts.PICO_AMPS + lamp + lights + np.array(stuck)) * 1e3
        axes.plot(time[shown], blocked[shown], linewidth=0.4, label="the same, eye blocked")
        axes.axhline(facts.PORT_AMPS * 1e3, linestyle=":", color="black", label="a USB port gives")
        axes.set(title="Current from USB", xlabel="s", ylabel="mA", ylim=(0, 550))
        axes.legend(loc="center right")
    return {
        "mean_ma": float(game.mean()) * 1e3,
        "peak_ma": float(game.max()) * 1e3,
        "blocked_peak_ma": float(facts.PICO_AMPS + lights + facts.SENSOR_AMPS + max(stuck)) * 1e3,
        "motor_mean_ma": float(np.mean(drawn)) * 1e3,
        "worst_ma": (rest + facts.STRIP_CAPPED_AMPS + limit) * 1e3,
        "white_ma": (rest + facts.STRIP_FULL_AMPS + limit) * 1e3,
        "idle_ma": rest * 1e3,
        "port_ma": facts.PORT_AMPS * 1e3,
        "pico_ma": facts.PICO_AMPS * 1e3,
        "sensor_ma": facts.SENSOR_AMPS * 1e3,
        "strip_ma": facts.STRIP_CAPPED_AMPS * 1e3,
        "strip_full_ma": facts.STRIP_FULL_AMPS * 1e3,
        "motor_limit_ma": limit * 1e3,
    }
