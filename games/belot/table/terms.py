"""What contracts, calls, declarations and sides are called, and what is worth what."""

from functools import cache

from games.belot.rules.moves import DOUBLES as LEVELS
from games.belot.rules.pack import (
    LAST_TRICK,
    PACKS,
    PLAIN_POINTS,
    PLAIN_RANKS,
    TRUMP_POINTS,
    TRUMP_RANKS,
    points_of_cards,
    times,
    trump_suits,
)
from games.belot.rules.scoring import limit_of, rounded
from games.kit.language import ByLanguage, cache_by_language, lazy_all, lazy_all_in, lazy_in, say, say_in
from games.kit.markup import MINI, NOTHING, SUIT_SIGNS, Markup, letters_sign
from games.kit.words import RANK_WORDS, SUIT_WORDS, join_words, titles

CONTRACT_WORDS = SUIT_WORDS | lazy_all({"NT": "no trumps", "AT": "all trumps"})
CONTRACT_TITLES = titles(CONTRACT_WORDS)
LETTERS = {
    "NT": lazy_in("sign of no trumps, two letters", "NT"),
    "AT": lazy_in("sign of all trumps, two letters", "AT"),
}
SIGNS = ByLanguage(lambda contract: SUIT_SIGNS.get(contract) or letters_sign(LETTERS[contract]))
TIMES = {1: NOTHING, 2: Markup("×2"), 4: Markup("×4"), 8: Markup("×8")}
CALL_WORDS = lazy_all_in(
    "a call", {"pass": "pass", "double": "double", "redouble": "redouble", "surcontre": "third double"}
)
SHORT_CALLS = titles(CALL_WORDS)
DOUBLES = {call: TIMES[level] for call, level in LEVELS.items()}
KIND_WORDS = lazy_all({"tierce": "tierce", "quarte": "quarte", "quint": "quint", "square": "square"})
KINDS = titles(KIND_WORDS)
A_KIND = lazy_all({"tierce": "a tierce", "quarte": "a quarte", "quint": "a quint", "square": "a square"})  # declared
FOUR = lazy_all(
    {"J": "four jacks", "9": "four nines", "A": "four aces", "K": "four kings", "Q": "four queens", "T": "four tens"}
)
NAMELESS = {"T": "10"}  # a rank as it is printed on a card, where that is not its letter


def contract_words(contract, words=CONTRACT_WORDS):
    """ "hearts, doubled"; contract: {"contract", "level"}. words: CONTRACT_TITLES for "Hearts, doubled"."""
    word = str(words[contract["contract"]])
    match contract["level"]:
        case 2:
            return say("{contract}, doubled", contract=word)
        case 4:
            return say("{contract}, redoubled", contract=word)
        case 8:
            return say("{contract}, doubled a third time", contract=word)
    return word


def short_contract(contract):
    """ "Hearts ×2"."""
    return f"{CONTRACT_TITLES[contract['contract']]} {TIMES[contract['level']]}".strip()


def call_words(call):
    """What is said: "pass", "hearts"."""
    return str(CONTRACT_WORDS[call["contract"]] if call["call"] == "bid" else CALL_WORDS[call["call"]])


def declaration_words(declaration):
    """ "four jacks", "tierce, queen to ace of hearts"; only the kind where the cards are not known."""
    kind, cards = declaration["kind"], declaration["cards"]
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
def small_cards(cards):
    """A tuple of cards as scraps of paper, for the eye alone: words stand beside them."""
    return Markup("".join(MINI[card] for card in cards))


class Sides:
    """What the sides of a match are called, for one who reads of them.

    order: their numbers as they are shown, the reader's own first.
    """

    def __init__(self, sides, names):
        """sides: of each its seats. names: `Names`, with the seat of the reader."""
        self.seats = sides
        self.names = [join_words([names[seat] for seat in side]) for side in sides]
        self.own = next((side for side, seats in enumerate(sides) if names.viewer in seats), None)
        self.pairs = len(sides[0]) > 1
        self.order = sorted(range(len(sides)), key=lambda side: side != self.own)

    @property
    def heads(self):
        """What columns are headed by: We and They for one of four players, You and names for who plays alone."""
        if self.own is None:
            return self.names
        if self.pairs:
            they = say_in("head of a column", "They")
            own, others = say_in("head of a column", "We"), [they, they]
        else:
            own, others = say_in("head of a column", "You"), self.names
        return [own if side == self.own else others[side] for side in range(len(self.seats))]

    @property
    def mates(self):
        """The names below the heads, "" where those are the heads."""
        return ["" if head == names else names for head, names in zip(self.heads, self.names, strict=True)]

    def of(self, side):
        """What a side is called in a list: "we", "you", or its names."""
        if side != self.own:
            return self.names[side]
        return say_in("within a sentence", "we") if self.pairs else say_in("within a sentence", "you")

    def say_of(self, side, ours, yours, one, many, **places):
        """What a side did: the reader's own of two ("We win.") or of one ("You win."), or another's.

        Another's is said of one who is {name} ("{name} wins.") or of two who are {names} ("{names} win.").
        """
        if side == self.own:
            return say(ours if self.pairs else yours, **places)
        return say(many if self.pairs else one, name=self.names[side], names=self.names[side], **places)


# What cards are worth


def ranks_in(contract):
    """The orders of rank under a contract, low to high: of plain suits and of trumps."""
    return (TRUMP_RANKS if contract == "AT" else PLAIN_RANKS), TRUMP_RANKS


@cache_by_language()
def card_values(contract, seats):
    """What counts how much: a list of {"name", "sign", "cards"}, a line for trumps and one for other suits.

    cards: pairs of a rank, as it is printed, and its points, the highest rank first.
    """
    trumps = trump_suits(contract)
    lines = []
    if trumps:
        name = say("All suits") if contract == "AT" else say("{suit}, trumps", suit=CONTRACT_TITLES[contract])
        lines.append({"name": name, "sign": SIGNS[contract], "cards": _values(TRUMP_RANKS, TRUMP_POINTS, seats)})
    if contract != "AT":
        name = say("Other suits") if trumps else say("All suits")
        sign = NOTHING if trumps else SIGNS["NT"]
        lines.append({"name": name, "sign": sign, "cards": _values(PLAIN_RANKS, PLAIN_POINTS, seats)})
    return lines


def _values(ranks, points, seats):
    printed = [rank for rank in reversed(ranks) if rank + "S" in PACKS[seats]]
    return [(Markup(NAMELESS.get(rank, rank)), Markup(points.get(rank, 0))) for rank in printed]


def at_stake(contract, level, options):
    """The match points that the cards of a whole deal come to, as they are written by whoever takes them all."""
    points = sum(points_of_cards(contract).values()) + LAST_TRICK * options["last_trick_ten"]
    return rounded(points * times(contract), limit_of(contract), up=False) * level
