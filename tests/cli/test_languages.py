"""The command in every language: people read theirs, programs and files get the same."""

import json
from pathlib import Path

import pytest

from eyecaptain import games, language
from eyecaptain.games.base import COLORS, BadAction, Game, Refused
from eyecaptain.games.twelve import TwelveGame
from eyecaptain.language import LANGUAGES
from eyecaptain.views import plain, vocabulary
from eyecaptain.views.phrases import color, parse, parse_mend
from support import captain, only_session

OTHERS = LANGUAGES[1:]
SAID = [
    "5",
    "help",
    "undo",
    "",
    "turn Ada",
    "3",
    "look",
    "where",
    "status",
    "pause",
    "resume",
    "recentre exhausted force",
    "call Ben",
    "1",
]


def spoken_game(lang: str, root: Path) -> tuple[str, str]:
    """A game that is typed in this language: what was shown, and the actions of its log (hashes go by the header's time)."""
    language.use(lang)
    lines = "".join(vocabulary.typed(line) + "\n" for line in SAID)
    args = ("play", "captain", "--players", "Ada,Ben", "--bots", "1", "--seed", "5eed", "--lang", lang)
    done = captain(*args, stdin=lines, sessions=root)
    assert done.returncode == 0, done.stderr
    entries = [json.loads(line) for line in (only_session(root) / "session.jsonl").read_text(encoding="utf-8").splitlines()[1:]]
    for entry in entries:
        del entry["hash"]
    return done.stdout, "\n".join(map(json.dumps, entries))


@pytest.mark.usefixtures("spoken")
def test_a_game_typed_in_any_language_gives_the_same_log_and_the_same_exports(tmp_path: Path) -> None:
    shown, logs = zip(*(spoken_game(lang, tmp_path / lang) for lang in LANGUAGES), strict=True)
    assert len(set(shown)) == len(LANGUAGES)
    assert len(set(logs)) == 1
    for word in ("type", "undo", "turn", "pause", "resume", "recentre", "call"):
        assert f'"{word}"' in logs[0], "the game has to have it"
    path = str(only_session(tmp_path / "de") / "session.jsonl")
    for args in (["export", path, "--as", "csv"], ["export", path, "--as", "csv", "--anonymous"], ["show", path, "--json"]):
        assert len({captain("sessions", *args, "--lang", lang, sessions=tmp_path).stdout for lang in ("en", "de")}) == 1
    record = captain("sessions", "export", path, "--as", "record", "--lang", "de", sessions=tmp_path).stdout
    assert "Runde 1" in record
    assert "Siegchip" in record


def test_an_error_for_programs_is_the_same_in_every_language(tmp_path: Path) -> None:
    path = tmp_path / "by-hand.jsonl"
    path.write_text('{"type":"session","format":1,"game":"solo","players":["A","B"]}\n{"type":"turn","seat":4}')
    done = [captain("replay", str(path), "--json", "--lang", lang, sessions=tmp_path) for lang in LANGUAGES]
    assert {one.returncode for one in done} == {6}
    assert {one.stdout for one in done} == {
        '{"error":{"code":"no_such_seat","rule":"C1","line":2,"message":"there is no seat 4: the seats are 0 to 1"}}\n'
    }
    done = [captain("replay", str(path), "--lang", lang, sessions=tmp_path) for lang in LANGUAGES]
    assert len({one.stderr for one in done}) == len(LANGUAGES)


@pytest.mark.parametrize(
    ("args", "env", "says"),
    [
        (
            ["play", "--help"],
            {"LC_ALL": "de_AT.UTF-8", "LANGUAGE": ""},
            ["Aufruf: captain play", "Wer spielt", "Diese Hilfe zeigen"],
        ),
        (["--help", "--lang", "it"], {}, ["Uso: captain", "Comandi:", "Spiega come si gioca."]),
        (["sessions", "--lang=es", "--help"], {}, ["Uso: captain sessions", "Órdenes:", "la más reciente"]),
        (["--lang", "de", "sessions", "list", "--help"], {}, ["Aufruf: captain sessions list", "die neueste zuerst"]),
        ([], {"LC_ALL": "", "LANG": "es_ES", "LANGUAGE": ""}, ["cada marinero por su cuenta"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_help_is_in_the_language_of_people(args: list[str], env: dict[str, str], says: list[str], tmp_path: Path) -> None:
    done = captain(*args, sessions=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert all(words in " ".join(done.stdout.split()) for words in says), done.stdout


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["dance", "--lang", "de"], "Fehler: Es gibt keinen Befehl 'dance'.\n„captain --help“ hilft weiter.\n"),
        (["replay", "--lang", "it"], "Errore: Manca l'argomento 'ID|FILE'.\nProva «captain replay --help» per un aiuto.\n"),
        (
            ["play", "chess", "--bots", "2", "--lang", "es"],
            "Error: No hay un juego «chess».\nLos juegos son: captain, geier, solo, team.\n",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_wrong_use_is_said_in_the_language_of_people(args: list[str], says: str, tmp_path: Path) -> None:
    done = captain(*args, sessions=tmp_path)
    assert (done.returncode, done.stderr) == (2, says)


@pytest.mark.parametrize("name", games.names())
def test_the_rules_of_a_game_in_every_language(name: str, tmp_path: Path) -> None:
    pages = [captain("rules", name, "--lang", lang, sessions=tmp_path).stdout for lang in LANGUAGES]
    assert len({page.splitlines()[0] for page in pages}) == len(LANGUAGES)
    for page in pages:
        assert max(map(len, page.splitlines())) <= 80
        drawing = [line[4:29] for line in page.splitlines()[3:10]]
        if name != "geier":  # whose drawing has words in it
            assert drawing == [line[4:29] for line in pages[0].splitlines()[3:10]]
        assert all(f"\n {number}. " in page for number in (1, 2, 3))


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("lang", OTHERS)
def test_what_the_help_shows_to_type_is_understood(lang: str) -> None:
    """In each game, on both decks: the same action as in English, which is understood, too."""
    language.use(lang)
    assert len(set(map(vocabulary.plain, vocabulary._words()))) == len(set(vocabulary._words().values()))
    for name in games.names():
        game = games.find(name)(("Ada", "Ben"))
        if not isinstance(game, TwelveGame):  # played by mail, not at the table
            continue
        for deck in ("virtual", "real"):
            helps = (*game.help[deck], *plain.HELP_DIE[deck], *plain.HELP_MEND, *plain.HELP_ALL)
            for line in (line for usage, _ in helps for line in usage.split(", ")):
                typed = vocabulary.typed(line)
                if vocabulary.english(line) in plain.WORDS:
                    assert plain.WORDS[vocabulary.english(typed)] == plain.WORDS[vocabulary.english(line)]
                elif line != "Enter":
                    assert understood(typed, game) == understood(line, game), typed


@pytest.mark.usefixtures("spoken")
@pytest.mark.parametrize("lang", OTHERS)
def test_what_the_help_for_mending_names_in_its_words_is_understood(lang: str) -> None:
    language.use(lang)
    named = " ".join(language._(meaning) for _, meaning in plain.HELP_MEND)
    for line in ("missed no", "last no", "last Ben"):
        assert vocabulary.typed(line) in named


def understood(line: str, game: Game) -> object:
    try:
        return parse_mend(line, game) or parse(line, game, (0,))
    except BadAction as error:
        return type(error)
    except Refused as error:
        return error.code


@pytest.mark.usefixtures("spoken")
def test_a_letter_that_may_be_two_colours_is_none() -> None:
    language.use("de")
    assert [color(word) for word in ("r", "g", "b", "y", "grün", "GRUN", "gelb", "green", "rot")] == [
        *("red", None, "blue", "yellow", "green", "green", "yellow", "green", "red")
    ]
    for lang in LANGUAGES:
        language.use(lang)
        assert [color(language._(name)) for name in COLORS] == list(COLORS)
        assert color("y") == "yellow"
