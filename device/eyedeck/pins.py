"""Which pin does what: GP numbers of a Raspberry Pi Pico, Pico 2 or Pico W.

Made by `make hardware` from hardware/wiring.toml: change that. GP23, 24, 25 and 29 differ on a Pico W and are not used.
"""

from micropython import const

SDA = const(4)  # I2C0, 4.7 k pull-ups
SCL = const(5)
SENSOR_LED = const(6)  # high lights the die from below; pulled down: off at reset
CHIPS = (10, 11, 12, 13, 14, 15)  # one plain LED each
MOTOR_IN1 = const(16)  # one PWM slice, so one frequency by construction
MOTOR_IN2 = const(17)
MOTOR_SLEEP = const(18)  # nSLEEP, pulled down: the bridge is off unless driven
MOTOR_FAULT = const(19)  # nFAULT, open drain
INDEX = const(20)  # optional: high for half a turn of the eye's wheel, low for the other
SWITCH = const(21)  # closed to ground: the eye may run; a broken wire reads as off
PIXELS = const(22)  # WS2812 data, instead of the plain LEDs
MOTOR_SENSE = const(26)  # ADC0: the motor's shunt behind 1 k / 1 uF
