"""What every game's `apply` looks at first, and the refusals that are worded alike in all of them."""

from games.kit.cards import is_permutation
from games.kit.contract import IllegalMove


def move_checker(game, types, advice, wrong_keys=None):
    """A function check_move(move, phase): the type of `move`, whatever was sent as one.

    It raises `IllegalMove` unless that is a move that fits the phase and holds the keys it should and nothing else.
    game: its name, for players. types: by phase the types that fit it, each with the ways to make it: a list of tuples
    of the keys it then holds besides the type. advice: by phase a sentence that says what to do in it. wrong_keys:
    makes the sentence that refuses other keys out of a type and its ways.
    """
    types = {"over": {}} | types
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
        if phase == "over":
            return "The match is over."
        if type(kind) is not str or kind not in known:
            return f"There is no such move in {game}."
        return advice[phase]

    return check_move


def _wrong_keys(kind, ways):
    choices = [" and ".join(f"the {key}" for key in keys) or "its type" for keys in ways]
    return f"A {kind} names {' or '.join(choices)} and nothing else."


def check_deck(deck, pack, origin="of the pack"):
    """Raise `IllegalMove` unless `deck`, whatever it is, is a list of just the cards of `pack`."""
    if not is_permutation(deck, pack):
        raise IllegalMove(f"A deal takes the {len(pack)} cards {origin}, each of them once.")


def hands_without(hands, seat, card, advice="Play one from your hand."):
    """The hands, a tuple by seat, after one of them has given away a card.

    Raises `IllegalMove` if the seat does not hold `card`, whatever it is. advice: the sentence that says what to do.
    """
    hands, hand = list(hands), list(hands[seat])
    try:
        hand.remove(card if type(card) is str else None)
    except ValueError:
        raise IllegalMove(f"You do not hold that card. {advice}") from None
    hands[seat] = tuple(hand)
    return tuple(hands)
