"""Results of other games from CSV files: what is read, and what is refused with its line."""

from pathlib import Path

import numpy as np
import pytest

from harness.errors import TableError
from harness.ladder.results_csv import ResultsTable, read_results


def read(tmp_path: Path, text: str) -> ResultsTable:
    (tmp_path / "games.csv").write_text(text, encoding="utf-8")
    return read_results(tmp_path / "games.csv")


PLAIN = """\
game,player,rank
1,Cy,2
1,Ann,1
2,Ann,1
2,Bo,1
2,Cy,3
"""


def test_games_of_players(tmp_path: Path) -> None:
    found = read(tmp_path, PLAIN)
    assert found.players == ["Ann", "Bo", "Cy"]
    assert found.seats == []
    assert not found.blocked
    assert found.results.bots.tolist() == [[0, 2, -1], [0, 1, 2]]
    assert found.results.ranks.tolist() == [[1, 2, -1], [1, 1, 3]]
    assert found.results.side.tolist() == [[0, 1, -1], [0, 1, 2]]
    assert found.results.players.tolist() == [2, 3]
    assert len(set(found.results.block.tolist())) == 2


def test_teams_seats_and_blocks(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "block,seat,team,game,rank,player\n"
        "b,4,red,x,1,Ann\nb,2,,x,2,Bo\nb,9,red,x,1,Cy\n\n"
        "a,2,blue,y,2,Ann\na,4,red,y,1,Bo\na,9,blue,y,2,Bo\n",
    )
    assert found.seats == [2, 4, 9]
    assert found.blocked
    assert found.results.block.tolist() == [0, 1]
    assert found.results.bots.tolist() == [[0, 1, 1], [1, 0, 2]]
    assert found.results.side.tolist() == [[0, 1, 0], [0, 1, 1]]
    assert found.results.ranks.tolist() == [[2, 1, 2], [2, 1, 1]]


def test_the_order_of_rows_says_nothing(tmp_path: Path) -> None:
    header, *rows = PLAIN.splitlines()
    one = read(tmp_path, PLAIN).results
    other = read(tmp_path, "\n".join([header, *reversed(rows)])).results
    for name in ("bots", "ranks", "side", "players", "block"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_what_spreadsheets_write(tmp_path: Path) -> None:
    text = '\ufeffGame , Player,RANK,date\r\n1," Ann, the first ",1,today\r\n1,Bo,2,\r\n'
    found = read(tmp_path, text)
    assert found.players == ["Ann, the first", "Bo"]
    assert found.ignored == ["date"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: the header should name game, player, rank; game is missing"),
        ("game,name,rank\n", "line 1: the header should name game, player, rank; player is missing; it has game, name"),
        ("game,player,rank,blok\n", "line 1: no column is called 'blok'; did you mean 'block'"),
        ("game,player,rank,rank\n", "line 1: the column 'rank' stands there twice"),
        ("game,player,rank\n", "holds no games"),
        ("game,player,rank\n1,A,1\n1,B\n", "line 3: 2 cells, where the header has 3"),
        ("game,player,rank\n1,A,1\n,B,2\n", "line 3: the game is empty"),
        ("game,player,rank\n1,A,1\n1, ,2\n", "line 3: the player is empty"),
        ("game,player,rank\n1,A,first\n1,B,2\n", "line 2: rank 'first' should be a whole number from 1"),
        ("game,player,rank\n1,A,1\n1,B,0\n", "line 3: rank '0' should be"),
        ("game,player,rank\n1,A,1\n1,B,1.5\n", "line 3: rank '1.5' should be"),
        ("game,player,rank\n1,A,1\n1,B,-2\n", "line 3: rank '-2' should be"),
        ("game,player,rank\n1,A,1\n1,B,2\n2,A,1\n", "line 4: its game has no second side"),
        ("game,player,rank,team\n1,A,1,x\n1,B,1,x\n", "lines 2, 3: its game has no second side"),
        ("game,player,rank\n1,A,1\n1,B,2\n1,A,3\n", "line 4: this player stands in an earlier row of the same game"),
        ("game,player,rank,seat\n1,A,1,1\n1,B,2,x\n", "line 3: seat 'x' should be a whole number"),
        ("game,player,rank,seat\n1,A,1,1\n1,B,2,1\n", "line 3: this seat stands in an earlier row of the same game"),
        ("game,player,rank,block\n1,A,1,p\n1,B,2,q\n", "line 3: another block than an earlier row of the same game"),
        ("game,player,rank,block\n1,A,1,p\n1,B,2,\n", "line 3: the block is empty"),
        (
            "game,player,rank,team\n1,A,1,x\n1,B,2,x\n1,C,3,\n",
            "line 3: another rank than an earlier row of the same team",
        ),
        ('game,player,rank\n1,"A,1\n', "line 2: unexpected end of data"),
        ("game;player;rank\n1;A;1\n", "game is missing; it has game;player;rank; commas are to stand between them"),
        (
            "game,player,rank\n1,A,x\n1,,2\n2,A,x\n2,B,1\n",
            "lines 2, 4: rank 'x' should be a whole number from 1; line 3: the player is empty",
        ),
        (
            "game,player,rank\n" + "".join(f"{number},A,1\n" for number in range(1008)),
            "lines 2, 3, 4, 5, 6: its game has no second side; a game needs two players or teams; and 1,003 lines more",
        ),
    ],
)
def test_bad_rows_are_refused_with_their_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(TableError) as refused:
        read(tmp_path, text)
    assert str(refused.value).startswith(str(tmp_path / "games.csv"))
    assert says in str(refused.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="cannot be read: No such file"):
        read_results(tmp_path / "nowhere.csv")
    (tmp_path / "games.csv").write_bytes(b"game,player,rank\n1,\xff,1\n")
    with pytest.raises(TableError, match="is not text in UTF-8"):
        read_results(tmp_path / "games.csv")


def test_too_many_seats_and_players(tmp_path: Path) -> None:
    crowd = "game,player,rank\n" + "".join(f"1,p{number},{number}\n" for number in range(1, 130))
    with pytest.raises(TableError, match="129 seats; a table can have 127"):
        read(tmp_path, crowd)
    many = "game,player,rank\n" + "".join(f"{number},p{number},1\n{number},q,2\n" for number in range(1, 2001))
    with pytest.raises(TableError, match="2,001 players; 2,000 at most"):
        read(tmp_path, many)
