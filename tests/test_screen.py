"""What the command line draws while a run goes: nothing twice, nothing of what is over."""

import io

import pytest
from rich.console import Console

from harness.cli import live, screen


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What is drawn on a terminal."""
    drawn = io.StringIO()
    monkeypatch.setattr(screen, "err", Console(file=drawn, force_terminal=True, width=120, emoji=False))
    return drawn


def test_a_warning_is_given_once_and_another_one_too(terminal: io.StringIO) -> None:
    with live.progress() as progress:
        for text in ("fox: not jailed", "fox: not jailed", "crow: not jailed"):
            progress.warn(text)
    assert terminal.getvalue().splitlines() == [
        "boss: warning: fox: not jailed",
        "boss: warning: crow: not jailed",
    ]


def test_of_a_check_nothing_is_drawn_once_games_are_played(terminal: io.StringIO) -> None:
    with live.checking(aloud=False) as checking, live.progress(after=checking) as progress:
        checking.at("independent", 2, ())
        progress.begin(6400, 2400)
        before, _, after = terminal.getvalue().partition("2,400 of 6,400 games lie stored")
        progress.advance(300, {})
    assert "independent: 2 players" in before
    assert "independent" not in after + terminal.getvalue().partition("lie stored")[2]


def test_the_bar_is_full_when_a_submission_needed_fewer_games_than_it_might(terminal: io.StringIO) -> None:
    with live.progress() as progress:
        progress.begin(6400, 2400)
        progress.advance(300, {})
        progress.rating()
    assert "2700/2700" in terminal.getvalue()
    assert terminal.getvalue().endswith("Rating the games and writing the report ...\n")


def test_no_bar_is_drawn_where_nothing_is_left_to_play(terminal: io.StringIO) -> None:
    with live.progress() as progress:
        progress.begin(2400, 2400)
        progress.rating()
    assert terminal.getvalue().splitlines() == [
        "2,400 of 2,400 games lie stored",
        "Rating the games and writing the report ...",
    ]
