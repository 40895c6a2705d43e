"""The keys of an entry under `tables`: which table kinds are played, all of them possible ones."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from harness.errors import CardsError, NotationError, nearest
from harness.game import cards as c
from harness.game.rules import Rules, changed, own_rules, rules_of_set, usual_rules
from harness.ladder.entry_values import Face, Section, SetList, refuse
from harness.ladder.yaml_file import Place, Problem


class TableEntry(Section):
    """One or more table kinds that are played alike."""

    players: int = Field(ge=2, le=c.MAX_PLAYERS, description="How many play at a table, 2 to 6.")
    sets: SetList = Field(
        default=("default",),
        description="Card sets, one or a list: `default`, `official` (all published), `exact` (all that deal "
        "out) or city numbers as in `1234567`; a table kind each.",
    )
    blocks: int = Field(ge=1, le=1_000_000, description="How many blocks of each of these table kinds to play.")
    rules: dict[str, Any] = Field(default={}, description="Rulings and pieces that are not as usual (below).")
    cards: dict[str, Annotated[tuple[Face, ...], Field(strict=False)]] | None = Field(
        default=None, description="A designer's own cards instead of `sets`: each city with its list of faces."
    )
    hand_size: int | None = Field(
        default=None, ge=c.MIN_HAND, le=c.MAX_HAND, description="Cards in a hand; only with `cards`, 3 to 10."
    )
    teams: bool | None = Field(
        default=None, description="May say `true` at six players, who always play as three teams of two."
    )

    @model_validator(mode="after")
    def _playable(self) -> Self:
        refuse(_table_problems(self))
        return self


def table_kinds(table: TableEntry) -> list[Rules]:
    """Return the rules of each table kind that an entry asks for."""
    bases = (build() for _, build in _bases(table))
    return [changed(base, table.rules) for base in bases]


def _bases(table: TableEntry) -> Iterator[tuple[Place, Callable[[], Rules]]]:
    """Each set of cards the entry asks for: where it says so, and how to make its rules."""
    players, own = table.players, table.cards
    if own is not None:
        cards = {city: list(faces) for city, faces in own.items()}
        yield ("cards",), partial(own_rules, players, cards, table.hand_size)
        return
    for i, word in enumerate(table.sets):
        for digits in SETS[word](players) if word in SETS else (word,):
            yield ("sets", i), partial(_rules_of, players, digits)


SETS: dict[str, Callable[[int], Iterable[str]]] = {
    "default": lambda players: c.OFFICIAL_SETS[players][:1],
    "official": lambda players: c.OFFICIAL_SETS[players],
    "exact": c.exact_sets,
}


def _rules_of(players: int, digits: str) -> Rules:
    if not digits.isdecimal():
        raise CardsError(
            f"{digits!r} is no card set; write {', '.join(SETS)} or city numbers, as in 1234567{nearest(digits, SETS)}"
        )
    return rules_of_set(f"{players}p:{digits}")


def _table_problems(table: TableEntry) -> Iterator[Problem]:
    if table.cards is not None and "sets" in table.model_fields_set:
        yield Problem(("sets",), "a table has either sets or cards of its own; remove one of them")
    if table.cards is None and table.hand_size is not None:
        yield Problem(("hand_size",), "only a table with cards of its own sets it; remove it")
    if table.teams is False and table.players == 6:
        yield Problem(("teams",), "six play as three teams of two; say true or leave it out")
    if table.teams and table.players != 6:
        yield Problem(("teams",), "only six play in teams; leave it out")
    for place, build in _bases(table):
        yield from _refusals(place, build)
    for key, value in table.rules.items():
        yield from _refusals(("rules", key), partial(changed, usual_rules(table.players), {key: value}))


def _refusals(place: Place, build: Callable[[], Rules]) -> Iterator[Problem]:
    try:
        build()
    except (CardsError, NotationError) as error:
        text = str(error)
        for head in ("cards", "rules", str(place[-1])):
            text = text.removeprefix(f"{head}: ")
        yield Problem(place, text)
