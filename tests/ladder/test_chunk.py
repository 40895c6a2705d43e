"""Which process of a bot plays where: none sees two seats of one game, nor one deal twice, and a step asks few."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given

from harness.game.layout import NONE
from harness.game.rules import usual_rules
from harness.ladder.chunk import processes_of, seat_bots
from harness.ladder.schedule import Block

BOTS = 5


@given(
    st.integers(2, 6).flatmap(
        lambda players: st.lists(
            st.tuples(st.lists(st.integers(0, BOTS - 1), min_size=players, max_size=players), st.booleans()),
            min_size=1,
            max_size=6,
        )
    )
)
def test_each_seat_of_a_bot_in_the_games_of_a_deal_has_a_process_of_its_own(
    drawn: list[tuple[list[int], bool]],
) -> None:
    """Also where several copies of a bot sit at one table, and whichever way the seats are rotated."""
    players = len(drawn[0][0])
    blocks = [Block("table", number, tuple(lineup), williams) for number, (lineup, williams) in enumerate(drawn)]
    seatings, block_of, rotation_of = seat_bots(blocks, usual_rules(players))
    for bot in range(BOTS):
        sits = seatings == bot
        own = processes_of(sits, block_of, rotation_of)
        assert ((own >= 0) == sits).all()
        assert (own[~sits] == NONE).all()
        for block in range(len(blocks)):
            seen = own[block_of == block][sits[block_of == block]].tolist()
            assert sorted(seen) == list(range(len(seen)))


def test_at_one_seat_of_all_games_each_bot_has_one_process_to_ask() -> None:
    """So that a step asks a bot once about thousands of games, not once for each rotation."""
    lineups = [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)]
    blocks = [Block("table", number, lineup) for number, lineup in enumerate(lineups)]
    seatings, block_of, rotation_of = seat_bots(blocks, usual_rules(4))
    for bot in range(4):
        own = processes_of(seatings == bot, block_of, rotation_of)
        for seat in range(4):
            assert np.unique(own[seatings[:, seat] == bot, seat]).tolist() == [seat]
