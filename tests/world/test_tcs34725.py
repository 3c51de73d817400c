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
