"""The board `none`: a virtual clock, K ticks a turn, and a stop when the die is in danger."""

from eyecaptain.boards.none import RealDeck, VirtualBoard
from eyecaptain.games.draws import Draws
from eyecaptain.world.deck import MOUTH, TICKS_A_TURN, Place, VirtualDeck


def dealt(open_corners: int = 0, pace: float = 1.0) -> VirtualBoard:
    deck = VirtualDeck(Draws(b"s", b"T"), open_corners)
    deck.deal()
    return VirtualBoard(deck, pace)


def run(board: VirtualBoard) -> int:
    """Poll until the world rests; return the number of polls that did something."""
    polls = 0
    while board.poll() is not None:
        polls += 1
    return polls


def test_the_face_of_a_deal_is_reported_first() -> None:
    board = dealt()
    assert board.poll() == [{"type": "die", "face": board.deck.face, "by": "world"}]
    assert board.poll() is None


def test_a_turn_has_k_ticks_of_half_a_second() -> None:
    board = dealt()
    board.eye(True)
    board.new_turn()
    assert run(board) == TICKS_A_TURN + 1
    assert board.clock() == 6.0
    assert run(board) == 0
    board.new_turn()
    assert run(board) == TICKS_A_TURN


def test_the_pace_scales_the_clock_not_the_number_of_ticks() -> None:
    board = dealt(pace=2.0)
    board.eye(True)
    board.new_turn()
    assert run(board) == TICKS_A_TURN + 1
    assert board.clock() == 12.0


def test_nothing_moves_while_the_eye_rests() -> None:
    board = dealt()
    board.poll()
    board.new_turn()
    assert run(board) == 0
    assert board.clock() == 0.0


def test_the_world_stops_once_when_the_die_is_in_danger() -> None:
    board = dealt(open_corners=4)
    board.poll()
    board.eye(True)
    board.new_turn()
    board.deck.die = Place(MOUTH, 0)
    assert board.poll() is None
    assert board.poll() is not None


def test_a_real_deck_without_a_board_tells_nothing_and_its_clock_is_the_rooms() -> None:
    board = RealDeck()
    board.eye(True)
    board.new_turn()
    assert (board.poll(), board.deck) == (None, None)
    assert 0 <= board.clock() < 5
