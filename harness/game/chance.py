"""Keyed, counter-based randomness: Philox 4x32-10, the same bytes for the same key anywhere.

Source: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). A key is 128
bits, derived one way (blake2b) from words that say what it is for, so that a key of one label says nothing of
another's. 64 of its bits are Philox's key, the other 64 lie in the counter.
"""

import hashlib

import numpy as np
from numpy.typing import NDArray

from harness.compiled import kernel

_M0 = np.uint64(0xD2511F53)
_M1 = np.uint64(0xCD9E8D57)
_W0 = np.uint64(0x9E3779B9)
_W1 = np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_PIECE = np.uint64(0xFFFF)
_16, _32 = np.uint64(16), np.uint64(32)
_ONE = np.uint64(1)

PIECES = 80
"""16-bit pieces drawn for a hand at most: one for each of 64 cards, and as many whole blocks of Philox as hold them."""

_RETRIES = 1 << 16
"""Counter at which the pieces lie that replace rejected ones, apart from all others of their stream."""


def derive_key(label: str, *words: str) -> NDArray[np.uint64]:
    """Return the 128-bit key, shape (2,), of what `label` and `words` name, by blake2b."""
    text = "\0".join((label, *words)).encode()
    return np.frombuffer(hashlib.blake2b(text, digest_size=16).digest(), dtype="<u8").copy()


@kernel
def philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """Return the four 32-bit words (as uint64) of one Philox 4x32-10 block; all arguments uint64 below 2**32."""
    for _ in range(10):
        product0 = _M0 * c0
        product1 = _M1 * c2
        c0, c1, c2, c3 = (
            (product1 >> _32) ^ c1 ^ k0,
            product1 & _LOW,
            (product0 >> _32) ^ c3 ^ k1,
            product0 & _LOW,
        )
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@kernel
def draw_pieces(pieces, count, key, stream):  # type: ignore[no-untyped-def]
    """Fill at least the first `count` of `pieces`, (PIECES,) uint16, from stream number `stream` of `key`."""
    k0, k1, half0, half1 = key[0] & _LOW, key[0] >> _32, key[1] & _LOW, key[1] >> _32
    for at in range(0, count, 8):
        w0, w1, w2, w3 = philox(np.uint64(at // 8), np.uint64(stream), half0, half1, k0, k1)
        pieces[at], pieces[at + 1] = w0 & _PIECE, w0 >> _16
        pieces[at + 2], pieces[at + 3] = w1 & _PIECE, w1 >> _16
        pieces[at + 4], pieces[at + 5] = w2 & _PIECE, w2 >> _16
        pieces[at + 6], pieces[at + 7] = w3 & _PIECE, w3 >> _16


@kernel
def scaled_piece(piece, n):  # type: ignore[no-untyped-def]
    """Return (a whole number 0..n-1 from 16 random bits, whether it must be drawn again to be even).

    Multiply and reject: D. Lemire, "Fast random integer generation in an interval" (2019). The first test is cheap
    and nearly always passes; only behind it is the exact bound worked out.
    """
    size = np.uint64(n)
    product = np.uint64(piece) * size
    rest = product & _PIECE
    again = rest < size and rest < (_PIECE + _ONE - size) % size
    return np.int64(product >> _16), again


@kernel
def draw_again(key, stream, at, n):  # type: ignore[no-untyped-def]
    """Return 0..n-1 in place of the rejected piece number `at`, from pieces that nothing else draws."""
    attempt = 0
    while True:
        counter = np.uint64(_RETRIES + at + PIECES * attempt)
        word, _, _, _ = philox(counter, np.uint64(stream), key[1] & _LOW, key[1] >> _32, key[0] & _LOW, key[0] >> _32)
        drawn, again = scaled_piece(word & _PIECE, n)
        if not again:
            return drawn
        attempt += 1


@kernel
def seat_key(bot_key, seat):  # type: ignore[no-untyped-def]
    """Return the 64-bit key of one seat's bot in a deal, from the deal's key for bots, (2,) uint64."""
    key, half = bot_key[0], bot_key[1]
    w0, w1, _, _ = philox(np.uint64(seat), np.uint64(0), half & _LOW, half >> _32, key & _LOW, key >> _32)
    return (w1 << _32) | w0


@kernel
def decision_words(key, decision):  # type: ignore[no-untyped-def]
    """Return four random 32-bit words (uint64) for a bot's decision, from its observation's `key` and `decision`."""
    return philox(np.uint64(decision), np.uint64(0), np.uint64(0), np.uint64(0), key & _LOW, key >> _32)


@kernel
def scaled(word, n):  # type: ignore[no-untyped-def]
    """Return 0..n-1 from 32 random bits by multiplication; uneven by less than n / 2**32."""
    return np.int64((word * np.uint64(n)) >> _32)
