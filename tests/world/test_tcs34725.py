"""The colour sensor's registers, against the datasheet."""

from random import Random

import pytest

from eyecaptain.world.chips.tcs34725 import STEP, Tcs34725

LIGHT = (100.0, 50.0, 30.0, 20.0)  # counts a cycle at gain 1


class Quiet(Random):
    """No noise."""

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        return mu + 0.0 * sigma


@pytest.fixture
def chip() -> Tcs34725:
    chip = Tcs34725(Quiet())
    chip.expose(0.0, LIGHT)
    return chip


def set_register(chip: Tcs34725, now: float, register: int, *values: int) -> None:
    chip.write(now, bytes((0xA0 | register, *values)))


def get(chip: Tcs34725, now: float, register: int, count: int = 1) -> bytes:
    chip.write(now, bytes((0xA0 | register,)))
    return chip.read(now, count)


def counts(chip: Tcs34725, now: float) -> tuple[int, ...]:
    data = get(chip, now, 0x14, 8)
    return tuple(int.from_bytes(data[at : at + 2], "little") for at in range(0, 8, 2))


def run(chip: Tcs34725, now: float, atime: int, gain: int = 0) -> None:
    set_register(chip, now, 0x01, atime)
    set_register(chip, now, 0x0F, gain)
    set_register(chip, now, 0x00, 0x01)
    set_register(chip, now + STEP, 0x00, 0x03)


def test_registers_after_power_on(chip: Tcs34725) -> None:
    assert get(chip, 0.0, 0x12) == b"\x44"
    assert get(chip, 0.0, 0x00, 4) == b"\x00\xff\x00\xff"
    assert get(chip, 0.0, 0x13, 9) == bytes(9)


def test_a_clone_has_another_id() -> None:
    assert get(Tcs34725(Quiet(), chip_id=0x10), 0.0, 0x12) == b"\x10"


@pytest.mark.parametrize("atime", [0xFF, 0xF6, 0xEB, 0xD6, 0xC0])
def test_the_first_result_comes_after_initialisation_and_integration(chip: Tcs34725, atime: int) -> None:
    run(chip, 0.0, atime)
    done = STEP + STEP + (256 - atime) * STEP
    assert get(chip, done - 1e-4, 0x13)[0] & 1 == 0
    assert counts(chip, done - 1e-4) == (0, 0, 0, 0)
    assert get(chip, done + 1e-4, 0x13)[0] & 1 == 1
    assert counts(chip, done + 1e-4) == tuple(round(rate * (256 - atime)) for rate in LIGHT)


def test_no_result_without_the_oscillator(chip: Tcs34725) -> None:
    set_register(chip, 0.0, 0x00, 0x02)
    assert counts(chip, 10.0) == (0, 0, 0, 0)


def test_aen_right_after_pon_waits_for_the_oscillator(chip: Tcs34725) -> None:
    set_register(chip, 0.0, 0x00, 0x03)
    assert get(chip, 2.9 * STEP, 0x13)[0] & 1 == 0
    assert get(chip, 3.1 * STEP, 0x13)[0] & 1 == 1


def test_valid_does_not_toggle_by_sample_but_drops_when_aen_is_written_anew(chip: Tcs34725) -> None:
    run(chip, 0.0, 0xFF)
    assert [get(chip, 1.0 + n * STEP / 3, 0x13)[0] & 1 for n in range(10)] == [1] * 10
    set_register(chip, 2.0, 0x00, 0x01)
    set_register(chip, 2.0, 0x00, 0x03)
    assert get(chip, 2.0 + STEP, 0x13)[0] & 1 == 0


@pytest.mark.parametrize(("control", "gain"), [(0, 1), (1, 4), (2, 16), (3, 60)])
def test_gain(control: int, gain: int) -> None:
    chip = Tcs34725(Quiet())
    chip.expose(0.0, (10.0, 5.0, 3.0, 2.0))
    run(chip, 0.0, 0xF6, control)
    assert counts(chip, 1.0)[0] == pytest.approx(10 * 10 * gain, abs=1)


@pytest.mark.parametrize(("atime", "full"), [(0xFF, 1024), (0xD5, 44032), (0xD6, 43008), (0xC0, 65535), (0x00, 65535)])
def test_full_scale(atime: int, full: int) -> None:
    chip = Tcs34725(Quiet())
    chip.expose(0.0, (5000.0, 1.0, 1.0, 1.0))
    run(chip, 0.0, atime)
    assert counts(chip, 3.0)[0] == full


def test_a_conversion_during_which_the_lamp_was_switched_is_a_mixture(chip: Tcs34725) -> None:
    run(chip, 0.0, 0xF6)  # integrates from 2 to 12 steps
    chip.expose(7 * STEP, (0.0, 0.0, 0.0, 0.0))
    assert counts(chip, 12.5 * STEP)[0] == pytest.approx(500, abs=1)
    assert counts(chip, 24 * STEP)[0] == 0


def test_a_new_time_takes_effect_with_the_next_conversion(chip: Tcs34725) -> None:
    run(chip, 0.0, 0xF6)
    set_register(chip, 5 * STEP, 0x01, 0xFF)
    assert counts(chip, 12.5 * STEP)[0] == 1000
    assert counts(chip, 14.5 * STEP)[0] == 100


def test_wait_time_lies_between_conversions(chip: Tcs34725) -> None:
    set_register(chip, 0.0, 0x03, 0xF6)  # 10 cycles
    set_register(chip, 0.0, 0x0D, 0x02)  # times 12
    set_register(chip, 0.0, 0x00, 0x01)
    set_register(chip, STEP, 0x00, 0x0B)
    assert counts(chip, 3.5 * STEP)[0] == 100
    chip.expose(3.6 * STEP, (7.0, 0.0, 0.0, 0.0))
    assert counts(chip, 120 * STEP)[0] == 100
    assert counts(chip, 126 * STEP)[0] == 7


def test_a_low_byte_latches_its_high_byte(chip: Tcs34725) -> None:
    run(chip, 0.0, 0xF6)
    low = get(chip, 12.5 * STEP, 0x14)
    chip.expose(12.6 * STEP, (0.0, 0.0, 0.0, 0.0))
    assert low + get(chip, 40 * STEP, 0x15) == (1000).to_bytes(2, "little")


def test_without_auto_increment_a_word_is_read_all_the_same_and_noted(chip: Tcs34725) -> None:
    run(chip, 0.0, 0xF6)
    chip.write(1.0, b"\x94")
    assert chip.read(1.0, 2) == (1000).to_bytes(2, "little")
    assert chip.hints
    chip.write(1.0, b"\x92")
    assert chip.read(1.0, 3) == b"\x44\x44\x44"


def test_a_command_without_bit_7_does_nothing(chip: Tcs34725) -> None:
    chip.write(0.0, b"\x00\x03")
    assert get(chip, 0.0, 0x00) == b"\x00"


def test_read_only_and_reserved_registers_and_bits(chip: Tcs34725) -> None:
    set_register(chip, 0.0, 0x12, 0x99)
    set_register(chip, 0.0, 0x14, 0x99)
    set_register(chip, 0.0, 0x00, 0xFC)
    assert get(chip, 0.0, 0x12) == b"\x44"
    assert get(chip, 0.0, 0x14) == b"\x00"
    assert get(chip, 0.0, 0x00) == b"\x18"


def test_interrupt_after_enough_results_out_of_range_until_it_is_cleared(chip: Tcs34725) -> None:
    set_register(chip, 0.0, 0x06, 50, 0)  # high threshold 50
    set_register(chip, 0.0, 0x0C, 2)  # two in a row
    set_register(chip, 0.0, 0x00, 0x01)
    set_register(chip, STEP, 0x00, 0x13)
    raised = []
    for now in (3.5 * STEP, 5.5 * STEP):
        chip.advance(now)
        raised.append(chip.interrupt)
    chip.write(5.6 * STEP, b"\xe6")
    assert [*raised, chip.interrupt] == [False, True, False]


def test_an_hour_under_one_light_costs_no_hour(chip: Tcs34725) -> None:
    run(chip, 0.0, 0xFF)
    assert counts(chip, 1e7)[0] == 100


def test_noise_is_small_and_repeatable() -> None:
    def one() -> tuple[int, ...]:
        chip = Tcs34725(Random(7))
        chip.expose(0.0, LIGHT)
        run(chip, 0.0, 0xEB, 1)
        return counts(chip, 1.0)

    assert one() == one()
    assert one()[0] == pytest.approx(100 * 21 * 4, rel=0.03)
    assert one() != tuple(round(rate * 84) for rate in LIGHT)


# Integration time in ms and full scale, as the datasheet prints them (TAOS135, table 6), with its two errors: 0x00 is printed
# as 700 ms, and 0xD5 as 42 cycles. The formula that the same page gives, (256 - n) * 2.4 ms and 1024 counts a cycle, holds.
PRINTED = [(0xFF, 2.4, 1024), (0xF6, 24, 10240), (0xD6, 100.8, 43008), (0xC0, 153.6, 65535), (0xEB, 50.4, 21504)]
CORRECTED = [(0x00, 614.4, 65535), (0xD5, 103.2, 44032)]


@pytest.mark.parametrize(("atime", "ms", "full"), PRINTED + CORRECTED)
def test_the_table_of_integration_times_and_its_two_errors(chip: Tcs34725, atime: int, ms: float, full: int) -> None:
    chip.expose(0.0, (5000.0, 100.0, 1.0, 1.0))
    run(chip, 0.0, atime)
    end = 2 * STEP + ms / 1000
    assert get(chip, end - 0.001, 0x13)[0] & 1 == 0
    assert get(chip, end + 0.001, 0x13)[0] & 1 == 1
    clear, red, *_ = counts(chip, end + 0.001)
    assert clear == full
    assert red == min(full, round(100 * ms / 2.4))


def test_every_register_there_is_at_its_reset_value(chip: Tcs34725) -> None:
    """Datasheet, register set: addresses and reset values; what is not listed is reserved and reads 0."""
    reset = {0x01: 0xFF, 0x03: 0xFF, 0x12: 0x44}
    for register in range(0x20):
        assert get(chip, 0.0, register)[0] == reset.get(register, 0), hex(register)


@pytest.mark.parametrize(
    ("register", "mask"),
    [(0x00, 0x1B), (0x01, 0xFF), (0x03, 0xFF), (0x04, 0xFF), (0x05, 0xFF), (0x06, 0xFF), (0x07, 0xFF), (0x0C, 0x0F)]
    + [(0x0D, 0x02), (0x0F, 0x03)]
    + [(register, 0) for register in (0x02, 0x08, 0x09, 0x0A, 0x0B, 0x0E, 0x10, 0x11, 0x13, *range(0x14, 0x1C))],
)
def test_what_a_write_can_change(chip: Tcs34725, register: int, mask: int) -> None:
    before = get(chip, 0.0, register)[0]
    set_register(chip, 0.0, register, 0xFF)
    assert get(chip, 0.0, register)[0] == (mask or before)


@pytest.mark.parametrize(
    ("persistence", "results"),
    list(enumerate((1, 1, 2, 3, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60))),
)
def test_persistence_by_the_table(chip: Tcs34725, persistence: int, results: int) -> None:
    """Datasheet, persistence register: 0 means every result, 1 the first out of range, then 2, 3, 5, 10, 15 ... 60 in a row."""
    set_register(chip, 0.0, 0x06, 50, 0)
    set_register(chip, 0.0, 0x0C, persistence)
    set_register(chip, 0.0, 0x00, 0x01)
    set_register(chip, STEP, 0x00, 0x13)
    count = 0
    while not chip.interrupt:
        count += 1
        chip.advance((1.5 + 2 * count) * STEP)
    assert count == results


def test_light_that_flickers_leaves_nothing_in_whole_periods_and_something_in_others() -> None:
    def clear(atime: int, hertz: float, phase: float) -> int:
        chip = Tcs34725(Quiet())
        chip.expose(phase, LIGHT, (80.0, 0.0, 0.0, 0.0), hertz)
        run(chip, phase, atime)
        return counts(chip, phase + 1.0)[0]

    for hertz in (100.0, 120.0):
        phases = [number / 7 / hertz for number in range(7)]
        whole = [clear(0xEB, hertz, phase) for phase in phases]
        short = [clear(0xFE, hertz, phase) for phase in phases]
        assert max(whole) - min(whole) < 0.06 * 2100
        assert max(short) - min(short) > 0.3 * 200
        assert sum(whole) / 7 == pytest.approx(2100, rel=0.02)


def test_a_part_has_its_own_cycle_gains_and_dark_counts() -> None:
    chip = Tcs34725(Quiet(), step=0.00256, gains=(1.0, 3.8, 15.0, 58.0), dark=5.0)
    chip.expose(0.0, LIGHT)
    run(chip, 0.0, 0xF6, 1)
    assert get(chip, 12 * 0.0025, 0x13)[0] & 1 == 0
    assert counts(chip, 13 * 0.00256)[0] == pytest.approx(3.8 * 1000, abs=1)
    chip.expose(1.0, (0.0, 0.0, 0.0, 0.0))
    run(chip, 1.0, 0xD6, 3)
    assert counts(chip, 2.0)[0] == pytest.approx(5, abs=1)
