"""`boss rate`: published figures through the file, the answer's form, and what it says when there is little to say."""

import csv
import json
import math
import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from harness import api
from harness.errors import BossError, TableError

CITATIONS = {
    "Biometrika": {"Comm. Stat.": 730, "JASA": 498, "JRSS-B": 221},
    "Comm. Stat.": {"Biometrika": 33, "JASA": 68, "JRSS-B": 17},
    "JASA": {"Biometrika": 320, "Comm. Stat.": 813, "JRSS-B": 142},
    "JRSS-B": {"Biometrika": 284, "Comm. Stat.": 276, "JASA": 325},
}
"""Citations between statistics journals (Stigler 1994): cited, by citing."""


def write(file: Path, rows: list[tuple], header: str = "game,player,rank") -> Path:
    with open(file, "w", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(header.split(","))
        writer.writerows(rows)
    return file


def duels(pairs: list[tuple[str, str]]) -> list[tuple]:
    """Rows of duels, each won by the first."""
    return [row for game, (one, two) in enumerate(pairs) for row in ((game, one, 1), (game, two, 2))]


@pytest.fixture(scope="module")
def citations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pairs = [(cited, citing) for cited, row in CITATIONS.items() for citing, count in row.items() for _ in range(count)]
    return write(tmp_path_factory.mktemp("rate") / "citations.csv", duels(pairs))


def test_citations_through_the_file(citations: Path) -> None:
    rated = api.rate(citations, reference="Biometrika", prior=0.0)
    players = rated.players.set_index("player")
    assert players["theta"][list(CITATIONS)].tolist() == pytest.approx([0, -2.94907, -0.47957, 0.26895], abs=1e-5)
    assert players["theta_se"][list(CITATIONS)].tolist() == pytest.approx([0, 0.10255, 0.06059, 0.07083], abs=1e-5)
    assert players["elo"][list(CITATIONS)].tolist() == pytest.approx([0, -512.3, -83.3, 46.7], abs=0.05)
    assert players["wins"]["JRSS-B"] == 885
    assert (players["rank_lo"] == players["rank_hi"]).all()
    assert (players["lo"] < players["elo"]).all()
    assert players["se"]["Biometrika"] > 0  # its distance to the mean; only theta is against the reference


def test_the_answer_has_the_form_that_is_promised(citations: Path) -> None:
    answer = json.loads(json.dumps(api.rate(citations).answer()))
    assert list(answer) == ["players", "fit"]
    assert [list(player) for player in answer["players"]] == [
        ["player", "elo", "se", "lo", "hi", "theta", "theta_se", "games", "wins", "rank_lo", "rank_hi"]
    ] * 4
    assert list(answer["fit"]) == ["loglik", "deviance", "converged", "components", "seat", "tie"]
    assert answer["fit"]["deviance"] == -2 * answer["fit"]["loglik"]
    assert answer["fit"]["converged"] is True
    assert answer["fit"]["components"] == 1
    assert answer["fit"]["seat"] == answer["fit"]["tie"] == []
    assert sum(player["theta"] for player in answer["players"]) == pytest.approx(0.0, abs=1e-12)


def test_the_mean_of_all_players_is_zero_where_there_is_no_reference(tmp_path: Path) -> None:
    pairs = [("A", "B"), ("C", "A"), ("A", "D"), ("B", "A"), ("B", "C")]  # D only loses (Turner and others 2020)
    file = write(tmp_path / "toy.csv", duels(pairs))
    players = api.rate(file).players.set_index("player")
    expected = np.array([0.0, 0.5184185, 0.1354707, -1.1537565])
    assert players["theta"][list("ABCD")].tolist() == pytest.approx(expected - expected.mean(), abs=1e-6)
    spread = api.rate(file, reference="A").players.set_index("player")
    assert spread["theta"][list("ABCD")].tolist() == pytest.approx(expected, abs=1e-6)
    assert spread["theta_se"]["A"] == 0


def test_the_design_effect_of_games_told_twice_is_two(tmp_path: Path) -> None:
    rows = [
        (f"{block} {half}", player, 1 + (player != winner), block)
        for block, winner in enumerate("AB" * 100)
        for half in (1, 2)
        for player in "AB"
    ]
    assert api.rate(write(tmp_path / "twice.csv", rows, "game,player,rank,block")).design_effect == pytest.approx(
        2.0, rel=0.01
    )


def test_seats_and_ties_are_told_in_log_worths(tmp_path: Path) -> None:
    # home won 60 of 100, 20 were level; two equal teams at home in turn
    rows = []
    for game in range(100):
        ranks = (1, 2) if game < 60 else (1, 1) if game < 80 else (2, 1)
        home, away = ("A", "B") if game % 2 else ("B", "A")
        rows += [(game, home, ranks[0], 7), (game, away, ranks[1], 11)]
    file = write(tmp_path / "games.csv", rows, "game,player,rank,seat")
    fit = api.rate(file, prior=0.0).answer()["fit"]
    assert [(seat["players"], seat["seat"]) for seat in fit["seat"]] == [(2, 7), (2, 11)]
    assert fit["seat"][0]["value"] == pytest.approx(np.log(60 / 20) / 2, abs=1e-4)
    assert fit["seat"][1]["value"] == pytest.approx(-fit["seat"][0]["value"])
    assert fit["tie"] == [
        {"order": 2, "value": pytest.approx(np.log(20 / np.sqrt(60 * 20)), abs=1e-4), "se": fit["tie"][0]["se"]}
    ]
    assert api.rate(file, seat_terms=False).answer()["fit"]["seat"] == []


def test_first_places_alone(tmp_path: Path) -> None:
    rows = [(1, "0", 1), (1, "1", 2), (2, "1", 1), (2, "2", 2), (3, "2", 1), (3, "0", 2), (3, "1", 3)]
    players = api.rate(write(tmp_path / "top.csv", rows), prior=0.0, win_only=True).players.set_index("player")
    assert players["theta"][["0", "1", "2"]].tolist() == pytest.approx([0.160404, -0.320808, 0.160404], abs=1e-6)


def test_neither_rows_nor_names_matter(tmp_path: Path) -> None:
    rng = random.Random(1)
    rows = []
    for game in range(70):
        who = rng.sample("ABCDE", 3)
        rows += [(game, player, rng.choice((1, 2, 2, 3)), seat) for seat, player in enumerate(who)]
    first = api.rate(write(tmp_path / "one.csv", rows, "game,player,rank,seat")).players.set_index("player")
    rng.shuffle(rows)
    again = api.rate(write(tmp_path / "two.csv", rows, "game,player,rank,seat")).players.set_index("player")
    assert first.equals(again)
    other = dict(zip("ABCDE", "zyxwv", strict=True))
    renamed = [(game, other[player], rank, seat) for game, player, rank, seat in rows]
    third = api.rate(write(tmp_path / "three.csv", renamed, "game,player,rank,seat")).players.set_index("player")
    for name, new in other.items():
        for column in ("elo", "se", "lo", "hi", "theta", "theta_se", "rank_lo", "rank_hi"):
            assert first[column][name] == pytest.approx(third[column][new], abs=1e-6), column


@pytest.mark.parametrize("names", ["z1 z2 c d", "c z1 d z2", "d c b a"])
def test_equal_groups_are_shown_alike_whatever_their_names(tmp_path: Path, names: str) -> None:
    def rated(names: str, reference: str | None = None) -> pd.DataFrame:
        a, b, c, d = names.split()
        rows = duels([(a, b), (b, a)] * 25 + [(c, d)] * 30 + [(d, c)] * 20)
        return api.rate(write(tmp_path / "games.csv", rows), reference).players.set_index("player")

    for reference in (None, 0, 2):
        old, new = (
            rated(own, None if reference is None else own.split()[reference]).loc[own.split()]
            for own in ("a b c d", names)
        )
        for column in old.columns.drop("bound"):
            assert new[column].tolist() == pytest.approx(old[column].tolist(), abs=1e-6), (reference, column)
        spread = old["hi"] - old["elo"]
        assert spread.max() / spread.min() < 1.02 if reference is None else spread.max() / spread.min() > 5


@pytest.mark.parametrize("prior", [0.0, 0.5])
@pytest.mark.parametrize(
    ("pairs", "components", "says"),
    [
        ([("A", "B")], 2, "no two players both won and lost"),
        ([("A", "B"), ("B", "A"), ("C", "A"), ("C", "B")], 2, "outside the main group: C"),
        ([("A", "B"), ("B", "A"), ("C", "D"), ("D", "C")], 2, "no group is the main one"),
        ([("A", "B"), ("B", "C")], 3, "no two players both won and lost"),
    ],
)
def test_what_fixes_no_rating_is_finite_flagged_and_explained(
    tmp_path: Path, pairs: list[tuple[str, str]], components: int, says: str, prior: float
) -> None:
    rated = api.rate(write(tmp_path / "games.csv", duels(pairs)), prior=prior)
    answer = rated.answer()
    for player in answer["players"]:
        assert all(math.isfinite(value) for value in list(player.values())[1:])
    assert math.isfinite(answer["fit"]["loglik"])
    assert answer["fit"]["components"] == components
    assert answer["fit"]["converged"] == (prior > 0)
    assert any(says in note for note in rated.notes)
    assert any("no finite maximum" in note for note in rated.notes) == (prior == 0)
    assert rated.players["best"].isna().all() == (prior == 0)
    assert any("only" in note and "block" in note for note in rated.notes)


def test_a_player_that_only_tied_can_be_rated(tmp_path: Path) -> None:
    rows = [*duels([("A", "B"), ("B", "A"), ("A", "B")]), (10, "C", 1), (10, "A", 1), (11, "C", 1), (11, "B", 1)]
    answer = api.rate(write(tmp_path / "level.csv", rows), prior=0.0).answer()
    theta = {player["player"]: player["theta"] for player in answer["players"]}
    assert theta["B"] < theta["C"] < theta["A"]
    assert answer["fit"]["components"] == 1
    assert answer["fit"]["converged"]


def test_nothing_but_ties(tmp_path: Path) -> None:
    rows = [(game, player, 1) for game in range(30) for player in "ABC"]
    answer = api.rate(write(tmp_path / "level.csv", rows)).answer()
    assert [player["elo"] for player in answer["players"]] == pytest.approx([0, 0, 0], abs=1e-6)
    assert answer["fit"]["components"] == 3
    assert answer["fit"]["tie"][0]["order"] == 3
    assert math.isfinite(answer["fit"]["tie"][0]["value"])


def test_a_perfect_record_gets_a_bound(tmp_path: Path) -> None:
    pairs = [("A", "B"), ("B", "A")] * 50 + [("C", "AB"[game % 2]) for game in range(100)]
    rated = api.rate(write(tmp_path / "games.csv", duels(pairs)), reference="A")
    assert rated.players["bound"].tolist() == ["at least", "", ""]
    assert rated.players["bound_elo"][0] == pytest.approx(607, abs=0.5)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"reference": "JRSSB"}, "--reference JRSSB: no player has this name; did you mean 'JRSS-B'?"),
        ({"prior": -1.0}, "--prior -1: it can be 0"),
    ],
)
def test_bad_options_are_refused(citations: Path, options: dict, says: str) -> None:
    with pytest.raises(BossError) as refused:
        api.rate(citations, **options)
    assert says in str(refused.value)


def test_ties_of_too_many_sides_are_refused(tmp_path: Path) -> None:
    rows = [(1, f"p{number}", 1 if number < 20 else number) for number in range(40)]
    with pytest.raises(TableError, match="a tie of 20 sides among 40"):
        api.rate(write(tmp_path / "crowd.csv", rows))


def test_a_race_of_forty_three(tmp_path: Path) -> None:
    rows = [(1, f"driver {place:02}", place) for place in range(1, 44)]
    players = api.rate(write(tmp_path / "race.csv", rows)).players
    assert players["player"].tolist() == [f"driver {place:02}" for place in range(1, 44)]
    assert (players["rank_hi"] - players["rank_lo"] > 20).all()
