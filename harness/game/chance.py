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
_ZERO, _ONE, _THREE, _FOUR, _SEVEN = (np.uint64(n) for n in (0, 1, 3, 4, 7))

STREAM_WORDS = 6
"""Words of a stream: key, counter's key half, stream number, pieces drawn, and the block being drawn from."""


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
def start_stream(stream, key, number):  # type: ignore[no-untyped-def]
    """Set `stream`, (STREAM_WORDS,) uint64, to the beginning of stream `number` of `key`, (2,) uint64."""
    stream[0] = key[0]
    stream[1] = key[1]
    stream[2] = number
    stream[3] = 0


@kernel
def next_piece(stream):  # type: ignore[no-untyped-def]
    """Return the next 16 random bits of `stream` as uint64; a block of Philox holds eight such pieces."""
    drawn = stream[3]
    if drawn & _SEVEN == _ZERO:
        key, half = stream[0], stream[1]
        w0, w1, w2, w3 = philox(
            drawn >> _THREE, stream[2] & _LOW, half & _LOW, half >> _32, key & _LOW, key >> _32
        )
        stream[4] = (w1 << _32) | w0
        stream[5] = (w3 << _32) | w2
    stream[3] = drawn + _ONE
    word = stream[5] if drawn & _FOUR else stream[4]
    return (word >> ((drawn & _THREE) << _FOUR)) & _PIECE


@kernel
def below(stream, n):  # type: ignore[no-untyped-def]
    """Return a whole number 0..n-1, each exactly equally likely, for n up to 2**16.

    Multiply and reject: D. Lemire, "Fast random integer generation in an interval" (2019).
    """
    size = np.uint64(n)
    product = next_piece(stream) * size
    if (product & _PIECE) < size:
        floor = (_PIECE + _ONE - size) % size
        while (product & _PIECE) < floor:
            product = next_piece(stream) * size
    return np.int64(product >> _16)


@kernel
def seat_key(bot_key, seat):  # type: ignore[no-untyped-def]
    """Return the 64-bit key of one seat's bot in a deal, from the deal's key for bots, (2,) uint64."""
    key, half = bot_key[0], bot_key[1]
    w0, w1, _, _ = philox(np.uint64(seat), np.uint64(0), half & _LOW, half >> _32, key & _LOW, key >> _32)
    return (w1 << _32) | w0


@kernel
def decision_words(key, decision):  # type: ignore[no-untyped-def]
    """Return four random 32-bit words (uint64) for a bot's decision, from its observation's `key` and `decision`."""
    return philox(
        np.uint64(decision), np.uint64(0), np.uint64(0), np.uint64(0), key & _LOW, key >> _32
    )


@kernel
def scaled(word, n):  # type: ignore[no-untyped-def]
    """Return 0..n-1 from 32 random bits by multiplication; uneven by less than n / 2**32."""
    return np.int64((word * np.uint64(n)) >> _32)
