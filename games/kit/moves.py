"""What every game's `apply` looks at first, and the refusals that are worded alike in all of them."""

from games.kit.cards import is_permutation
from games.kit.contract import IllegalMove
from games.kit.language import Lazy, lazy, lazy_count, say, say_in
from games.kit.words import SUIT_CARDS, join_words

NOT_DEALT = lazy("The cards are not dealt yet. Wait for the deal.")
OVER = lazy("The match is over.")


def move_checker(game, types, advice, wrong_keys=None):
    """A function check_move(move, phase): the type of `move`, whatever was sent as one.

    It raises `IllegalMove` unless that is a move that fits the phase and holds the keys it should and nothing else.
    game: its name, for players. types: by phase the types that fit it, each with the ways to make it: a list of tuples
    of the keys it then holds besides the type. advice: by phase a sentence that says what to do in it. The phases
    "deal" and "over" are the same in all games. wrong_keys: makes the sentence that refuses other keys out of a type
    and its ways.
    """
    types = {"deal": {"deal": [("deck",)]}, "over": {}} | types
    advice = {"deal": NOT_DEALT, "over": OVER} | advice
    wrong_keys = wrong_keys or _wrong_keys
    known = {kind for fitting in types.values() for kind in fitting}
    keys_of = {
        phase: {kind: tuple(frozenset(("type", *keys)) for keys in ways) for kind, ways in fitting.items()}
        for phase, fitting in types.items()
    }

    def check_move(move, phase):
        kind = move.get("type") if type(move) is dict else None
        ways = keys_of[phase].get(kind) if type(kind) is str else None
        if ways is None:
            raise IllegalMove(misfit(kind, phase))
        if move.keys() not in ways:
            raise IllegalMove(wrong_keys(kind, types[phase][kind]))
        return kind

    def misfit(kind, phase):
        if phase != "over" and (type(kind) is not str or kind not in known):
            return lazy("There is no such move in {game}.", game=game)
        return advice[phase]

    return check_move


def _wrong_keys(kind, ways):
    return lazy("A {kind} names {keys} and nothing else.", kind=kind, keys=Lazy(_ways, ways))


def _ways(ways):
    """The keys of a move, as they stand in `_wrong_keys`: "the card or the card and the belot"."""
    *others, last = [
        join_words([say_in("key of a move", "the {key}", key=key) for key in keys]) or say("its type") for keys in ways
    ]
    return say("{others} or {last}", others=", ".join(others), last=last) if others else last


def check_deck(deck, pack, refusal=None):
    """Raise `IllegalMove` unless `deck`, whatever it is, is a list of just the cards of `pack`.

    refusal: the sentence, where these are not all the cards of a pack.
    """
    if not is_permutation(deck, pack):
        one, many = (
            "A deal takes the {number} card of the pack, each of them once.",
            "A deal takes the {number} cards of the pack, each of them once.",
        )
        raise IllegalMove(refusal or lazy_count(len(pack), one, many))


def must_follow(suit):
    """The sentence that refuses a card of another suit to who holds one of this suit, which was led."""
    return lazy("You hold a {suit}, so you must follow suit.", suit=SUIT_CARDS[suit])


PLAY_ONE = lazy("Play one from your hand.")


def remove_card(hands, seat, card, advice=PLAY_ONE):
    """The hands, a tuple by seat, after one of them has given away a card.

    Raises `IllegalMove` if the seat does not hold `card`, whatever it is. advice: the sentence that says what to do.
    """
    hands, hand = list(hands), list(hands[seat])
    try:
        hand.remove(card if type(card) is str else None)
    except ValueError:
        raise IllegalMove(lazy("You do not hold that card. {advice}", advice=advice)) from None
    hands[seat] = tuple(hand)
    return tuple(hands)
