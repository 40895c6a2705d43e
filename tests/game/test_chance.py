"""The generator: Philox against its published vectors, its pieces by enumeration, keys that differ."""

import numpy as np
import pytest
from scipy.stats import chisquare

from harness.compiled import kernel
from harness.game.chance import (
    PIECES,
    decision_words,
    derive_key,
    draw_again,
    draw_pieces,
    philox,
    scaled,
    scaled_piece,
    seat_key,
)


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_vectors_of_random123(
    counter: tuple[int, ...], key: tuple[int, ...], words: tuple[int, ...]
) -> None:
    assert philox(*map(np.uint64, (*counter, *key))) == words


@kernel
def all_answers(n, counts):  # type: ignore[no-untyped-def]
    """Count what `scaled_piece` makes of each possible 16-bit piece; return how many are to be drawn again."""
    rejected = 0
    for piece in range(1 << 16):
        answer, again = scaled_piece(np.uint16(piece), n)
        if again:
            rejected += 1
        else:
            counts[answer] += 1
    return rejected


@pytest.mark.parametrize("n", [*range(1, 65), 100, 1000, 4097, 65535, 65536])
def test_a_piece_is_exactly_uniform(n: int) -> None:
    counts = np.zeros(n, np.int64)
    rejected = all_answers(n, counts)
    assert counts.tolist() == [(1 << 16) // n] * n
    assert rejected == (1 << 16) % n


@kernel
def answers_again(n, key, draws, counts):  # type: ignore[no-untyped-def]
    """Count what `draw_again` gives for each of `draws` streams of a key, at a place that goes round."""
    for stream in range(draws):
        counts[draw_again(key, stream, stream % 64, n)] += 1


@pytest.mark.parametrize("n", [2, 3, 5, 28, 52, 40_000])
def test_what_is_drawn_again_is_uniform(n: int) -> None:
    counts = np.zeros(n, np.int64)
    answers_again(n, derive_key("again", str(n)), 400_000, counts)
    assert chisquare(counts).pvalue > 1e-4


def test_pieces_are_the_words_of_philox_in_order() -> None:
    key = derive_key("pieces", "x")
    pieces = np.zeros(PIECES, np.uint16)
    draw_pieces(pieces, 24, key, 5)
    halves = [np.uint64(int(word) >> shift & 0xFFFFFFFF) for word in key for shift in (0, 32)]
    words = [philox(np.uint64(block), np.uint64(5), halves[2], halves[3], halves[0], halves[1]) for block in range(3)]
    told = [int(word) >> shift & 0xFFFF for block in words for word in block for shift in (0, 16)]
    assert pieces[:24].tolist() == told
    assert not pieces[24:].any()


def test_scaled_is_as_even_as_it_says() -> None:
    edges = [scaled(np.uint64(word), 6) for word in (0, 2**32 // 6, 2**32 // 6 + 1, 2**32 - 1)]
    assert edges == [0, 0, 1, 5]


def test_keys_of_other_labels_seats_and_decisions_differ() -> None:
    derived = [derive_key(*words).tobytes() for words in (("a", "b"), ("ab",), ("a", "b", ""), ("b", "a"), ("a", "c"))]
    assert len(set(derived)) == len(derived)
    key = derive_key("bots", "x")
    seats = [int(seat_key(key, seat)) for seat in range(6)]
    assert len(set(seats)) == 6
    words = [decision_words(np.uint64(seats[0]), decision) for decision in range(100)]
    assert len(set(words)) == 100
