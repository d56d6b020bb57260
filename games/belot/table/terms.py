"""Names of contracts, calls, declarations and sides, and the values of cards and contracts."""

from collections.abc import Mapping, Sequence
from functools import cache

from games.belot.rules.moves import DOUBLES as LEVELS
from games.belot.rules.pack import (
    ALL_TRUMPS,
    LAST_TRICK,
    NO_TRUMPS,
    PACKS,
    PLAIN_POINTS,
    PLAIN_RANKS,
    TRUMP_POINTS,
    TRUMP_RANKS,
    card_points,
    points_factor,
    trump_suits,
)
from games.belot.rules.scoring import in_tens, rounding_limit
from games.belot.rules.types import Call, HighestBid, SheetRow
from games.kit.contract import Card, Options, Seat
from games.kit.drawing import TemplateData
from games.kit.language import ByLanguage, cache_by_language, lazy_all, lazy_all_in, lazy_in, say, say_in
from games.kit.markup import MINI, NOTHING, SUIT_SIGNS, Markup, index, letters_sign
from games.kit.words import RANK_WORDS, SUIT_WORDS, Names, join_words, titles

type Doublable = HighestBid | SheetRow  # has a contract and a level

CONTRACT_WORDS = SUIT_WORDS | lazy_all({NO_TRUMPS: "no trumps", ALL_TRUMPS: "all trumps"})
CONTRACT_TITLES = titles(CONTRACT_WORDS)
LETTERS = {
    NO_TRUMPS: lazy_in("sign of no trumps, two letters", "NT"),
    ALL_TRUMPS: lazy_in("sign of all trumps, two letters", "AT"),
}
SIGNS: ByLanguage[str, Markup] = ByLanguage(
    lambda contract: SUIT_SIGNS.get(contract) or letters_sign(LETTERS[contract])
)
TIMES = {1: NOTHING, 2: Markup("×2"), 4: Markup("×4"), 8: Markup("×8")}
CALL_WORDS = lazy_all_in(
    "a call", {"pass": "pass", "double": "double", "redouble": "redouble", "surcontre": "third double"}
)
SHORT_CALLS = titles(CALL_WORDS)
DOUBLES = {call: TIMES[level] for call, level in LEVELS.items()}
KIND_WORDS = lazy_all({"tierce": "tierce", "quarte": "quarte", "quint": "quint", "square": "square"})
KINDS = titles(KIND_WORDS)
A_KIND = lazy_all({"tierce": "a tierce", "quarte": "a quarte", "quint": "a quint", "square": "a square"})
FOUR = lazy_all(
    {"J": "four jacks", "9": "four nines", "A": "four aces", "K": "four kings", "Q": "four queens", "T": "four tens"}
)


def contract_words(contract: Doublable, words: Mapping[str, str] = CONTRACT_WORDS) -> str:
    """Return a contract in words: "hearts, doubled", or with CONTRACT_TITLES "Hearts, doubled".

    contract: has the keys "contract" and "level": 1, or 2, 4 or 8 after doubles. words: the words for each contract.
    """
    word = str(words[contract["contract"]])
    match contract["level"]:
        case 2:
            return say("{contract}, doubled", contract=word)
        case 4:
            return say("{contract}, redoubled", contract=word)
        case 8:
            return say("{contract}, doubled a third time", contract=word)
    return word


def short_contract(contract: Doublable) -> str:
    """Return "Hearts ×2"."""
    return f"{CONTRACT_TITLES[contract['contract']]} {TIMES[contract['level']]}".strip()


def call_words(call: Call) -> str:
    """Return "pass" or "hearts"."""
    return str(CONTRACT_WORDS[call["contract"]] if call["call"] == "bid" else CALL_WORDS[call["call"]])


def declaration_words(kind: str, cards: Sequence[Card] | None) -> str:
    """Return "four jacks" or "tierce, queen to ace of hearts", and only the kind if the cards are hidden."""
    if not cards:
        return str(KIND_WORDS[kind])
    low, high = cards[0], cards[-1]
    if kind == "square":
        return str(FOUR[low[0]])
    return say(
        "{kind}, {low} to {high} of {suit}",
        kind=KIND_WORDS[kind],
        low=RANK_WORDS[low[0]],
        high=RANK_WORDS[high[0]],
        suit=SUIT_WORDS[high[1]],
    )


@cache
def small_cards(cards: tuple[Card, ...]) -> Markup:
    """Return small pictures of cards. They have no text: the template writes it next to them."""
    return Markup("".join(MINI[card] for card in cards))


class Sides:
    """Names of the sides of a match, as one reader reads them.

    sides: the seats of each side. own: the reader's side, or None. order: the sides in display order, `own` first.
    """

    def __init__(self, sides: Sequence[Sequence[Seat]], names: Names) -> None:
        self.seats = sides
        self.names = [join_words([names[seat] for seat in side]) for side in sides]
        self.own = next((side for side, seats in enumerate(sides) if names.viewer in seats), None)
        self.pairs = len(sides[0]) > 1
        self.order = sorted(range(len(sides)), key=lambda side: side != self.own)

    @property
    def heads(self) -> Sequence[str]:
        """The heads of columns, by side: "We" and "They" at a table of four, or else "You" and the other names."""
        if self.own is None:  # A spectator reads only names.
            return self.names
        if self.pairs:
            they = say_in("head of a column", "They")
            own, others = say_in("head of a column", "We"), [they, they]
        else:
            own, others = say_in("head of a column", "You"), self.names
        return [own if side == self.own else others[side] for side in range(len(self.seats))]

    @property
    def mates(self) -> list[str]:
        """The names below the heads, "" where the head is the name."""
        return ["" if head == names else names for head, names in zip(self.heads, self.names, strict=True)]

    def of(self, side: int) -> str:
        """Return the name of a side within a sentence: "we" or "you" for the reader's own, or else its players."""
        if side != self.own:
            return self.names[side]
        return say_in("within a sentence", "we") if self.pairs else say_in("within a sentence", "you")

    def say_of(self, side: int, ours: str, yours: str, one: str, many: str, **places: object) -> str:
        """Return the sentence that fits a side.

        ours, yours: for the reader's own side, with and without a partner ("We win.", "You win."). one, many: for
        another side of one player ("{name} wins.") or of two ("{names} win.").
        """
        if side == self.own:
            return say(ours if self.pairs else yours, **places)
        return say(many if self.pairs else one, name=self.names[side], names=self.names[side], **places)


# What cards are worth


def ranks_in(contract: str | None) -> tuple[str, str]:
    """Return the ranks of plain suits and of trumps under a contract, low to high."""
    return (TRUMP_RANKS if contract == ALL_TRUMPS else PLAIN_RANKS), TRUMP_RANKS


@cache_by_language()
def card_values(contract: str, seats: int) -> list[TemplateData]:
    """Return what cards are worth under a contract: a line for trumps and one for other suits, each if there are any.

    A line has the keys "name" and "sign" of the suits, and "cards": pairs of a rank and its points, the highest first.
    """
    trumps = trump_suits(contract)
    lines: list[TemplateData] = []
    if trumps:
        name = say("All suits") if contract == ALL_TRUMPS else say("{suit}, trumps", suit=CONTRACT_TITLES[contract])
        lines.append({"name": name, "sign": SIGNS[contract], "cards": _values(TRUMP_RANKS, TRUMP_POINTS, seats)})
    if contract != ALL_TRUMPS:
        name = say("Other suits") if trumps else say("All suits")
        sign = NOTHING if trumps else SIGNS[NO_TRUMPS]
        lines.append({"name": name, "sign": sign, "cards": _values(PLAIN_RANKS, PLAIN_POINTS, seats)})
    return lines


def _values(ranks: str, points: Mapping[str, int], seats: int) -> list[tuple[Markup, Markup]]:
    in_pack = [rank for rank in reversed(ranks) if rank + "S" in PACKS[seats]]
    return [(index(rank), Markup(points.get(rank, 0))) for rank in in_pack]


def at_stake(contract: str, level: int, options: Options) -> int:
    """Return the match points that a side writes if it takes all cards of a deal."""
    points = sum(card_points(contract).values()) + LAST_TRICK * options["last_trick_ten"]
    return in_tens(points * points_factor(contract), rounding_limit(contract), up=False) * level
