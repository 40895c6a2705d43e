"""Variance of results split into skill and luck."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from stats.gate_samples import philox
from stats.samples import rotated

from harness.stats.results import SEATS, Results
from harness.stats.skill import (
    PARTS,
    games_for_reliability,
    intraclass,
    reliability,
    split_variance,
    whole_blocks,
)

Floats = npt.NDArray[np.float64]

SIZES = {"bot": 0.0, "opponents": 0.0, "seat": 0.0, "deal": 0.0, "rest": 0.0}


def additive(players: int, blocks: int, bots: int, seed: int, **sizes: float) -> tuple[Results, Floats]:
    """Values that are sums of normal effects with these spreads, the same bots and seats for any seed."""
    spread, rng = SIZES | sizes, philox(61)
    skill = rng.normal(0, spread["bot"], bots)
    suits = rng.normal(0, spread["opponents"], (bots, bots)) * (1 - np.eye(bots))
    seat = rng.normal(0, spread["seat"], players)
    rng = philox(60, seed)
    lineup = np.argsort(rng.random((blocks, bots)), axis=1)[:, :players]
    seated = lineup[:, (np.arange(players) + np.arange(players)[:, None]) % players]
    own = skill[seated] + suits[seated[:, :, :, None], seated[:, :, None, :]].sum(axis=3) / (players - 1)
    deal = rng.normal(0, spread["deal"], (blocks, 1, players))
    gains = own + seat + deal + rng.normal(0, spread["rest"], seated.shape)
    values = np.zeros((blocks * players, SEATS))
    values[:, :players] = gains.reshape(-1, players)
    wide = np.full((3, blocks * players, SEATS), -1, np.int16)
    wide[:, :, :players] = np.stack([seated.reshape(-1, players)] * 3)
    wide[1:, :, :players] = np.arange(players)
    wide[1, :, :players] += 1
    size, block = np.full(len(values), players, np.int8), np.repeat(np.arange(blocks), players)
    return Results(wide[0], wide[1], wide[2].astype(np.int8), size, block), values


@pytest.mark.parametrize("players", [3, 4, 5])
def test_parts_planted_alone_are_found_in_their_place(players: int) -> None:
    """Taking off the mean of the table leaves 1 - 1/n of an effect's variance."""
    for part in ("seat", "deal", "rest"):
        found = split_variance(*additive(players, 1500, 8, players, **{part: 1.0}))[players]
        if part != "seat":  # there are few seats: their spread is whatever it is
            assert found.variance[PARTS.index(part)] == pytest.approx(1 - 1 / players, rel=0.1), part
        others = [share for name, share in zip(PARTS, found.share, strict=True) if name != part]
        assert np.abs(others).max() < 0.02, part
    skilled = split_variance(*additive(players, 500, 40, players, bot=1.0))[players]
    # all that a bot gets in a block is its own strength, less the mean of the table with itself in it
    assert skilled.share[0] + skilled.share[1] == pytest.approx(1, abs=0.1)
    assert skilled.share[1] == pytest.approx(1 / players, abs=0.1)


def test_all_parts_together() -> None:
    sizes = {"bot": 0.5, "opponents": 0.4, "seat": 0.3, "deal": 0.6, "rest": 1.0}
    estimates, halves = [], []
    for seed in range(40):
        results, values = additive(4, 300, 12, seed, **sizes)
        found = split_variance(results, values)[4]
        estimates.append(found.variance)
        halves.append((found.hi - found.lo) / 2)
        assert found.variance.sum() == pytest.approx((values[:, :4] - values[:, :4].mean(axis=1)[:, None]).var())
        assert found.share.sum() == pytest.approx(1)
    means, spread = np.mean(estimates, axis=0), np.std(estimates, axis=0)
    assert means[3] == pytest.approx(0.36 * 0.75, abs=4 * spread[3] / np.sqrt(40))
    assert means[4] == pytest.approx(0.75, abs=4 * spread[4] / np.sqrt(40) + 0.01)
    shares = np.array(estimates) / np.sum(estimates, axis=1)[:, None]
    assert 2.09 * shares.std(axis=0) == pytest.approx(np.mean(halves, axis=0), rel=0.5)


def test_bot_and_opponents_are_those_of_all_pairs_of_blocks() -> None:
    """The same two equations by running over all pairs of blocks of a bot."""
    results, values = additive(4, 60, 7, 5, bot=0.5, opponents=1.0, deal=1.0, rest=1.0)
    lineups, gains = whole_blocks(results, values, 4)
    plain, weighted = np.zeros(2), np.zeros(2)
    first, second = np.zeros(2), np.zeros(2)
    for bot in range(7):
        own = [
            (set(lineup), gain[list(lineup).index(bot)].mean())
            for lineup, gain in zip(lineups, gains, strict=True)
            if bot in lineup
        ]
        for (one, gain), (other, again) in combinations(own, 2):
            shared = len(one & other) - 1
            plain += gain * again, 0
            weighted += shared * gain * again, 0
            first += 1, shared
            second += shared, shared**2
    skill, per_other = np.linalg.solve([first, second], [plain[0], weighted[0]])
    found = split_variance(results, values)[4]
    assert found.variance[:2] == pytest.approx([skill, 3 * per_other])


def test_shares_of_the_win_have_a_fixed_variance() -> None:
    games = rotated(philox(62), 400, np.zeros(6), 4)
    found = split_variance(games, (games.ranks == 1) * 1.0)[4]
    assert found.variance.sum() == pytest.approx(0.25 * 0.75)
    assert found.share[4] == pytest.approx(1, abs=0.02)  # equal bots, no luck of the cards: all is chance
    lucky = rotated(philox(63), 400, np.zeros(6), 4, luck=2.0)
    split = split_variance(lucky, (lucky.ranks == 1) * 1.0)[4]
    assert split.lo[3] > 0.2
    assert split.deal_luck == pytest.approx(split.variance[3] / (split.variance[3] + split.variance[4]))


def test_partners_share_what_they_get() -> None:
    """Six seats are three teams: what falls to a team falls to both of its seats, and is no more certain for that."""
    for luck, least, most in ((0.0, -0.02, 0.02), (2.0, 0.2, 0.6)):
        games = rotated(philox(64), 400, np.zeros(9), 6, luck=luck)
        won = (games.ranks == 1) * 1.0
        found = split_variance(games, won)[6]
        assert found.blocks == 400
        assert least < found.share[3] < most
        assert found.share[[0, 1, 2]] == pytest.approx([0, 0, 0], abs=0.02)


def test_what_cannot_be_told_is_not_a_number() -> None:
    duels = split_variance(*additive(2, 200, 6, 1, bot=1.0, rest=1.0))[2]
    assert np.isnan(duels.variance[3])
    assert duels.share[[0, 1, 2, 4]].sum() == pytest.approx(1)
    one_lineup = split_variance(*additive(3, 200, 3, 1, bot=1.0, rest=1.0))[3]
    assert np.isnan(one_lineup.variance[1])
    assert one_lineup.share[0] > 0.2
    nothing = split_variance(*additive(3, 20, 5, 1))[3]
    assert np.isnan(nothing.share).all()
    one_block = split_variance(*additive(3, 1, 3, 1, bot=1.0, rest=1.0))[3]
    assert np.isnan(one_block.lo).all()
    assert one_block.blocks == 1


def test_torn_blocks_and_copies_do_not_count() -> None:
    results, values = additive(3, 20, 5, 2, rest=1.0)
    keep = np.arange(60) != 7
    assert split_variance(results.where(keep), values[keep])[3].blocks == 19
    copies = Results(
        np.where(results.bots > 0, 1, results.bots), results.ranks, results.side, results.players, results.block
    )
    assert split_variance(copies, values) == {}
    with pytest.raises(ValueError, match="one for each seat"):
        split_variance(results, values[:, :3])


def test_order_and_names_do_not_matter() -> None:
    results, values = additive(4, 80, 9, 3, bot=1.0, deal=1.0, rest=1.0)
    found = split_variance(results, values)[4]
    order, names = philox(65).permutation(len(values)), philox(66).permutation(9)
    renamed = np.where(results.bots >= 0, names[results.bots], -1).astype(np.int16)
    other = Results(
        renamed[order], results.ranks[order], results.side[order], results.players[order], results.block[order]
    )
    assert split_variance(other, values[order])[4].variance == pytest.approx(found.variance)


SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_correlations_that_shrout_and_fleiss_print() -> None:
    found = intraclass(SHROUT_FLEISS)
    assert found[:3] == pytest.approx((0.1657, 0.2898, 0.7148), abs=5e-5)
    assert found[3:] == pytest.approx((0.4428, 0.6201, 0.9093), abs=5e-5)
    assert found.fixed_mean == pytest.approx(reliability(4, found.fixed))
    assert found.one_way_mean == pytest.approx(reliability(4, found.one_way))


def test_games_for_a_reliability() -> None:
    assert games_for_reliability(0.9, 0.1) == pytest.approx(81)
    assert reliability([1, 81], 0.1) == pytest.approx([0.1, 0.9])


def test_so_many_blocks_give_that_reliability() -> None:
    """Two halves of a tournament that rate alike."""
    results, values = additive(4, 4000, 30, 7, bot=0.3, deal=1.0, rest=1.0)
    found = split_variance(results, values)[4]
    lineups, gains = whole_blocks(results, values, 4)
    half = np.arange(len(lineups)) % 2
    means = np.array(
        [[gains[(half == part)[:, None] & (lineups == bot)].mean() for bot in range(30)] for part in (0, 1)]
    )
    per_bot = len(lineups) * 4 / 30 / 2
    assert np.corrcoef(means)[0, 1] == pytest.approx(float(reliability(per_bot, found.block_icc)), abs=0.03)
