"""How contracts, calls, declarations and sides are called, and what is worth what."""

from functools import cache

from games.belot.rules.pack import PLAIN_POINTS, PLAIN_RANKS, TRUMP_POINTS, TRUMP_RANKS, trump_suits
from games.kit.markup import MINI, NOTHING, SUIT_SIGNS, Markup, letters_sign
from games.kit.words import RANK_WORDS, SUIT_WORDS, joined

CONTRACT_WORDS = SUIT_WORDS | {"NT": "no trumps", "AT": "all trumps"}
SIGNS = SUIT_SIGNS | {contract: letters_sign(contract) for contract in ("NT", "AT")}
TIMES = {1: NOTHING, 2: Markup("×2"), 4: Markup("×4"), 8: Markup("×8")}
LEVEL_WORDS = {1: "", 2: "doubled", 4: "redoubled", 8: "doubled a third time"}
DOUBLES = {"double": ("Double", "×2"), "redouble": ("Redouble", "×4"), "surcontre": ("Third double", "×8")}
SAID = {"pass": "pass", "double": "double", "redouble": "redouble", "surcontre": "third double"}
DONE = {"pass": "passes", "double": "doubles", "redouble": "redoubles", "surcontre": "doubles a third time"}
NAMELESS = {"T": "10"}  # a rank as it is printed on a card, where that is not its letter


def contract_words(contract):
    """ "hearts, doubled, by Vera" without the last part; contract: {"contract", "level"}."""
    return ", ".join(filter(None, [CONTRACT_WORDS[contract["contract"]], LEVEL_WORDS[contract["level"]]]))


def short_contract(contract):
    """ "hearts ×2"."""
    return f"{CONTRACT_WORDS[contract['contract']]} {TIMES[contract['level']]}".strip()


def call_words(call):
    """What is said: "pass", "hearts"."""
    return CONTRACT_WORDS[call["contract"]] if call["call"] == "bid" else SAID[call["call"]]


def done_words(call):
    """What somebody does who calls: "passes", "bids hearts"."""
    return f"bids {CONTRACT_WORDS[call['contract']]}" if call["call"] == "bid" else DONE[call["call"]]


def declaration_words(declaration):
    """ "four jacks", "tierce, queen to ace of hearts"; only the kind where the cards are not known."""
    kind, cards = declaration["kind"], declaration["cards"]
    if not cards:
        return kind
    low, high = cards[0], cards[-1]
    if kind == "square":
        return f"four {RANK_WORDS[low[0]]}s"
    return f"{kind}, {RANK_WORDS[low[0]]} to {RANK_WORDS[high[0]]} of {SUIT_WORDS[high[1]]}"


@cache
def small_cards(cards):
    """A tuple of cards as scraps of paper, for the eye alone: words stand beside them."""
    return Markup("".join(map(MINI.get, cards)))


# Sides


def side_names(sides, names):
    """The names of each side: "Ana and Vera"."""
    return [joined([names[seat] for seat in side]) for side in sides]


def labels(sides, names, viewer):
    """What the columns of a score sheet are headed by: We and You for one of four players, else names."""
    if viewer is None or len(sides[0]) == 1:
        return side_names(sides, names)
    return ["We" if viewer in side else "You" for side in sides]


def own_first(sides, viewer):
    """The numbers of the sides in the order in which a viewer wants to see them."""
    return sorted(range(len(sides)), key=lambda side: viewer not in sides[side])


# What cards are worth


def ranks_in(contract):
    """The orders of rank under a contract, low to high: of plain suits and of trumps."""
    return (TRUMP_RANKS if contract == "AT" else PLAIN_RANKS), TRUMP_RANKS


@cache
def card_values(contract, seats):
    """What counts how much: a list of {"name", "sign", "cards"}, a line for trumps and one for other suits.

    cards: pairs of a rank, as it is printed, and its points, the highest rank first.
    """
    trumps = trump_suits(contract)
    lines = []
    if trumps:
        name = "All suits" if contract == "AT" else f"{CONTRACT_WORDS[contract].capitalize()}, trumps"
        lines.append({"name": name, "sign": SIGNS[contract], "cards": _values(TRUMP_RANKS, TRUMP_POINTS, seats)})
    if contract != "AT":
        name = "Other suits" if trumps else "All suits"
        sign = NOTHING if trumps else SIGNS["NT"]
        lines.append({"name": name, "sign": sign, "cards": _values(PLAIN_RANKS, PLAIN_POINTS, seats)})
    return lines


def _values(ranks, points, seats):
    low = "" if seats == 4 else "78"  # these are not in the small pack
    printed = [rank for rank in reversed(ranks) if rank not in low]
    return [(Markup(NAMELESS.get(rank, rank)), Markup(points.get(rank, 0))) for rank in printed]


def at_stake(contract, options):
    """The match points that the cards of a whole deal come to, as they are written by whoever takes them all."""
    code, level = contract["contract"], contract["level"]
    points = {"NT": 120, "AT": 248}.get(code, 152) + 10 * options["last_trick_ten"]
    return round(points * (2 if code == "NT" else 1) / 10) * level
